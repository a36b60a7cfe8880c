// Package srlinux prints a switch's settings as the configuration of Nokia SR Linux on 7220 IXR-D4,
// D5, H4 and H5: JSON of its own models, which gNMI and JSON-RPC take.
//
// Headroom, marking thresholds and static limits are exact in bytes. Dynamic thresholds
// have no number: each becomes the static limit that it comes to while all groups that it
// serves are congested, and is named in a finding. So are reserves, the level at which a
// peer may send again, and the sizes of pools, which the device decides.
//
// Classifiers belong to subinterfaces: they are written for subinterface 0 of each port,
// PFC and buffers for the port itself.
//
// Sources: nokia/srlinux-yang-models v25.3.1 (srl_nokia-qos 2025-03-31); Nokia SR Linux
// QoS guide 25.10, priority-based flow control and buffer allocation profiles.
//
// # Rounding
//
// The headroom pool is rounded up to a whole per cent of the buffer; marking probabilities
// and peak rates down, but not to 0; the watchdog's timers up to a millisecond.
package srlinux

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/format/tree"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// File is the path of the document below the device's folder.
const File = "srlinux.json"

// Emit prints the document of all switches of one shape. It holds no device name. Where
// the list has errors there are no files.
func Emit(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, File, compose, (*tree.Tree).Text)
}

// compose builds the document, nil where the switch cannot be configured.
func compose(s *plan.Switch) (*tree.Tree, diag.List) {
	b := &builder{s: s, out: tree.New(row.Rows, row.Modules), queues: map[uint8]bool{}}
	box, ok := row.Boxes().Of(s.Chip)
	if !ok {
		b.list.Errorf(Platform, s.Range, "no 7220 IXR with PFC has the chip %s", s.Chip).Fixf("%s", row.Boxes().Use())
		return nil, b.list
	}
	b.box = box
	b.names()
	b.sortPorts()
	b.notSaid()
	b.ports()
	b.classes()
	b.mappings()
	b.allocations()
	b.reserve()
	b.scheduling()
	b.bind()
	if b.list.HasErrors() {
		return nil, b.list
	}
	return b.out, b.list
}

type builder struct {
	s     *plan.Switch
	box   format.Box
	out   *tree.Tree
	kinds []*kind
	// rewritings are those of ports.
	rewritings []plan.Rewrite
	list       diag.List

	queues map[uint8]bool // of the document, without the multicast queue
}

// put writes a leaf of a row, below the entries of lists with some keys.
func (b *builder) put(id format.ID, value any, keys ...any) {
	b.out.Put(row.Of(id), value, keys...)
}

// at makes a list or a container of a row, though it may stay empty.
func (b *builder) at(id format.ID, keys ...any) { b.out.At(row.Of(id), keys...) }

// number converts a quantity of the plan for the leaf of a row; rounded is the code of the warning
// where it loses some of it.
func number[Q format.Quantity](b *builder, id format.ID, rounded diag.Code, d plan.Derived[Q], otherwise diag.Range, unit ...format.Unit) int64 {
	return emit.Write(format.Voice{List: &b.list, System: "SR Linux", Rounded: rounded, Range: Threshold}, row.Of(id), d, otherwise, unit...)
}

var (
	portName = regexp.MustCompile(`^ethernet-[0-9]{1,2}/[0-9]{1,2}(/[0-9]{1,2})?$`)
	// reserved are names that the system has given to queues of its own.
	reserved = regexp.MustCompile(`^((unicast|multicast)-|pfc)?[0-9]+$|^fc[0-7]$|^multicast$`)
)

// names refuses what SR Linux would not take as a name.
func (b *builder) names() {
	for i := range b.s.Ports {
		if p := &b.s.Ports[i]; !portName.MatchString(p.Name) {
			b.list.Errorf(Name, p.NamedAt(), "%q is not a port of SR Linux", p.Name).Fixf("name ports like ethernet-1/1, or ethernet-1/1/1 for a channel")
		}
	}
	for _, c := range b.s.Classes {
		if reserved.MatchString(c.Name) {
			b.list.Errorf(Name, c.Range, "SR Linux reserves the name %q for a queue or class of its own", c.Name).Fixf("rename the class")
		}
	}
}

// notSaid warns of what has no leaf in the models.
func (b *builder) notSaid() {
	if b.s.BufferModel == plan.DynamicModel {
		b.list.Warnf(Calculator, b.s.Range, "the dynamic buffer model exists on SONiC only: SR Linux gets the headroom in bytes").Fixf(`leave buffer_model out`)
	}
	for _, p := range b.s.Pools {
		if p.Size.Value > 0 && !p.Size.Why.IsPinned() {
			b.list.WarnOncef(DeviceDecides, p.Size.Why.RangeOr(b.s.Range), "the size of pool %s, %v, is not written: SR Linux divides the buffer itself", p.Name, p.Size.Value)
		}
	}
	for _, k := range b.kinds {
		if len(k.QoS().Pools) > 0 {
			b.list.WarnOncef(DeviceDecides, k.First().Range, "the bound of a whole port in a pool is not written: SR Linux has none")
		}
	}
	emit.TrimmingLost(&b.list, TrimmingLost, b.s, "SR Linux has no leaf for it")
	emit.RemappingLost(&b.list, RemappingLost, b.s, "no leaf of SR Linux changes the class of a packet in a tunnel, or its queue by port")
	switch by := b.s.LoadBalancing; by {
	case "", "ecmp":
	default:
		b.list.WarnOncef(LoadBalancing, b.s.LoadBalancingAt, "SR Linux has no load balancing %q; the switch hashes flows over equal paths (ecmp)", by).Fixf("write load_balancing = ecmp, or choose another target")
	}
}

// ports prints speed, channels, the largest frame, and the subinterface that the classifier
// is bound to: a reference to one that is not there is refused.
func (b *builder) ports() {
	cages, channels := map[string]bool{}, map[string]int{}
	for i := range b.s.Ports {
		if cage, ok := cageOf(b.s.Ports[i].Name); ok {
			channels[cage]++
		}
	}
	for i := range b.s.Ports {
		p := &b.s.Ports[i]
		cage, channel := cageOf(p.Name)
		switch {
		case p.Speed == 0:
		case !channel:
			b.put(row.PortSpeed, speedName(p.Speed), p.Name)
		case !cages[cage]:
			cages[cage] = true
			b.put(row.Channels, channels[cage], cage)
			b.put(row.ChannelSpeed, speedName(p.Speed), cage)
		}
		if mtu := b.mtu(p); mtu > 0 {
			b.put(row.MTU, mtu, p.Name)
		}
		if p.QoS != nil {
			b.at(row.Subinterface, p.Name, 0)
		}
	}
}

// cageOf returns the port that a channel is part of.
func cageOf(name string) (cage string, channel bool) {
	last := strings.LastIndexByte(name, '/')
	return name[:max(last, 0)], strings.Count(name, "/") == 2
}

func speedName(speed units.BitRate) string {
	if speed%units.Gbps != 0 {
		return strconv.FormatInt(int64(speed/units.Mbps), 10) + "M"
	}
	return strconv.FormatInt(int64(speed/units.Gbps), 10) + "G"
}

func (b *builder) mtu(p *plan.Port) int64 {
	frame := b.s.Frame(p)
	if frame.Value == 0 {
		return 0
	}
	return number(b, row.MTU, Rounded, frame, p.Range)
}
