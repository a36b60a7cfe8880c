package main

import (
	"encoding/csv"
	"strconv"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// seriesFlags ask for samples of counters over time.
type seriesFlags struct {
	Series  string      `placeholder:"FILE" help:"Write samples of counters over time as CSV; for one run."`
	Sample  *units.Time `placeholder:"TIME" help:"Time between two samples (default: 10us; for --plots a 500th of the time in which messages begin)."`
	Counter []string    `placeholder:"KIND:NAME" sep:"," help:"Counter to sample, such as queue:leaf-1.Ethernet0.3, rate:7 or pg:leaf-*; may be repeated (default: queue)."`
	Plots   string      `placeholder:"DIR" help:"Draw queues, rates of flows and completion times of each run, as SVG."`
}

const defaultSample = 10 * units.Microsecond

func (c seriesFlags) check() error {
	switch {
	case c.Series == "" && c.Plots == "" && c.Sample != nil:
		return misusef("--sample goes with --series or --plots")
	case c.Series == "" && len(c.Counter) > 0:
		return misusef("--counter goes with --series")
	case c.Sample != nil && (*c.Sample < units.Nanosecond || *c.Sample > units.Second):
		return misusef("--sample is %v, which is outside of 1ns to 1s", *c.Sample)
	}
	return nil
}

// csvSeries writes samples as they come.
type csvSeries struct {
	staged *whole.File
	rows   *csv.Writer
	row    []string
}

func newCSV(t *terminal, path string) (*csvSeries, error) {
	staged, err := whole.Begin(t.disk, path)
	if err != nil {
		return nil, err
	}
	return &csvSeries{staged: staged, rows: csv.NewWriter(staged)}, nil
}

// series returns the series to be asked of the simulator.
func (w *csvSeries) series(c *seriesFlags) *sim.Series {
	s := &sim.Series{Period: defaultSample, Select: c.Counter, Begin: w.begin, Sampled: w.sampled}
	if c.Sample != nil {
		s.Period = *c.Sample
	}
	if len(s.Select) == 0 {
		s.Select = []string{"queue"}
	}
	return s
}

func (w *csvSeries) begin(names []string) error {
	w.row = make([]string, len(names)+1)
	return w.rows.Write(append([]string{"time_us"}, names...))
}

func (w *csvSeries) sampled(at units.Time, values []int64) error {
	w.row[0] = strconv.FormatFloat(float64(at)/1e6, 'f', -1, 64)
	for i, v := range values {
		w.row[i+1] = strconv.FormatInt(v, 10)
	}
	return w.rows.Write(w.row)
}

// end puts the file into its place, or removes it if the run has failed.
func (w *csvSeries) end(failed error) error {
	if failed != nil {
		w.staged.Discard()
		return failed
	}
	w.rows.Flush()
	if err := w.rows.Error(); err != nil {
		w.staged.Discard()
		return err
	}
	return w.staged.Commit()
}
