// Package srlinux reads a document of Nokia's models for SR Linux, ours or a device's
// (`info from running / | as json`, `info flat`, or what clients of gNMI and JSON-RPC print), into a
// [plan.Switch]: queues, classes, classifiers, PFC with its headroom and watchdog, marking curves,
// schedulers, limits.
//
// A document says neither cable lengths nor the level at which a paused peer may send
// again. What belongs to 7250 IXR alone is not modelled.
package srlinux

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/emit/srlinux"
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

// readFile reads a file; name is what ranges call it. The switch is never nil: what could
// be read is there beside the findings.
func readFile(name string, src []byte) read.Result {
	s := &plan.Switch{OS: "srlinux"}
	for i := range uint8(8) {
		s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i], s.Maps.PFCToPG[i] = i, i, i
	}
	r := &reader{
		sw: s, used: map[string]bool{},
		queues: map[string]uint8{}, groups: map[string]uint8{}, classes: map[string]*class{}, classifiers: map[string]*classifier{},
		rewrites: map[string]*plan.Rewrite{}, mappings: map[string]*mapping{}, curves: map[string]*plan.ECN{}, schedulers: map[string]map[uint8]plan.Scheduler{},
		peaks:       map[peak]percent{},
		allocations: map[string]*allocation{}, ports: map[string]*port{}, qos: map[told]*plan.PortQoS{},
	}
	var root *posjson.Node
	codes := read.DocumentCodes{JSON: JSON, TooLarge: TooLarge, Duplicate: Duplicate, Shape: Shape, Number: Number}
	if !isJSON(src) && firstSet(src) != nil {
		r.Document = read.PlainDocument(name, src, codes)
		root = flat(r.Document, src)
	} else if r.Document, root = read.ParseDocument(name, src, codes); root == nil {
		return read.Result{Switch: s, Found: r.Found}
	} else {
		root = unwrapped(r.Document, root)
	}
	if host := root.Get("system", "name", "host-name"); host != nil {
		s.Names = []string{r.Text(host)}
	}
	qos := root.Get("qos")
	r.readQueues(qos)
	r.readClasses(qos)
	r.readClassifiers(qos)
	r.readRewrites(qos)
	r.readMappings(qos)
	r.readCurves(qos)
	r.readSchedulers(qos)
	r.readAllocations(qos)
	r.readPools(qos)
	r.readInterfaces(root.Get("interface"))
	r.bind(qos)
	r.fillClasses()
	return read.Result{Switch: s, Found: r.Found.Sorted(), Ledger: r.Ledger(root, read.Accounting{Outer: 4, Sort: r.sort})}
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

	queues      map[string]uint8
	groups      map[string]uint8 // priority groups by the names of PFC queues
	classes     map[string]*class
	classifiers map[string]*classifier
	trusted     *classifier // of the ports that are read: the first that one refers to
	rewrites    map[string]*plan.Rewrite
	mappings    map[string]*mapping
	curves      map[string]*plan.ECN
	schedulers  map[string]map[uint8]plan.Scheduler
	peaks       map[peak]percent // caps, which are per cent of the port's rate
	allocations map[string]*allocation
	ports       map[string]*port
	qos         map[told]*plan.PortQoS
}

