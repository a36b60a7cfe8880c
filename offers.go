package roceplan

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/repair"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// An Offer says how a condition of a verdict goes away, where an edit of the fabric can do that.
type Offer struct {
	Switches  []string `json:"switches"`  // whose verdict has the condition
	Condition string   `json:"condition"` // its kind: see [proof.Condition]
	Where     string   `json:"where"`
	// Declare states the fact that the condition assumes, with the least that it has to be. Only the
	// author of the fabric can know whether it is so.
	Declare *Way `json:"declare,omitempty"`
	// Pay gives so much headroom that the fact does not matter.
	Pay *Way `json:"pay,omitempty"`
	// Why says what is needed where there is neither.
	Why string `json:"why,omitempty"`
	// Assumes is the assumption of the verdict.
	Assumes string `json:"-"`

	// At is the block of the fabric that the condition is on.
	At diag.Range `json:"-"`

	declares string // as the condition says it
}

// A Way is an edit of the fabric after which a condition is gone. It was tried: the fabric was compiled and
// proved with it, no finding and no condition was new, and no verdict was worse.
type Way struct {
	Text  string      `json:"text"` // `fabric.hcl:42: pause_response = "1624ns"`
	Edits []diag.Edit `json:"edits"`
	Costs []Cost      `json:"costs,omitempty"`
}

// A Cost is the buffer of a switch that an edit takes. Negative amounts are given back.
type Cost struct {
	Switches []string    `json:"switches"` // of one shape
	Headroom units.Bytes `json:"headroom"` // of all its priority groups together
	Cells    units.Cells `json:"headroom_cells"`
	Shared   units.Bytes `json:"shared"` // of the ingress pool that loses most of what groups share
}

func (c Cost) String() string {
	more, less := "more", "less"
	if c.Headroom < 0 {
		c.Headroom, c.Cells, more = -c.Headroom, -c.Cells, "less"
	}
	if c.Shared < 0 {
		c.Shared, less = -c.Shared, "more"
	}
	text := fmt.Sprintf("%s: %v (%d cells) %s headroom", plan.Abbreviate(c.Switches), c.Headroom, c.Cells, more)
	if c.Shared != 0 {
		text += fmt.Sprintf(", %v %s shared buffer", c.Shared, less)
	}
	return text
}

// Offers are edits of a fabric that make its verdicts proved where they are conditional, one offer for
// each condition of a shape. There are none where the fabric does not compile.
func Offers(ctx context.Context, in Input) ([]Offer, error) {
	o := &offering{ctx: ctx}
	o.texts, o.load = variants(in)
	found, err := o.prove(o.texts, nil)
	if err != nil || found.HasErrors() {
		return nil, err
	}
	o.found, o.before = found, o.last
	for i := range o.before.Shapes {
		o.of(&o.before.Shapes[i])
	}
	if err := o.tryAll(); err != nil {
		return nil, err
	}
	return o.chosen(), nil
}

// OfferFor finds the offer for a condition on a switch; nil where there is none, as for files that are not
// those that the fabric compiles to.
func OfferFor(offers []Offer, device string, c *proof.Condition) *Offer {
	i := slices.IndexFunc(offers, func(o Offer) bool {
		return o.Condition == c.ID && o.Where == c.Where && o.declares == c.Declare && slices.Contains(o.Switches, device)
	})
	if i < 0 {
		return nil
	}
	return &offers[i]
}

// Lines returns an offer as a person reads it.
func (o *Offer) Lines() (lines []string) {
	for title, way := range o.Ways() {
		lines = append(lines, title+way.String())
	}
	if len(lines) == 0 {
		return []string{o.Why}
	}
	return lines
}

// Ways yields what introduces each edit of an offer, and the edit.
func (o *Offer) Ways() iter.Seq2[string, *Way] {
	return func(yield func(string, *Way) bool) {
		if o.Declare != nil && !yield(o.Title(), o.Declare) {
			return
		}
		if o.Pay != nil {
			yield("pay for it: ", o.Pay)
		}
	}
}

// Title introduces what the offer declares: the fact itself, or another one with which compile gives the
// headroom that the condition saves.
func (o *Offer) Title() string {
	if o.Condition == proof.PeerResponse || o.Condition == proof.PacketMix || o.Condition == verify.DeviceDivides {
		return "declare it if it is so: "
	}
	return "it goes with this, if you can declare it: "
}

