// Package srlinux reads a document of Nokia's models for SR Linux, ours or a device's
// (`info from running / | as json`, `info flat`, or what clients of gNMI and JSON-RPC print), into a
// [plan.Switch]: queues, classes, classifiers, PFC with its headroom and watchdog, marking curves,
// schedulers, limits.
//
// A document says neither cable lengths nor the level at which a paused peer may send again. Leaves
// for 7250 IXR alone are not modelled.
package srlinux

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Names of the two pools, which the models do not name.
const (
	ingressPool = "ingress"
	egressPool  = "egress"
)

// readFile reads a file; name is what ranges call it. The switch is never nil: it holds what could
// be read, whatever the findings.
func readFile(name string, src []byte) read.Result {
	s := &plan.Switch{OS: "srlinux"}
	for i := range uint8(8) {
		s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i], s.Maps.PFCToPG[i] = i, i, i
	}
	r := &reader{
		sw: s, used: map[string]bool{}, profiles: profiles(),
		queues: map[string]uint8{}, groups: map[string]uint8{}, classes: map[string]*class{}, classifiers: map[string]*classifier{},
		rewrites: map[string]plan.Rewritten{}, mappings: map[string]*mapping{}, curves: map[string]*curve{}, schedulers: map[string]map[uint8]plan.Scheduler{},
		peaks:       map[peak]percent{},
		allocations: map[string]*allocation{}, ports: map[string]*port{}, qos: map[settings]*plan.PortQoS{},
	}
	var root *posjson.Node
	codes := read.DocumentCodes{JSON: JSON, TooLarge: TooLarge, Duplicate: Duplicate, Shape: Shape, Number: Number}
	if !isJSON(src) && firstSet(src) != nil {
		r.Document = read.PlainDocument(name, src, codes)
		root = flat(r.Document, src)
	} else if !isJSON(src) && nested.Match(src) {
		r.Document = read.PlainDocument(name, src, codes)
		root = info(r.Document, src)
	} else if r.Document, root = read.ParseDocument(name, src, codes); root == nil {
		return read.Result{Switch: s, Found: r.Found}
	} else {
		root = unwrapped(r.Document, root)
	}
	if host := root.Get("system", "name", "host-name"); host != nil {
		s.Names = []string{r.Text(host)}
	}
	r.readQueues(root)
	r.readClasses(root)
	r.readClassifiers(root)
	r.readRewrites(root)
	r.readMappings(root)
	r.readCurves(root)
	r.readSchedulers(root)
	r.readAllocations(root)
	r.readPools(root)
	r.readInterfaces(root)
	r.bind(root)
	r.fillClasses()
	r.rewriteOthers()
	ledger := r.Ledger(root, read.Accounting{Outer: 4, Sort: r.sort, Ways: ways()})
	r.neighbours(&ledger, root)
	return read.Result{Switch: s, Found: r.Found.Sorted(), Ledger: ledger}
}

// isJSON reports whether a text begins as a document does.
func isJSON(src []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\ufeff")), " \t\r\n")
	return len(rest) > 0 && (rest[0] == '{' || rest[0] == '[')
}

type reader struct {
	*read.Document
	sw   *plan.Switch
	used map[string]bool // "list name" of profiles that something refers to

	profiles map[string]string // see profiles

	queues      map[string]uint8
	groups      map[string]uint8 // priority groups by the names of PFC queues
	classes     map[string]*class
	classifiers map[string]*classifier
	trusted     *classifier // of the ports that are read: the first that one refers to
	byDefault   []plan.Port // of ports without a policy
	rewrites    map[string]plan.Rewritten
	mappings    map[string]*mapping
	curves      map[string]*curve
	schedulers  map[string]map[uint8]plan.Scheduler
	peaks       map[peak]percent // caps, which are per cent of the port's rate
	allocations map[string]*allocation
	ports       map[string]*port
	qos         map[settings]*plan.PortQoS
}

// A class is a forwarding class.
type class struct {
	tc, queue uint8
	at        diag.Range
	own       bool // of the system: it is in the plan if something refers to it
}

// A curve marks packets. Where it is in per cent of what the queue may hold (leaves min-threshold-percent and
// max-threshold-percent), its thresholds are not bytes.
type curve struct {
	plan.ECN
	fill               bool
	low, high, percent int64
}

// of gives a queue the curve. In per cent of a limit that the file has in bytes, it is one in bytes.
func (c *curve) of(q *plan.Queue) {
	most := q.Limit.Value.Static
	switch own := c.ECN; {
	case !c.fill:
		q.ECN = &own
	case most > 0 && most != plan.NoLimit:
		own.KMin.Value, own.KMax.Value = most*units.Bytes(c.low)/100, most*units.Bytes(c.high)/100
		q.ECN = &own
	default:
		q.Curve, q.CurveRange = plan.LevelsOf(false, []int64{c.low, c.high}, []int64{0, c.percent}), c.KMin.Why.Range
	}
}