// A class is a forwarding class.
type class struct {
	tc, queue uint8
	at        diag.Range
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

// lookup resolves a reference; nil where it is not there.
func lookup[T any](r *reader, in map[string]T, ref *posjson.Node, what string) (v T, ok bool) {
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

// each walks a list and gives each entry with its key.
func (r *reader) each(n *posjson.Node, key string, visit func(name string, entry *posjson.Node)) {
	keyOf := func(entry *posjson.Node) *posjson.Node { return entry.Get(key) }
	r.Entries(n, key, keyOf, func(k, entry *posjson.Node) { visit(k.Text, entry) })
}

// readQueues numbers queues and PFC queues.
func (r *reader) readQueues(qos *posjson.Node) {
	r.each(qos.Get("queues", "queue"), "name", func(name string, q *posjson.Node) {
		if id, ok := r.Number(q.Get("queue-index"), 0, 11); ok {
			r.queues[name] = uint8(id)
		}
	})
	r.each(qos.Get("queues", "pfc-queue"), "pfc-queue-name", func(name string, q *posjson.Node) {
		if id, ok := r.Number(q.Get("queue-index"), 0, 7); ok {
			r.groups[name] = uint8(id)
			if reserved := strings.TrimPrefix(name, "pfc"); len(reserved) == 1 && reserved >= "0" && reserved <= "7" && reserved != strconv.FormatInt(id, 10) {
				r.Errorf(Number, r.At(q.Get("queue-index")), "the name %s is reserved for the index %s, not %d", name, reserved, id).Fixf("give it the index %s, or another name", reserved)
			}
		}
	})
}

func (r *reader) readClasses(qos *posjson.Node) {
	taken := map[uint8]string{}
	r.each(qos.Get("forwarding-classes", "forwarding-class"), "name", func(name string, c *posjson.Node) {
		index, ok := r.Number(c.Get("forwarding-class-index"), 0, 7)
		to, any := c.Get("output", "unicast-queue"), c.Get("output", "queue")
		switch {
		case to == nil:
			to = any
		case any != nil && any.Text == to.Text:
			r.Pass(any, ruleKey)
			r.Pass(to, ruleKey)
		}
		lookup(r, r.queues, c.Get("output", "multicast-queue"), "queue for many")
		r.Pass(c.Get("output", "multicast-queue"), ruleMany)
		queue, known := lookup(r, r.queues, to, "queue")
		if !ok || !known {
			return
		}
		if other, twice := taken[uint8(index)]; twice {
			r.Errorf(Duplicate, r.At(c.Get("forwarding-class-index")), "the classes %q and %q have the index %d", posjson.Clip(other), posjson.Clip(name), index).Fixf("give one of them another index from 0 to 7")
			return
		}
		if queue > 7 {
			r.Errorf(Number, r.At(to), "class %q is sent from queue %d; those for one receiver are 0 to 7", posjson.Clip(name), queue).Fixf("send the class from a queue from 0 to 7")
			return
		}
		taken[uint8(index)] = name
		r.classes[name] = &class{uint8(index), queue, r.At(c)}
	})
}

func (r *reader) readClassifiers(qos *posjson.Node) {
	r.each(qos.Get("classifiers", "dscp-policy"), "name", func(name string, p *posjson.Node) {
		c := &classifier{name: name}
		r.classifiers[name] = c
		r.each(p.Get("dscp"), "value", func(_ string, d *posjson.Node) {
			value, ok := r.Number(d.Get("value"), 0, 63)
			to := d.Get("forwarding-class")
			if _, known := lookup(r, r.classes, to, "forwarding class"); ok && known {
				c.class[value], c.at[value] = to.Text, r.At(d)
			}
			r.dropProbability(d.Get("drop-probability"))
			c.nodes = append(c.nodes, d)
		})
	})
}

// readRewrites reads what packets leave with.
func (r *reader) readRewrites(qos *posjson.Node) {
	r.each(qos.Get("rewrite-rules", "dscp-policy"), "name", func(name string, p *posjson.Node) {
		out := &plan.Rewrite{}
		r.rewrites[name] = out
		r.each(p.Get("map"), "forwarding-class", func(_ string, m *posjson.Node) {
			c, ok := lookup(r, r.classes, m.Get("forwarding-class"), "forwarding class")
			if dscp, said := r.Number(m.Get("dscp"), 0, 63); ok && said {
				out.TCs |= 1 << c.tc
				out.DSCP[c.tc] = uint8(dscp)
			}
		})
	})
}

// dropProbability skips the one that drops least.
func (r *reader) dropProbability(n *posjson.Node) {
	if n != nil && r.Text(n) == "low" {
		r.Pass(n, ruleDropLow)
	} else {
		r.Doubt(n, "packets that are dropped sooner than others of their class are not modelled", read.Scope{})
	}
}

// fillClasses makes the classes and maps of the plan.
func (r *reader) fillClasses() {
	m, places := &r.sw.Maps, &r.sw.Places
	for name, c := range r.classes {
		out := plan.Class{Name: name, TrafficClass: c.tc, Queue: c.queue, Range: c.at, PG: m.TCToPG[c.tc]}
		m.TCToQueue[c.tc], places.TCToQueue[c.tc] = c.queue, c.at
		for d := range uint8(64) {
			if r.trusted != nil && r.trusted.class[d] == name {
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
			if r.used["PFC mapping "+m.name] && slices.Contains(m.raises[p].classes, name) {
				c.Lossless, c.PFC = true, p
				return
			}
		}
	}
}

// readCurves reads marking curves; a document without explicit-congestion-notification
// marks nothing.
func (r *reader) readCurves(qos *posjson.Node) {
	global := qos.Get("explicit-congestion-notification")
	if global != nil {
		global.Used = true
	}
	r.each(qos.Get("buffer-management", "queue-management-profile"), "name", func(name string, p *posjson.Node) {
		r.curves[name] = nil
		slopes := p.Get("wred", "wred-slope")
		r.each(slopes, "traffic-type", func(traffic string, s *posjson.Node) {
			marks, drop := r.Yes(s.Get("enable-ecn")), r.Text(s.Get("drop-probability"))
			low, ok := r.Number(s.Get("min-threshold"), 0, 1<<40)
			high, ok2 := r.Number(s.Get("max-threshold"), 0, 1<<40)
			percent, ok3 := r.Number(s.Get("max-drop-probability-percent"), 0, 100)
			if !marks || traffic != "all" || drop != "all" || !ok || !ok2 || !ok3 {
				r.Doubt(s, "a curve that drops, or that is told in per cent, is not modelled", read.Scope{})
				return
			}
			if global == nil {
				r.Doubt(s, "it is not known whether a curve that is not turned on drops", read.Scope{})
				r.Errorf(NotMarking, r.At(s), "the curve marks nothing: there is no explicit-congestion-notification").Fixf(`add "explicit-congestion-notification": {}`)
				return
			}
			at := r.At(s)
			r.curves[name] = &plan.ECN{
				KMin: read.From(units.Bytes(low), "Kmin", at), KMax: read.From(units.Bytes(high), "Kmax", at),
				PMax: read.From(units.Ratio(percent)*units.Percent, "Pmax", at),
			}
		})
	})
}

func (r *reader) readSchedulers(qos *posjson.Node) {
	r.each(qos.Get("scheduler-policies", "scheduler-policy"), "name", func(name string, p *posjson.Node) {
		policy := map[uint8]plan.Scheduler{}
		r.schedulers[name] = policy
		r.each(p.Get("scheduler"), "sequence", func(_ string, s *posjson.Node) {
			sequence, _ := r.Number(s.Get("sequence"), 0, 1)
			strict := r.Text(s.Get("priority")) == "strict"
			if strict != (sequence == 0) {
				r.Errorf(Shape, r.At(s), "sequence 0 is strict, and sequence 1 is not").Fixf("make the scheduler of sequence 0 strict, and that of sequence 1 not")
			}
			r.each(s.Get("input"), "id", func(_ string, in *posjson.Node) {
				r.Pass(in.Get("id"), ruleKey)
				queue, ok := lookup(r, r.queues, in.Get("queue-name"), "queue")
				if !ok {
					return
				}
				told := plan.Scheduler{Strict: strict, Range: r.At(in)}
				if w, ok := r.Number(in.Get("weight"), 1, 255); ok && !strict {
					told.Weight = plan.Of(w, &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: plan.Count(w), Range: r.At(in.Get("weight"))})
				} else if !strict {
					told.Weight = plan.Of[int64](1, nil)
				}
				if p, ok := r.Number(in.Get("peak-rate-percent"), 1, 100); ok && p < 100 {
					r.peaks[peak{name, queue}] = percent{p, r.At(in.Get("peak-rate-percent"))}
				}
				policy[queue] = told
			})
		})
	})
}

// readInterfaces reads what ports are told besides QoS.
func (r *reader) readInterfaces(list *posjson.Node) {
	r.each(list, "name", func(name string, i *posjson.Node) {
		p := &port{at: r.At(i), says: i}
		r.ports[name] = p
		p.speed = r.speed(i.Get("ethernet", "port-speed"))
		if mtu := i.Get("mtu"); mtu != nil {
			if v, ok := r.Number(mtu, 1450, 9500); ok {
				p.frame, p.frameAt = units.Bytes(v)+schema.FrameCheck, r.At(mtu)
			}
		}
		p.correction(r, name, i.Get("transceiver", "forward-error-correction"))
		if b := i.Get("breakout-mode"); b != nil {
			r.Number(b.Get("num-breakout-ports"), 1, 8)
			r.Pass(b.Get("num-breakout-ports"), "label")
			p.split = b.Get("num-breakout-ports")
			p.channels = r.speed(b.Get("breakout-port-speed"))
		}
	})
}
