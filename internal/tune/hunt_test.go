package tune_test

import (
	"flag"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/testing/anyfabric"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/tune"
)

const table = "../../golden/tune-drawn.txt"

var (
	update  = flag.Bool("update", false, "write golden/tune-drawn.txt: its heading, with -hunt the part of each fabric that is tuned")
	hunting = flag.Bool("hunt", false, "tune every drawn fabric, for hours; -run TestDrawn/NAME tunes one")
	keep    = flag.String("keep", "", "folder in which runs are kept from one call to the next, by the same engine")
)

// drawn is how many fabrics are drawn, by seeds from 1 on, each for one of the purposes in turn.
const drawn = 20

// budget is what each is tuned with.
const budget = 240

// most is what all kinds need.
const most = 480

func names() (list []string) {
	purposes := completion.Purposes()
	for seed := 1; seed <= drawn; seed++ {
		list = append(list, fmt.Sprintf("drawn-%02d-%s", seed, purposes[seed%len(purposes)]))
	}
	return list
}

// tuned returns tune's result for a fabric, in a few lines.
func tuned(t *testing.T, name string, store *runs.Store) string {
	t.Helper()
	words := strings.Split(name, "-")
	seed := must.Get(strconv.ParseUint(words[1], 10, 64))(t)
	purpose := completion.Purpose(words[2])
	of := anyfabric.Draw(seed)
	text := strings.Replace(of.Text, "\" {\n", fmt.Sprintf("\" {\n  purpose = %s\n", purpose), 1)
	f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: name + ".hcl", Text: []byte(text)}}})
	p, _ := f.Plan()
	aim := tune.Aim{Purpose: purpose}
	runs := budget
	if purpose == completion.Mixed {
		runs = most
	}
	r := must.Get(tune.Search(t.Context(), f.Policy, p, tune.Options{Aim: aim, Scenarios: f.Scenarios(), Budget: runs, Chip: f.Catalogue.Find, Store: store}))(t)
	return fmt.Sprintf("== %s: %s\n%s\n", name, of.About, said(r))
}

// said is a report in a few lines.
func said(r *tune.Report) string {
	text := fmt.Sprintf("%d runs of %d; %d points searched, %d by chance\n", r.Runs, r.Budget, r.Points, r.Drawn)
	ratio := func(r tune.Ratio) string {
		if r.Unusable != "" {
			return r.Unusable
		}
		return fmt.Sprintf("%.3f (%.3f-%.3f)", r.Ratio, r.Low, r.High)
	}
	for _, own := range r.Front {
		if h := own.HeldOut; own.Best {
			text += fmt.Sprintf("%s: searched %s, held out %s, unseen %s: %s\n", own.By, ratio(own.Aim), ratio(h.Aim), ratio(h.Unseen), strings.Join(strings.Fields(own.Point.HCL), " "))
		}
	}
	if r.Chosen == 0 {
		return text + "compiled stays: " + r.Why + "\n"
	}
	return text + fmt.Sprintf("chosen: the point of %s\n", r.Front[r.Chosen-1].By)
}

var (
	best   = regexp.MustCompile(`(?m)^(search|random): searched .*, held out ([0-9.]+) \([0-9.]+-([0-9.]+)\), unseen [0-9.]+ \(([0-9.]+)-[0-9.]+\):`)
	choice = regexp.MustCompile(`(?m)^chosen: the point of (search|random)$`)
)

// reached returns the result of a search alone: the ratio of its best point where that would be chosen, else 1.
func reached(part, by string) float64 {
	for _, m := range best.FindAllStringSubmatch(part, -1) {
		if m[1] == by && value(m[3]) < 1 && value(m[4]) <= 1 {
			return value(m[2])
		}
	}
	return 1
}

// counts says on how many fabrics the choice and the search are better than what they are compared with.
func counts(recorded map[string]string) string {
	better, beats, beaten := 0, 0, 0
	for _, part := range recorded {
		if choice.MatchString(part) {
			better++
		}
		switch search, random := reached(part, tune.BySearch), reached(part, tune.ByRandom); {
		case search < random:
			beats++
		case search > random:
			beaten++
		}
	}
	return fmt.Sprintf("on %d the choice is better held out than what was compiled, on the others that stays; the point of the search is better than that of random search on %d, and worse on %d", better, beats, beaten)
}

func value(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// The heading says how many choices are better held out than what was compiled, and each part is of a fabric that
// there is. With -hunt all is tuned, and with -update too recorded, fabric by fabric.
func TestDrawn(t *testing.T) {
	var store *runs.Store
	if *keep != "" {
		store = runs.Open(*keep, "")
	}
	goldentest.Table{File: table, Names: names(), Heading: func(recorded map[string]string) string {
		return fmt.Sprintf("Drawn fabrics, tuned: completion held out by that as compiled, below 1 is sooner; in brackets what covers it with 95 %% confidence.\nOf %d fabrics %s.", len(recorded), counts(recorded))
	}, Make: func(t *testing.T, name string) string { return tuned(t, name, store) }}.Run(t, *hunting, *update)
}
