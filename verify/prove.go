package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// settlePackets bounds the search that decides what the obligations leave open: a fraction
// of a second for each shape.
const settlePackets = 200_000

// Kinds of conditions in addition to those of package proof.
const (
	// DeviceDivides: the device divides memory as it was taken to, where its file does not
	// say sizes.
	DeviceDivides = "device-divides"
	// DeviceComputes: the device computes as much headroom as a group needs.
	DeviceComputes = "device-computes"
	// Taken: something holds that is not in the file: see read.Assumption.
	Taken = "taken"
	// AsPlanned: the device gets settings that its file cannot hold by other means.
	AsPlanned = "as-planned"
)

// prove evaluates the obligations and derives the verdict.
func (v *Verifier) prove(s *Switch, planned *plan.Switch) error {
	s.count()
	s.demanded = planned != nil
	silent, err := v.evaluate(s, planned)
	if err != nil {
		return err
	}
	s.collect()
	lacks, at := s.lacks()
	switch {
	case silent != "":
		s.because(NotJudged, diag.Top(s.shape.First()), nil, "%s", silent)
	case lacks != "":
		s.because(NotJudged, at, nil, "%s", lacks)
	case s.Coverage.Groups == 0:
		s.nothing(planned)
	default:
		s.partly()
	}
	s.unaccounted()
	return nil
}

// evaluate proves what was read; silent says why that is not possible.
func (v *Verifier) evaluate(s *Switch, planned *plan.Switch) (silent string, err error) {
	format := s.shape.Format
	switch {
	case s.shape.by.foreign():
		return s.shape.by.system.Title + " is not supported", nil
	case format.Name == "":
		return "no reader recognizes the file", nil
	case s.Findings.HasErrors() && len(s.Plan.Ports) == 0:
		return "the file cannot be read", nil
	case format.Silent != "" && planned != nil && !s.spared:
		return "", v.asPlanned(s, planned)
	case format.Silent != "":
		return format.Silent, nil
	case s.Coverage.Groups == 0:
		return "", nil
	case s.chip == nil:
		shows := format.Shows
		if box := cmp.Or(s.Plan.HwSKU, s.Plan.Platform); box != "" {
			shows = "the catalogue has no chip for " + box
		}
		return "the chip is not known: name it with --chip, or give the fabric with --fabric; " + shows, nil
	}
	if _, err := s.chip.CellSize.Get(); err != nil {
		return err.Error(), nil
	}
	if s.unfilled != nil {
		return s.unfilled.Error(), nil
	}
	if planned != nil && s.vendorDivides() {
		s.bufferAsPlanned(planned)
	}
	if lacks, _ := s.lacks(); lacks != "" {
		return "", nil
	}
	if s.Proof, err = v.evaluated(s.Plan, s.chip); err != nil {
		return "", err
	}
	if s.computes {
		if err := v.byGuess(s); err != nil {
			return "", err
		}
	}
	if s.Plan.PausedPGs != 0 {
		assumePaused(s.Proof, s.Plan.PausedPGs)
	}
	switch {
	case s.asFabric:
		assume(s.Proof, leftToVendor(s))
	case s.shown:
	case s.divided:
		if either, err := v.holdsByLess(s); err != nil {
			return "", err
		} else if !either {
			assume(s.Proof, divides(s))
		} else {
			s.Proof.Assumptions = append(s.Proof.Assumptions, "pools have their per cent of all memory; with per cent of what reserves and headroom leave of it the verdict is the same")
		}
	}
	if c, ok := s.added(); ok {
		assume(s.Proof, c)
	}
	if format.Complete != nil && !s.shown {
		assume(s.Proof, published(s))
	}
	if format.Computed != "" {
		assumeHeadroom(s.Proof, format)
		if err := v.activeAtOnce(s); err != nil {
			return "", err
		}
	}
	for _, a := range append(s.harmless(), s.taken...) {
		assume(s.Proof, proof.Condition{ID: Taken, Where: a.Where, Assumes: a.Assumes, Declare: a.Declare})
	}
	s.findings()
	return "", nil
}

// fillBuffers sizes what a switch sizes itself. It reports whether the file says nothing of
// how memory is divided, and what else was taken for granted.
func fillBuffers(sw *plan.Switch, chip *chips.Chip) (divided bool, taken []read.Assumption, err error) {
	format, ok := FormatOf(sw.OS)
	for i := range sw.Ports {
		if p := &sw.Ports[i]; ok && p.Routed && sw.MTU.Value == 0 {
			setIfZero(&p.MTU, format.Frame)
		}
	}
	if ok && format.Complete != nil {
		if taken, err = format.Complete(sw, chip.Name); err != nil {
			return false, nil, err
		}
	}
	if sw.BufferModel == plan.DynamicModel {
		if err := computeBuffers(sw, chip); err != nil {
			return false, nil, err
		}
	}
	divided, err = completePools(sw, chip)
	return divided, taken, err
}

