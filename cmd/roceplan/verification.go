package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/cmd/roceplan/target"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A judgement is what was found of devices of one shape.
type judgement struct {
	shape   *configShape
	devices []string
	paths   []string // of the devices, in the same order
	sw      *plan.Switch
	chip    *chips.Chip // nil where it is not known
	report  *proof.Report
	silent  string // why there is no report
	found   diag.List
}

// A verifier judges configuration files.
type verifier struct {
	catalogue *chips.Catalogue
	chip      *chips.Chip // of all switches; nil: what the fabric says
	fabric    *plan.Plan  // nil without a fabric file
	context   proof.Context
	cables    cableList

	planned map[string]*plan.Switch // by device

	lock     sync.Mutex
	expected map[expectedKey]*plan.Switch
}

// An expectedKey is a shape of the fabric in the language of one target, in one form.
type expectedKey struct {
	sw         *plan.Switch
	kind, form string
}

func newVerifier(catalogue *chips.Catalogue, fabric *plan.Plan) *verifier {
	v := &verifier{catalogue: catalogue, fabric: fabric, planned: map[string]*plan.Switch{}, expected: map[expectedKey]*plan.Switch{}}
	if fabric != nil {
		for _, sw := range fabric.Switches {
			for _, name := range sw.Names {
				v.planned[name] = sw
			}
		}
	}
	return v
}

// judge looks at every shape by itself, several at a time.
func (v *verifier) judge(shapes []*configShape, step func()) ([]*judgement, error) {
	var all []*judgement
	for _, shape := range shapes {
		all = append(all, v.divide(shape)...)
	}
	err := parallel(len(all), func(i int) error {
		err := v.one(all[i])
		for range all[i].devices {
			step()
		}
		return err
	})
	return all, err
}

// divide splits a shape of files by the shapes of the fabric.
func (v *verifier) divide(shape *configShape) []*judgement {
	of := map[*plan.Switch]*judgement{}
	var all []*judgement
	for i, name := range shape.sw.Names {
		planned := v.planned[name]
		j := of[planned]
		if j == nil {
			j = &judgement{shape: shape, sw: cloneSwitch(shape.sw)}
			of[planned] = j
			all = append(all, j)
		}
		j.devices = append(j.devices, name)
		j.paths = append(j.paths, shape.paths[i])
	}
	for _, j := range all {
		j.sw.Names = j.devices
	}
	return all
}

// one reads, completes, lints and proves. What the reader said comes first: a rule that
// says the same again is left out.
func (v *verifier) one(j *judgement) error {
	j.found = slices.Clone(j.shape.found)
	if j.found.HasErrors() && len(j.sw.Ports) == 0 {
		j.silent = "the file cannot be read"
		return nil
	}
	planned := v.planned[j.devices[0]]
	v.cables.fill(j.sw)
	if err := v.complete(j, planned); err != nil {
		return err
	}
	more := slices.DeleteFunc(lint.Switch(j.sw, j.chip), v.otherCNPs)
	if planned != nil {
		more = append(more, v.agree(j, planned)...)
		more = append(more, lint.Hosts(j.sw, v.fabric.Hosts)...)
	}
	for _, d := range more {
		if !said(j.shape.found, "sonic-"+d.Code) {
			j.found = append(j.found, d)
		}
	}
	if err := v.prove(j, planned); err != nil {
		return err
	}
	j.place()
	return nil
}

// otherCNPs tells whether a finding rests on the usual code point of CNPs, and the NICs of
// the fabric have another.
func (v *verifier) otherCNPs(d diag.Diagnostic) bool {
	switch d.Code {
	case lint.CNPInLossless, lint.CNPPriority, lint.CNPQueueNotStrict:
		return v.fabric != nil && len(v.fabric.Hosts) > 0 &&
			!slices.ContainsFunc(v.fabric.Hosts, func(h *plan.Host) bool { return h.CNPDSCP == lint.CNPDSCP })
	}
	return false
}