func (w *Way) String() string {
	text := w.Text
	for i, c := range w.Costs {
		if i == fewCosts {
			return text + fmt.Sprintf("; and %d more shapes", len(w.Costs)-i)
		}
		text += "; " + c.String()
	}
	return text
}

// fewCosts is the number of costs in a line; the others are counted.
const fewCosts = 2

// mostShapes are compiled and proved again, those of all edits together: some seconds.
const mostShapes = 1000

// An offering looks for the offers of one fabric.
type offering struct {
	ctx   context.Context
	texts repair.Texts
	load  func(repair.Texts) *Fabric

	before *Compiled // as it is
	fabric *policy.Fabric
	found  diag.List // of it, conditions among them
	last   *Compiled // that was proved

	offers []Offer
	stands []*standing // of each offer

	tried map[string]bool
	ways  []way
}

// A standing is the condition of an offer.
type standing struct {
	*proof.Condition
	shape *Shape
	sw    *policy.Switch
	group *policy.PortGroup // nil: it is on none
}

// A way is one that was tried with success, and what is gone with it.
type way struct {
	*Way
	gone     map[diag.Code]bool
	declares bool
}

// prove compiles and proves texts. Conditions are warnings among what it finds, with codes of their own:
// they are compared with those of other texts, and are not printed.
func (o *offering) prove(texts repair.Texts, _ func(diag.List) bool) (diag.List, error) {
	if breathe(); o.ctx.Err() != nil {
		return nil, o.ctx.Err()
	}
	f := o.load(texts)
	compiled, err := Compile(o.ctx, f, CompileOptions{})
	if err != nil {
		return nil, err
	}
	if o.last = compiled; o.fabric == nil {
		o.fabric = f.Policy
	}
	found := slices.Clone(compiled.Findings)
	for _, shape := range compiled.Shapes {
		if shape.Verdict == nil {
			continue
		}
		if shape.Verdict.Verdict > verify.Conditional {
			found.Errorf(diag.Code(fmt.Sprint(shape.Switch.Names[0], shape.Verdict.Verdict)), diag.Range{}, "")
		}
		for i := range shape.Verdict.Conditions {
			found.Warnf(codeOf(&shape, &shape.Verdict.Conditions[i]), diag.Range{}, "")
		}
	}
	return found, nil
}

func codeOf(shape *Shape, c *proof.Condition) diag.Code {
	return diag.Code(strings.Join([]string{shape.Switch.Names[0], c.ID, c.Where, c.Declare}, "\n"))
}

// of makes offers for the conditions on a shape.
func (o *offering) of(shape *Shape) {
	if shape.Verdict == nil {
		return
	}
	i := slices.IndexFunc(o.fabric.Switches, func(sw *policy.Switch) bool { return slices.Contains(sw.Names, shape.Switch.Names[0]) })
	sw := o.fabric.Switches[i]
	for i := range shape.Verdict.Conditions {
		s := &standing{Condition: &shape.Verdict.Conditions[i], shape: shape, sw: sw}
		at := sw.Range
		if s.group = groupOf(sw, s.Where); s.group != nil {
			at = s.group.Range
		}
		o.stands = append(o.stands, s)
		o.offers = append(o.offers, Offer{Switches: shape.Switch.Names, Condition: s.ID, Where: s.Where, Assumes: s.Assumes, At: at, declares: s.Declare})
	}
}

// groupOf returns the port group that a proof is on: "spines (2 × 800Gbps, 40m), PG 3" begins with its name.
func groupOf(sw *policy.Switch, where string) *policy.PortGroup {
	for _, g := range sw.Groups {
		if strings.HasPrefix(where, g.Name+" (") {
			return g
		}
	}
	return nil
}

// tryAll tries declarations, one by one and all together, and then what pays for each condition.
func (o *offering) tryAll() error {
	o.tried = map[string]bool{}
	for _, declared := range o.declarations() {
		if _, err := o.try(true, declared...); err != nil {
			return err
		}
	}
	for _, left := range o.leavingOut() {
		if _, err := o.try(false, left...); err != nil {
			return err
		}
	}
	for _, s := range o.stands {
		if err := o.pay(s); err != nil {
			return err
		}
	}
	return nil
}