func (v *Verifier) evaluated(sw *plan.Switch, chip *chips.Chip) (*proof.Report, error) {
	report, err := v.whole(sw, chip)
	if err != nil {
		return nil, err
	}
	return v.asRoCE(sw, chip, report)
}

// whole proves a switch with what its file leaves to the release of the device.
func (v *Verifier) whole(sw *plan.Switch, chip *chips.Chip) (*proof.Report, error) {
	if twofold(sw, chip) {
		return v.eitherWay(sw, chip)
	}
	return v.proved(sw, chip)
}

func (v *Verifier) proved(sw *plan.Switch, chip *chips.Chip) (*proof.Report, error) {
	ctx := v.context
	if ctx.PausedPGs == 0 {
		ctx.PausedPGs = sw.PausedPGs
	}
	report, err := proof.Prove(sw, inWords(chip), ctx)
	if err == nil {
		_, err = adversary.Settle(report, adversary.Options{Seed: 1, Packets: settlePackets, PausedPGs: ctx.PausedPGs})
	}
	return report, err
}

// asPlanned judges what the fabric plans for a switch whose format cannot say it.
func (v *Verifier) asPlanned(s *Switch, planned *plan.Switch) (err error) {
	s.Plan = cloneSwitch(planned)
	s.Plan.Names = s.Names
	if s.prepare != nil {
		s.prepare(s.Plan)
	}
	s.count()
	if s.Proof, err = v.evaluated(s.Plan, s.chip); err != nil {
		return err
	}
	if s.Plan.PausedPGs != 0 {
		assumePaused(s.Proof, s.Plan.PausedPGs)
	}
	assume(s.Proof, proof.Condition{
		ID: AsPlanned, Where: "whole switch",
		Assumes: "PFC, headroom and pools are set as the fabric plans them, by other means than this file: " + s.shape.Format.Silent,
		Declare: "a file of the device that holds them",
	})
	s.findings()
	return nil
}

// published returns the condition that a box divides the buffer that its vendor published.
func published(s *Switch) proof.Condition {
	return proof.Condition{
		ID: DeviceDivides, Where: "whole switch",
		Assumes: "percentages in the file refer to the buffer that the vendor publishes for the box: " + poolSizes(s),
		Declare: "the sizes that the device shows" + s.inFabric(),
	}
}

func poolSizes(s *Switch) string {
	var parts []string
	for _, pool := range s.Plan.Pools {
		parts = append(parts, fmt.Sprintf("%s %v", pool.Name, pool.Size.Value))
	}
	return strings.Join(parts, ", ")
}

// holdsByLess reports whether a switch whose pools have per cent of the memory has the same verdict, under the
// same conditions, if they are per cent of what reserves and headroom leave of it: then it does not matter
// of which.
func (v *Verifier) holdsByLess(s *Switch) (bool, error) {
	less := byLess(s.Plan, s.chip)
	if less == nil {
		return false, nil
	}
	report, err := v.evaluated(less, s.chip)
	if err != nil || worstOf(report).is > worstOf(s.Proof).is {
		return false, err
	}
	known := s.Proof.Conditions()
	return !slices.ContainsFunc(report.Conditions(), func(c proof.Condition) bool {
		return !slices.ContainsFunc(known, func(k proof.Condition) bool {
			return k.ID == c.ID && k.Where == c.Where && k.Declare == c.Declare && k.Bound == c.Bound
		})
	}), nil
}

func divides(s *Switch) proof.Condition {
	return proof.Condition{
		ID: DeviceDivides, Where: "whole switch",
		Assumes: fmt.Sprintf("the device shares all memory of %s except reserves and headroom: %s", s.chip.Name, poolSizes(s)),
		Declare: "sizes of pools, which files of " + s.Title() + " do not hold" + s.inFabric(),
	}
}

// inFabric says where the sizes of pools are declared.
func (s *Switch) inFabric() string {
	if !s.shape.Format.OwnPools {
		return ""
	}
	return ": shared_pool and egress_pool of the switch, in a fabric file"
}

// assume adds a condition to all obligations on lossless packets that hold.
func assume(r *proof.Report, c proof.Condition) {
	for i := range r.Obligations {
		o := &r.Obligations[i]
		if o.Lossless && (o.Verdict == proof.Holds || o.Verdict == proof.Conditional) {
			o.Verdict = proof.Conditional
			o.Conditions = append(o.Conditions, c)
		}
	}
}

