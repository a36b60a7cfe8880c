package compare

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/roceplan/roceplan/internal/completion"
)

// A Fabric is how the settings that a fabric is compiled to for each purpose stand beside published ones.
type Fabric struct {
	Name, About string
	Default     string // the published configuration that the fabric's switches have by themselves
	By          map[completion.Purpose]*Result
}

// Bounds of what is asked of the compiled settings, as ratios to the best published configuration, and to the
// fabric's default.
const (
	withinBest    = 1.03
	withinDefault = 1.10
)

// A Standing is how one purpose is served.
type Standing struct {
	Best     string
	Ratio    float64 // to the best in what the purpose counts
	Unusable string  // why there is no ratio
	Missed   string  // what is asked and was not reached; empty: nothing
}

// Standing compares the fabric's settings for a purpose with what is asked. A single kind must come within 3 % of the best
// published configuration. Of all kinds together it is asked to be at least as good as that, to be in none more
// than 10 % behind the fabric's default, and no configuration may be better in all.
func (f *Fabric) Standing(p completion.Purpose) Standing {
	r := f.By[p]
	v := r.Verdict.Purpose
	s := Standing{Best: v.Best, Ratio: v.Ratio.Ratio, Unusable: v.Ratio.Unusable}
	switch {
	case v.Best == "":
		s.Missed = "no figure: " + s.Unusable
	case p != completion.Mixed && s.Ratio > withinBest:
		s.Missed = fmt.Sprintf("%.2f of %s", s.Ratio, s.Best)
	case p == completion.Mixed:
		s.Missed = strings.Join(f.missedMixed(r), ", ")
	}
	return s
}

func (f *Fabric) missedMixed(r *Result) (missed []string) {
	if v := r.Verdict.Purpose; v.Ratio.Ratio > 1 {
		missed = append(missed, fmt.Sprintf("%.2f of %s", v.Ratio.Ratio, v.Best))
	}
	for i := range r.Beside {
		row := &r.Beside[i]
		if row.NotRun != "" {
			continue
		}
		behind := func(k completion.Kind) bool { return row.Ratios[k].Unusable == "" && row.Ratios[k].Ratio > 1 }
		if !slices.ContainsFunc(r.Kinds, func(k completion.Kind) bool { return !behind(k) }) {
			missed = append(missed, "beaten in all by "+row.Name)
		}
		for _, k := range r.Kinds {
			if row.Name == f.Default && row.Ratios[k].Ratio > withinDefault {
				missed = append(missed, fmt.Sprintf("%s %.2f of %s", k, row.Ratios[k].Ratio, row.Name))
			}
		}
	}
	return missed
}

// String returns the fabric's part of golden/completion.txt.
func (f *Fabric) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "== %s: %s\n", f.Name, f.About)
	mixed := f.By[completion.Mixed]
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(w, "BESIDE") // a strings.Builder takes all
	for _, k := range completion.Kinds() {
		_, _ = fmt.Fprintf(w, "\t%s", strings.ToUpper(string(k)))
	}
	_, _ = fmt.Fprintln(w, "\tALL")
	for i := range mixed.Beside {
		row := &mixed.Beside[i]
		if row.NotRun != "" {
			_, _ = fmt.Fprintf(w, "%s\tnot run: %s\n", row.Name, row.NotRun)
			continue
		}
		_, _ = fmt.Fprint(w, row.Name)
		for _, k := range completion.Kinds() {
			_, _ = fmt.Fprintf(w, "\t%s", short(row.Ratios[k]))
		}
		_, _ = fmt.Fprintf(w, "\t%s\n", short(row.All))
	}
	_ = w.Flush()
	for _, p := range completion.Purposes() {
		s := f.Standing(p)
		verdict := "met"
		if s.Missed != "" {
			verdict = "missed: " + s.Missed
		}
		fmt.Fprintf(&out, "%s: %.2f of %s; %s\n", p, s.Ratio, s.Best, verdict)
	}
	return out.String()
}

func short(r completion.Ratio) string {
	if r.Unusable != "" {
		return "-"
	}
	return fmt.Sprintf("%.2f", r.Ratio)
}
