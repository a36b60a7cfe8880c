package observe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
)

// fewCNPs are too few to distinguish lost ones from those on their way.
const fewCNPs = 100

// cnps compares what all receivers sent with what all senders took in. It needs both from every
// NIC that is counted, or a sender that was not asked looks like a loss.
func (c *checker) cnps(rows []Row) {
	var sent, handled uint64
	var all []Row
	var deaf []string // NICs that handled none
	for _, nic := range nicsOf(rows) {
		out, okOut := c.r.grown(nic.device, nic.object, CNPSent)
		in, okIn := c.r.grown(nic.device, nic.object, CNPHandled)
		if !okOut || !okIn || out.Readings < 2 || in.Readings < 2 || out.Cleared || in.Cleared {
			return
		}
		ignored, _ := c.r.grown(nic.device, nic.object, CNPIgnored)
		sent, handled = sent+out.Amount, handled+in.Amount+ignored.Amount
		if out.Amount > 0 {
			all = append(all, out.Last)
		}
		if in.Amount == 0 {
			deaf = append(deaf, nic.device+" "+nic.object.Name)
		} else {
			all = append(all, in.Last)
		}
	}
	if sent < fewCNPs || handled >= sent-sent/leeway {
		return
	}
	k := Conclusion{Code: CNPsLost, Assumption: AssumesCNP, Worth: Certain, severity: diag.Error, at: c.fabric.Range,
		Message: fmt.Sprintf("receivers sent %d CNPs, and senders handled %d", sent, handled),
		Fix:     "look for the queue that drops CNPs, and for NICs whose reaction point is off"}
	s, dropped, row := c.cnpDrops()
	switch {
	case s != nil:
		k.Message += fmt.Sprintf("; queue %d of %v dropped %d packets of their class", row.Object.ID, s, dropped)
		c.say(s, row.Object, k, append([]Row{row}, all...)...)
		return
	case len(deaf) > 0 && len(deaf) <= mostNamed:
		k.Message += "; none were handled by " + strings.Join(deaf, ", ")
	}
	c.add(k, all)
}

// mostNamed NICs are named in one finding.
const mostNamed = 8

// cnpDrops finds the queue that lost most packets of the class of CNPs.
func (c *checker) cnpDrops() (most *site, dropped uint64, at Row) {
	for _, class := range c.fabric.Classes {
		if !class.CNP {
			continue
		}
		for _, s := range c.sites {
			g, ok := c.r.grown(s.end.Switch, Object{Kind: Queue, Name: s.end.Port, ID: s.group.QueueOf(class).Queue.Value}, QueueDropped)
			if ok && g.Amount > dropped {
				most, dropped, at = s, g.Amount, g.Last
			}
		}
	}
	return most, dropped, at
}

// nicsOf lists the NICs that are counted.
func nicsOf(rows []Row) (nics []target) {
	for _, row := range rows {
		if row.Object.Kind == NIC && (row.Counter == CNPSent || row.Counter == CNPHandled) {
			nics = append(nics, target{device: row.Device, object: row.Object})
		}
	}
	stable.Sort(nics, func(a, b target) int {
		return cmp.Or(natural.Compare(a.device, b.device), natural.Compare(a.object.Name, b.object.Name))
	})
	return slices.Compact(nics)
}
