// Package openconfig reads an RFC 7951 document of the models openconfig-qos and
// openconfig-interfaces, ours or a device's, into a [plan.Switch]: classifiers, queues,
// schedulers, ECN, shared buffer of queues. Other models in the document are skipped, and so are state containers.
//
// The models have no PFC, no headroom and no name of the device, so the plan has none.
// emit/openconfig.Holds states what of our own documents comes back. A class has the
// number of its queue, or the lowest free one where a class with a smaller name took
// it: the models know no traffic classes.
package openconfig

import (
	"cmp"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// readFile reads a file; name is what ranges call it. The switch is never nil: it holds what could
// be read, whatever the findings.
func readFile(name string, src []byte) read.Result {
	r := &reader{
		has: map[string]bool{}, overPorts: map[string]bool{}, kinds: map[string]map[string]*posjson.Node{},
		queues: map[string]uint8{}, groups: map[string]*group{},
		classifiers: map[string]*classifier{}, curves: map[string]*plan.ECN{}, schedulers: map[string]map[string]plan.Scheduler{},
		buffers: map[string]map[string]buffer{}, told: map[string]bool{},
	}
	s := &plan.Switch{OS: "openconfig"}
	for i := range uint8(8) {
		s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i] = i, i
	}
	var root *posjson.Node
	r.Document, root = read.ParseDocument(name, src, read.DocumentCodes{JSON: JSON, TooLarge: TooLarge, Duplicate: Duplicate, Shape: Shape, Number: Number})
	if root == nil {
		return read.Result{Switch: s, Found: r.Found}
	}
	qos := root.Get("qos")
	if qos != nil && qos.Kind != posjson.Object {
		r.Errorf(Shape, r.At(qos), "this must be an object").Fixf("write an object in braces, as the YANG model has it")
	}
	r.references(root)
	r.readQueues(root)
	r.readGroups(root)
	r.readClassifiers(root)
	r.readCurves(root)
	r.readSchedulers(root)
	r.readBuffers(root)
	s.Ports = r.ports(root)
	s.Classes = r.classes(&s.Maps, &s.Places)
	s.Marking = r.marking()
	r.versions()
	ledger := r.Ledger(root, read.Accounting{Outer: 4, Sort: r.sort, Ways: ways()})
	ledger.Policies.Tree(root.Get("routing-policy", "defined-sets", "prefix-sets", "prefix-set"), root.Get("routing-policy", "policy-definitions", "policy-definition"))
	r.neighbours(&ledger, root.Get("network-instances", "network-instance"))
	return read.Result{Switch: s, Found: r.Found.Sorted(), Ledger: ledger}
}

type reader struct {
	*read.Document
	told map[string]bool

	queues      map[string]uint8 // number by name
	groups      map[string]*group
	classifiers map[string]*classifier
	curves      map[string]*plan.ECN
	schedulers  map[string]map[string]plan.Scheduler // by policy and queue
	buffers     map[string]map[string]buffer         // by profile and queue
	edge        *classifier                          // of ports that trust no marking
	port        string                               // whose QoS is being read
	has         map[string]bool                      // ports with QoS
	overPorts   map[string]bool                      // bundles and VLANs
	refers      map[reference]bool                   // what ports use; nil: the document has no ports
	kinds       map[string]map[string]*posjson.Node  // references to classifiers, by port and version
}

// A reference is the name of an entry of a list.
type reference struct {
	list format.ID
	name string
}

// A group is a forwarding group: where a class is sent from.
type group struct {
	queue string
	tc    uint8
	at    diag.Range
}

type buffer struct {
	reserved plan.Derived[units.Bytes]
	limit    plan.Derived[plan.Limit]
}

// notModelled warns of a setting, once.
func (r *reader) notModelled(n *posjson.Node, what string) {
	r.Doubt(n, what, read.Scope{})
	if n != nil && !r.told[what] {
		r.told[what] = true
		r.Found.Warnf(NotModelled, r.At(n), "%s is not accounted for", what)
	}
}