// assumePaused makes a condition of the fabric's assumption in sharing headroom: that a pool which
// is for fewer groups is never asked for more.
func assumePaused(r *proof.Report, groups int) {
	for i := range r.Obligations {
		o := &r.Obligations[i]
		if o.ID != proof.HeadroomPool || o.Verdict != proof.Holds && o.Verdict != proof.Conditional {
			continue
		}
		o.Verdict = proof.Conditional
		o.Conditions = append(o.Conditions, proof.PausedAtOnce(o.Where, groups))
	}
}

// assumeHeadroom makes what devices compute themselves a condition: that each group gets as
// much headroom as it needs.
func assumeHeadroom(r *proof.Report, format read.Format) {
	for i := range r.Obligations {
		o := &r.Obligations[i]
		if o.ID != proof.Headroom || o.Verdict != proof.Holds && o.Verdict != proof.Conditional {
			continue
		}
		o.Verdict = proof.Conditional
		o.Conditions = append(o.Conditions, proof.Condition{
			ID: DeviceComputes, Where: o.Where, Bound: o.Left.Value, Unit: o.Unit,
			Assumes: fmt.Sprintf("the device computes at least %s of headroom, from %s", Amount(o.Left.Value, o.Unit), format.Computed),
			Declare: "the headroom that the device shows for the port",
		})
	}
}

// collect makes groups and their verdicts of the report.
func (s *Switch) collect() {
	if s.Proof == nil {
		s.Groups = unprovedGroups(s.Plan)
		return
	}
	s.Obligations, s.Assumptions, s.Conditions = s.Proof.Obligations, s.Proof.Assumptions, s.Proof.Conditions()
	for _, g := range s.Proof.Groups {
		s.Groups = append(s.Groups, Group{Group: g})
	}
	if len(s.Groups) == 0 {
		s.Groups = unprovedGroups(s.Plan)
	}
	for i := range s.Obligations {
		if o := &s.Obligations[i]; o.Lossless {
			s.obligation(o)
		}
	}
}

// obligation gives the groups that an obligation is on its verdict.
func (s *Switch) obligation(o *proof.Obligation) {
	verdict := verdictOf(o.Verdict)
	own := slices.ContainsFunc(s.Groups, func(g Group) bool { return g.Where == o.Where })
	for i := range s.Groups {
		if g := &s.Groups[i]; !own || g.Where == o.Where {
			g.worsen(verdict)
		}
	}
	s.Verdict = max(s.Verdict, verdict)
	switch verdict {
	case Refuted:
		s.Because = append(s.Because, Reason{fmt.Sprintf("%s, %s: %s", o.ID, o.Where, shortfall(o)), o.Range, o.At})
	case NotJudged:
		same := func(r Reason) bool { return strings.HasSuffix(r.Message, ": "+o.Because) }
		if !slices.ContainsFunc(s.Because, same) { // what is missing is missing for many
			s.Because = append(s.Because, Reason{fmt.Sprintf("%s, %s: %s", o.ID, o.Where, o.Because), o.Range, o.At})
		}
	}
}

// unprovedGroups returns the lossless groups of a switch that nothing was proved of.
func unprovedGroups(sw *plan.Switch) (all []Group) {
	at := map[string]int{}
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.QoS == nil {
			continue
		}
		for _, pg := range port.QoS.PGs {
			if !pg.Lossless {
				continue
			}
			key := fmt.Sprintf("%p %d", port.QoS, pg.ID)
			k, known := at[key]
			if !known {
				k = len(all)
				at[key] = k
				all = append(all, Group{Group: proof.Group{PG: int(pg.ID)}})
			}
			all[k].Ports = append(all[k].Ports, port.Name)
		}
	}
	for i := range all {
		g := &all[i]
		g.Where = fmt.Sprintf("%s (%s), PG %d", g.Ports[0], natural.Count(len(g.Ports), "port", "ports"), g.PG)
	}
	return all
}

// unaccounted finds the statements that are not modelled and may touch lossless groups.
func (s *Switch) unaccounted() {
	if len(s.Groups) == 0 {
		s.unaccountedSilent()
		return
	}
	if len(s.shape.Ledger.Statements) == 0 {
		s.because(NotJudged, diag.Top(s.shape.First()), nil, "no statement of the file is accounted for")
		return
	}
	l := losslessOf(s.Plan)
	for _, statement := range s.shape.Ledger.Unmodelled() {
		if statement.Sides && s.sidesAlike {
			continue
		}
		touched := func(g *Group) bool { return l.touches(statement.Touches, g) }
		if statement.Harmless != nil && !s.demanded && s.Proof != nil || !slices.ContainsFunc(s.Groups, func(g Group) bool { return touched(&g) }) {
			continue
		}
		why := cmp.Or(statement.Why, "its effect on a device is not known")
		s.because(NotJudged, statement.At, touched, "%q is not modelled: %s", statement.Text, why)
		if !blamed(s.Findings, statement.At) {
			s.Findings.Errorf(NotAccounted, statement.At, "%q may affect lossless traffic and is not modelled: %s", statement.Text, why)
		}
	}
}