// A classifier leads code points to classes; empty: the default class.
type classifier struct {
	name  string
	class [64]string
	at    [64]diag.Range
	nodes []*posjson.Node
}

// A peak is a queue of a scheduler policy.
type peak struct {
	policy string
	queue  uint8
}

type percent struct {
	value int64
	at    diag.Range
}

// leaf returns the value of a row in an entry of the list around it, or in the document; nil without one.
//
//go:noinline
func leaf(id format.ID, around *posjson.Node) *posjson.Node {
	return around.Get(row.Of(id).Names()...)
}

// container returns the object that has the value of a row.
func container(id format.ID, around *posjson.Node) *posjson.Node {
	names := row.Of(id).Names()
	return around.Get(names[:len(names)-1]...)
}

// each walks a list and gives each entry with its key.
func (r *reader) each(id format.ID, around *posjson.Node, visit func(name string, entry *posjson.Node)) {
	r.Each(row.Of(id), around, visit)
}

// key returns the first key of an entry.
func key(list format.ID, entry *posjson.Node) *posjson.Node {
	return entry.Get(row.Of(list).Keys()[0])
}

// number reads a leaf, in its own unit.
func (r *reader) number(id format.ID, around *posjson.Node) (int64, bool) {
	return r.NumberOf(row.Of(id), around)
}

// index reads the key of an entry, which is a number.
func (r *reader) index(list format.ID, entry *posjson.Node) (int64, bool) {
	of := row.Of(list)
	return r.Number(key(list, entry), of.Least, of.Most)
}

// lookup resolves a reference to an entry of a list; nil where it is not there.
func lookup[T any](r *reader, in map[string]T, ref *posjson.Node, list format.ID) (v T, ok bool) {
	return lookupAs(r, in, ref, row.Of(list).Entry)
}

// lookupAs resolves a reference; findings call the entry what.
func lookupAs[T any](r *reader, in map[string]T, ref *posjson.Node, what string) (v T, ok bool) {
	if ref == nil {
		return v, false
	}
	name := r.Text(ref)
	v, ok = in[name]
	if r.used[what+" "+name] = true; !ok {
		r.Errorf(Reference, r.At(ref), "there is no %s %q", what, posjson.Clip(name)).Fixf("define it, or refer to one that the document has")
	}
	return v, ok
}

// readQueues numbers queues and PFC queues. Those of the system are there without an entry.
func (r *reader) readQueues(root *posjson.Node) {
	for i := range uint8(12) {
		names := row.OwnQueues(i)
		if r.queues[names[0]] = i; i < 8 {
			r.queues[names[1]], r.queues[names[2]] = i, i+8 // no class is sent from a queue for many
		}
	}
	r.each(row.Queue, root, func(name string, q *posjson.Node) {
		if id, ok := r.number(row.QueueIndex, q); ok {
			r.queues[name] = uint8(id)
		}
	})
	r.each(row.PFCQueue, root, func(name string, q *posjson.Node) {
		if id, ok := r.number(row.PFCQueueIndex, q); ok {
			r.groups[name] = uint8(id)
			if reserved := strings.TrimPrefix(name, "pfc"); len(reserved) == 1 && reserved >= "0" && reserved <= "7" && reserved != strconv.FormatInt(id, 10) {
				r.Errorf(Number, r.At(leaf(row.PFCQueueIndex, q)), "the name %s is reserved for the index %s, not %d", name, reserved, id).Fixf("give it the index %s, or another name", reserved)
			}
		}
	})
}

func (r *reader) readClasses(root *posjson.Node) {
	taken := map[uint8]string{}
	r.each(row.Class, root, func(name string, c *posjson.Node) {
		index, ok := r.number(row.ClassIndex, c)
		to, any, many := leaf(row.ClassQueue, c), c.Get("output", "queue"), leaf(row.ClassMulticast, c)
		switch {
		case to == nil:
			to = any
		case any != nil && any.Text == to.Text:
			r.Pass(any, ruleKey)
			r.Pass(to, ruleKey)
		}
		lookupAs(r, r.queues, many, "queue for many")
		r.Pass(many, ruleMany)
		queue, known := lookup(r, r.queues, to, row.Queue)
		if !ok || !known {
			return
		}
		if other, twice := taken[uint8(index)]; twice {
			r.Errorf(Duplicate, r.At(leaf(row.ClassIndex, c)), "the classes %q and %q have the index %d", posjson.Clip(other), posjson.Clip(name), index).Fixf("give one of them another index from 0 to 7")
			return
		}
		if queue > 7 {
			r.Errorf(Number, r.At(to), "class %q is sent from queue %d, but unicast queues are 0 to 7", posjson.Clip(name), queue).Fixf("send the class from a queue from 0 to 7")
			return
		}
		taken[uint8(index)] = name
		r.classes[name] = &class{tc: uint8(index), queue: queue, at: r.At(c)}
	})
	for i := range uint8(8) {
		if name := row.OwnClass(i); taken[i] == "" && r.classes[name] == nil {
			r.classes[name] = &class{tc: i, queue: i, at: r.At(root), own: true}
		}
	}
}

