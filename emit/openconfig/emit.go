// Package openconfig prints what a switch is told as RFC 7951 JSON of the models
// openconfig-qos 2.2.0 and openconfig-interfaces.
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
	"math"
	"reflect"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// File is the path of the document below the device's folder.
const File = "openconfig.json"

// fcs is what openconfig-interfaces' mtu leaves out of the frame: its description
// counts a 1500 B packet as 1514.
const fcs = 4 * units.Byte

// Emit prints the document of all switches of one shape. It holds no device name.
// Where the list has errors there are no files.
func Emit(s *plan.Switch) ([]emit.File, diag.List) {
	root, list := compose(s)
	if root == nil {
		return nil, list
	}
	return []emit.File{{Path: File, Body: emit.NewBody(indented(document(root)))}}, list
}

// compose works out what all forms of the output say; nil where the list has errors.
func compose(s *plan.Switch) (*device, diag.List) {
	b := &builder{s: s, eos: s.OS == "eos"}
	root := b.device()
	prune(reflect.ValueOf(root))
	b.tellLost()
	if b.list.HasErrors() {
		return nil, b.list
	}
	return root, b.list
}

// prune takes maps away that hold nothing: they would be printed as empty lists.
func prune(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			prune(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			prune(v.Field(i))
		}
	case reflect.Map:
		if v.Len() == 0 {
			v.SetZero()
		}
		for _, key := range v.MapKeys() {
			prune(v.MapIndex(key))
		}
	}
}

// A builder turns a plan into the document, and collects findings.
type builder struct {
	s    *plan.Switch
	eos  bool // the profile of EOS
	list diag.List

	out   *qos
	kinds []*kind
}

// A kind is what ports of one kind share: the profiles that they point to.
type kind struct {
	of        *plan.PortQoS
	name      string // of its scheduler policy and its buffer profile
	scheduler *schedulerPolicy
	buffer    *bufferAllocation
	queues    map[string]*portQueue
}

func (b *builder) device() *device {
	b.out = &qos{
		Queues: map[string]*queue{}, ForwardingGroups: map[string]*forwardingGroup{}, Classifiers: map[string]*classifier{},
		Management: map[string]*management{}, Schedulers: map[string]*schedulerPolicy{}, Buffers: map[string]*bufferAllocation{},
		Interfaces: map[string]*port{},
	}
	root := &device{Interfaces: map[string]*physical{}, QoS: b.out}
	b.queues()
	b.groups()
	b.classifiers()
	for i := range b.s.Ports {
		p := &b.s.Ports[i]
		name := p.Name
		root.Interfaces[name] = &physical{Name: &name, Type: ethernetCsmacd, MTU: b.mtu(p)}
		if p.QoS != nil {
			b.out.Interfaces[name] = b.port(p)
		}
	}
	return root
}

// mtu is the port's largest frame as the models count it, nil where it is not known
// or EOS is the target, which has an MTU of packets there.
func (b *builder) mtu(p *plan.Port) *uint16 {
	if b.eos || p.MTU == 0 {
		return nil
	}
	if p.MTU-fcs > math.MaxUint16 {
		b.list.Errorf(TooLarge, p.Range, "the largest frame of %s is %s, but the leaf mtu ends at %d B", p.Name, p.MTU, math.MaxUint16).Fixf("say a frame of at most %d B", math.MaxUint16)
		return nil
	}
	return ptr(uint16(p.MTU - fcs))
}

func ptr[T any](v T) *T { return &v }

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
	q := &queue{Name: &name}
	if !b.eos {
		q.ID = &id
	}
	b.out.Queues[name] = q
	return name
}

// groups makes a forwarding group of each class.
func (b *builder) groups() {
	for _, c := range b.s.Classes {
		b.addGroup(c.Name, c.TrafficClass)
	}
}

func (b *builder) addGroup(name string, tc uint8) {
	to := b.queue(b.s.Maps.TCToQueue[tc])
	b.out.ForwardingGroups[name] = &forwardingGroup{Name: &name, Queue: &to}
}

// port is the entry of one port, pointing to the profiles of its kind.
func (b *builder) port(p *plan.Port) *port {
	k := b.kind(p)
	name := p.Name
	out := &port{ID: &name, Ref: &name, Queues: k.queues, Classifiers: map[classifierType]*portClassifier{}}
	if len(k.scheduler.Schedulers) > 0 {
		out.Scheduler = &k.name
	}
	if k.buffer != nil {
		out.Buffer = &k.name
	}
	for version, classifier := range b.classifiersOf(p.QoS.Trust) {
		out.Classifiers[version] = &portClassifier{Type: version, Name: &classifier}
	}
	return out
}

// kind finds or makes the profiles of a port.
func (b *builder) kind(p *plan.Port) *kind {
	for _, k := range b.kinds {
		if k.of == p.QoS || reflect.DeepEqual(k.of, p.QoS) {
			return k
		}
	}
	k := &kind{of: p.QoS, name: b.kindName(p.Group), queues: map[string]*portQueue{}}
	b.kinds = append(b.kinds, k)
	k.scheduler = b.schedulers(k)
	if len(k.scheduler.Schedulers) > 0 {
		b.out.Schedulers[k.name] = k.scheduler
	}
	if k.buffer = b.buffers(k); k.buffer != nil {
		b.out.Buffers[k.name] = k.buffer
	}
	for _, q := range p.QoS.Queues {
		name := b.s.QueueName(q.ID)
		pq := &portQueue{Name: &name}
		if q.ECN != nil {
			pq.Management = ptr(b.management(q))
		}
		k.queues[name] = pq
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
