package junos

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// Names of what the whole switch has once.
const (
	classifier     = "roce"
	edgeClassifier = "roce-edge"
)

// Most forwarding classes, and most of them that lose nothing: Junos CLI reference,
// forwarding-classes; class-of-service guide, no-loss.
const (
	mostClasses = 16
	mostNoLoss  = 6
)

// classes prints forwarding classes and the classifiers that fill them.
func (b *builder) classes() {
	b.forwardingClasses()
	b.classify(classifier, b.s.Maps.DSCPToTC)
	if b.s.Marking != nil {
		b.mark(b.s.Marking)
	}
	b.writeRewritings()
}

func (b *builder) forwardingClasses() {
	section := b.cos.at("forwarding-classes")
	noLoss := 0
	for _, c := range b.s.Classes {
		words := []string{"class", c.Name, row.Of(row.ClassQueue).Name(), strconv.Itoa(int(c.Queue))}
		if c.Lossless {
			noLoss++
			words = append(words, "no-loss", row.Of(row.ClassPriority).Name(), strconv.Itoa(int(c.PFC)))
			b.checkLossless(c)
		}
		section.say(words...)
	}
	if len(b.s.Classes) > mostClasses || noLoss > mostNoLoss {
		b.list.Errorf(Classes, b.s.Range, "the fabric has %d classes, %d of them lossless, and Junos has %d forwarding classes, at most %d of them lossless", len(b.s.Classes), noLoss, mostClasses, mostNoLoss).Fixf("declare at most %d classes, at most %d of them lossless", mostClasses, mostNoLoss)
	}
}

// checkLossless says what Junos decides of the numbers of a lossless class.
func (b *builder) checkLossless(c plan.Class) {
	for _, other := range b.s.Classes {
		if other.Name != c.Name && other.Queue == c.Queue {
			b.list.Errorf(Classes, c.Range, "the lossless class %q shares queue %d with %q, and a queue of Junos is either lossless or lossy", c.Name, c.Queue, other.Name).
				Fixf("give one of them another queue")
		}
	}
	if c.PG != c.PFC {
		b.list.WarnOncef(DeviceDecides, c.Range, "class %q has priority group %d and PFC priority %d, and Junos gives the group the number of the priority", c.Name, c.PG, c.PFC).Fixf("give class %q the priority group %d", c.Name, c.PFC)
	}
	if to := b.s.Maps.PFCToQueue[c.PFC]; to != c.Queue {
		b.list.Errorf(Classes, c.Range, "priority %d pauses queue %d, but the traffic of %q is sent from queue %d", c.PFC, to, c.Name, c.Queue).
			Fixf("let priority and traffic class name the same queue")
	}
}

// classify prints a classifier with all code points, so that nothing is left to the
// default one.
func (b *builder) classify(name string, tcs [64]uint8) {
	section := b.cos.at("classifiers", "dscp "+name)
	for _, c := range b.s.Classes {
		var points []string
		for d, tc := range tcs {
			if tc == c.TrafficClass {
				points = append(points, codePoint(uint8(d)))
			}
		}
		if len(points) > 0 {
			section.at("forwarding-class "+c.Name).each(points, "loss-priority", "low", "code-points")
		}
	}
}

// codePoint writes six bits, as Junos does.
func codePoint(dscp uint8) string { return fmt.Sprintf("%06b", dscp) }

// mark prints the classifier of ports whose senders are not believed, and rewrites what
// they send.
func (b *builder) mark(m *plan.Marking) {
	var tcs [64]uint8
	for d := range tcs {
		tcs[d] = m.DefaultTC
	}
	written := map[uint8]uint8{}
	b.list.WarnOncef(MarkingLost, m.Range, "untrusted senders are classified by DSCP alone, not by UDP port, and their packets are rewritten at the egress port")
	for _, rule := range slices.Backward(m.Rules) { // the first rule wins
		tcs[rule.DSCP], written[rule.TC] = rule.TC, rule.DSCP
	}
	written[m.DefaultTC] = m.Default
	b.classify(edgeClassifier, tcs)
	rewriting := plan.Rewrite{}
	for tc, dscp := range written {
		rewriting.Add(tc, dscp)
	}
	b.rewrite(edgeClassifier, rewriting)
}

// rewrite prints a rewrite rule.
func (b *builder) rewrite(name string, r plan.Rewrite) {
	section := b.cos.at("rewrite-rules", "dscp "+name)
	for _, c := range b.s.Classes {
		if r.TCs&(1<<c.TrafficClass) != 0 {
			section.at("forwarding-class "+c.Name).say("loss-priority", "low", "code-point", codePoint(r.DSCP[c.TrafficClass]))
		}
	}
}

// rewriting returns the name of a rewriting of ports: roce, roce-2 and so on.
func (b *builder) rewriting(r plan.Rewrite) string {
	name := classifier
	if i := slices.Index(b.rewritings, r); i > 0 {
		name += "-" + strconv.Itoa(i+1)
	}
	return name
}

// writeRewritings prints what ports write into packets of a class. On a switch with marking rules these decide.
func (b *builder) writeRewritings() {
	if b.s.Marking != nil {
		emit.RewritingLost(&b.list, MarkingLost, b.s, "with marking rules they alone decide what packets leave with")
		return
	}
	b.rewritings = emit.Rewritings(b.s)
	for _, r := range b.rewritings {
		b.rewrite(b.rewriting(r), r)
	}
}

// classifierOf returns the classifier of a port.
func (b *builder) classifierOf(qos *plan.PortQoS) string {
	if qos.Trust == plan.TrustNone && b.s.Marking != nil {
		return edgeClassifier
	}
	return classifier
}

// losslessClasses returns the classes that PFC protects, in order.
func (b *builder) losslessClasses() []plan.Class {
	return stable.Delete(slices.Clone(b.s.Classes), func(c plan.Class) bool { return !c.Lossless })
}
