package system

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// Format makes the reader of a system.
func Format(s format.System) read.Format {
	return read.Format{
		Name: s.Name, Title: s.Title, Files: []string{s.File}, Neutral: neutral(s), Shows: "no line of the file names the box",
		Recognize: func(head []byte) []byte {
			mark := fmt.Appendf(nil, "%q", s.Root)
			if at := bytes.Index(head, mark); len(head) > 0 && head[0] == '{' && at >= 0 {
				return head[at : at+len(mark)]
			}
			return nil
		},
		Device: func([]byte) (string, int) { return "", 0 },
		Read:   func(name string, src []byte, _ read.Options) read.Result { return readFile(s, name, src) },
	}
}

// A reader reads one document.
type reader struct {
	*read.Document
	of     format.System
	lenses map[format.Attribute]lens
}

func readFile(s format.System, name string, src []byte) read.Result {
	d, root := read.ParseDocument(name, src, read.DocumentCodes{
		JSON: code(s, "read-json"), TooLarge: code(s, "read-large"), Duplicate: code(s, "read-twice"), Shape: code(s, "read-shape"), Number: code(s, "read-number"),
	})
	sw := &plan.Switch{OS: s.OS}
	r := &reader{d, s, lenses()}
	if root == nil {
		return read.Result{Switch: sw, Found: d.Found}
	}
	r.below("", root, place{sw: sw})
	settle(sw)
	outer := len(strings.Fields(r.ports())) + 1
	return read.Result{Switch: sw, Found: d.Found.Sorted(), Ledger: d.Ledger(root, read.Accounting{Outer: outer, Sort: r.sort})}
}

// below reads the rows of the entry of a list, or of the top.
func (r *reader) below(path string, n *posjson.Node, p place) {
	for i := range r.of.Rows {
		row := &r.of.Rows[i]
		switch {
		case row.Around() != path:
		case row.List != "":
			r.list(row, n, p)
		case row.Says != "":
			r.leaf(row, n, p)
		}
	}
}

func (r *reader) list(row *format.Row, n *posjson.Node, p place) {
	of := levelOf(row.List)
	r.Each(row, n, func(key string, entry *posjson.Node) {
		number := int64(0)
		if of.most > 0 {
			var ok bool
			if number, ok = r.Number(entry.Get(row.Keys()[0]), 0, of.most); !ok {
				return
			}
		}
		if of.fixed {
			r.Pass(entry.Get(row.Keys()[0]), ruleKey)
		}
		added := of.add(p, key, uint8(number))
		switch at := r.At(entry); {
		case added.queue != nil:
			added.queue.Range = at
		case added.group != nil:
			added.group.Range = at
		case added.port != nil && row.List == format.Ports:
			added.port.Range = at
		case added.pool != nil:
			added.pool.Range = at
		}
		r.below(row.Path, entry, added)
	})
}

func (r *reader) leaf(row *format.Row, around *posjson.Node, p place) {
	n, l := around.Get(row.Names()...), r.lenses[row.Says]
	switch {
	case n == nil && row.Absent != 0:
		l.set(p, row.Default(), r.At(around))
	case n == nil:
	case l.write != nil:
		if v, ok := r.NumberOf(row, around); ok {
			r.set(l, p, row.Means(v), n)
		}
	case l.flag:
		r.set(l, p, r.Yes(n), n)
	default:
		r.word(row, n, l, p)
	}
}

// set puts a value into the plan. A value that the plan has already is the default.
func (r *reader) set(l lens, p place, v any, n *posjson.Node) {
	before, _ := l.get(p)
	l.set(p, v, r.At(n))
	if after, _ := l.get(p); before == after {
		r.Pass(n, ruleDefault)
	}
}

func (r *reader) word(row *format.Row, n *posjson.Node, l lens, p place) {
	text := r.Text(n)
	for _, w := range row.Words {
		if w[0] == text {
			r.set(l, p, w[1], n)
			return
		}
	}
	if row.Words == nil {
		r.set(l, p, text, n)
		return
	}
	var texts []string
	for _, w := range row.Words {
		texts = append(texts, strconv.Quote(w[0]))
	}
	r.Errorf(code(r.of, "read-shape"), r.At(n), "%q is not one of %v", posjson.Clip(text), texts).Fixf("write one of %v", texts)
}

