package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// sameInputs compares the given figures of an obligation with the buffer and the links of the
// certificate: what is there has to be what is there, and what comes in after a pause no less
// than these links let in.
func (r *requirement) sameInputs(o *Obligation) (errs []error) {
	errs = append(shaped(o), sameMeaning(o)...)
	switch o.ID {
	case PauseReaches, Headroom, Resume:
		return append(errs, r.groupInputs(o)...)
	case HeadroomPool, QueueHolds, EgressHolds, PortHolds, Memory:
	default:
		return errs
	}
	slice, err := strconv.Atoi(strings.TrimPrefix(strings.SplitN(o.Where, ",", 2)[0], "slice "))
	if err != nil || slice < 0 || slice >= max(1, r.m.Config.Slices) {
		return []error{fmt.Errorf("%s, %s: the model has no such part of the buffer", o.ID, o.Where)}
	}
	want := r.shared(o, slice)
	errs = append(errs, differing(o, o.Terms, want)...)
	if o.Under != nil {
		errs = append(errs, differing(o, o.Under.Terms, want)...)
	}
	if o.ID == HeadroomPool {
		return append(append(errs, r.parts(o, slice)...), r.enough(o, slice)...)
	}
	return append(errs, r.sums(o, slice)...)
}

func differing(o *Obligation, terms []Term, want map[string]int64) (errs []error) {
	for _, t := range terms {
		if value, known := want[t.Symbol]; known && t.Value != value {
			errs = append(errs, fmt.Errorf("%s, %s: %s is %d, and %d in the inputs", o.ID, o.Where, t.Symbol, t.Value, value))
		}
	}
	return errs
}

// groupInputs compares the figures of a priority group with those of each port that has it.
func (r *requirement) groupInputs(o *Obligation) (errs []error) {
	resumes, differs := false, []error(nil)
	i := slices.IndexFunc(r.groups, func(g Group) bool { return g.Where == o.Where && len(g.Ports) > 0 })
	if i < 0 {
		return []error{fmt.Errorf("%s, %s: no group is called so", o.ID, o.Where)}
	}
	g := r.groups[i]
	for _, name := range g.Ports {
		port := slices.IndexFunc(r.m.Ports, func(p model.Port) bool { return p.Name == name })
		if port < 0 || g.PG < 0 || g.PG >= len(r.m.Config.Ports[port].PGs) {
			return []error{fmt.Errorf("%s, %s: the model has no such port or group", o.ID, o.Where)}
		}
		if errs = r.portInputs(o, port, g.PG); errs != nil {
			return errs // others of the group may well say the same
		}
		if errs = r.resumes(o, port, g.PG); errs == nil {
			resumes = true // of the parts of the buffer it is on the worst
		} else {
			differs = errs
		}
	}
	if !resumes {
		return differs
	}
	return nil
}

func (r *requirement) portInputs(o *Obligation, port, number int) []error {
	link, config := &r.m.Ports[port].Link, r.m.Config
	pg := &config.Ports[port].PGs[number]
	want := linkFigures(config, link)
	want["on"], want["H"], want["C"], want["M"] = int64(r.m.Ports[port].Pausable>>number&1), int64(pg.HeadroomCells), int64(config.CellBytes), int64(config.MetadataBytes)
	if o.ID == Resume {
		want["X"], want["r"], want["B"] = int64(pg.XonCells), int64(pg.ReservedCells), int64(config.IngressPools[pg.Pool].SharedCells)
	}
	errs := differing(o, o.Terms, want)
	// The links of the model are those under all conditions: at the worst they take longer. Of the packet
	// that pauses a cell is below the threshold at most.
	lowest := map[string]int64{"t": int64(link.Response), "i": int64(link.Interface), "s": int64(link.SmallPackets)}
	below := 1 - b2i64(config.Rules.Pause == mmu.OnExcess)
	terms := slices.Clone(o.Terms)
	for _, c := range o.Conditions {
		terms = append(terms, c.Terms...)
	}
	for _, t := range terms {
		switch {
		case t.Value < lowest[t.Symbol] && (o.Verdict == Holds || o.Verdict == Conditional):
			errs = append(errs, fmt.Errorf("%s, %s: %s is %d, and no less than %d in the inputs", o.ID, o.Where, t.Symbol, t.Value, lowest[t.Symbol]))
		case t.Symbol == "q" && (t.Value > below || t.Value < 0):
			errs = append(errs, fmt.Errorf("%s, %s: q is %d, and no more than %d by the rule of pausing", o.ID, o.Where, t.Value, below))
		case t.Symbol == "s" && link.SmallPackets == 0:
			errs = append(errs, fmt.Errorf("%s, %s: s is %d, and any share of packets may be small in the inputs", o.ID, o.Where, t.Value))
		}
	}
	return errs
}