// try compiles and proves with settings, unless that has been done.
func (o *offering) try(declares bool, settings ...repair.Setting) (done bool, err error) {
	key := fmt.Sprint(settings)
	if o.tried[key] || len(settings) == 0 || len(o.stands) == 0 || o.spent() {
		return false, nil
	}
	o.tried[key] = true
	o.last = nil
	edits, gone, err := repair.Try(o.texts, o.found, settings, o.prove)
	if err != nil || edits == nil {
		return o.last != nil, err
	}
	w := way{&Way{Text: textOf(settings, edits), Edits: edits, Costs: o.costs()}, map[diag.Code]bool{}, declares}
	for i, d := range o.found {
		if gone[i] {
			w.gone[d.Code] = true
		}
	}
	o.ways = append(o.ways, w)
	return true, nil
}

// spent reports whether as many edits have been tried as may be.
func (o *offering) spent() bool { return len(o.tried)*len(o.before.Shapes) >= mostShapes }

// remark is the comment above what is declared.
const remark = "Keep this only if it is so: the vendor of the peer, or a measurement, has to say it."

// declarations state the facts that conditions assume, with the least of their bounds: each alone,
// then all that a verdict asks for, then all.
func (o *offering) declarations() (tries [][]repair.Setting) {
	var facts, all []repair.Setting
	least := map[repair.Setting]int64{}
	for _, s := range o.stands {
		if fact, ok := o.fact(s); ok {
			if bound, known := least[fact]; !known {
				facts, least[fact] = append(facts, fact), s.Bound
			} else {
				least[fact] = min(bound, s.Bound)
			}
		}
	}
	stated := func(fact repair.Setting) repair.Setting {
		value := units.Ratio(least[fact]).String()
		if fact.Name == pauseResponse {
			value = fmt.Sprintf("%dns", units.Time(least[fact])/units.Nanosecond)
		}
		fact.Value = strconv.Quote(value)
		return fact
	}
	for _, fact := range facts {
		all = append(all, stated(fact))
		tries = append(tries, []repair.Setting{stated(fact)})
	}
	for i := range o.before.Shapes {
		var own []repair.Setting
		for _, s := range o.stands {
			if fact, ok := o.fact(s); ok && s.shape == &o.before.Shapes[i] {
				own = append(own, stated(fact))
			}
		}
		tries = append(tries, distinct(own))
	}
	tries = append(tries, all)
	var sizes []repair.Setting
	for _, s := range o.stands {
		if s.ID == verify.DeviceDivides {
			tries, sizes = append(tries, s.sizes()), append(sizes, s.sizes()...)
		}
	}
	return append(tries, distinct(sizes))
}

// sizes declare the pools of lossless traffic as a verdict takes them, where the switch has one in each direction.
func (s *standing) sizes() (all []repair.Setting) {
	names := [2]string{"shared_pool", "egress_pool"}
	for _, p := range s.shape.Verdict.Plan.Pools {
		if names[p.Direction] == "" {
			return nil
		}
		shown := func(name string, size units.Bytes) {
			all = append(all, repair.Setting{Block: s.sw.Range, Name: name, Value: strconv.Quote(size.String()), Remark: "Keep this only if the device shows it."})
		}
		shown(names[p.Direction], p.Size.Value)
		if p.HeadroomPercent > 0 {
			shown("headroom_pool", p.Headroom.Value)
		}
		names[p.Direction] = ""
	}
	return all
}

