package record

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/tune"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

// What is written is read back; parts may stand one behind the other.
func TestLinesComeBack(t *testing.T) {
	var file bytes.Buffer
	runs := []Line{{Run: &pattern.Outcome{Pattern: "incast-8", Seed: 3, LatencyP99: 1.5, Missed: []string{"max-latency"}}}}
	reports := []Line{{Tuning: &tune.Report{Purpose: "storage", Runs: 7, Compiled: &tune.Trial{Settings: tune.Settings{KMin: 1000}, Pauses: 7}, Front: []*tune.Trial{{Point: &tune.Lines{KMin: "1us", HCL: "x"}}}}}}
	must.Do(t, Write(&file, "one", Header{Command: "sim", Shard: 1, Of: 2, Notes: []string{}}, runs))
	must.Do(t, Write(&file, "two", Header{Command: "tune", Of: 1, Notes: []string{"n"}}, reports))
	got := must.Get(Read(&file, "x.jsonl"))(t)
	want := []Line{
		{Schema: Schema, Sweep: "one", Header: &Header{Command: "sim", Shard: 1, Of: 2, Results: 1, Notes: []string{}}},
		{Schema: Schema, Sweep: "one", Run: runs[0].Run},
		{Schema: Schema, Sweep: "two", Header: &Header{Command: "tune", Of: 1, Results: 1, Notes: []string{"n"}}},
		{Schema: Schema, Sweep: "two", Tuning: reports[0].Tuning},
	}
	must.NoDiffIn(t, cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Line{}, "At")), "(-want +got)")
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

// In whatever order parts come, they are brought into their own; each that is missing, there
// twice, cut or of another sweep is found.
func TestJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, 12).Draw(t, "of")
		order := make([]int, of)
		for i := range order {
			order[i] = i
		}
		var lines []Line
		want := []diag.Code{}
		gone := 0
		for _, shard := range rapid.Permutation(order).Draw(t, "order") {
			header := Line{Sweep: "s", Header: &Header{Command: "sim", Shard: shard, Of: of, Results: 1}}
			run := Line{Sweep: "s", Run: &pattern.Outcome{Pattern: fmt.Sprint(shard)}}
			switch rapid.SampledFrom([]string{"", "", "lost", "twice", "cut", "foreign"}).Draw(t, "fault") {
			case "":
				lines = append(lines, header, run)
			case "lost":
				gone++
			case "twice":
				lines = append(lines, header, run, header, run)
				want = append(want, PartTwice)
			case "cut":
				lines = append(lines, header)
				want = append(want, PartIncomplete)
			case "foreign":
				if len(lines) == 0 {
					lines = append(lines, header, run)
					break
				}
				header.Sweep, run.Sweep = "other", "other"
				lines = append(lines, header, run)
				want = append(want, PartForeign)
				gone++
			}
		}
		if gone > 0 {
			want = append(want, PartMissing)
		}
		parts, found := Join(lines)
		codes := []diag.Code{}
		for _, d := range found {
			codes = append(codes, d.Code)
		}
		slices.Sort(codes)
		slices.Sort(want)
		if diff := cmp.Diff(want, codes); diff != "" {
			t.Fatal(diff)
		}
		for i := range parts {
			if len(want) == 0 && (parts[i].Shard != i || parts[i].Results[0].Run.Pattern != fmt.Sprint(i)) {
				t.Fatalf("part %d is %+v", i, parts[i])
			}
		}
	})
}

// No input is a panic, and what is wrong is an error or a finding.
func FuzzJoin(f *testing.F) {
	f.Add([]byte(`{"schema":1,"header":{"command":"sim","shard":1,"of":2,"results":1}}` + "\n" + `{"schema":1,"tuning":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if lines, err := Read(bytes.NewReader(text), "x"); err == nil {
			Join(lines)
		}
	})
}
