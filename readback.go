package roceplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// ModelFile is the buffer model that is written with the files of a proved switch.
const ModelFile = "model.json"

// NotConfigs returns the names of other files in the folders of configurations, and of those that carry
// a configuration in another form: gNMI requests, scripts.
func NotConfigs() []string {
	names, usual := []string{ModelFile, "certificate.json"}, verify.UsualNames()
	for _, t := range target.All() {
		for _, f := range t.Forms {
			if f.Name != emit.Full && f.Name != "overlay" && !slices.Contains(usual, f.File) {
				names = append(names, f.File)
			}
		}
	}
	return names
}

// proven reads back what was rendered for a shape and proves it: the files, not the compiler's
// plan. It returns the files with the buffer model, and the failures; the verdict is kept. Switches
// of a shape have equal files except for the name, so one is enough.
func (r *Renderer) proven(sw *plan.Switch, files []emit.File) ([]emit.File, diag.List, error) {
	var found diag.List
	var last *verify.Switch
	for _, f := range files {
		name, whole := target.Whole(f)
		if !whole {
			continue
		}
		s, err := r.verifier.Rendered(sw, name, f, nil)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range s.Findings {
			lossy := d.Code == verify.NothingLossless && !lossless(sw)
			switch {
			case d.Severity != diag.Error || lossy:
			case sw.Pinned.Filename != "":
				found.Warnf(d.Code, sw.Pinned, "%s of %s, with what is pinned, does not stand up at its line %d: %s", f.Path, plan.Abbreviate(sw.Names), d.Subject.Start.Line, d.Message).
					Fixf("delete the lines that pin what it names, and what is derived is written")
			default:
				found.Errorf(d.Code, sw.Range, "%s would be written for %s, and does not stand up at its line %d: %s", f.Path, plan.Abbreviate(sw.Names), d.Subject.Start.Line, d.Message).
					Fixf("report it as a fault of the compiler if nothing else is said here; --no-verify writes it all the same")
			}
		}
		if s.Proof != nil && (last == nil || !s.AsPlanned()) {
			last = s
		}
	}
	if last != nil {
		for _, c := range sw.BrokenByPins() {
			last.Verdict = max(last.Verdict, verify.Conditional)
			last.Because = append(last.Because, verify.Reason{Message: fmt.Sprintf("%s, %s: not %v ≤ %v with what is pinned", c.ID, c.Where, c.Left.Value, c.Right.Value), Range: c.Range})
		}
		r.lock.Lock()
		r.verdicts[sw] = last
		r.lock.Unlock()
	}
	model, err := r.model(sw, last)
	return append(files, emit.File{Path: ModelFile, Body: model}), found, err
}

// lossless reports whether a switch is to have a lossless class: there is nothing to prove of
// one that is lossy on purpose.
func lossless(sw *plan.Switch) bool {
	return slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless })
}

// devicePlace is the placeholder of the device's name in a model.
const devicePlace = `"switch":"roceplan-device"`

// model returns the buffer of a shape with its verdict: as it was read back, or else as planned.
func (r *Renderer) model(sw *plan.Switch, s *verify.Switch) (emit.Body, error) {
	chip, _ := r.verifier.Catalogue.Find(sw.Chip)
	if s == nil {
		report, err := proof.Prove(sw, chip, proof.Context{})
		if err != nil {
			return emit.Body{}, err
		}
		s = &verify.Switch{Plan: sw, Proof: report}
	}
	text, err := proof.NewModel(s.Plan, chip, s.Proof).Marshal("roceplan-device")
	if err != nil {
		return emit.Body{}, err
	}
	text = linePerPort(text)
	return emit.NewBody(bytes.Replace(text, []byte(devicePlace), []byte(`"switch":"`+emit.Mark+`"`), 1)), nil
}

// linePerPort lays JSON out with a line for each port and pool: a switch of 64 ports takes
// a third of the bytes that it takes indented, and a diff shows the port that changed.
func linePerPort(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		panic(err) // it was marshalled a line before
	}
	text = bytes.ReplaceAll(out.Bytes(), []byte(`,{"slice":`), []byte(",\n{\"slice\":"))
	text = bytes.ReplaceAll(text, []byte(`{"name":`), []byte("\n{\"name\":"))
	return append(bytes.ReplaceAll(text, []byte(`,"ports":[`), []byte(",\n\"ports\":[")), '\n')
}