func (r *reader) readClassifiers(root *posjson.Node) {
	r.each(row.Classifier, root, func(name string, p *posjson.Node) {
		c := &classifier{name: name}
		r.classifiers[name] = c
		r.each(row.DSCP, p, func(_ string, d *posjson.Node) {
			value, ok := r.index(row.DSCP, d)
			to := leaf(row.DSCPClass, d)
			if _, known := lookup(r, r.classes, to, row.Class); ok && known {
				c.class[value], c.at[value] = to.Text, r.At(d)
			}
			r.dropProbability(leaf(row.DSCPDrop, d))
			c.nodes = append(c.nodes, d)
		})
	})
}

// readRewrites reads what packets leave with.
func (r *reader) readRewrites(root *posjson.Node) {
	r.each(row.Rewriting, root, func(name string, p *posjson.Node) {
		out := plan.Rewritten{Rewrite: &plan.Rewrite{}}
		for tc := range out.RewriteRange {
			out.RewriteRange[tc] = r.At(p)
		}
		r.each(row.Rewrite, p, func(_ string, m *posjson.Node) {
			c, ok := lookup(r, r.classes, key(row.Rewrite, m), row.Class)
			if dscp, said := r.number(row.RewriteDSCP, m); ok && said {
				out.AddRewrite(c.tc, uint8(dscp), r.At(m))
			}
		})
		r.rewrites[name] = out
	})
}

// rewriteOthers gives the packets of classes that a policy leaves out DSCP 0 (Nokia SR Linux 24.3, Quality of Service, DSCP
// rewrite-rule policy configuration for output traffic), and leaves out classes that keep their only code point.
func (r *reader) rewriteOthers() {
	for i := range r.sw.Ports {
		q := r.sw.Ports[i].QoS
		if q == nil || q.Rewrite == nil {
			continue
		}
		said := q.Rewritten
		q.Rewrite = nil
		for tc := range uint8(8) {
			of := r.sw.Maps.DSCPsOf(tc)
			named := said.Rewrite.TCs&(1<<tc) != 0
			if dscp := said.Rewrite.Of(tc, 0); named || len(of) > 0 {
				if !slices.Equal(of, []uint8{dscp}) {
					q.AddRewrite(tc, dscp, said.RewriteRange[tc])
				}
			}
		}
	}
}

// dropProbability skips the one that drops least.
func (r *reader) dropProbability(n *posjson.Node) {
	if n != nil && r.Text(n) == "low" {
		r.Pass(n, ruleDropLow)
	} else {
		r.Doubt(n, "drop precedence within a class is not modelled", read.Scope{})
	}
}

