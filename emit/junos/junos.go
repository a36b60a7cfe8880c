// Package junos prints a switch's settings as the class-of-service configuration of Junos Evolved
// on QFX5130, QFX5220, QFX5230 and QFX5240: text in braces for `load replace` or `load merge`, or
// set commands.
//
// The headroom of a priority group is not configurable on Junos. Junos computes it from the length
// of the cable and the largest frame (congestion-notification-profile), and takes it from a
// partition of the shared buffer that is a whole per cent of it. So the partition is rounded up,
// the plan's bytes follow in a comment, and the thresholds of all ports are one number. A setting
// without a line is a finding.
//
// Sources: Junos CLI reference (congestion-notification-profile, cable-length, xon,
// buffer-partition, buffer-dynamic-threshold); AI-ML Data Center Feature Guide, PFC
// watchdog; Juniper validated designs, AI/ML multitenancy backend (QFX5240) and 5-stage
// EVPN/VXLAN (QFX5130, QFX5220, QFX5230); Juniper/yang 24.4R1, junos-qfx-conf-class-of-service.
//
// # Rounding
//
// The headroom partition is rounded up to a whole per cent of the shared buffer and the
// lossless partition down; XON offsets up to a cell; marking thresholds down to a whole
// per cent of what the queue may hold, and marking probabilities too, but not to 0; cable lengths up to a metre; the watchdog's
// detection time up to whole polling intervals.
package junos

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Files below the device's folder.
const (
	File    = "junos.conf"
	SetFile = "junos.set"
)

// Emit prints the text in braces. Where the list has errors there are no files.
func Emit(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, File, compose, func(root *statement) []byte {
		var out strings.Builder
		out.WriteString("/* QoS. Load with: load merge " + File + "; commit confirmed 10 */\n")
		root.curly(&out, 0)
		return []byte(out.String())
	})
}

// EmitSet prints the same as set commands.
func EmitSet(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, SetFile, compose, func(root *statement) []byte {
		var out strings.Builder
		out.WriteString("# QoS. Load with: load set " + SetFile + "; commit confirmed 10\n")
		root.commands(&out, "set")
		return []byte(out.String())
	})
}

// compose builds the tree of a switch, nil where the switch cannot be configured.
func compose(s *plan.Switch) (*statement, diag.List) {
	b := &builder{s: s, root: &statement{section: true}}
	b.s, b.given = emit.Shares(s, row.Shares())
	if !b.ofBox() {
		return nil, b.list
	}
	b.names()
	b.everyQueue()
	b.sortPorts()
	b.notSaid()
	b.system()
	b.ports()
	b.cos = b.root.at("class-of-service")
	b.classes()
	b.profiles()
	b.partitions()
	b.scheduling()
	b.bind()
	b.balance()
	if b.list.HasErrors() {
		return nil, b.list
	}
	return b.root, b.list
}

// ofBox finds the box. On one with Junos no bytes become per cent: shares of the buffer and levels of marking are written where
// the fabric states them as such.
func (b *builder) ofBox() (ok bool) {
	if b.box, ok = row.Boxes().Of(b.s.Chip); ok {
		return true
	}
	if b.box, b.classic = row.Classic().Of(b.s.Chip); !b.classic {
		b.list.Errorf(Platform, b.s.Range, "no QFX with Junos Evolved has the chip %s", b.s.Chip).Fixf("%s", row.Boxes().Use())
		return false
	}
	marks := func(q plan.Queue) bool { return q.ECN != nil }
	if b.s.Paused() != 0 && len(b.given) == 0 || slices.ContainsFunc(b.s.Ports, func(p plan.Port) bool { return p.QoS != nil && slices.ContainsFunc(p.QoS.Queues, marks) }) {
		b.list.Errorf(Platform, b.s.Range, "no QFX with Junos Evolved has the chip %s; on %s, which runs Junos, lossless classes without shares of the buffer and marking in bytes are not supported: Juniper does not publish the size of the shared buffer there", b.s.Chip, b.box.Model).
			Fixf("%s", row.Boxes().Use())
		return false
	}
	return true
}

// everyQueue gives queues that no class has a forwarding class: a scheduler belongs to one.
func (b *builder) everyQueue() {
	has := map[uint8]bool{}
	for _, c := range b.s.Classes {
		has[c.Queue] = true
	}
	own := *b.s
	own.Classes = slices.Clone(own.Classes)
	for i := range own.Ports {
		if own.Ports[i].QoS == nil {
			continue
		}
		for _, q := range own.Ports[i].QoS.Queues {
			if tc := slices.Index(own.Maps.TCToQueue[:], q.ID); tc >= 0 && !has[q.ID] {
				has[q.ID] = true
				own.Classes = append(own.Classes, plan.Class{Name: fmt.Sprintf("queue-%d", q.ID), TrafficClass: uint8(tc), Queue: q.ID, Range: own.Range})
			}
		}
	}
	b.s = &own
}

type builder struct {
	s         *plan.Switch
	box       format.Box
	classic   bool                 // it runs Junos, not Junos Evolved
	given     map[string]plan.Pool // shares that the fabric states
	root, cos *statement
	kinds     []*emit.Kind
	// rewritings are those of ports.
	rewritings []plan.Rewrite
	split100   Split // of the shared buffer
	list       diag.List
}