// readQueues numbers the queues: as they say, else by name.
func (r *reader) readQueues(root *posjson.Node) {
	var taken [8]bool
	without := map[string]*posjson.Node{}
	r.each(row.Queue, root, func(name string, q *posjson.Node) {
		id := leaf(row.QueueID, q)
		if id == nil {
			without[name] = q
			return
		}
		n, ok := r.number(row.QueueID, q)
		if ok && taken[n] {
			r.Errorf(Duplicate, r.At(id), "two queues have the number %d", n).Fixf("give one of them another queue-id from 0 to 7")
		} else if ok {
			taken[n], r.queues[name] = true, uint8(n)
		}
	})
	for _, name := range slices.Sorted(maps.Keys(without)) {
		free := slices.Index(taken[:], false)
		if free < 0 {
			r.Errorf(Number, r.At(without[name]), "there are more than eight queues").Fixf("remove the queues that no port uses: at most 8 are read")
			return
		}
		if len(r.told) == 0 || !r.told["queues without numbers"] {
			r.told["queues without numbers"] = true
			r.Found.Warnf(Unnumbered, r.At(without[name]), "queue %q has no number; queues without one are numbered by name", posjson.Clip(name)).Fixf("give it its queue-id, so that its number does not depend on its name")
		}
		taken[free], r.queues[name] = true, uint8(free)
	}
}

// references gathers what the interfaces of a document use: of the rest a device does nothing.
func (r *reader) references(root *posjson.Node) {
	list := leaf(row.Port, root)
	if list == nil || len(list.Items) == 0 {
		return
	}
	r.refers = map[reference]bool{}
	for i := range list.Items {
		for _, side := range []string{"input", "output"} {
			n := list.Items[i].Get(side)
			r.refer(row.Policy, n.Get("scheduler-policy", "config", "name"))
			for _, of := range []string{"", "unicast-", "multicast-"} {
				r.refer(row.Allocation, n.Get("config", of+"buffer-allocation-profile"))
			}
			r.referEach(row.Classifier, n.Get("classifiers", "classifier"), row.PortClassifierName)
			r.referEach(row.Curve, n.Get("queues", "queue"), row.PortCurve)
		}
	}
}

func (r *reader) refer(to format.ID, n *posjson.Node) {
	if n != nil {
		r.refers[reference{to, n.Text}] = true
	}
}

func (r *reader) referEach(to format.ID, list *posjson.Node, by format.ID) {
	if list == nil {
		return
	}
	for i := range list.Items {
		r.refer(to, leaf(by, &list.Items[i]))
	}
}

// unused reports whether no port uses a profile.
func (r *reader) unused(list format.ID, name string) bool {
	return r.refers != nil && !r.refers[reference{list, name}]
}

// queue resolves the name of a queue.
func (r *reader) queue(n *posjson.Node) (string, bool) {
	name := r.Text(n)
	return name, name != "" && r.hasQueue(name, n)
}

// hasQueue reports whether the document has a queue of a name; at refers to it.
func (r *reader) hasQueue(name string, at *posjson.Node) bool {
	_, ok := r.queues[name]
	if !ok {
		r.Errorf(Reference, r.At(at), "there is no queue %q", posjson.Clip(name)).Fixf("define the queue %q in queues, or refer to another one", posjson.Clip(name))
	}
	return ok
}