func said(found diag.List, code diag.Code) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == code })
}

// complete adds what the file cannot say: the chip, and what the fabric knows.
func (v *verifier) complete(j *judgement, planned *plan.Switch) error {
	j.chip = v.chip
	if planned != nil {
		j.chip, _ = v.catalogue.Find(planned.Chip)
		completeFrom(j.sw, planned)
	}
	if j.chip != nil {
		useChip(j.sw, j.chip)
	}
	return nil
}

// agree compares with what the fabric compiles to.
func (v *verifier) agree(j *judgement, planned *plan.Switch) diag.List {
	want, err := v.compiled(planned, j.shape.kind, filepath.Base(j.shape.first()))
	if len(j.shape.sw.Ports) == 0 && want != nil {
		return nil // nothing could be read
	}
	if want == nil {
		return diag.List{{Code: TargetOther, Message: fmt.Sprintf("by the fabric, %s is not configured by %s: %v", j.devices[0], targetTitle(j.shape.kind), err)}}
	}
	return lint.Agree(j.shape.sw, want)
}

// compiled is what a shape of the fabric compiles to for a target, read back: in the form
// that has this file name, or else in full.
func (v *verifier) compiled(planned *plan.Switch, kind, file string) (*plan.Switch, error) {
	v.lock.Lock()
	defer v.lock.Unlock()
	form := formWithFile(kind, file)
	key := expectedKey{planned, kind, form.Name}
	if sw, ok := v.expected[key]; ok {
		return sw, nil
	}
	if !slices.Contains(planned.Targets, kind) {
		return nil, fmt.Errorf("its targets are %s", strings.Join(planned.Targets, ", "))
	}
	files, found := form.Emit(planned)
	if found.HasErrors() {
		return nil, fmt.Errorf("it does not compile")
	}
	shape := &configShape{kind: kind, paths: []string{files[0].Path}, text: files[0].Body.AppendFor(nil, planned.Names[0]), sw: &plan.Switch{Names: planned.Names[:1]}}
	shape.read(planned.Cell)
	v.expected[key] = shape.sw
	return shape.sw, nil
}

// formWithFile finds the form of a target by the name of its file; the full one where
// none has it.
func formWithFile(kind, file string) emit.Form {
	t, _ := target.Find(kind)
	for _, f := range t.Forms {
		if f.File == file {
			return f
		}
	}
	return t.Forms[0]
}

// settlePackets bounds the search that decides what the obligations leave open: a fraction
// of a second for each shape.
const settlePackets = 200_000

// prove evaluates the obligations.
func (v *verifier) prove(j *judgement, planned *plan.Switch) error {
	switch {
	case j.shape.kind == kindOpenConfig:
		j.silent = "OpenConfig has no PFC and no headroom: nothing to prove"
	case j.shape.kind == kindNVUE && planned == nil:
		j.silent = "NVUE tells pools in per cent of what the switch has left: give the fabric with --fabric"
	case j.chip == nil:
		j.silent = "the chip is not known: name it with --chip, or give the fabric with --fabric"
	case planned == nil && j.sw.BufferModel == plan.DynamicModel:
		if err := computeBuffers(j.sw, j.chip); err != nil {
			j.silent = err.Error()
		}
	case !hasPool(j.sw, plan.Ingress) && j.sw.BufferModel == plan.DynamicModel:
		j.silent = "the switch computes its buffers itself (dynamic buffer model), and the fabric knows no pools of it"
	}
	if j.silent != "" {
		return nil
	}
	if err := completePools(j.sw, j.chip); err != nil {
		j.silent = err.Error()
		return nil
	}
	ctx := v.context
	if planned != nil {
		own := proof.ContextOf(planned)
		ctx.Ports = own.Ports
	}
	report, err := proof.Prove(j.sw, j.chip, ctx)
	if err != nil {
		return err
	}
	if _, err := adversary.Settle(report, adversary.Options{Seed: 1, Packets: settlePackets}); err != nil {
		return err
	}
	j.report = report
	told := map[proofPlace]bool{}
	for _, o := range report.Failing() {
		if place := (proofPlace{o.ID, o.Range}); !told[place] && (o.Lossless || !blamed(j.found, o.Range)) {
			told[place] = true
			j.found = append(j.found, obligationFinding(o))
		}
	}
	for i := range report.Findings {
		f := &report.Findings[i]
		j.found.Warnf(proofCode(f.ID), f.Range, "%s: %s", f.Where, f.Message)
	}
	return nil
}