// settle sorts a switch that was read, and completes classes and groups from maps and ports.
func settle(sw *plan.Switch) {
	stable.Sort(sw.Classes, func(a, b plan.Class) int { return cmp.Compare(a.TrafficClass, b.TrafficClass) })
	stable.Sort(sw.Pools, func(a, b plan.Pool) int { return cmp.Compare(a.Name, b.Name) })
	stable.Sort(sw.Ports, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
	var pfc uint8
	for i := range sw.Ports {
		q := sw.Ports[i].QoS
		pfc |= q.PFC
		stable.Sort(q.PGs, func(a, b plan.PG) int { return cmp.Compare(a.ID, b.ID) })
		stable.Sort(q.Queues, func(a, b plan.Queue) int { return cmp.Compare(a.ID, b.ID) })
		for k := range q.PGs {
			q.PGs[k].Lossless = pausing(sw, q.PFC, q.PGs[k].ID) < 8
		}
	}
	for i := range sw.Classes {
		c := &sw.Classes[i]
		c.Queue, c.PG, c.DSCPs = sw.Maps.TCToQueue[c.TrafficClass], sw.Maps.TCToPG[c.TrafficClass], sw.Maps.DSCPsOf(c.TrafficClass)
		if priority := pausing(sw, pfc, c.PG); priority < 8 {
			c.Lossless, c.PFC = true, priority
		}
	}
}

// pausing returns the lowest of some priorities that pauses a group; 8 where none does.
func pausing(sw *plan.Switch, priorities, group uint8) (priority uint8) {
	for priority < 8 && (priorities>>priority&1 == 0 || sw.Maps.PFCToPG[priority] != group) {
		priority++
	}
	return priority
}

// IDs of the neutral rules that reading finds to hold.
const (
	ruleEmpty   = "empty"
	ruleDefault = "default"
	ruleKey     = "key"
)

// neutral has a rule for each row without an attribute.
func neutral(s format.System) []read.NeutralRule {
	rules := []read.NeutralRule{
		{ID: ruleEmpty, Pattern: "{} and []", Reason: "an empty container says nothing", Evidence: "RFC 7950 7.5.1"},
		{ID: ruleDefault, Pattern: "a leaf", Reason: "it sets the default", Evidence: s.Source},
		{ID: ruleKey, Pattern: "a DSCP, a traffic class, a PFC priority", Reason: "it names an entry, and the leaves of the entry say what holds", Evidence: s.Source},
	}
	for i := range s.Rows {
		if row := &s.Rows[i]; row.Neutral != "" {
			rules = append(rules, read.NeutralRule{ID: row.Plain(), Pattern: row.Plain(), Reason: row.Neutral, Evidence: cmp.Or(row.Source, s.Source)})
		}
	}
	return rules
}

// ports returns the path of the list of ports, empty where there is none.
func (r *reader) ports() string {
	for i := range r.of.Rows {
		if r.of.Rows[i].List == format.Ports {
			return r.of.Rows[i].Plain()
		}
	}
	return ""
}

// sort sorts leaves for the ledger: those of rows, those of neutral rows, and the rest.
func (r *reader) sort(n *posjson.Node, words []string, entry string) read.Statement {
	switch {
	case n.Used:
		return read.Statement{Sort: read.Modelled}
	case !n.Scalar():
		return read.Statement{Sort: read.Neutral, Rule: ruleEmpty}
	}
	for i := range r.of.Rows {
		if row := &r.of.Rows[i]; row.Neutral != "" && read.Under(words, row.Plain()) {
			return read.Statement{Sort: read.Neutral, Rule: row.Plain()}
		}
	}
	s := read.Statement{Why: "its effect on the device is not modelled"}
	if read.Under(words, r.ports()) && entry != "" {
		s.Touches.Ports = []string{entry}
	}
	return s
}
