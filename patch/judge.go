package patch

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/roceplan/roceplan/diag"
)

// A Judge says why the ConfigDB of a device may lose lossless packets, each reason a sentence
// without a full stop that two configurations share if they share the fault. Package verify has
// one, which knows chip and cables; this package knows neither, and its [Guard] looks between
// the operations of a step at what needs no model.
type Judge func(config []byte) (faults map[string]bool, err error)

// Certain and Open are the words in a fault that differ where an obligation is refuted and where it is not judged.
const (
	Certain = "does not hold"
	Open    = "is not judged"
)

// settled is judged, for a patch that may interrupt PFC. Ports are drained for that, so what
// is lost meanwhile is part of the warning.
func (p *Patch) settled(src []byte, judge Judge, interrupted diag.List) string {
	fault := p.judged(src, judge)
	if fault == "" || len(interrupted) == 0 {
		return fault
	}
	interrupted[0].Message += ": " + fault
	return ""
}

// judged asks a judge of each state on the way, and returns the first fault that neither end has; "" where there is none.
func (p *Patch) judged(src []byte, judge Judge) string {
	if judge == nil {
		return ""
	}
	between, end, err := passed(p.Steps, src)
	if err != nil {
		return err.Error()
	}
	if len(between) == 0 {
		return ""
	}
	p.Between = append(p.Between, between...)
	tolerated := map[string]bool{}
	for _, end := range [][]byte{src, end} {
		faults, err := judge(end)
		if err != nil {
			return err.Error()
		}
		maps.Copy(tolerated, faults)
		for fault := range faults { // a state that may have what an end has for certain is no worse
			tolerated[strings.Replace(fault, Certain, Open, 1)] = true
		}
	}
	for _, state := range between {
		faults, err := judge(state.Config)
		if err != nil {
			return err.Error()
		}
		if fault := firstOf(faults, tolerated); fault != "" {
			return fmt.Sprintf("after the step %q, %s", state.After, fault)
		}
	}
	return ""
}

// passed returns the configurations between steps, those between the commands of their scripts, and the one after them.
func passed(steps []Step, src []byte) (between []Passed, end []byte, err error) {
	end = src
	for i := range steps {
		s := &steps[i]
		for _, part := range s.parts() {
			config, err := applied(end, part.ops)
			if err != nil {
				return nil, nil, err
			}
			between = append(between, Passed{part.done, config})
		}
		if end, err = applied(end, s.Operations); err != nil {
			return nil, nil, err
		}
		if i+1 < len(steps) {
			between = append(between, Passed{s.Title, end})
		}
	}
	return between, end, nil
}

// applied returns a configuration after operations, as RFC 6902 says.
func applied(config []byte, ops []Operation) ([]byte, error) {
	text, err := json.Marshal(ops)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, err
	}
	return patch.Apply(config)
}
