package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// markingDecl is a marking block while its references are still names.
type markingDecl struct {
	Marking
	class Opt[reference]
	rules []ruleDecl
}

type ruleDecl struct {
	MarkRule
	class Opt[reference]
}

var markingBlock = &block[markingDecl]{
	example: markingExample,
	name:    "marking",
	doc: "Classification on ports with `trust = marking`. UDP packets to `udp_port` with the DSCP of a rule enter its class; " +
		"the first rule that matches counts. The switch rewrites the DSCP of all other packets. At most one block.",
	fields: []field[markingDecl]{
		optDefault("udp_port", whole[uint16](1, 65535), func(m *markingDecl) *Opt[uint16] { return &m.UDPPort }, 4791, "destination port of RoCEv2"),
		opt("rewrite", whole[uint8](0, 63), func(m *markingDecl) *Opt[uint8] { return &m.Rewrite }, "DSCP that the switch writes into all other packets").must(),
		opt("class", referenceTo("a traffic class", "traffic_class"), func(m *markingDecl) *Opt[reference] { return &m.class },
			"class of all other packets").otherwise("the class with the code point `rewrite`"),
	},
	nested: []nested[markingDecl]{inner(ruleBlock, false, func(d *decoder, m *markingDecl, b *hclsyntax.Block) {
		r := ruleDecl{MarkRule: MarkRule{Range: b.TypeRange}}
		ruleBlock.decode(d, b.Body, b.TypeRange, &r)
		m.rules = append(m.rules, r)
	})},
}

var ruleBlock = &block[ruleDecl]{
	name: "rule", doc: "Packets with one DSCP. May be repeated; the first rule that matches counts.",
	fields: []field[ruleDecl]{
		opt("dscp", whole[uint8](0, 63), func(r *ruleDecl) *Opt[uint8] { return &r.DSCP }, "code point that the host sends").must(),
		opt("class", referenceTo("a traffic class", "traffic_class"), func(r *ruleDecl) *Opt[reference] { return &r.class },
			"class of the packets").otherwise("the class with the code point"),
	},
}

func decodeMarking(d *decoder, b *hclsyntax.Block, classes []*Class) *Marking {
	m := &markingDecl{Marking: Marking{Range: b.TypeRange}}
	markingBlock.decode(d, b.Body, b.TypeRange, m)
	m.Class = resolveMark(d, classes, m.class, m.Rewrite)
	first := map[uint8]diag.Range{}
	for _, r := range m.rules {
		if before, again := first[r.DSCP.Value]; r.DSCP.Set && again {
			d.errorf(DuplicateDSCP, r.DSCP.Range, "an earlier rule for DSCP %d exists already and takes precedence", r.DSCP.Value).
				Fixf("remove one").Notef(before, "the first is here")
		} else if r.DSCP.Set {
			first[r.DSCP.Value] = r.DSCP.Range
		}
		r.Class = resolveMark(d, classes, r.class, r.DSCP)
		m.Rules = append(m.Rules, r.MarkRule)
	}
	return &m.Marking
}

// resolveMark finds the class that packets with a DSCP enter. Inside the fabric all
// ports trust the DSCP, so a class that does not have it would be left at the next hop.
func resolveMark(d *decoder, classes []*Class, ref Opt[reference], dscp Opt[uint8]) *Class {
	if !dscp.Set {
		return nil
	}
	i := slices.IndexFunc(classes, func(c *Class) bool { return slices.Contains(c.DSCPs.Value, dscp.Value) })
	switch {
	case i < 0:
		d.errorf(MarkingDSCP, dscp.Range, "no traffic class has DSCP %d", dscp.Value).Fixf("add it to the dscp of a class, or give one dscp = rest")
	case ref.Set && classes[i].Name != ref.Value.name:
		d.errorf(MarkingDSCP, dscp.Range, "DSCP %d belongs to %s, not to %s: the next hop trusts the DSCP and would change the class",
			dscp.Value, classes[i].Name, ref.Value.name).Fixf("write class = traffic_class.%s", classes[i].Name).
			Notef(classes[i].DSCPs.Range, "%s takes it here", classes[i].Name)
	default:
		return classes[i]
	}
	return nil
}

var watchdogBlock = &block[Watchdog]{
	example: watchdogExample,
	name:    "pfc_watchdog", doc: "The PFC watchdog, which frees stuck queues. Without the block it runs with derived timers. At most one block.",
	fields: []field[Watchdog]{
		custom("enabled", "`true` or `false`", "whether the watchdog runs", func(d *decoder, w *Watchdog, expr hclsyntax.Expression) bool {
			on, ok := boolKind().decode(d, "enabled", expr)
			w.Off = ok && !on
			return ok
		}).otherwise("true"),
		opt("detection", watchdogTime(), func(w *Watchdog) *Opt[units.Time] { return &w.Detection }, "a queue that is paused for this time is stuck").otherwise("derived"),
		opt("restoration", watchdogTime(), func(w *Watchdog) *Opt[units.Time] { return &w.Restoration }, "a stuck queue without pauses for this time is healthy").otherwise("derived"),
		opt("poll", timeKind(), func(w *Watchdog) *Opt[units.Time] { return &w.Poll }, "interval at which the watchdog reads counters").otherwise("derived"),
		optDefault("action", oneOf("drop", "forward", "alert"), func(w *Watchdog) *Opt[string] { return &w.Action }, "drop", "treatment of packets of a stuck queue"),
	},
}

// watchdogTime returns a time that watchdogs take at most: 60 s on EOS, and on SONiC (sonic-pfcwd.yang,
// restoration_time).
func watchdogTime() kind[units.Time] { return between(timeKind(), 0, 60*units.Second) }

func decodeWatchdog(d *decoder, b *hclsyntax.Block) *Watchdog {
	w := &Watchdog{Range: b.TypeRange}
	watchdogBlock.decode(d, b.Body, b.TypeRange, w)
	return w
}

const markingExample = `
marking {
  rewrite = 0

  rule {
    dscp = 48
  }
  rule {
    dscp  = 26
    class = traffic_class.rdma
  }
}
`

const watchdogExample = `
pfc_watchdog {
  detection   = "200ms"
  restoration = "400ms"
  action      = drop
}
`
