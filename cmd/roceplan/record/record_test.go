package record

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/internal/tune"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// What is written is read back; parts may stand one behind the other.
func TestLinesComeBack(t *testing.T) {
	var file bytes.Buffer
	runs := []Line{{Run: &pattern.Outcome{Pattern: "incast-8", Seed: 3, LatencyP99: 1.5, Missed: []string{"max-latency"}}}}
	reports := []Line{{Tuning: &tune.Report{Purpose: "storage", Runs: 7, Compiled: &tune.Trial{Settings: tune.Settings{KMin: 1000}, Pauses: 7}, Front: []*tune.Trial{{Point: &tune.Lines{KMin: "1us", HCL: "x"}}}}}}
	if err := Write(&file, "one", Header{Command: "sim", Shard: 1, Of: 2, Notes: []string{}}, runs); err != nil {
		t.Fatal(err)
	}
	if err := Write(&file, "two", Header{Command: "tune", Of: 1, Notes: []string{"n"}}, reports); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&file, "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := []Line{
		{Schema: Schema, Sweep: "one", Header: &Header{Command: "sim", Shard: 1, Of: 2, Results: 1, Notes: []string{}}},
		{Schema: Schema, Sweep: "one", Run: runs[0].Run},
		{Schema: Schema, Sweep: "two", Header: &Header{Command: "tune", Of: 1, Results: 1, Notes: []string{"n"}}},
		{Schema: Schema, Sweep: "two", Tuning: reports[0].Tuning},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Line{}, "At")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBadLines(t *testing.T) {
	for text, want := range map[string]string{
		"{":                                 "x.jsonl:1: unexpected end",
		"\n{}":                              "x.jsonl:2: this is not a line of roceplan's --json-lines",
		`{"schema":9,"run":{}}`:             "schema 9 is not the one",
		`{"schema":1}`:                      "holds 0 of header, run and tuning",
		`{"schema":1,"run":{},"tuning":{}}`: "holds 2 of header, run and tuning",
	} {
		if _, err := Read(strings.NewReader(text), "x.jsonl"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A sweep is known by what its results depend on, not by the order or names of files.
func TestSweep(t *testing.T) {
	a, b := []byte("a"), []byte("b")
	if Sweep([][]byte{a, b}, "sim") != Sweep([][]byte{b, a}, "sim") {
		t.Error("the order of files changes a sweep")
	}
	for _, other := range []string{Sweep([][]byte{a}, "sim"), Sweep([][]byte{a, b}, "tune"), Sweep([][]byte{a, b}, "s", "im"), Sweep([][]byte{a, b})} {
		if other == Sweep([][]byte{a, b}, "sim") {
			t.Error("another sweep has the same digest")
		}
	}
}
