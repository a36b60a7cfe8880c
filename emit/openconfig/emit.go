// Package openconfig prints a switch's settings as RFC 7951 JSON of the models openconfig-qos 2.2.0
// and openconfig-interfaces.
//
// # What the models carry
//
// Queues, forwarding groups, classifiers, schedulers, ECN thresholds, the shared
// buffer of egress queues. They have no PFC, no watchdog, no headroom, no priority
// groups and no pools; each such intent is named in a warning. [Holds] states what
// remains.
//
// # Profiles
//
// A switch whose operating system is EOS gets the paths that EOS 4.36 accepts: its
// deviations refuse queue numbers, byte and alpha limits of the buffer, and matches
// on UDP ports. All others get the whole.
//
// Arista augments openconfig-qos with PFC and its watchdog (aristanetworks/yang,
// arista-qos-augments 0.0.4: /qos/pfc/watchdog, output/pfc/config/priorities-no-drop).
// They are not written: headroom and thresholds, without which PFC holds nothing, have no
// path there either, so a switch needs the EOS target's lines anyway, and two sources of
// one setting would contradict each other.
//
// # Forms
//
// [Emit] prints the document; [EmitReplace] and [EmitUpdate] take it apart into a gNMI
// SetRequest, as text of protocol buffers.
//
// # Rounding
//
// The marking probability is rounded down to a whole per cent, but not to 0.
package openconfig

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/format/tree"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// File is the path of the document below the device's folder.
const File = "openconfig.json"

// Emit prints the document of all switches of one shape. It holds no device name.
// Where the list has errors there are no files.
func Emit(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, File, compose, (*tree.Tree).Text)
}

// compose works out what all forms of the output say; nil where the list has errors.
func compose(s *plan.Switch) (*tree.Tree, diag.List) {
	b := &builder{s: s, eos: s.OS == "eos", out: tree.OpenConfig(row.Rows, row.Modules)}
	b.device()
	b.tellLost()
	if b.list.HasErrors() {
		return nil, b.list
	}
	return b.out, b.list
}

// A builder turns a plan into the document, and collects findings.
type builder struct {
	s    *plan.Switch
	eos  bool // the profile of EOS
	list diag.List

	out   *tree.Tree
	kinds []*kind
}

// A kind holds the profiles to which ports of one kind point.
type kind struct {
	of                  *plan.PortQoS
	name                string // of its scheduler policy and its buffer profile
	scheduled, buffered bool   // there are such profiles
	curves              map[uint8]string
}

// put writes a leaf of a row, below the entries of lists with some keys.
func (b *builder) put(id format.ID, value any, keys ...any) {
	b.out.Put(row.Of(id), value, keys...)
}

// write converts a quantity of the plan for the leaf of a row, and puts it there.
func write[Q format.Quantity](b *builder, id format.ID, d plan.Derived[Q], otherwise diag.Range, keys ...any) int64 {
	v := emit.Write(format.Voice{List: &b.list, System: "OpenConfig", Rounded: Rounded, Range: TooLarge}, row.Of(id), d, otherwise)
	if keys != nil {
		b.put(id, v, keys...)
	}
	return v
}

func (b *builder) device() {
	b.queues()
	for _, c := range b.s.Classes {
		b.addGroup(c.Name, c.TrafficClass)
	}
	b.classifiers()
	for i := range b.s.Ports {
		p := &b.s.Ports[i]
		b.put(row.InterfaceType, "iana-if-type:ethernetCsmacd", p.Name)
		if !b.eos && p.MTU != 0 { // EOS has an MTU of packets there
			write(b, row.MTU, plan.Derived[units.Bytes]{Value: p.MTU}, p.Range, p.Name)
		}
		if p.QoS != nil {
			b.port(p)
		}
	}
}

// queues lists the queues that some port uses.
func (b *builder) queues() {
	for _, p := range b.s.Ports {
		if p.QoS != nil {
			for _, q := range p.QoS.Queues {
				b.queue(q.ID)
			}
		}
	}
}

// queue names a queue, and lists it.
func (b *builder) queue(id uint8) string {
	name := b.s.QueueName(id)
	b.out.At(row.Of(row.Queue), name)
	if !b.eos {
		b.put(row.QueueID, id, name)
	}
	return name
}

// addGroup makes the forwarding group of a class.
func (b *builder) addGroup(name string, tc uint8) {
	b.put(row.GroupQueue, b.queue(b.s.Maps.TCToQueue[tc]), name)
}

// port writes the entry of one port, pointing to the profiles of its kind.
func (b *builder) port(p *plan.Port) {
	k := b.kind(p)
	b.put(row.PortRef, p.Name, p.Name)
	if name := b.classifierOf(p.QoS.Trust); name != "" {
		for _, v := range row.Versions {
			b.put(row.PortClassifierName, versioned(name, v.Type), p.Name, v.Type)
		}
	}
	if k.buffered {
		b.put(row.PortBuffer, k.name, p.Name)
	}
	for _, q := range p.QoS.Queues {
		queue := b.s.QueueName(q.ID)
		b.out.At(row.Of(row.PortQueue), p.Name, queue)
		if q.ECN != nil {
			b.put(row.PortCurve, k.curves[q.ID], p.Name, queue)
		}
	}
	if k.scheduled {
		b.put(row.PortPolicy, k.name, p.Name)
	}
}

// kind finds or makes the profiles of a port.
func (b *builder) kind(p *plan.Port) *kind {
	for _, k := range b.kinds {
		if k.of == p.QoS || reflect.DeepEqual(k.of, p.QoS) {
			return k
		}
	}
	k := &kind{of: p.QoS, name: b.kindName(p.Group), scheduled: len(p.QoS.Queues) > 0, curves: map[uint8]string{}}
	b.kinds = append(b.kinds, k)
	b.schedulers(k)
	b.buffers(k)
	for _, q := range p.QoS.Queues {
		if q.ECN != nil {
			k.curves[q.ID] = b.curve(q.ECN)
		}
	}
	return k
}

// kindName names profiles after the port group that uses them first.
func (b *builder) kindName(group string) string {
	name := group
	taken := func(k *kind) bool { return k.name == name }
	for n := len(b.kinds) + 1; name == "" || slices.ContainsFunc(b.kinds, taken); n++ {
		name = fmt.Sprintf("kind-%d", n)
	}
	return name
}