// distinct are settings in their order, each once.
func distinct(all []repair.Setting) (once []repair.Setting) {
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

const pauseResponse = "pause_response"

// fact returns the attribute that would state a condition's assumption, without the value; false if
// nothing in a fabric can.
func (o *offering) fact(s *standing) (repair.Setting, bool) {
	switch {
	case s.ID == proof.PacketMix:
		return repair.Setting{Block: o.fabric.Range, Name: "small_packets", Remark: remark}, true
	case s.ID != proof.PeerResponse || s.group == nil || units.Time(s.Bound) < units.Nanosecond:
		return repair.Setting{}, false
	case s.group.PeerNIC != nil:
		return repair.Setting{Block: s.group.PeerNIC.Range, Name: pauseResponse, Remark: remark}, true
	}
	return repair.Setting{Block: s.group.Range, Name: pauseResponse, Remark: remark}, true
}

// leavingOut returns the attributes with which a fabric has less headroom than the default method gives, each kind of
// them alone and all of them.
func (o *offering) leavingOut() [][]repair.Setting {
	var own, given []repair.Setting
	if o.fabric.HeadroomMethod.Set {
		own = append(own, repair.Setting{Block: o.fabric.Range, Name: "headroom_method"})
	}
	for _, sw := range o.fabric.Switches {
		for _, g := range sw.Groups {
			if g.Headroom.Set {
				given = append(given, repair.Setting{Block: g.Range, Name: "headroom"})
			}
		}
	}
	all := [][]repair.Setting{own, given, slices.Concat(own, given)}
	if o.fabric.HeadroomSharing.Set {
		all = append(all, []repair.Setting{{Block: o.fabric.Range, Name: "headroom_sharing"}})
	}
	return all
}

// rounds is the number of times that the payment for a condition is raised: with more headroom another
// obligation may ask for more.
const rounds = 3

// A raise is the additional headroom of port groups that have one given; nil is the margin of all others.
type raise map[*policy.PortGroup]units.Bytes

// pay raises headroom by what a condition lacks, until it is gone.
func (o *offering) pay(s *standing) error {
	raised, last := raise{}, o.before
	for range rounds {
		lack := lacking(last, s)
		if len(lack) == 0 {
			return nil
		}
		for g, more := range lack {
			raised[g] += more
		}
		if done, err := o.try(false, o.raising(raised)...); err != nil || !done {
			return err
		}
		last = o.last
	}
	return nil
}

// lacking returns the headroom that is missing for a condition to be needless.
func lacking(compiled *Compiled, s *standing) raise {
	lack := raise{}
	for _, shape := range compiled.Shapes {
		if shape.Switch.Names[0] != s.shape.Switch.Names[0] || shape.Verdict == nil {
			continue
		}
		for i := range shape.Verdict.Obligations {
			ob := &shape.Verdict.Obligations[i]
			g := groupOf(s.sw, ob.Where)
			if g != nil && !g.Headroom.Set {
				g = nil
			}
			if cells := s.lacks(ob); cells > 0 {
				lack[g] = max(lack[g], cells.Bytes(shape.Switch.Cell))
			}
		}
	}
	return lack
}

// lacks returns the headroom that an obligation lacks to need no condition. The time that is left
// for a peer takes all headroom, so a datum of the chip adds to it.
func (s *standing) lacks(ob *proof.Obligation) (cells units.Cells) {
	is := func(c proof.Condition) bool { return c.ID == s.ID && c.Where == s.Where && c.Declare == s.Declare }
	if ob.ID != proof.Headroom || !slices.ContainsFunc(ob.Conditions, is) {
		return 0
	}
	for _, c := range ob.Conditions {
		if is(c) || s.ID == proof.ChipDatum {
			cells += units.Cells(c.Short)
		}
	}
	return cells
}

// raising returns the settings of more headroom.
func (o *offering) raising(r raise) (all []repair.Setting) {
	for _, sw := range o.fabric.Switches {
		for _, g := range sw.Groups {
			if more := r[g]; more > 0 {
				all = append(all, repair.Setting{Block: g.Range, Name: "headroom", Value: strconv.Quote((g.Headroom.Value + more).String())})
			}
		}
	}
	if more := r[nil]; more > 0 {
		value := strconv.Quote((o.fabric.HeadroomMarginBytes.Value + more).String())
		if share := o.fabric.HeadroomMargin; share.Set {
			value = fmt.Sprintf("[%q, %s]", share.Value, value)
		}
		all = append(all, repair.Setting{Block: o.fabric.Range, Name: "headroom_margin", Value: value})
	}
	return all
}

// costs returns the buffer that the last proved texts take.
func (o *offering) costs() (all []Cost) {
	for i := range o.before.Shapes {
		was := &o.before.Shapes[i]
		k := slices.IndexFunc(o.last.Shapes, func(s Shape) bool { return s.Switch.Names[0] == was.Switch.Names[0] })
		if k < 0 {
			continue
		}
		now := &o.last.Shapes[k]
		c := Cost{Switches: was.Switch.Names, Headroom: now.headroom() - was.headroom(), Shared: sharedLost(was, now)}
		if c.Cells = max(c.Headroom, -c.Headroom).CeilCells(was.Switch.Cell); c.Headroom < 0 {
			c.Cells = -c.Cells
		}
		if c.Headroom != 0 {
			all = append(all, c)
		}
	}
	return all
}

// headroom returns the headroom of all priority groups of a switch.
func (s *Shape) headroom() (sum units.Bytes) {
	for i := range s.Switch.Ports {
		for _, pg := range s.Switch.Ports[i].QoS.PGs {
			sum += pg.Headroom.Value
		}
	}
	return sum
}

// sharedLost returns the largest loss of shared size of a pool: pools may share one memory. It is 0 where there is
// no model.
func sharedLost(was, now *Shape) (most units.Bytes) {
	before, after := was.pools(), now.pools()
	for i := range min(len(before), len(after)) {
		if lost := before[i] - after[i]; max(lost, -lost) > max(most, -most) {
			most = lost
		}
	}
	return most
}

// pools returns the shared sizes of ingress pools, of all parts of the buffer together.
func (s *Shape) pools() (sizes []units.Bytes) {
	if s.Verdict == nil || s.Verdict.Proof == nil || s.Verdict.Proof.Model == nil {
		return nil
	}
	config := s.Verdict.Proof.Model.Config
	for _, pool := range config.IngressPools {
		sizes = append(sizes, pool.SharedCells.Bytes(config.CellBytes)*units.Bytes(max(1, config.Slices)))
	}
	return sizes
}

// textOf says edits by the lines that they touch.
func textOf(settings []repair.Setting, edits []diag.Edit) string {
	var parts []string
	for i, s := range settings {
		what := s.Name + " = " + s.Value
		if s.Value == "" {
			what = "leave out " + s.Name
		}
		parts = append(parts, fmt.Sprintf("%s:%d: %s", edits[i].Range.Filename, edits[i].Range.Start.Line, what))
	}
	return strings.Join(parts, " and ")
}

// chosen returns the offers with the best of the ways that helped: the fewest declarations, and the payment that
// takes least.
func (o *offering) chosen() []Offer {
	for i, s := range o.stands {
		code, offer := codeOf(s.shape, s.Condition), &o.offers[i]
		for _, w := range o.ways {
			switch {
			case !w.gone[code]:
			case w.declares && offer.Declare == nil:
				offer.Declare = w.Way
			case !w.declares && (offer.Pay == nil || w.total() < offer.Pay.total()):
				offer.Pay = w.Way
			}
		}
		if offer.Declare == nil && offer.Pay == nil {
			offer.Why = noEdit(s.Condition)
			if o.spent() {
				offer.Why = fmt.Sprintf("no edit was found; not all were tried, since the fabric has %d shapes of switches; needed is %s", len(o.before.Shapes), s.Declare)
			}
		}
	}
	return o.offers
}

// total returns the headroom that a way takes of one switch of each shape.
func (w *Way) total() (sum units.Bytes) {
	for _, c := range w.Costs {
		sum += c.Headroom
	}
	return sum
}

// noEdit says what is needed where no edit of a fabric makes a condition needless.
func noEdit(c *proof.Condition) string {
	const none = "no edit of the fabric proves it: "
	switch c.ID {
	case proof.ChipDatum, proof.AssumedDatum:
		what, _, _ := strings.Cut(c.Declare, ", ")
		return none + what + " is not published for certain; a measurement or the vendor's word is needed, as a datum of a chip of your own (--chips)"
	case proof.PausedGroups:
		return none + "headroom for all groups at once does not fit into the buffer; fewer lossless ports, shorter cables or a chip with more memory would do"
	case proof.PeerResponse, proof.PacketMix:
		return none + "a measurement or the vendor's word is needed: " + c.Declare
	}
	return none + "the configuration has no line for it; what the device shows, or the vendor's word, is needed: " + c.Declare
}
