package openconfig

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// A classifier is the terms of one, in the order of their ids.
type classifier struct {
	version string // "IPV4" or "IPV6"
	terms   []term
	at      diag.Range
}

type term struct {
	id     string
	dscps  []uint8
	port   uint16
	group  string
	remark *uint8
	node   *posjson.Node
}

// trusting reports whether a classifier does no more than read the DSCP.
func (c *classifier) trusting() bool {
	return !slices.ContainsFunc(c.terms, func(t term) bool { return t.port != 0 || t.remark != nil || t.dscps == nil })
}

func (r *reader) readClassifiers(root *posjson.Node) {
	r.each(row.Classifier, root, func(name string, n *posjson.Node) {
		c := &classifier{version: r.Word(leaf(row.ClassifierType, n)), at: r.At(n)}
		if c.version != row.IPv4 && c.version != row.IPv6 {
			r.notModelled(n, "a classifier of another type than IPV4 and IPV6")
			return
		}
		r.each(row.Term, n, func(id string, n *posjson.Node) {
			if t, ok := r.term(id, c.version, n); ok {
				c.terms = append(c.terms, t)
			}
		})
		stable.Sort(c.terms, func(a, b term) int { return compareIDs(a.id, b.id) })
		r.classifiers[name] = c
	})
}

// compareIDs orders terms by length, then by text, so that numbers with and without
// leading zeros come in their order. The models do not say which term is tried first.
func compareIDs(a, b string) int {
	return cmp.Or(len(a)-len(b), strings.Compare(a, b))
}

func (r *reader) term(id, version string, n *posjson.Node) (term, bool) {
	t := term{id: id, node: n, group: r.Text(leaf(row.TargetGroup, n))}
	if _, ok := r.groups[t.group]; !ok {
		r.Errorf(Reference, r.At(n), "term %q sends to no forwarding group of this document", posjson.Clip(id)).Fixf("name a forwarding group that forwarding-groups has")
		return t, false
	}
	for _, ip := range row.Versions {
		c := n.Get("conditions", strings.ToLower(ip.Type), "config")
		if c != nil && ip.Type != version {
			r.notModelled(c, "a condition on another version of IP than the classifier's")
			continue
		}
		t.dscps = append(t.dscps, r.numbers(ip.DSCPs, n)...)
		if d, ok := r.Number(c.Get("dscp"), 0, row.Of(ip.DSCPs).Most); ok {
			t.dscps = append(t.dscps, uint8(d))
		}
		if p := leaf(ip.Protocol, n); p != nil && p.Text != "17" && r.Word(p) != row.UDP {
			r.notModelled(p, "a match on another protocol than UDP")
			return t, false
		}
	}
	if p, ok := r.number(row.DestinationPort, n); ok {
		t.port = uint16(p)
	}
	if d, ok := r.number(row.Remark, n); ok {
		remark := uint8(d)
		t.remark = &remark
	}
	return t, true
}

// trust reads what a port believes, by its classifiers. A port without one believes
// nothing that this document knows of.
func (r *reader) trust(i *posjson.Node) plan.Trust {
	trust := plan.TrustNone
	r.each(row.PortClassifier, i, func(kind string, n *posjson.Node) {
		name := leaf(row.PortClassifierName, n)
		c, ok := lookup(r, r.classifiers, name, row.Classifier)
		if ok {
			if r.kinds[r.port] == nil {
				r.kinds[r.port] = map[string]*posjson.Node{}
			}
			r.kinds[r.port][kind] = name
		}
		switch {
		case ok && kind != c.version && !strings.HasSuffix(kind, ":"+c.version):
			r.Errorf(Reference, r.At(n), "the classifier %q is of %s, but the reference says %s", posjson.Clip(name.Text), c.version, posjson.Clip(kind)).Fixf("refer to it as a classifier of %s", c.version)
		case !ok:
		case c.trusting():
			trust = plan.TrustDSCP
			r.doubtVersion(n, c)
		case r.edge == nil || c.version == row.IPv4:
			if r.edge != nil && r.edge != c && r.edge.version == c.version {
				r.notModelled(n, "a second classifier of untrusted ports")
				return
			}
			r.edge = c
		}
	})
	return trust
}

// trusting returns the classifier that reads the DSCP: the first of IPv4 by name, else of
// IPv6. One that ports use goes before one that none does. Nil where there is none.
func (r *reader) trusting() (found *classifier) {
	for _, used := range []bool{true, false} {
		for _, name := range slices.Sorted(maps.Keys(r.classifiers)) {
			c := r.classifiers[name]
			if used != r.unused(row.Classifier, name) && c.trusting() && (found == nil || found.version != row.IPv4 && c.version == row.IPv4) {
				found = c
			}
		}
		if found != nil {
			break
		}
	}
	return found
}

// marking reads the classifier of ports that trust no marking, nil where none has one.
func (r *reader) marking() *plan.Marking {
	if r.edge == nil {
		return nil
	}
	m := &plan.Marking{Range: r.edge.at}
	for _, t := range r.edge.terms {
		tc := r.groups[t.group].tc
		if t.dscps == nil && t.port == 0 {
			m.DefaultTC = tc
			if t.remark != nil {
				m.Default = *t.remark
			}
			continue
		}
		if t.dscps == nil {
			r.notModelled(t.node, "a match on a UDP port with any DSCP")
		}
		for _, d := range t.dscps {
			m.Rules = append(m.Rules, plan.MarkRule{UDPPort: t.port, DSCP: d, TC: tc})
		}
	}
	return m
}
