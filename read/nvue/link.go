package nvue

import (
	"regexp"
	"strings"

	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// speeds are those of ports: NVUE command reference, nv set interface link speed.
var speeds = map[string]units.BitRate{
	"10M": 10 * units.Mbps, "100M": 100 * units.Mbps, "1G": units.Gbps, "10G": 10 * units.Gbps, "25G": 25 * units.Gbps,
	"40G": 40 * units.Gbps, "50G": 50 * units.Gbps, "100G": 100 * units.Gbps, "200G": 200 * units.Gbps,
	"400G": 400 * units.Gbps, "800G": 800 * units.Gbps,
}

// fecs are the words of NVUE and ours.
var fecs = map[string]string{"auto": "auto", "rs": "rs", "baser": "fc", "off": "none", "driver-auto": "auto"}

// link reads what the file says of the cable's end.
func (r *reader) link(port *plan.Port, says portNodes) {
	mtu := says.get(row.Of(row.MTU).Names()...)
	port.MTU, port.MTURange = units.Bytes(mtu.quantity(row.MTU)), mtu.at()
	port.Speed = r.speed(says.get("link", "speed"))
	port.FEC = fecs[says.get("link", "fec").word("", "auto", "rs", "baser", "off", "driver-auto")]
	if duplex := says.get("link", "duplex"); duplex.word("full", "half") == "half" {
		duplex.leaf().doubtf(read.Scope{Ports: []string{port.Name}}, "a half duplex port takes no pauses")
	}
}

// speed is 0 where the ends negotiate it.
func (r *reader) speed(n *node) units.BitRate {
	if !n.there() {
		return 0
	}
	text := n.text()
	if text == "auto" {
		n.leaf().pass(ruleDefault)
		return 0
	}
	rate, ok := speeds[text]
	if !ok {
		r.list.Errorf(Word, n.at(), "%q is not a speed of a port", clip(text)).Fixf("write a speed such as 400G")
	}
	return rate
}

var breakoutMode = regexp.MustCompile(`^([248])x(\d+G)?$`)

// breakouts finds the ports that are split, and the speed of their parts: 0 where the file
// does not say it. `link breakout 4x100G` (Cumulus Linux 5.14, Switch Port Attributes,
// Breakout Ports).
func (r *reader) breakouts() map[string]units.BitRate {
	split := make(map[string]units.BitRate)
	r.set.get("interface").each(func(name string, port *node) {
		mode := port.get("link", "breakout")
		if !mode.there() || !portName.MatchString(name) {
			return
		}
		word, at := mode.value, mode
		if len(mode.kids) > 0 {
			at = mode.kids[len(mode.kids)-1]
			word = at.name
		}
		at.mark()
		at.get("lanes-per-port").mark().pass(ruleBreakout)
		m := breakoutMode.FindStringSubmatch(word)
		switch {
		case m != nil:
			rate, ok := speeds[m[2]]
			if !ok && m[2] != "" {
				r.list.Errorf(Word, at.at(), "%q is not a way to split a port", clip(word)).Fixf("write a breakout such as 4x100G")
			}
			split[name] = rate
			at.pass(ruleBreakout)
		case word == "disabled": // it has no ports: 5.14, Switch Port Attributes, Breakout Ports
			split[name] = 0
			at.pass(ruleBreakout)
		case word == "1x":
			at.pass(ruleDefault)
		default:
			at.doubtf(read.Scope{Ports: []string{name}}, "it is not known how the port is split")
		}
	})
	return split
}

// cage returns the port that a part of a port belongs to: swp2 of swp2s3.
func cage(name string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(name, "swp"), "s")
	return "swp" + number
}