// linkFigures are those of a link that no condition changes.
func linkFigures(config *mmu.Config, link *model.Link) map[string]int64 {
	return map[string]int64{
		"R": int64(link.Rate), "L": int64(link.Cable), "g": int64(link.Gearbox), "F": int64(link.LosslessFrame),
		"A": int64(link.PortFrame + model.InterFrame), "P": int64(model.PauseWire), "v": 5, // ps a millimetre: model.LightDelay
		"e": 1 + b2i64(config.Rules.Decided == mmu.AtEnd),
	}
}

// shared are the figures of what groups share.
func (r *requirement) shared(o *Obligation, slice int) map[string]int64 {
	config := r.m.Config
	want := map[string]int64{"C": int64(config.CellBytes), "M": int64(config.MetadataBytes)}
	for i, pool := range config.IngressPools {
		want["B"+strconv.Itoa(i)] = int64(pool.SharedCells)
		if o.ID == HeadroomPool && strings.HasSuffix(o.Where, ", pool "+pool.Name) {
			want["S"] = int64(pool.HeadroomCells)
		}
	}
	for _, pool := range config.EgressPools {
		if o.ID == EgressHolds && strings.HasSuffix(o.Where, ", pool "+pool.Name) {
			want["S"] = int64(pool.SharedCells)
		}
	}
	if o.ID != Memory {
		return want
	}
	if !slices.ContainsFunc(o.Conditions, func(c Condition) bool { return c.ID == AssumedDatum && o.Under != nil }) {
		want["V"] = r.memory
	}
	if strings.HasSuffix(o.Where, atOnce) {
		return want
	}
	want["r"], want["h"] = 0, 0 // of a slice without ports
	for _, pool := range config.IngressPools {
		want["B"] += int64(pool.SharedCells)
		want["S"] += int64(pool.HeadroomCells)
	}
	for i := range config.Ports {
		for number := range config.Ports[i].PGs {
			if pg := &config.Ports[i].PGs[number]; config.Ports[i].Slice == slice {
				want["r"] += int64(pg.ReservedCells)
				if !pg.HeadroomPooled {
					want["h"] += int64(pg.HeadroomCells)
				}
			}
		}
	}
	return want
}

// catalogueMemory is how much memory a slice has by the catalogue, in cells: that of the
// model, unless a condition says that it must be more than the catalogue assumes.
func catalogueMemory(c *Certificate) int64 {
	cells := int64(c.Model.Config.SliceCells)
	for i := range c.Obligations {
		for _, condition := range c.Obligations[i].Conditions {
			if c.Obligations[i].ID == Memory && condition.ID == AssumedDatum && condition.Worst == cells {
				return min(cells, condition.Bound)
			}
		}
	}
	return cells
}

// enough reports a sum over the groups of a pool of headroom that is less than what comes in after their
// pauses by the links of the model, which are those under the conditions, and on how many it is.
func (r *requirement) enough(o *Obligation, slice int) []error {
	if len(o.Terms) == 0 {
		return nil
	}
	neediest, n, atOnce := r.neediest(o, slice), 0, -1
	for _, t := range o.Terms {
		if strings.HasPrefix(t.Symbol, "n") {
			n += int(t.Value)
		}
	}
	for _, c := range o.Conditions {
		if c.ID == PausedGroups && len(c.Terms) == 0 {
			atOnce = int(c.Bound)
		}
	}
	if n < 0 || n > len(neediest) || n < len(neediest) && n != atOnce && (o.Verdict == Holds || o.Verdict == Conditional) {
		return []error{fmt.Errorf("%s, %s: it is on %d groups, and the inputs have %d", o.ID, o.Where, n, len(neediest))}
	}
	return atLeast(o, neediest[:n], 1) // one of them has a cell below its threshold in any case: see belowAll
}

// atLeast reports a left side that is less than so many cells, but for some.
func atLeast(o *Obligation, cells []int64, but int64) []error {
	sum := -but
	for _, n := range cells {
		sum += n
	}
	for _, left := range lefts(o) {
		if left < sum {
			return []error{fmt.Errorf("%s, %s: its left side is %d, and after the pauses at least %d cells come in", o.ID, o.Where, left, sum)}
		}
	}
	return nil
}

// neediest are the fewest cells that come in above the thresholds of the groups of a pool of headroom, of
// each its own, most first.
func (r *requirement) neediest(o *Obligation, slice int) (cells []int64) {
	for _, a := range r.accountsOf(slice, func(a account) bool {
		return a.pg.Lossless && a.pg.HeadroomPooled && strings.HasSuffix(o.Where, ", pool "+r.m.Config.IngressPools[a.pg.Pool].Name)
	}) {
		cells = append(cells, max(0, min(r.need(&r.m.Ports[a.port].Link)-1, int64(a.pg.HeadroomCells))))
	}
	stable.Sort(cells, func(a, b int64) int { return cmp.Compare(b, a) })
	return cells
}
