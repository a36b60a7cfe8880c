package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// A sweep is the variable of a row of runs: the number of GPUs that scenarios run on, or a variable of the fabric. The
// zero sweep is none.
type sweep struct {
	name   string // gpus, or that of the variable
	values []string
}

// gpus is the name of a sweep over the number of GPUs, ascending.
const gpus = "gpus"

// Bounds of a sweep.
const (
	mostSweeps    = 20
	mostSweptGPUs = 1 << 20
)

// UnmarshalText reads "gpus=8,16,64" or "load=30%,50%". "gpus=8..64" doubles.
func (s *sweep) UnmarshalText(text []byte) error {
	name, list, _ := strings.Cut(string(text), "=")
	*s = sweep{name: name, values: strings.Split(list, ",")}
	if from, to, doubling := strings.Cut(list, ".."); doubling {
		n, errN := strconv.Atoi(from)
		last, errLast := strconv.Atoi(to)
		s.values = nil
		for ok := errN == nil && errLast == nil && n > 0 && last <= mostSweptGPUs; ok && n <= last; n *= 2 {
			s.values = append(s.values, strconv.Itoa(n))
		}
	}
	ok, before := name != "" && len(s.values) > 0 && len(s.values) <= mostSweeps, 1
	for i, v := range s.values {
		ok = ok && v != "" && !slices.Contains(s.values[:i], v)
		if name == gpus {
			n, err := strconv.Atoi(v)
			ok = ok && err == nil && n > before && n <= mostSweptGPUs
			before = n
		}
	}
	if !ok {
		return fmt.Errorf("%q is not at most %d ascending numbers of GPUs from 2 to %d, such as gpus=8,16,64, nor a range that doubles, such as gpus=8..64, nor values of a variable, such as load=30%%,50%%", text, mostSweeps, mostSweptGPUs)
	}
	return nil
}

// checkSweep refuses what a sweep does not go with.
func (c *simCmd) checkSweep() error {
	switch {
	case c.Sweep.name == "":
		return nil
	case c.Size != cutSize{} || c.Shard != shard{} || c.JSONLines || c.Workload != "" || c.Try || c.Settle != nil || c.Series != "" || c.Counters != "" || len(c.Fault) > 0 || c.List:
		return misusef("--sweep compares runs of the whole fabric; it does not go with --size, --shard, --json-lines, --workload, --remedies, --settle, --series, --counters, --fault and --list")
	case len(c.Pattern) == 0:
		return misusef("--sweep needs the scenario, such as --pattern all-to-all-64kb")
	case slices.Contains(c.Files, "-"):
		return misusef("--sweep reads the fabric for each value: name files, not standard input")
	}
	return nil
}

// swept are the runs of a sweep.
type swept struct {
	*roceplan.Simulation
	values  []string          // of the runs
	refused []pattern.Outcome // of values with which the fabric does not compile
	found   diag.List         // with the first value with which it does
}

// prepareSweep lists the runs for each value.
func (c *simCmd) prepareSweep(t *terminal) (*swept, error) {
	s := &swept{Simulation: &roceplan.Simulation{}}
	var l *loaded
	for i, value := range c.Sweep.values {
		number := 0
		if c.Sweep.name == gpus {
			number, _ = strconv.Atoi(value) // UnmarshalText has read it
		}
		if i == 0 || number == 0 {
			var err error
			if l, err = c.withValue(t, value); err != nil {
				return nil, err
			}
		}
		_, found := l.Plan()
		if found.HasErrors() && number == 0 && (len(s.Jobs) > 0 || i+1 < len(c.Sweep.values)) {
			s.refused = append(s.refused, c.refused(value, found)...)
			continue
		}
		if len(s.Jobs) == 0 {
			var err error
			if _, s.found, err = l.planned(t); err != nil {
				return nil, err
			}
		}
		choice := c.choice()
		run, err := roceplan.Prepare(l.Fabric, roceplan.SimulateOptions{
			Scenarios: choice.Names, Time: choice.Time, Control: choice.Control, Seed: c.Seed, Seeds: c.seeds(0), SkipSteady: c.SkipSteady, Detailed: t.json, GPUs: number,
		})
		if err != nil {
			return nil, err
		}
		for range run.Jobs {
			s.values = append(s.values, value)
		}
		s.Hosts, s.Notes, s.Jobs = run.Hosts, run.Notes, append(s.Jobs, run.Jobs...)
	}
	return s, nil
}

// run makes the runs.
func (s *swept) run(t *terminal, name string) error {
	step, stop := t.watch("runs", len(s.Jobs))
	outcomes, err := pattern.Run(t, s.Jobs, step)
	stop()
	for i := range outcomes {
		if name == gpus {
			outcomes[i].GPUs, _ = strconv.Atoi(s.values[i])
		} else {
			outcomes[i].Swept = s.values[i]
		}
	}
	s.Outcomes = append(outcomes, s.refused...)
	return err
}

// withValue returns the fabric with a value of the variable.
func (c *simCmd) withValue(t *terminal, value string) (*loaded, error) {
	flags := c.sourceFlags
	if c.Sweep.name != gpus {
		flags.Var = maps.Clone(flags.Var)
		if flags.Var == nil {
			flags.Var = map[string]string{}
		}
		flags.Var[c.Sweep.name] = value
	}
	return flags.loadTraced(t, c.Files)
}

// refused returns the outcomes of a value with which the fabric does not compile.
func (c *simCmd) refused(value string, found diag.List) (list []pattern.Outcome) {
	var codes []string
	for _, f := range found {
		if f.Severity == diag.Error && !slices.Contains(codes, string(f.Code)) {
			codes = append(codes, string(f.Code))
		}
	}
	for _, name := range c.Pattern {
		list = append(list, pattern.Outcome{Pattern: name, Swept: value, Skipped: fmt.Sprintf("with %s=%s does not compile: %s", c.Sweep.name, value, strings.Join(codes, ", "))})
	}
	return list
}

// printSwept runs a sweep, and prints and draws it.
func (c *simCmd) printSwept(t *terminal) error {
	run, err := c.prepareSweep(t)
	if err != nil {
		return misnamed(err)
	}
	if err := run.run(t, c.Sweep.name); err != nil {
		return err
	}
	if c.Plots != "" {
		if err := c.plotSweep(t, run); err != nil {
			return err
		}
	}
	diagnostics, err := json.Marshal(nonNil(run.found))
	if err != nil {
		return err
	}
	result := jsonPatterns{Diagnostics: diagnostics, Hosts: run.Hosts, Notes: run.Notes, Patterns: run.Outcomes}
	if t.json {
		if err := t.printJSON(&result); err != nil {
			return err
		}
		return result.verdict(c.Strict)
	}
	for _, note := range result.Notes {
		t.printf("note: %s\n", note)
	}
	if c.Sweep.name == gpus {
		printSweep(t, result.Patterns)
	} else {
		printValues(t, c.Sweep.name, run.Outcomes[:len(run.Jobs)])
	}
	printSkipped(t, result.Patterns)
	return result.verdict(c.Strict)
}