var (
	identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,62}$`) })
	hostName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$`) })
	// portName is an Ethernet interface of a QFX: FPC 0, PIC 0, port, channel.
	portName = regexp.MustCompile(`^et-[0-9]/[0-9]/[0-9]{1,2}(:[0-9]{1,2})?$`)
	// classicName is one of a QFX with Junos, where 1, 10 and more Gb/s have prefixes of their own.
	classicName = regexp.MustCompile(`^(et|xe|ge)-[0-9]/[0-9]/[0-9]{1,2}(:[0-9]{1,2})?$`)
)

// names refuses what would not stay one word of the configuration.
func (b *builder) names() {
	for _, n := range b.s.Names {
		if !hostName().MatchString(n) {
			b.list.Errorf(Name, b.s.Range, "%q is not a host name that Junos accepts", n).Fixf("use letters, digits, dots and dashes")
		}
	}
	for i := range b.s.Ports {
		if p := &b.s.Ports[i]; !portName.MatchString(p.Name) && !(b.classic && classicName.MatchString(p.Name)) {
			b.list.Errorf(Name, p.NamedAt(), "%q is not a port of a QFX with Junos", p.Name).Fixf("name ports like et-0/0/0, or et-0/0/0:1 for a channel")
		}
	}
	for _, c := range b.s.Classes {
		if !identifier().MatchString(c.Name) {
			b.list.Errorf(Name, c.Range, "%q cannot be the name of a forwarding class", c.Name).Fixf("use letters, digits, dashes and underscores, a letter first")
		}
	}
}

// notSaid warns of what has no word in Junos.
func (b *builder) notSaid() {
	if b.s.BufferModel == plan.DynamicModel {
		b.list.Warnf(Calculator, b.s.Range, "the dynamic buffer model exists on SONiC only: Junos always computes headroom from cables").Fixf(`leave buffer_model out`)
	}
	emit.TrimmingLost(&b.list, TrimmingLost, b.s, "no line of Junos for it is published")
	emit.RemappingLost(&b.list, RemappingLost, b.s, "no line of Junos for it is published")
	for _, k := range b.kinds {
		if len(k.QoS().Pools) > 0 {
			b.list.WarnOncef(DeviceDecides, k.First().Range, "the bound of a whole port in a pool is not written: Junos has none")
		}
	}
}

// system says whose configuration it is.
func (b *builder) system() { b.root.at("system").say("host-name", emit.Mark) }

// write converts a quantity of the plan for the leaf of a row, as [emit.Write] does; rounded and refused are the
// codes of its warning and its error.
func write[Q format.Quantity](b *builder, id format.ID, rounded, refused diag.Code, d plan.Derived[Q], otherwise diag.Range, unit ...format.Unit) int64 {
	return emit.Write(format.Voice{List: &b.list, System: "Junos", Rounded: rounded, Range: refused}, row.Of(id), d, otherwise, unit...)
}

// ports prints speed, channels and the largest frame.
func (b *builder) ports() {
	channels := make(map[string]int)
	for i := range b.s.Ports {
		cage, _, split := strings.Cut(b.s.Ports[i].Name, ":")
		if split {
			channels[cage]++
		}
	}
	interfaces := b.root.at("interfaces")
	for i := range b.s.Ports {
		p := &b.s.Ports[i]
		cage, channel, _ := strings.Cut(p.Name, ":")
		if speed := p.Speed / units.Gbps; b.classic && channel == "" { // of whole cages, where the name does not say it
			if place, ok := strings.CutPrefix(cage, "et-"); ok && speed > 0 {
				at := strings.Split(place, "/")
				b.root.at("chassis", "fpc "+at[0], "pic "+at[1], "port "+at[2]).say("speed", number(speed)+"g")
			}
		} else if speed > 0 && (channel == "" || channel == "0") {
			at := interfaces.at(cage)
			if n := channels[cage]; n > 0 {
				at.put(row.Channels, int64(n))
			}
			at.say("speed", number(speed)+"g")
		}
		b.mtu(interfaces, p)
	}
	if len(interfaces.kids) == 0 {
		b.root.kids = stable.Delete(b.root.kids, func(s *statement) bool { return s == interfaces })
	}
}

func (b *builder) mtu(interfaces *statement, p *plan.Port) {
	frame := b.s.Frame(p)
	if frame.Value == 0 {
		return
	}
	interfaces.at(p.Name).put(row.MTU, write(b, row.MTU, Rounded, Threshold, frame, p.Range))
}

// balance prints dynamic load balancing.
func (b *builder) balance() {
	switch b.s.LoadBalancing {
	case "", "ecmp":
		return
	case "flowlet":
		b.dlb().at("flowlet").say("inactivity-interval", strconv.Itoa(flowletGap))
	case "adaptive":
		b.dlb().say("per-packet")
	default:
		b.list.WarnOncef(LoadBalancing, b.s.LoadBalancingAt, "Junos has no load balancing %q; the switch hashes flows over equal paths (ecmp)", b.s.LoadBalancing).Fixf("write load_balancing = ecmp, or choose another target")
		return
	}
	b.dlb().at("ether-type").say("ipv4")
	b.dlb().at("ether-type").say("ipv6")
}

// flowletGap is the idle time in microseconds after which a flow may take another path:
// the default, as Juniper's validated design writes it.
const flowletGap = 256

func (b *builder) dlb() *statement {
	return b.root.at("forwarding-options", "enhanced-hash-key", "ecmp-dlb")
}
