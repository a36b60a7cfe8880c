package junos

import (
	"cmp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// mainClassifier returns the one by which the switch maps code points: every other that ports
// use admits some of its code points and puts the rest into one class. Where there is
// none such, it is the first.
func (r *reader) mainClassifier(ports []*port, bound map[*port]binding) *classifier {
	var all []*classifier
	for _, p := range ports {
		own := bound[p].classifier
		known := r.classifiers[own.text]
		switch {
		case own.text == "":
		case known != nil:
			all = append(all, known)
		case !r.reported(Undefined, own.at):
			name, tag := strings.CutPrefix(own.text, byTag)
			r.undefined(own.at, "classifier", name, map[bool]string{true: "classifiers ieee-802.1", false: "classifiers dscp"}[tag])
		}
	}
	for _, candidate := range all {
		leads := true
		for _, other := range all {
			_, edge := other.edgeOf(candidate)
			leads = leads && (edge || other.class == candidate.class)
		}
		if leads {
			return candidate
		}
	}
	if all == nil {
		return nil
	}
	return all[0]
}

// unclassified reports ports that have neither a classifier nor a profile, where others have one:
// the plan has one map of code points for all, and Junos' default one is not it.
func (r *reader) unclassified(ports []*port, bound map[*port]binding, main *classifier) {
	var names []string
	var first *port
	for _, p := range ports {
		if b := bound[p]; b.classifier.text == "" && b.congestion.text == "" && !p.shut {
			names, first = append(names, p.name), cmp.Or(first, p)
		}
	}
	if main == nil || first == nil {
		return
	}
	at := cmp.Or(first.at, main.at)
	if i := slices.IndexFunc(r.bindings, func(b *binding) bool { return b.pattern == first.name }); i >= 0 && first.at.Filename == "" {
		at = r.bindings[i].at
	}
	stable.Sort(names, natural.Compare)
	r.found.Warnf(NotModelled, at, "%s without a classifier, %s: Junos' default classifier puts most packets into best effort, but the plan uses that of other ports; none of them is lossless either way", natural.Count(len(names), "port", "ports"), plan.Abbreviate(names)).
		Fixf("bind the classifier of the other ports to its unit, or disable unused ports").Notef(main.at, "that of other ports")
}

// edgeOf reports whether a classifier admits some code points as another does, and puts
// all others into one class, which it returns.
func (c *classifier) edgeOf(main *classifier) (rest string, ok bool) {
	for d := range c.class {
		if c.class[d] == main.class[d] {
			continue
		}
		if rest == "" {
			rest = c.class[d]
		}
		if c.class[d] != rest || rest == "" {
			return "", false
		}
	}
	return rest, rest != ""
}

// trust says what a kind of port believes of its senders.
func (r *reader) trust(qos *plan.PortQoS, main *classifier, b binding, p *port) {
	if b.classifier.text == "" && b.congestion.text != "" && main != nil {
		qos.Trust = plan.TrustNone
		r.found.Errorf(Differs, b.congestion.at, "%s pauses its peer and has no classifier: Junos' default classifier classifies its packets", p.name).
			Fixf("bind the classifier of the other ports to its unit").Notef(main.at, "that of other ports")
		return
	}
	own := r.classifiers[b.classifier.text]
	if own == nil || main == nil || own.class == main.class {
		return
	}
	rest, edge := own.edgeOf(main)
	class := r.class(rest)
	if !edge || class == nil {
		if !r.reported(Differs, b.classifier.at) {
			r.found.Errorf(Differs, b.classifier.at, "%s classifies by %q, which puts code points into other classes than the classifier of other ports, but a plan has only one map", p.name, clip(b.classifier.text)).Fixf("apply one classifier to all ports, or make the two agree").
				Notef(main.at, "the other one")
		}
		return
	}
	qos.Trust = plan.TrustNone
	m, first := r.marking(own, class, b), r.sw.Marking
	switch {
	case first == nil:
		r.sw.Marking = m
	case m.DefaultTC != first.DefaultTC || m.Default != first.Default || !slices.Equal(m.Rules, first.Rules):
		if !r.reported(Differs, b.classifier.at) {
			r.found.Errorf(Differs, b.classifier.at, "%s marks packets by %q, but another port marks them differently, and a plan has only one marking", p.name, clip(b.classifier.text)).Fixf("apply one classifier to all untrusted ports, with one rewrite rule").
				Notef(first.Range, "the other one")
		}
	}
}

// marking turns a classifier into rules.
func (r *reader) marking(own *classifier, rest *forwardingClass, b binding) *plan.Marking {
	m := &plan.Marking{DefaultTC: rest.tc, Range: own.at}
	if rw := r.rewrites[b.rewrite.text]; rw != nil {
		m.Default = rw.dscp[rest.name]
	}
	for d, name := range own.class {
		if class := r.class(name); class != nil && class != rest {
			m.Rules = append(m.Rules, plan.MarkRule{DSCP: uint8(d), TC: class.tc})
		}
	}
	return m
}

// codePoints returns the code points that a rewrite rule gives the packets of each class; nil where it changes
// nothing. Where ports trust no marking they follow from the rules of the switch.
func (r *reader) codePoints(name string, used *classifier) (out plan.Rewritten) {
	known := cmp.Or(r.rewrites[name], &rewrite{})
	for _, c := range r.classes {
		if dscp, ok := known.dscp[c.name]; ok && !used.onlyBy(dscp, c.name) {
			out.AddRewrite(c.tc, dscp, known.at[c.name])
		}
	}
	return out
}

// onlyBy reports whether a code point is the only one of a class.
func (c *classifier) onlyBy(dscp uint8, class string) bool {
	if c == nil {
		return false
	}
	for d, name := range c.class {
		if (name == class) != (d == int(dscp)) {
			return false
		}
	}
	return true
}

// rewriting looks at lossless packets that leave under a DSCP which the switch itself
// would not take for their class.
func (r *reader) rewriting(name word, used *classifier) {
	if name.text == "" {
		return
	}
	known := r.rewrites[name.text]
	if known == nil {
		if !r.reported(Undefined, name.at) {
			r.undefined(name.at, "rewrite rule", name.text, "rewrite-rules dscp")
		}
		return
	}
	for _, c := range r.classes {
		dscp, rewritten := known.dscp[c.name]
		if rewritten && c.noLoss && (used == nil || used.class[dscp] != c.name) {
			r.lostClass(c, dscp, known.at[c.name])
		}
	}
}

func (r *reader) lostClass(c *forwardingClass, dscp uint8, at diag.Range) {
	if r.reported(NotModelled, at) {
		return
	}
	r.found.Errorf(NotModelled, at, "the lossless class %q leaves with DSCP %d, which this switch does not map to it; the next switch might not either", c.name, dscp).
		Fixf("leave the class out of the rewrite rule, or write a code point of the class")
}