// fillClasses makes the classes and maps of the plan.
func (r *reader) fillClasses() {
	m, places := &r.sw.Maps, &r.sw.Places
	for name, c := range r.classes {
		if c.own && !r.used[row.Of(row.Class).Entry+" "+name] {
			continue
		}
		out := plan.Class{Name: name, TrafficClass: c.tc, Queue: c.queue, Range: c.at, PG: m.TCToPG[c.tc]}
		m.TCToQueue[c.tc], places.TCToQueue[c.tc] = c.queue, c.at
		for d := range uint8(64) {
			if r.trusted == nil && places.DSCPToTC[d].Filename != "" && m.DSCPToTC[d] == c.tc {
				out.DSCPs = append(out.DSCPs, d)
			} else if r.trusted != nil && r.trusted.class[d] == name {
				out.DSCPs = append(out.DSCPs, d)
				m.DSCPToTC[d], places.DSCPToTC[d] = c.tc, r.trusted.at[d]
			}
		}
		r.lossless(&out, name)
		r.sw.Classes = append(r.sw.Classes, out)
	}
	stable.Sort(r.sw.Classes, func(a, b plan.Class) int { return cmp.Compare(a.TrafficClass, b.TrafficClass) })
	stable.Sort(r.sw.Ports, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
}

// lossless marks a class that pauses its senders at some port, with the lowest of its priorities.
func (r *reader) lossless(c *plan.Class, name string) {
	for p := range uint8(8) {
		for _, m := range r.mappings {
			if r.used[row.Of(row.Mapping).Entry+" "+m.name] && slices.Contains(m.raises[p].classes, name) {
				c.Lossless, c.PFC = true, p
				return
			}
		}
	}
}

// readCurves reads marking curves; a document without explicit-congestion-notification
// marks nothing.
func (r *reader) readCurves(root *posjson.Node) {
	global := leaf(row.ECN, root)
	if global != nil {
		global.Used = true
	}
	r.each(row.Curve, root, func(name string, p *posjson.Node) {
		r.curves[name] = nil
		r.each(row.Slope, p, func(traffic string, s *posjson.Node) {
			marks, drop := r.Yes(s.Get("enable-ecn")), r.Text(s.Get("drop-probability"))
			from, to := row.SlopeMin, row.SlopeMax
			fill := leaf(from, s) == nil && leaf(row.SlopeMinFill, s) != nil
			if fill {
				from, to = row.SlopeMinFill, row.SlopeMaxFill
			}
			low, ok := r.number(from, s)
			high, ok2 := r.number(to, s)
			percent, ok3 := r.number(row.SlopeProbability, s)
			if !marks || traffic != "all" || drop != "all" && drop != "low" || !ok || !ok2 || !ok3 {
				r.Doubt(s, "a curve that drops is not modelled", read.Scope{})
				return
			}
			if global == nil {
				r.Doubt(s, "it is not known whether a disabled curve drops packets", read.Scope{})
				r.Errorf(NotMarking, r.At(s), "the curve marks nothing: there is no explicit-congestion-notification").Fixf(`add "explicit-congestion-notification": {}`)
				return
			}
			at := r.At(s)
			r.curves[name] = &curve{fill: fill, low: low, high: high, percent: percent, ECN: plan.ECN{
				KMin: read.From(units.Bytes(low), "Kmin", at), KMax: read.From(units.Bytes(high), "Kmax", at),
				PMax: read.From(units.Ratio(row.Of(row.SlopeProbability).Means(percent)), "Pmax", at),
			}}
		})
	})
}

func (r *reader) readSchedulers(root *posjson.Node) {
	r.each(row.Policy, root, func(name string, p *posjson.Node) {
		policy := map[uint8]plan.Scheduler{}
		r.schedulers[name] = policy
		r.each(row.Scheduler, p, func(_ string, s *posjson.Node) {
			sequence, _ := r.index(row.Scheduler, s)
			strict := r.Text(leaf(row.SchedulerPriority, s)) == "strict"
			if strict != (sequence == 0) {
				r.Errorf(Shape, r.At(s), "sequence 0 must be strict, and sequence 1 must not").Fixf("make the scheduler of sequence 0 strict, and that of sequence 1 not")
			}
			r.each(row.Input, s, func(_ string, in *posjson.Node) {
				r.Pass(key(row.Input, in), ruleKey)
				queue, ok := lookup(r, r.queues, leaf(row.InputQueue, in), row.Queue)
				if !ok {
					return
				}
				scheduler := plan.Scheduler{Strict: strict, Range: r.At(in)}
				if w, ok := r.number(row.InputWeight, in); ok && !strict {
					scheduler.Weight = plan.Of(w, &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: plan.Count(w), Range: r.At(leaf(row.InputWeight, in))})
				} else if !strict {
					scheduler.Weight = plan.Of(row.Of(row.InputWeight).Absent, nil)
				}
				if p, ok := r.number(row.InputPeak, in); ok && p < row.Of(row.InputPeak).Absent {
					r.peaks[peak{name, queue}] = percent{p, r.At(leaf(row.InputPeak, in))}
				}
				policy[queue] = scheduler
			})
		})
	})
}

// readInterfaces reads the settings of ports besides QoS.
func (r *reader) readInterfaces(root *posjson.Node) {
	r.each(row.Interface, root, func(name string, i *posjson.Node) {
		p := &port{at: r.At(i), says: i}
		r.ports[name] = p
		p.speed = r.speed(leaf(row.PortSpeed, i))
		if v, ok := r.number(row.MTU, i); ok {
			p.frame, p.frameAt = units.Bytes(row.Of(row.MTU).Means(v)), r.At(leaf(row.MTU, i))
		}
		p.correction(r, name, i.Get("transceiver", "forward-error-correction"))
		r.number(row.Channels, i)
		p.split = leaf(row.Channels, i)
		r.Pass(p.split, "label")
		p.channels = r.speed(leaf(row.ChannelSpeed, i))
	})
}