// blamed tells whether an error says already what is wrong with a line.
func blamed(found diag.List, at diag.Range) bool {
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.Subject == at })
}

// A proofPlace is where an obligation fails: what fails in every slice, or on ports of many
// kinds, by the same line is told once.
type proofPlace struct {
	id string
	at diag.Range
}

// proofCode is the code of what model/proof finds.
func proofCode(id string) diag.Code { return diag.Code("proof-" + id) }

// obligationFinding tells of an inequality that does not hold. One that protects order or
// throughput, and no lossless packet, is a warning.
func obligationFinding(o *proof.Obligation) diag.Diagnostic {
	d := diag.Diagnostic{Code: proofCode(o.ID), Subject: o.Range, Message: fmt.Sprintf("%s: that %s does not hold: %s ≤ %s fails by %s",
		o.Where, o.Title, amountOf(o.Left.Value, o.Unit), amountOf(o.Right.Value, o.Unit), amountOf(-o.Slack(), o.Unit))}
	if !o.Lossless && o.ID != proof.Memory {
		d.Severity = diag.Warning
	}
	if o.Note != "" {
		d.Message += "; " + o.Note
	}
	return d
}

// amountOf writes a figure of an obligation.
func amountOf(value int64, unit string) string {
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

// place gives findings without a place the file that they are about.
func (j *judgement) place() {
	top := hcl.Range{Filename: j.shape.first(), Start: hcl.InitialPos, End: hcl.InitialPos}
	for i := range j.found {
		if d := &j.found[i]; d.Subject.Filename == "" || d.Subject.Filename != j.shape.first() {
			d.Subject = top
		}
	}
	j.found = j.found.Sorted()
}

// switchOf finds what was read of a device. Where several files tell of it, the one that
// can speak of PFC is taken.
func switchOf(all []*judgement) func(device string) *plan.Switch {
	of := map[string]*plan.Switch{}
	for _, j := range all {
		for _, name := range j.devices {
			if j.shape.kind != kindOpenConfig || of[name] == nil {
				of[name] = j.sw
			}
		}
	}
	return func(device string) *plan.Switch { return of[device] }
}

// missing tells of switches that have no file, and of files that have no switch.
func (v *verifier) missing(all []*judgement) (found diag.List) {
	if v.fabric == nil {
		return nil
	}
	have := map[string]bool{}
	for _, j := range all {
		for i, name := range j.devices {
			have[name] = true
			if v.planned[name] == nil {
				at := hcl.Range{Filename: j.paths[i], Start: hcl.InitialPos, End: hcl.InitialPos}
				found.Warnf(SwitchUnknown, at, "%s is not a switch of the fabric; it is judged by itself", name)
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(v.planned), natural.Compare) {
		if !have[name] {
			found.Errorf(SwitchMissing, v.planned[name].Range, "the switch %s of the fabric has no file among those that were given", name)
		}
	}
	return found
}

// targetTitle is a target as people write it.
func targetTitle(kind string) string {
	return map[string]string{kindSONiC: "SONiC", kindEOS: "EOS", kindOpenConfig: "OpenConfig", kindNVUE: "NVUE"}[kind]
}

// verifier is one for what the fabric compiles to.
func (l *loaded) verifier(p *plan.Plan) *verifier {
	v := newVerifier(l.catalogue, p)
	v.context = fabricContext(l.fabric)
	return v
}
