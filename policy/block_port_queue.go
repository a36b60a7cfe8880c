package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// portQueueDecl is a queue block of a port group while its classes are still names.
type portQueueDecl struct {
	class, of Opt[reference]
	at        diag.Range
}

var portQueueBlock = &block[portQueueDecl]{
	name: "queue",
	doc: "A class that leaves these ports from the queue of another class: SONiC's TC_TO_QUEUE_MAP of a port. Dual-ToR switches need it for packets that they send back. " +
		"On ports where it is lossless, a class keeps its queue, because its pauses stop that queue.",
	fields: []field[portQueueDecl]{
		opt("class", referenceTo("a traffic class", "traffic_class"), func(q *portQueueDecl) *Opt[reference] { return &q.class }, "class that leaves from another queue").must(),
		opt("of", referenceTo("a traffic class", "traffic_class"), func(q *portQueueDecl) *Opt[reference] { return &q.of }, "class that owns that queue").must(),
	},
}

func decodePortQueue(d *decoder, g *groupDecl, b *hclsyntax.Block) {
	own := portQueueDecl{at: b.TypeRange}
	portQueueBlock.decode(d, b.Body, b.TypeRange, &own)
	if !own.class.Set { // reported
		return
	}
	if i := slices.IndexFunc(g.queues, func(q portQueueDecl) bool { return q.class.Value == own.class.Value }); i >= 0 {
		d.errorf(DuplicateBlock, b.DefRange(), "two queue blocks of the ports are for the same class").
			Fixf("keep one of them, or name another class").Notef(g.queues[i].at, "the other one")
		return
	}
	g.queues = append(g.queues, own)
}

// resolveQueues points the queues of a group to their classes, and refuses those that would mix
// lossless with lossy traffic.
func (g *groupDecl) resolveQueues(d *decoder, classes []*Class) {
	find := func(ref Opt[reference]) *Class {
		if i := slices.IndexFunc(classes, func(c *Class) bool { return ref.Set && c.Name == ref.Value.name }); i >= 0 {
			return classes[i]
		}
		return nil
	}
	for _, own := range g.queues {
		c, of := find(own.class), find(own.of)
		switch {
		case c == nil || of == nil: // the reference itself is reported
			continue
		case c == of:
			d.errorf(ValueUnused, own.of.Range, "%s leaves %s from its own queue anyway", c.Name, g.Name).Fixf("name another class, or remove the block")
			continue
		case g.Carries(c):
			d.errorf(QueueCollision, own.class.Range, "%s is lossless on %s, and pauses of its priority stop its own queue, not that of %s", c.Name, g.Name, of.Name).
				Fixf("remove the block, or let another class leave from there")
			continue
		case g.Carries(of) && !c.Lossless.Value:
			d.errorf(QueueCollision, own.of.Range, "%s is lossy and would wait in the queue of %s, which is lossless on %s: when that one is paused, so is this one", c.Name, of.Name, g.Name).
				Fixf("name a lossy class")
			continue
		}
		g.Queues = append(g.Queues, PortQueue{Class: c, Of: of, Range: own.at})
	}
}