// harmless lists the conditions of statements that may touch lossless groups and are not modelled: each once, with all of
// its ports. A fabric demands what it declares, so that such a statement is not judged there.
func (s *Switch) harmless() (all []read.Assumption) {
	l, groups := losslessOf(s.Plan), unprovedGroups(s.Plan)
	var ports [][]string
	for _, statement := range s.shape.Ledger.Unmodelled() {
		h := statement.Harmless
		if h == nil || s.demanded || !slices.ContainsFunc(groups, func(g Group) bool { return l.touches(statement.Touches, &g) }) {
			continue
		}
		at := slices.IndexFunc(all, func(a read.Assumption) bool { return a.Declare == h.Declare })
		if at < 0 {
			at = len(all)
			all, ports = append(all, *h), append(ports, nil)
		}
		ports[at] = append(ports[at], statement.Touches.Ports...)
	}
	for i := range all {
		all[i].Where = cmp.Or(plan.Abbreviate(slices.Compact(ports[i])), "whole switch")
	}
	return all
}

// unaccountedSilent finds the statements that are not modelled in a format that cannot say
// which groups are lossless: any may touch one.
func (s *Switch) unaccountedSilent() {
	if s.shape.Format.Silent == "" {
		return
	}
	for _, statement := range s.shape.Ledger.Unmodelled() {
		if !blamed(s.Findings, statement.At) {
			s.Findings.Warnf(NotAccounted, statement.At, "%q is not modelled: %s", statement.Text, cmp.Or(statement.Why, "its effect on a device is not known"))
		}
	}
}

// findings reports obligations that fail, and of what was taken for granted. An obligation that
// fails at one place for several reasons is reported for the first by name, whatever the order of
// ports.
func (s *Switch) findings() {
	first := map[proofPlace]*proof.Obligation{}
	for _, o := range s.Proof.Failing() {
		place := proofPlace{o.ID, o.Range}
		if was := first[place]; was == nil || natural.Compare(o.Where, was.Where) < 0 {
			first[place] = o
		}
	}
	for _, o := range s.Proof.Failing() {
		if first[proofPlace{o.ID, o.Range}] == o && (o.Lossless || !blamed(s.Findings, o.Range)) {
			s.Findings = append(s.Findings, obligationFinding(o))
		}
	}
	warned := map[string]bool{}
	for i := range s.Proof.Obligations {
		o := &s.Proof.Obligations[i]
		for _, c := range o.Conditions {
			if name := c.ID + c.Where; o.Lossless && !warned[name] && c.Short > 0 {
				warned[name] = true
				s.Findings.Warnf(proofCode("assumed"), o.Range, "%s: %s; without that, %s would be needed, but there are %s",
					c.Where, c.Assumes, Amount(o.Right.Value+c.Short, o.Unit), Amount(o.Right.Value, o.Unit)).Fixf("declare %s", c.Declare)
			}
		}
	}
}

// A proofPlace is where an obligation fails: a failure in every slice, or on ports of many kinds,
// by the same line is reported once.
type proofPlace struct {
	id string
	at diag.Range
}

// proofCode returns the code of what model/proof finds.
func proofCode(id string) diag.Code { return diag.Code("proof-" + id) }

// obligationFinding reports an inequality that does not hold. One that protects order or
// throughput, and no lossless packet, is a warning.
func obligationFinding(o *proof.Obligation) diag.Diagnostic {
	d := diag.Diagnostic{Code: proofCode(o.ID), Subject: o.Range, Message: fmt.Sprintf("%s: that %s does not hold: %s", o.Where, o.Title, shortfall(o)), Fix: repairOf(o)}
	if !o.Lossless && o.ID != proof.Memory {
		d.Severity = diag.Warning
	}
	if o.Note != "" {
		d.Message += "; " + o.Note
	}
	return d
}

func shortfall(o *proof.Obligation) string {
	return fmt.Sprintf("%s ≤ %s fails by %s", Amount(o.Left.Value, o.Unit), Amount(o.Right.Value, o.Unit), Amount(-o.Slack(), o.Unit))
}

// Amount writes a figure of an obligation with its unit.
func Amount(value int64, unit string) string {
	switch unit {
	case proof.InCells:
		return units.Cells(value).String()
	case proof.InBytes:
		return units.Bytes(value).String()
	case proof.InTime:
		return units.Time(value).String()
	case proof.InRate:
		return units.BitRate(value).String()
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", value, unit))
}
