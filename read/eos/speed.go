package eos

import (
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// speed reads `speed 400g-8`, `speed forced 100gfull`, `speed auto 100gfull`, `speed 100full` and
// `speed auto`; the last of several counts. The number of lanes is checked and not kept: the plan
// knows the rate alone.
func (r *reader) speed(p *port, l cli.Line) verdict {
	w := l.Words[1:]
	if p.speed = 0; l.Undo != cli.Plain {
		return modelled()
	}
	if len(w) > 0 && (w[0] == "forced" || w[0] == "auto") {
		w = w[1:]
	}
	if len(w) == 0 && len(l.Words) > 1 {
		return modelled() // what the transceiver does
	}
	if len(w) != 1 {
		return r.unknown(l)
	}
	rate, ok := parseSpeed(w[0])
	if !ok {
		r.Found.Errorf(Number, l.Word(w[0]), "%q is not a speed that EOS takes", cli.Clip(w[0])).
			Fixf("write a rate and its lanes: 400g-8, 100g-2; or a rate and a duplex: 100gfull")
		return understood(false)
	}
	p.speed = rate
	return modelled()
}

// speeds returns the rates of Ethernet in Mb/s with the numbers of lanes that carry them: IEEE
// 802.3, by lanes of 10, 25, 50, 100 and 200 Gb/s; EOS names them as `speed ?` shows in
// the schema of aristanetworks/avd, ethernet_interfaces.
func speeds() map[int][]int {
	return map[int][]int{
		10: nil, 100: nil, 1000: {1}, 2500: nil, 5000: {1}, 10_000: {1}, 25_000: {1}, 40_000: {1, 2, 4},
		50_000: {1, 2}, 100_000: {1, 2, 4, 10}, 200_000: {1, 2, 4, 8}, 400_000: {2, 4, 8}, 800_000: {4, 8}, 1_600_000: {8},
	}
}

// parseSpeed reads "400g-8", "100gfull", "1000full", "25g", "100mhalf".
func parseSpeed(word string) (units.BitRate, bool) {
	rest := strings.TrimLeft(word, "0123456789")
	number := word[:len(word)-len(rest)]
	gigabits := strings.HasPrefix(rest, "g")
	if gigabits {
		number += "000"
	}
	mega, err := strconv.Atoi(number)
	if err != nil {
		return 0, false
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "g"), "m")
	lanes, known := speeds()[mega]
	if lane, ok := strings.CutPrefix(rest, "-"); ok && known && gigabits {
		n, err := strconv.Atoi(lane)
		return units.BitRate(mega) * units.Mbps, err == nil && slices.Contains(lanes, n)
	}
	return units.BitRate(mega) * units.Mbps, known && (rest == "full" || rest == "half" || rest == "" && gigabits)
}

// correction reads `error-correction encoding reed-solomon|fire-code`; `no` of both is none.
func (r *reader) correction(p *port, l cli.Line) verdict {
	w := l.Words
	if len(w) < 2 || w[1] != "encoding" {
		return verdict{}
	}
	switch {
	case l.Undo == cli.Restore:
		p.fec = ""
	case l.Undo == cli.No && len(w) > 2:
		return unmodelled("the remaining error correction is not known")
	case l.Undo == cli.No:
		p.fec = "none"
	case len(w) == 3 && w[2] == "reed-solomon":
		p.fec = "rs"
	case len(w) == 3 && w[2] == "fire-code":
		p.fec = "fc"
	default:
		return r.unknown(l)
	}
	return modelled()
}
