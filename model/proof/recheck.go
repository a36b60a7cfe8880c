package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// Recheck checks a certificate again, with nothing but its own figures and the files: every file has the digest that
// was certified, it has exactly the obligations that the model demands, both sides of each follow from the model and
// its terms, and every verdict follows from the sides. It returns all that is wrong.
func Recheck(c *Certificate, files map[string][]byte) []error {
	errs := append(recheckFiles(c, files), inputsOf(c.Model)...)
	for i := range c.Obligations {
		o := &c.Obligations[i]
		for _, err := range o.formed(c) {
			errs = append(errs, fmt.Errorf("%s, %s: %w", o.ID, o.Where, err))
		}
	}
	if len(errs) > 0 {
		return errs
	}
	if due := c.Due(); due != c.Verdict {
		errs = append(errs, fmt.Errorf("the certificate says %q, but its obligations and reasons say %q", c.Verdict, due))
	}
	r := &rechecker{m: c.Model, open: map[string]*Claim{}, kinds: map[string]bool{}, needs: map[model.Link]int64{}}
	return append(errs, r.recheck(c.Obligations)...)
}

func recheckFiles(c *Certificate, files map[string][]byte) (errs []error) {
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		text, ok := files[name]
		if !ok {
			errs = append(errs, fmt.Errorf("file %s was certified, but is not given", name))
		} else if got := digest(text); got != c.Files[name] {
			errs = append(errs, fmt.Errorf("file %s has SHA-256 %s, certified was %s: it has changed", name, got, c.Files[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, ok := c.Files[name]; !ok {
			errs = append(errs, fmt.Errorf("file %s is given, but was not certified", name))
		}
	}
	return errs
}

// inputsOf reports a model that nothing can be rechecked by.
func inputsOf(m *model.Switch) []error {
	switch {
	case m == nil || m.Config == nil:
		return []error{errors.New("the certificate has no model")}
	case len(m.Ports) != len(m.Config.Ports):
		return []error{fmt.Errorf("the model has %d ports and %d of the buffer", len(m.Ports), len(m.Config.Ports))}
	}
	if err := sizes(m.Config); err != nil {
		return []error{err}
	}
	amounts := []int64{int64(m.Config.SliceCells)}
	for _, p := range slices.Concat(m.Config.IngressPools, m.Config.EgressPools) {
		amounts = append(amounts, int64(p.SharedCells), int64(p.HeadroomCells))
	}
	for i := range m.Config.Ports {
		p := &m.Config.Ports[i]
		for _, g := range p.PGs {
			amounts = append(amounts, int64(g.ReservedCells), int64(g.HeadroomCells), int64(g.XonCells), int64(g.XonOffsetCells), int64(g.Limit.StaticCells))
		}
		for _, q := range p.Queues {
			amounts = append(amounts, int64(q.ReservedCells), int64(q.Limit.StaticCells))
		}
		for _, b := range slices.Concat(p.Ingress, p.Egress) {
			amounts = append(amounts, int64(b.Limit.StaticCells))
		}
	}
	if n := slices.Max(amounts); n > largest || slices.Min(amounts) < 0 {
		return []error{fmt.Errorf("the model has an amount of cells above the limit of the check, %d", n)}
	}
	return nil
}

// largestTerm bounds the terms of obligations, so that 64 bits hold all sums of them.
const largestTerm = 1 << 40

// sum reports whether an obligation is on what groups hold at once.
func (o *Claim) sum() bool {
	return slices.Contains([]string{QueueHolds, PortHolds, EgressHolds, HeldAtOnce}, o.ID)
}

// computed reports whether an obligation is judged by its figures.
func (o *Claim) computed() bool { return o.Verdict != Unjudged && o.Counterexample == "" }

func (o *Claim) both() []*Sides {
	if o.Under == nil {
		return []*Sides{&o.Sides}
	}
	return []*Sides{&o.Sides, o.Under}
}

// formed reports an obligation that there is none of, or that has other parts than its verdict asks for.
func (o *Claim) formed(c *Certificate) (errs []error) {
	if _, known := symbolsOf[o.ID]; !known {
		return []error{errors.New("there is no such obligation")}
	}
	conditional := o.Verdict == Conditional
	if (o.Because != "") != (o.Verdict == Unjudged) || (len(o.Conditions) > 0) != conditional || o.Counterexample != "" && o.Verdict != Fails {
		errs = append(errs, fmt.Errorf("the verdict is %q, because %q, and it has %d conditions", o.Verdict, o.Because, len(o.Conditions)))
	}
	if o.Under != nil && (!conditional || !o.sum()) {
		errs = append(errs, errors.New("it reads the same under its conditions"))
	}
	for _, s := range o.both() {
		errs = append(errs, o.shaped(s, c)...)
	}
	for i := range o.Conditions {
		if s := &o.Conditions[i]; !s.formed(o, c.Chip) {
			errs = append(errs, fmt.Errorf("the condition %s of %q has impossible words: %q", s.ID, s.Where, s.Says))
		}
	}
	return errs
}

// shaped reports terms and fills that are not those of an obligation.
func (o *Claim) shaped(s *Sides, c *Certificate) (errs []error) {
	if !o.computed() && (len(s.Terms) > 0 || len(s.Fills) > 0 || s.Left != 0 || s.Right != 0) {
		errs = append(errs, errors.New("it has figures, but none judge it"))
	}
	for symbol, value := range s.Terms {
		if !slices.Contains(symbolsOf[o.ID], symbol) || value < 0 || value > largestTerm {
			errs = append(errs, fmt.Errorf("it has no term %s of %d", symbol, value))
		}
	}
	for _, f := range s.Fills {
		bad := f.Accounts < 0 || len(f.Limits) != 1 && len(f.Limits) != 2 || !o.sum() && o.ID != Resume
		for _, l := range f.Limits {
			bad = bad || l.Alpha < -8 || l.Alpha > 8 || l.Cells < 0 || l.Cells > largest
		}
		if bad || c.Model != nil && c.Model.Config != nil && !slices.ContainsFunc(c.Model.Config.IngressPools, func(p mmu.Pool) bool { return p.Name == f.Pool }) {
			errs = append(errs, fmt.Errorf("%d accounts of %v do not fill %q", f.Accounts, f.Limits, f.Pool))
		}
	}
	return errs
}

// formed reports whether a condition is about an object of its kind, with the figures of its kind,
// or with words where there are none.
func (s *Supposition) formed(o *Claim, chip string) bool {
	switch {
	case s.Bound < 0 || s.Bound > largestTerm || s.Cells < 0 || s.Cells > largestTerm || s.Together && s.ID != PeerResponse:
		return false
	case s.ID == PeerResponse || s.ID == PacketMix:
		return (s.Bound > 0 || s.ID == PeerResponse) && s.Cells == 0 && s.Says == "" && (o.Under != nil || strings.HasSuffix(o.Where, " of "+s.Where))
	case s.ID == PausedGroups:
		return s.Bound > 0 && s.Says == "" && s.Where == o.Where
	case s.ID == ChipDatum || s.ID == ChipDecides:
		return (s.Bound == 0 || s.ID == ChipDatum) && s.Cells == 0 && s.Says == "" && s.Where == "chip "+chip
	case s.ID == AssumedDatum:
		return s.Bound == 0 && s.Says != "" && s.Where == "chip "+chip && (s.Cells == 0 || o.ID == HeldAtOnce && o.Under != nil)
	}
	return s.Bound == 0 && s.Cells == 0 && s.Says != "" // kinds of package verify
}

// A holder is a priority group of a port, and what it may take of its pool.
type holder struct {
	port, number int
	pg           *mmu.PG
	bound        bound
}

// A rechecker compares obligations with what a model demands.
type rechecker struct {
	m     *model.Switch
	open  map[string]*Claim    // by ID and place, those that nothing demanded yet
	kinds map[string]bool      // demanded, by ID and kind: whether one of the kind is there
	needs map[model.Link]int64 // see need
	errs  []error
}

func (r *rechecker) failf(format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf(format, args...))
}

func (r *rechecker) recheck(claims []Claim) []error {
	for i := range claims {
		name := claims[i].ID + ", " + claims[i].Where
		if r.open[name] != nil {
			r.failf("%s: it occurs twice", name)
		}
		r.open[name] = &claims[i]
	}
	r.groups()
	for slice := range r.m.Config.Slices {
		for i := range r.m.Config.IngressPools {
			r.headroomPool(slice, i)
		}
		r.waysOut(slice)
		r.memory(slice)
	}
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		if !r.kinds[kind] {
			r.failf("%s: the model demands this obligation, but the certificate lacks it", kind)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.open)) {
		r.failf("%s: the model does not demand it", name)
	}
	return r.errs
}

// A reading computes one side from the other's terms; the error is of what cannot be.
type reading func(o *Claim, s *Sides) (left, right int64, err error)

// demand finds the obligation of an ID and a place, and rechecks it. Of the places of a kind one has to have one.
func (r *rechecker) demand(id, where, kind string, read reading) {
	name := id + ", " + where
	o := r.open[name]
	r.kinds[id+", "+kind] = r.kinds[id+", "+kind] || o != nil
	delete(r.open, name)
	if o == nil || !o.computed() {
		return
	}
	for _, s := range o.both() {
		left, right, err := read(o, s)
		if err == nil && (left != s.Left || right != s.Right) {
			err = fmt.Errorf("the sides are %d and %d, certified were %d and %d", left, right, s.Left, s.Right)
		}
		if err != nil {
			r.failf("%s: %w", name, err)
			return
		}
	}
	if err := o.verdict(); err != nil {
		r.failf("%s: %w", name, err)
	}
}

// verdict reports one that the sides do not give. Of obligations on single groups, and on pools of headroom, conditions were looked
// at already.
func (o *Claim) verdict() error {
	slack := o.Right - o.Left
	unchanged := o.Verdict == Conditional && o.Under == nil && (o.sum() || len(symbolsOf[o.ID]) == 0)
	if slack < 0 && (o.Verdict == Holds || unchanged) || slack >= 0 && o.Verdict == Fails {
		return fmt.Errorf("%d ≤ %d, and the verdict is %q", o.Left, o.Right, o.Verdict)
	}
	if o.Under == nil {
		return nil
	}
	if o.Under.Left > o.Under.Right {
		return fmt.Errorf("under its conditions %d ≤ %d", o.Under.Left, o.Under.Right)
	}
	onData := !slices.ContainsFunc(o.Conditions, func(s Supposition) bool { return s.ID != AssumedDatum })
	for _, symbol := range symbolsOf[o.ID] {
		if onData && o.Terms[symbol] != o.Under.Terms[symbol] {
			return fmt.Errorf("under its conditions %s is %d, and no condition changes that", symbol, o.Under.Terms[symbol])
		}
	}
	return nil
}

// holders lists the groups that pass.
func (r *rechecker) holders(pass func(h holder) bool) (list []holder) {
	for i := range r.m.Config.Ports {
		p := &r.m.Config.Ports[i]
		for number := range p.PGs {
			pg := &p.PGs[number]
			if h := (holder{i, number, pg, newBound(pg.Limit, p.Ingress, pg.Pool)}); pass(h) {
				list = append(list, h)
			}
		}
	}
	return list
}

// inSlice lists the groups of a slice that pass.
func (r *rechecker) inSlice(slice int, pass func(h holder) bool) []holder {
	return r.holders(func(h holder) bool { return r.m.Config.Ports[h.port].Slice == slice && pass(h) })
}

// need returns the cells that come in after a pause over a link.
func (r *rechecker) need(l model.Link) (int64, error) {
	if cells, known := r.needs[l]; known {
		return cells, nil
	}
	if why := unmeasuredLink(l); why != "" {
		return 0, errors.New(why)
	}
	c := r.m.Config
	whole := 1 + b2i64(c.Rules.Decided == mmu.AtEnd)
	args := []int64{int64(l.Bytes()), int64(c.CellBytes), int64(c.MetadataBytes), int64(l.LosslessFrame)}
	if args[0] > largest {
		return 0, fmt.Errorf("%d B on the wire are above the limit of the check", args[0])
	}
	count := packed
	if l.SmallPackets > 0 {
		count, args = mix, append(args, int64(l.SmallPackets), whole)
	}
	cells, err := count(args)
	if cells += whole * cellsOf(args[3], args[1], args[2]); err == nil {
		r.needs[l] = cells
	}
	return cells, err
}

// unmeasuredLink returns the reason why the data that come in over a link are not known.
func unmeasuredLink(l model.Link) string {
	if why := l.Unknown("it"); why != "" {
		return why
	}
	if l.Cable <= 0 || l.LosslessFrame > 1<<16 || l.SmallPackets < 0 || l.SmallPackets >= 1_000_000_000 {
		return "the cable, the largest lossless frame or the share of small packets is out of range"
	}
	return ""
}

// above returns the cells that surely come in above the threshold of a group.
func (r *rechecker) above(h holder) int64 {
	cells, err := r.need(r.m.Ports[h.port].Link)
	if err != nil && unmeasuredLink(r.m.Ports[h.port].Link) != "" {
		return 0
	}
	if err != nil {
		cells = largest // refuses whatever counts it
	}
	return min(cells, int64(h.pg.HeadroomCells))
}
