package patch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// What a judge says of a state between two steps, and of no end, stops the patch; it is asked
// of each of them, in order.
func TestJudgeIsAsked(t *testing.T) {
	catalogue, _ := chips.Load()
	from := variant(t, catalogue, "trident3", "", 5, "40m", "15%")
	to := variant(t, catalogue, "trident3", storage, 3, "300m", "15%")
	src := full(t, from)
	plain, found := patch.Make(to, "tor-1", running(t, src), nil)
	if found.HasErrors() || len(plain.Steps) < 3 {
		t.Fatal(found, plain)
	}
	states := [][]byte{src}
	for _, step := range plain.Steps {
		states = append(states, apply(t, states[len(states)-1], step.Operations...))
	}
	last := len(states) - 1
	for _, c := range []struct {
		name    string
		faults  map[int][]string // by the number of steps that are done
		err     int              // the state that the judge cannot judge; 0: none
		refused string           // what is said; empty: the patch is made
	}{
		{name: "nothing wrong"},
		{name: "wrong at the beginning and on the way", faults: map[int][]string{0: {"a"}, 1: {"a"}, 2: {"a"}}},
		{name: "wrong on the way and at the end", faults: map[int][]string{1: {"a"}, last: {"a"}}},
		{name: "wrong on the way alone", faults: map[int][]string{1: {"a"}}, refused: `after the step "` + plain.Steps[0].Title + `", a`},
		{name: "another fault than at the ends", faults: map[int][]string{0: {"a"}, 2: {"a", "b"}, last: {"c"}}, refused: `after the step "` + plain.Steps[1].Title + `", b`},
		{name: "open on the way, refuted at the beginning", faults: map[int][]string{0: {"memory does not hold in slice 0"}, 1: {"memory is not judged in slice 0"}}},
		{name: "refuted on the way, open at the beginning", faults: map[int][]string{0: {"memory is not judged in slice 0"}, 1: {"memory does not hold in slice 0"}}, refused: `after the step "` + plain.Steps[0].Title + `", memory does not hold in slice 0`},
		{name: "what cannot be judged", err: 2, refused: "no model"},
	} {
		asked := map[int]bool{}
		judge := func(config []byte) (map[string]bool, error) {
			at := slices.IndexFunc(states, func(s []byte) bool { return sameJSON(t, s, config) })
			if at < 0 {
				t.Fatalf("%s: the judge is asked of a state that is not on the way", c.name)
			}
			asked[at] = true
			if c.err > 0 && at == c.err {
				return nil, errors.New("no model")
			}
			faults := map[string]bool{}
			for _, f := range c.faults[at] {
				faults[f] = true
			}
			return faults, nil
		}
		p, found := patch.Make(to, "tor-1", running(t, src), judge)
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == patch.Unsafe })
		switch {
		case c.refused == "" && (i >= 0 || p == nil):
			t.Errorf("%s: it is refused: %v", c.name, found)
		case c.refused == "" && len(asked) != len(states):
			t.Errorf("%s: the judge is asked of %v, want all of %d states", c.name, slices.Sorted(maps.Keys(asked)), len(states))
		case c.refused != "" && (i < 0 || p != nil || !strings.Contains(found[i].Message, c.refused)):
			t.Errorf("%s: want %q in %v", c.name, c.refused, found)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var all [2]bytes.Buffer
	for i, text := range [][]byte{a, b} {
		var doc any
		must.Do(t, json.Unmarshal(text, &doc))
		out, _ := json.Marshal(doc) // members sorted
		all[i].Write(out)
	}
	return bytes.Equal(all[0].Bytes(), all[1].Bytes())
}

// verify's own verdict stops no patch between two compiled configurations, judged with the chip
// and the cables of the one that is wanted.
func TestVerifyJudgesSteps(t *testing.T) {
	catalogue, _ := chips.Load()
	variants := []*plan.Switch{
		variant(t, catalogue, "tomahawk2", "", 5, "40m", "15%"), variant(t, catalogue, "tomahawk2", storage, 3, "300m", "15%"),
		variant(t, catalogue, "tomahawk2", "", 5, "40m", "0%"),
	}
	for _, from := range variants {
		for _, to := range variants {
			if p, found := patch.Make(to, "tor-1", running(t, full(t, from)), judgeOf(catalogue, to)); p == nil {
				t.Errorf("%v", found)
			}
		}
	}
}

func judgeOf(catalogue *chips.Catalogue, sw *plan.Switch) patch.Judge {
	v := verify.New(verify.Options{Catalogue: catalogue})
	return func(config []byte) (map[string]bool, error) { return v.Fails(sw, "sonic", "tor-1", config) }
}

// A state that verify refutes and that no guard looks into: lossless headroom is there, of the
// size that both ends have, and the pool that queues share is too small for what is paused.
func TestVerifySeesMoreThanTheGuard(t *testing.T) {
	catalogue, _ := chips.Load()
	sw := variant(t, catalogue, "trident3", "", 5, "40m", "15%")
	judge := judgeOf(catalogue, sw)
	src := string(full(t, sw))
	if faults, err := judge([]byte(src)); err != nil || len(faults) > 0 {
		t.Fatalf("the compiled configuration: %v %v", faults, err)
	}
	for _, c := range []struct{ name, old, now, fault string }{
		{"the queue of the class is bounded", `"static_th": "` + staticOf(t, src) + `"`, `"static_th": "20000"`, "pfc-before-drop does not hold in slice 0"},
		{"an access list drops", "{\n", `{"ACL_RULE": {"T|R": {"PACKET_ACTION": "DROP"}},` + "\n", "is not modelled"},
	} {
		edited := strings.Replace(src, c.old, c.now, 1)
		if edited == src {
			t.Fatalf("%s: the edit changes nothing in\n%.3000s", c.name, src)
		}
		faults, err := judge([]byte(edited))
		if err != nil || !slices.ContainsFunc(slices.Collect(maps.Keys(faults)), func(f string) bool { return strings.Contains(f, c.fault) }) {
			t.Errorf("%s: %v %v, want %q", c.name, faults, err, c.fault)
		}
		before, _ := patch.Read("before.json", []byte(src))
		after, _ := patch.Read("after.json", []byte(edited))
		if h := patch.NewGuard(before.DB, before.DB).Hazards(after.DB); len(h) > 0 {
			t.Errorf("%s: the guard sees it too: %v", c.name, h)
		}
	}
}

// staticOf returns the static threshold of the egress profile for lossless queues.
func staticOf(t *testing.T, src string) string {
	t.Helper()
	_, rest, ok := strings.Cut(src, `"egress_lossless_profile": {`)
	if !ok {
		t.Fatal("no profile for lossless queues")
	}
	_, rest, _ = strings.Cut(rest, `"static_th": "`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}
