package main

import (
	"bytes"
	"encoding/json"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// wholeFiles are the files that hold the whole configuration of a switch, by target.
var wholeFiles = map[string]string{"config_db.json": kindSONiC, "eos.cfg": kindEOS, "openconfig.json": kindOpenConfig, "nvue.yaml": kindNVUE}

// proven reads back what was rendered for a shape and proves it: the files, not what the
// compiler had in mind. It returns the files with the buffer model beside them, and what
// does not hold. Switches of a shape have equal files but for the name, so one is enough.
func (r *rendering) proven(sw *plan.Switch, files []emit.File) ([]emit.File, diag.List, error) {
	var found diag.List
	var last *judgement
	for _, f := range files {
		kind, whole := wholeFiles[f.Path]
		if !whole {
			continue
		}
		j, err := r.readBack(sw, kind, f)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range j.found {
			if d.Severity == diag.Error {
				found.Errorf(d.Code, sw.Range, "%s would be written for %s, and does not stand up at its line %d: %s", f.Path, abbreviate(sw.Names), d.Subject.Start.Line, d.Message).
					Fixf("this is a fault of the compiler if nothing else is reported; --no-verify writes it all the same")
			}
		}
		if j.report != nil {
			last = j
		}
	}
	model, err := r.model(sw, last)
	return append(files, emit.File{Path: modelFile, Body: model}), found, err
}

// readBack reads one file as verify does, and proves it. Rules are left to verify: what
// they warn of may be what the fabric asks for.
func (r *rendering) readBack(sw *plan.Switch, kind string, f emit.File) (*judgement, error) {
	shape := &configShape{kind: kind, paths: []string{f.Path}, text: f.Body.AppendFor(nil, sw.Names[0]), sw: &plan.Switch{Names: sw.Names[:1]}}
	shape.read(sw.Cell)
	j := &judgement{shape: shape, devices: sw.Names[:1], paths: shape.paths, sw: cloneSwitch(shape.sw), found: shape.found}
	if err := r.verifier.complete(j, sw); err != nil {
		return nil, err
	}
	return j, r.verifier.prove(j, sw)
}

// devicePlace stands in a model where the name of the device will.
const devicePlace = `"switch":"roceplan-device"`

// model is the buffer of a shape with its verdict: of what was read back, or of the plan
// where the target's files hold too little to prove anything.
func (r *rendering) model(sw *plan.Switch, j *judgement) (emit.Body, error) {
	chip, _ := r.verifier.catalogue.Find(sw.Chip)
	if j == nil {
		report, err := proof.Prove(sw, chip, r.verifier.context)
		if err != nil {
			return emit.Body{}, err
		}
		j = &judgement{sw: sw, report: report}
	}
	text, err := proof.NewModel(j.sw, chip, j.report).Marshal("roceplan-device")
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
