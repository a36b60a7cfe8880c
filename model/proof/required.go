package proof

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// A demand is an obligation that a certificate must hold.
type demand struct {
	id    string
	where string // exact, or how it begins
	begin bool
}

func (d demand) metBy(o *Obligation) bool {
	return o.ID == d.id && (o.Where == d.where || d.begin && strings.HasPrefix(o.Where, d.where))
}

// recheckComplete checks the obligations of a certificate against its inputs: every lossless
// priority group of every port is in a group, every group, slice, pool and queue has its
// obligations, and the headroom of each group is that of the buffer.
func recheckComplete(c *Certificate) (errs []error) {
	if c.Model == nil {
		for _, id := range bufferIDs {
			if !slices.ContainsFunc(c.Obligations, func(o Obligation) bool { return o.ID == id && o.Verdict == Unjudged }) {
				errs = append(errs, fmt.Errorf("there is no buffer to judge %s by, and no obligation says so", id))
			}
		}
		return errs
	}
	if c.Model.Config == nil {
		return []error{errors.New("the model has ports and no buffer")}
	}
	if err := sizes(c.Model.Config); err != nil {
		return []error{err}
	}
	if len(c.Model.Ports) != len(c.Model.Config.Ports) {
		return []error{fmt.Errorf("the model has %d ports and %d of the buffer", len(c.Model.Ports), len(c.Model.Config.Ports))}
	}
	r := &requirement{m: c.Model, groups: c.Groups, seen: map[demand]bool{}, memory: catalogueMemory(c)}
	r.gather()
	for _, d := range r.demands {
		if !slices.ContainsFunc(c.Obligations, func(o Obligation) bool { return d.metBy(&o) }) {
			errs = append(errs, fmt.Errorf("%s, %s: the inputs demand this obligation, and the certificate lacks it", d.id, d.where))
		}
	}
	for i := range c.Obligations {
		if o := &c.Obligations[i]; (o.Verdict != Unjudged || o.Left.Expr != "") && !o.refuted() {
			errs = append(errs, r.sameInputs(o)...)
		}
	}
	return append(append(errs, twice(c.Obligations)...), r.errs...)
}

// A requirement collects what the inputs of a certificate demand.
type requirement struct {
	m       *model.Switch
	groups  []Group
	seen    map[demand]bool
	memory  int64 // cells of a slice by the catalogue
	demands []demand
	errs    []error
}

func (r *requirement) demand(id, where string, begin bool) {
	if d := (demand{id, where, begin}); !r.seen[d] {
		r.seen[d] = true
		r.demands = append(r.demands, d)
	}
}

func (r *requirement) gather() {
	config := r.m.Config
	of := map[string]map[int]string{} // where, by port and priority group
	for _, g := range r.groups {
		for _, port := range g.Ports {
			if of[port] == nil {
				of[port] = map[int]string{}
			}
			of[port][g.PG] = g.Where
		}
	}
	for i := range config.Ports {
		for number := range config.Ports[i].PGs {
			pg := &config.Ports[i].PGs[number]
			if !pg.Lossless {
				continue
			}
			name := r.m.Ports[i].Name
			where, ok := of[name][number]
			if !ok {
				r.errs = append(r.errs, fmt.Errorf("priority group %d of %s is lossless, and no group has it", number, name))
				continue
			}
			r.group(where, config.Ports[i].Slice, i, number, pg)
		}
	}
}

// group demands what a lossless priority group of one port needs.
func (r *requirement) group(where string, slice, port, number int, pg *mmu.PG) {
	config := r.m.Config
	r.demand(PauseReaches, where, false)
	r.demand(Headroom, where, false)
	if pg.XonCells > 0 && r.m.Ports[port].Link.Unknown("") == "" && r.m.Ports[port].Link.Cable > 0 {
		r.demand(Resume, where, false)
	}
	r.demand(Memory, fmt.Sprintf("slice %d", slice), false)
	if pg.HeadroomPooled {
		r.demand(HeadroomPool, fmt.Sprintf("slice %d, pool %s", slice, config.IngressPools[pg.Pool].Name), false)
	}
	for q := range mmu.MaxQueues {
		for i := range config.Ports {
			queues := config.Ports[i].Queues
			if q < len(queues) && (i != port || len(config.Ports) == 1) && r.m.Feeds(port, number, i)>>q&1 == 1 {
				r.demand(EgressHolds, fmt.Sprintf("slice %d, pool %s", slice, config.EgressPools[queues[q].Pool].Name), false)
				r.demand(QueueHolds, fmt.Sprintf("slice %d, queue %d of ", slice, q), true)
				if _, bounded := mmu.BoundOf(config.Ports[i].Egress, queues[q].Pool); bounded {
					r.demand(PortHolds, fmt.Sprintf("slice %d, pool %s of ", slice, config.EgressPools[queues[q].Pool].Name), true)
				}
			}
		}
	}
}
