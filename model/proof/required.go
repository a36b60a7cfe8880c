package proof

import (
	"errors"
	"fmt"
	"math/big"
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
func recheckComplete(c *Certificate, memo map[string]*big.Int) (errs []error) {
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
	r := &requirement{m: c.Model, groups: c.Groups, kinds: map[demand][]int{}, memory: catalogueMemory(c), memo: memo, needs: map[model.Link]int64{}}
	r.gather()
	for _, d := range r.demands {
		has := 0
		for i := range c.Obligations {
			has += b2i(d.metBy(&c.Obligations[i]))
		}
		switch kinds := len(r.kinds[d]); {
		case has == 0:
			errs = append(errs, fmt.Errorf("%s, %s: the inputs demand this obligation, and the certificate lacks it", d.id, d.where))
		case has < kinds:
			errs = append(errs, fmt.Errorf("%s, %s: the inputs demand %d of these obligations, one for ports of each kind, and the certificate lacks %d", d.id, d.where, kinds, kinds-has))
		}
	}
	errs = append(errs, overbooked(c.Obligations)...)
	for i := range c.Obligations {
		if o := &c.Obligations[i]; (o.Verdict != Unjudged || o.Left.Expr != "") && !o.refuted() {
			errs = append(errs, r.sameInputs(o)...)
		}
	}
	return append(append(errs, twice(c.Obligations)...), r.errs...)
}

// overbooked reports slices of which more memory is distributed than there is, where nothing is said
// of what can be held at once.
func overbooked(all []Obligation) (errs []error) {
	for _, o := range all {
		says := func(other Obligation) bool {
			return other.ID == Memory && other.Lossless && (other.Where == o.Where || other.Where == o.Where+atOnce)
		}
		if o.ID == Memory && o.Verdict == Fails && !slices.ContainsFunc(all, says) {
			errs = append(errs, fmt.Errorf("%s, %s: it fails, and no obligation says whether packets are lost by that", o.ID, o.Where))
		}
	}
	return errs
}

// A requirement collects what the inputs of a certificate demand.
type requirement struct {
	m       *model.Switch
	groups  []Group
	memory  int64 // cells of a slice by the catalogue
	demands []demand
	// kinds has each of demands, and of those that only say how a place begins a port of each kind:
	// where ports are bounded otherwise, each kind has an obligation of its own.
	kinds map[demand][]int
	errs  []error

	memo  map[string]*big.Int  // see evaluator
	needs map[model.Link]int64 // see need
}

// demand adds a demand of a place.
func (r *requirement) demand(id, where string) { r.add(demand{id: id, where: where}) }

// demandOf adds one of a kind of port, unless one alike has it.
func (r *requirement) demandOf(id, begin string, port int, alike func(other int) bool) {
	d := demand{id, begin, true}
	if r.add(d); !slices.ContainsFunc(r.kinds[d], alike) {
		r.kinds[d] = append(r.kinds[d], port)
	}
}

func (r *requirement) add(d demand) {
	if _, known := r.kinds[d]; !known {
		r.kinds[d] = nil
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
			if _, twice := of[port][g.PG]; twice {
				r.errs = append(r.errs, fmt.Errorf("priority group %d of %s is in two groups", g.PG, port))
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
			r.group(where, i, number)
			r.queues(i, number)
		}
	}
}

// group demands what a lossless priority group of one port needs on its way in.
func (r *requirement) group(where string, port, number int) {
	config := r.m.Config
	slice, pg := config.Ports[port].Slice, &config.Ports[port].PGs[number]
	r.demand(PauseReaches, where)
	r.demand(Headroom, where)
	if pg.XonCells > 0 && r.m.Ports[port].Link.Unknown("") == "" && r.m.Ports[port].Link.Cable > 0 {
		r.demand(Resume, where)
	}
	r.demand(Memory, fmt.Sprintf("slice %d", slice))
	if pg.HeadroomPooled {
		r.demand(HeadroomPool, fmt.Sprintf("slice %d, pool %s", slice, config.IngressPools[pg.Pool].Name))
	}
}

// queues demands what the queues need that a lossless priority group of one port feeds.
func (r *requirement) queues(port, number int) {
	config := r.m.Config
	for out := range config.Ports {
		if out == port && len(config.Ports) > 1 {
			continue
		}
		fed := r.m.Feeds(port, number, out)
		for q := range config.Ports[out].Queues {
			if fed>>q&1 == 1 {
				r.queue(config.Ports[port].Slice, q, out)
			}
		}
	}
}

// queue demands what a queue of a port needs that a lossless group feeds.
func (r *requirement) queue(slice, number, out int) {
	pool := r.m.Config.Ports[out].Queues[number].Pool
	r.demand(EgressHolds, fmt.Sprintf("slice %d, pool %s", slice, r.m.Config.EgressPools[pool].Name))
	r.demandOf(QueueHolds, fmt.Sprintf("slice %d, queue %d of ", slice, number), out, func(other int) bool { return sameQueue(r.m, number, other, out) })
	if _, bounded := mmu.BoundOf(r.m.Config.Ports[out].Egress, pool); bounded {
		r.demandOf(PortHolds, fmt.Sprintf("slice %d, pool %s of ", slice, r.m.Config.EgressPools[pool].Name), out, func(other int) bool { return sameBound(r.m, pool, other, out) })
	}
}

// sameQueue reports whether one obligation speaks for the queues of a number of two ports.
func sameQueue(m *model.Switch, number, a, b int) bool {
	one, other := m.Config.Ports[a].Queues, m.Config.Ports[b].Queues
	return m.Ports[a].Map == m.Ports[b].Map && number < min(len(one), len(other)) && one[number] == other[number]
}

// sameBound reports whether one obligation speaks for what two ports may take of a pool.
func sameBound(m *model.Switch, pool, a, b int) bool {
	one, other := &m.Config.Ports[a], &m.Config.Ports[b]
	limit, _ := mmu.BoundOf(one.Egress, pool)
	same, _ := mmu.BoundOf(other.Egress, pool)
	return m.Ports[a].Map == m.Ports[b].Map && limit == same && slices.Equal(one.Queues, other.Queues)
}
