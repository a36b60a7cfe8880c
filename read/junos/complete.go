package junos

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Complete gives a switch that was read what its box decides: the sizes of its partitions, and
// of ports of which the file says nothing the speed and the largest frame. A lossless group may
// take as much headroom as its pool has; how much the box grants it is for those who judge to
// say, since Juniper does not publish how it is computed.
//
// The error says that there is no such box.
func Complete(sw *plan.Switch, chip string) (taken []read.Assumption, err error) {
	box, ok := row.Boxes().Of(chip)
	if !ok {
		return nil, fmt.Errorf("partitions are percentages of the shared buffer, whose size is not known for a box with the chip %s", chip)
	}
	least, most := row.SharedBuffer(box, sw.DedicatedPercent)
	sizePools(sw, box, least)
	if least != most || least != box.Shared {
		taken = append(taken, base(box, least, most))
	}
	return append(taken, completePorts(sw, box)...), nil
}

// sizePools turns per cents into bytes.
func sizePools(sw *plan.Switch, box format.Box, shared units.Bytes) {
	why := func(name string, percent int64, at diag.Range) *plan.Why {
		return &plan.Why{Kind: plan.Standard, Name: name, ID: row.Buffers, Range: at, Note: fmt.Sprintf("%d %% of the shared buffer of %s, %v", percent, box.Model, shared)}
	}
	share := func(percent int64) units.Bytes {
		return units.Bytes(units.FloorMulDiv(int64(shared), percent, 100)).FloorTo(box.Cell)
	}
	headroom := map[string]plan.Derived[units.Bytes]{}
	for i := range sw.Pools {
		p := &sw.Pools[i]
		beside := share(p.HeadroomPercent)
		if p.Direction == plan.Ingress {
			p.Headroom = plan.Of(beside, why("headroom partition", p.HeadroomPercent, p.HeadroomRange))
		}
		// The pool of the plan holds the headroom too, as the chip's configuration counts; and
		// the uniform buffer model reserves it at egress as well.
		p.Size = plan.Of(share(p.Percent)+beside, why("partition", p.Percent+p.HeadroomPercent, p.Range))
		headroom[p.Name] = plan.Of(p.Headroom.Value, nil)
		if p.Headroom.Value == 0 && p.HeadroomRange.Filename != "" {
			headroom[p.Name] = p.Headroom // the file says so, at this line
		}
	}
	done := map[*plan.PortQoS]bool{nil: true}
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; !done[qos] {
			done[qos] = true
			for k := range qos.PGs {
				if qos.PGs[k].Lossless {
					qos.PGs[k].Headroom = headroom[qos.PGs[k].Pool]
				}
			}
		}
	}
}

// base says of which size per cents were taken, and who says another one.
func base(box format.Box, least, most units.Bytes) read.Assumption {
	text := fmt.Sprintf("assumed: the partitions divide %d KB, by %s, and the buffer that ports give up by dedicated-buffer", least/units.KiB, row.Buffers)
	if most != least {
		text += fmt.Sprintf("; by the sample output in the same text, taken for a default, it is %d KB, and the smaller is taken", most/units.KiB)
	}
	return read.Assumption{Where: box.Model, Assumes: text, Declare: "the shared buffer that `show class-of-service shared-buffer` prints"}
}

// completePorts gives ports without an mtu Junos' default, and ports without a speed the fastest
// that their cage has: at any other less comes in after a pause.
func completePorts(sw *plan.Switch, box format.Box) []read.Assumption {
	fastest, _ := row.Fastest(box.Model)
	channels := channelsOf(sw)
	var guessed []string
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.MTU == 0 && sw.MTU.Value == 0 {
			p.MTU = units.Bytes(row.Of(row.MTU).Default())
		}
		if p.Speed == 0 && strings.HasPrefix(p.Name, "et-") {
			p.Speed = fastest / units.BitRate(channels[cageOf(p.Name)])
			guessed = append(guessed, p.Name)
		}
	}
	if len(guessed) == 0 {
		return nil
	}
	return []read.Assumption{{
		Where:   plan.Abbreviate(guessed),
		Assumes: fmt.Sprintf("assumed: %s without a speed in the file run at most at the top speed of their cage on %s", natural.Count(len(guessed), "port", "ports"), box.Model),
		Declare: "speed of the interfaces",
	}}
}

func cageOf(port string) string { cage, _, _ := strings.Cut(port, ":"); return cage }

// channelsOf is into how many ports each cage is split: 1, 2, 4 or 8 by the names of its channels.
func channelsOf(sw *plan.Switch) map[string]int {
	count := map[string]int{}
	for i := range sw.Ports {
		cage, channel, _ := strings.Cut(sw.Ports[i].Name, ":")
		number, _ := strconv.Atoi(channel)
		count[cage] = max(count[cage], 1)
		for count[cage] <= min(number, 7) {
			count[cage] *= 2
		}
	}
	return count
}

// chipsOf are those of the boxes that have so many cages, and of which a cage runs at what those of
// the file do together.
func chipsOf(sw *plan.Switch) (chips []string) {
	rates, last := map[string]units.BitRate{}, 0
	channels := channelsOf(sw)
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if !strings.HasPrefix(p.Name, "et-") {
			continue
		}
		cage := cageOf(p.Name)
		number, _ := strconv.Atoi(cage[strings.LastIndexByte(cage, '/')+1:])
		last = max(last, number)
		rates[cage] = max(rates[cage], p.Speed*units.BitRate(channels[cage]))
	}
	for _, box := range row.Boxes() {
		fastest, cages := row.Fastest(box.Model)
		fits := last < cages
		for _, rate := range rates {
			fits = fits && rate <= fastest
		}
		if fits {
			chips = append(chips, box.Chip)
		}
	}
	return chips
}
