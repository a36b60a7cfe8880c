package record

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

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