func (r *reader) readGroups(root *posjson.Node) {
	var taken [8]bool
	list := map[string]*group{}
	r.each(row.Group, root, func(name string, g *posjson.Node) {
		to := cmp.Or(leaf(row.GroupQueue, g), g.Get("config", "unicast-output-queue"))
		if queue, ok := r.queue(to); ok {
			list[name] = &group{queue: queue, at: r.At(g)}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(list)) {
		g := list[name]
		tc := int(r.queues[g.queue])
		if taken[tc] {
			tc = slices.Index(taken[:], false)
		}
		if tc < 0 {
			r.Errorf(Number, g.at, "there are more than eight forwarding groups").Fixf("remove the forwarding groups that no classifier uses: at most 8 are read")
			return
		}
		g.tc, taken[tc] = uint8(tc), true
		r.groups[name] = g
	}
}

// classes makes a class of each forwarding group, and fills the maps and where they say so.
func (r *reader) classes(m *plan.Maps, places *plan.MapPlaces) (out []plan.Class) {
	of := r.codePoints(places)
	for name, g := range r.groups {
		c := plan.Class{Name: name, TrafficClass: g.tc, Queue: r.queues[g.queue], DSCPs: of[name], Range: g.at}
		m.TCToQueue[c.TrafficClass], places.TCToQueue[c.TrafficClass] = c.Queue, g.at
		for _, d := range c.DSCPs {
			m.DSCPToTC[d] = c.TrafficClass
		}
		out = append(out, c)
	}
	stable.Sort(out, func(a, b plan.Class) int { return cmp.Compare(a.TrafficClass, b.TrafficClass) })
	return out
}

// codePoints are those of each group, by the first term that has them.
func (r *reader) codePoints(places *plan.MapPlaces) map[string][]uint8 {
	of := map[string][]uint8{}
	c := r.trusting()
	if c == nil {
		return of
	}
	to := c.leads()
	for d, group := range to {
		if group != "" {
			of[group] = append(of[group], uint8(d))
		}
	}
	for _, t := range slices.Backward(c.terms) {
		again := uint64(0)
		for _, d := range t.dscps {
			if places.DSCPToTC[d] = r.At(t.node); to[d] != t.group {
				again |= 1 << d
			}
		}
		if again != 0 {
			r.Doubt(t.node, "another term has the code point too, and the models do not define their order", read.Scope{DSCPs: again})
		}
	}
	return of
}

// ports reads the interfaces that have QoS.
func (r *reader) ports(root *posjson.Node) (out []plan.Port) {
	mtu := map[string]units.Bytes{}
	mtuAt := map[string]diag.Range{}
	speed, divided := map[string]units.BitRate{}, map[string]bool{}
	r.each(row.Interface, root, func(name string, i *posjson.Node) {
		speed[name] = r.link(name, i.Get("ethernet", "config"))
		divided[name] = hasOthers(i)
		if r.overPorts[name] = above(i); r.overPorts[name] {
			return
		}
		if n, ok := r.number(row.MTU, i); ok {
			mtu[name], mtuAt[name] = units.Bytes(row.Of(row.MTU).Means(n)), r.At(leaf(row.MTU, i))
		}
	})
	r.each(row.Port, root, func(id string, i *posjson.Node) {
		name := id
		if ref := leaf(row.PortRef, i); r.Text(ref) != "" {
			if name = ref.Text; name == id {
				r.Pass(ref, ruleKey)
			}
		}
		if sub := i.Get("interface-ref", "config", "subinterface"); sub != nil && sub.Text != "0" {
			r.Doubt(sub, "the QoS is of a part of the port, and that of the others is not known", read.Scope{})
		} else if sub != nil && divided[name] {
			r.Doubt(sub, "the port has other subinterfaces, and the classifier of their packets is not known", read.Scope{})
		}
		r.port, r.has[name] = name, true
		out = append(out, plan.Port{Name: name, Speed: speed[name], MTU: mtu[name], MTURange: mtuAt[name], QoS: r.portQoS(i), Range: r.At(i)})
	})
	stable.Sort(out, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
	return out
}

// hasOthers reports whether a port has subinterfaces other than index 0.
func hasOthers(i *posjson.Node) bool {
	of := i.Get("subinterfaces", "subinterface")
	return of != nil && slices.ContainsFunc(of.Items, func(s posjson.Node) bool {
		index := s.Get("index")
		return index == nil || index.Text != "0"
	})
}

func (r *reader) portQoS(i *posjson.Node) *plan.PortQoS {
	q := &plan.PortQoS{Trust: r.trust(i)}
	byName := map[string]*plan.Queue{}
	at := func(name string) *plan.Queue {
		if byName[name] == nil {
			byName[name] = &plan.Queue{ID: r.queues[name]}
		}
		return byName[name]
	}
	r.each(row.PortQueue, i, func(name string, n *posjson.Node) {
		if r.hasQueue(name, n) {
			at(name).ECN, _ = lookup(r, r.curves, leaf(row.PortCurve, n), row.Curve)
		}
	})
	schedulers, _ := lookup(r, r.schedulers, leaf(row.PortPolicy, i), row.Policy)
	for name, s := range schedulers {
		at(name).Scheduler = s
	}
	buffers, _ := lookup(r, r.buffers, leaf(row.PortBuffer, i), row.Allocation)
	for name, b := range buffers {
		at(name).Reserved, at(name).Limit = b.reserved, b.limit
	}
	r.notModelled(i.Get("input", "config", "buffer-allocation-profile"), "a buffer allocation profile at ingress")
	for _, queue := range byName {
		q.Queues = append(q.Queues, *queue)
	}
	stable.Sort(q.Queues, func(a, b plan.Queue) int { return cmp.Compare(a.ID, b.ID) })
	return q
}

// lookup resolves a reference to an entry of a list; false where there is none.
func lookup[T any](r *reader, in map[string]T, ref *posjson.Node, list format.ID) (v T, ok bool) {
	if ref == nil {
		return v, false
	}
	if v, ok = in[r.Text(ref)]; !ok && ref.Kind == posjson.Text {
		r.Errorf(Reference, r.At(ref), "there is no %s %q", row.Of(list).Entry, posjson.Clip(ref.Text)).Fixf("define it, or refer to one that the document has")
	}
	return v, ok
}
