package way_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/year"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
	"github.com/roceplan/roceplan/way"
)

type anything = map[string]any

// list is a member that is a list of objects.
func list(of anything, name string) (all []anything) {
	for _, e := range of[name].([]any) {
		all = append(all, e.(anything))
	}
	return all
}

// forgeries change the certificate of a way so that it says more, or leaves something out, and each part agrees with the rest as far
// as its forger could make it. Both checkers refuse each.
var forgeries = map[string]func(w anything){
	"another schema":               func(w anything) { w["schema"] = "roceplan/way/0" },
	"a field that there is not":    func(w anything) { w["certain"] = true },
	"a better verdict":             func(w anything) { w["verdict"] = "holds"; list(w, "pairs")[0]["verdict"] = "fails" },
	"a verdict that is none":       func(w anything) { w["verdict"] = "proved" },
	"another digest of the proofs": func(w anything) { w["proofs"].(anything)["sha256"] = strings.Repeat("0", 64) },
	"proofs from elsewhere":        func(w anything) { w["proofs"].(anything)["file"] = "../certificates.json" },
	"no pairs":                     func(w anything) { w["pairs"] = []any{} },
	"pairs of a link are dropped":  func(w anything) { w["pairs"] = w["pairs"].([]any)[1:] },
	"fewer pairs":                  func(w anything) { list(w, "pairs")[0]["pairs"] = 1 << 20 },
	"pairs twice":                  func(w anything) { w["pairs"] = append(w["pairs"].([]any), w["pairs"].([]any)[0]) },
	"a pair that fails without words": func(w anything) {
		list(w, "pairs")[0]["fails"] = []any{anything{"a": 0, "b": 0, "dscp": 26, "because": ""}}
	},
	"a link is down":                func(w anything) { list(w, "pairs")[0]["down"] = 1 },
	"the cable is longer":           func(w anything) { list(w, "links")[0]["cable"].([]any)[0] = 1 << 40 },
	"a cable for fewer steps":       func(w anything) { l := list(w, "links")[0]; l["cable"] = l["cable"].([]any)[1:] },
	"the cable is not there":        func(w anything) { list(w, "links")[0]["cable"].([]any)[0] = 0 },
	"the link ends nowhere":         func(w anything) { list(w, "links")[0]["a"] = []any{99, 0} },
	"a step without its code point": func(w anything) { list(w, "moments")[0]["lossless"] = []any{} },
	"a code point is silent, too": func(w anything) {
		m := list(w, "moments")[0]
		m["lossless"], m["silent"] = []any{}, m["lossless"]
	},
	"a code point that no host sends": func(w anything) { m := list(w, "moments")[0]; m["silent"] = []any{1} },
	"a code point twice": func(w anything) {
		m := list(w, "moments")[0]
		m["lossless"] = append(m["lossless"].([]any), m["lossless"].([]any)...)
	},
	"no code point is lossless": func(w anything) { w["before"], w["after"] = []any{}, []any{} },
	"frames are smaller":        func(w anything) { list(w, "moments")[0]["frame"] = 64 },
	"a step is left out":        func(w anything) { w["moments"] = w["moments"].([]any)[1:] },
	"a chain is left out":       func(w anything) { w["chains"] = w["chains"].([]any)[1:] },
	"a device twice": func(w anything) {
		c := list(w, "chains")[0]
		c["devices"] = append(c["devices"].([]any), c["devices"].([]any)[0])
	},
	"no device":                   func(w anything) { list(w, "chains")[0]["devices"] = []any{} },
	"the states are turned round": func(w anything) { slices.Reverse(list(w, "chains")[0]["states"].([]any)) },
	"a state less": func(w anything) {
		c := list(w, "chains")[0]
		c["states"] = c["states"].([]any)[1:]
	},
	"no state":                       func(w anything) { list(w, "chains")[0]["states"] = []any{} },
	"a state of no certificate":      func(w anything) { list(list(w, "chains")[0], "states")[0]["proof"] = "leaf-0" },
	"a state without a certificate":  func(w anything) { delete(list(list(w, "chains")[0], "states")[0], "proof") },
	"another state's certificate":    func(w anything) { s := list(list(w, "chains")[0], "states"); s[len(s)-1]["proof"] = s[0]["proof"] },
	"a state at a step that is none": func(w anything) { s := list(list(w, "chains")[0], "states"); s[len(s)-1]["step"] = 99 },
	"the first state is within a step": func(w anything) {
		list(list(w, "chains")[0], "states")[0]["phase"] = "01 half"
	},
	"a port without a view":    func(w anything) { k := list(list(w, "chains")[0], "ports")[0]; k["views"] = []any{0} },
	"a view that is none":      func(w anything) { list(list(w, "chains")[0], "ports")[0]["views"].([]any)[0] = 99 },
	"a port of another switch": func(w anything) { list(list(w, "chains")[0], "ports")[0]["names"].([]any)[0] = "Ethernet999" },
	"another speed":            func(w anything) { list(w, "views")[0]["speed"] = 1 },
	"a port pauses nothing":    func(w anything) { list(w, "views")[0]["pfc"] = 0 },
	"another priority group":   func(w anything) { list(w, "views")[0]["in"] = anything{"26": 2}; list(w, "views")[0]["lossless"] = 2 },
	"a queue that no pause stops": func(w anything) {
		for _, v := range list(w, "views") {
			v["queues"] = []any{9, 9, 9, 9, 9, 9, 9, 9}
		}
	},
	"a code point above 63": func(w anything) { list(w, "views")[0]["in"].(anything)["64"] = 8 },
	"a drain without a reason": func(w anything) {
		w["drained"] = []any{anything{"step": 1, "devices": []any{"leaf-1"}, "because": ""}}
	},
	"a drain in no step": func(w anything) {
		w["drained"] = []any{anything{"step": 99, "devices": []any{"leaf-1"}, "because": "it is"}}
	},
	"a NIC sends something else": func(w anything) {
		for _, c := range list(w, "chains") {
			if c["nic"] == true {
				list(c, "states")[0]["sends"] = []any{5}
			}
		}
	},
	"a NIC sends larger frames": func(w anything) {
		for _, c := range list(w, "chains") {
			if c["nic"] == true {
				list(c, "states")[0]["frame"] = 9000
			}
		}
	},
	"a switch is a NIC": func(w anything) { list(w, "chains")[0]["nic"] = true },
}

// Two programs that share no code agree on certificates of ways: those of the year's changes are right, and forgeries are refused, by
// both; of what is changed at random they say the same.
func TestCheckersOfTheWayAgree(t *testing.T) {
	folder := t.TempDir()
	checker := filepath.Join(folder, "way")
	build := exec.Command("go", "build", "-o", checker, "./way")
	build.Dir = "../checker"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	random := rand.New(rand.NewPCG(32, 2))
	refused, asked, moves := 0, 0, map[string]bool{}
	for i, y := range year.All(t) {
		for _, c := range append(y.Changes(t), priorityMoves(y)...) {
			if c.Name != "DSCP moves" && c.Name != "longer cables" && c.Name != "second lossless class" && c.Name != "priority moves" {
				continue
			}
			before, after := compiled(c.Before), compiled(c.After)
			if before == nil || after == nil {
				continue
			}
			r := proved(t, before, after, &diff.Compare(before, after).Rollout)
			proofs, err := r.Proofs.Marshal()
			must.Do(t, err)
			sum, name := sha256.Sum256(proofs), fmt.Sprintf("%d-%s.json", i, c.Name)
			r.Way.Proofs = way.Proofs{File: name, SHA256: hex.EncodeToString(sum[:])}
			text, err := r.Way.Marshal()
			must.Do(t, err)
			write(t, filepath.Join(folder, name), proofs)
			moves[y.System] = moves[y.System] || c.Name == "priority moves"
			asks := map[string][]byte{"as it is": text}
			for what, forge := range forgeries {
				if c.Name != "DSCP moves" {
					break
				}
				w := decoded(t, text)
				forge(w)
				asks[what] = encoded(t, w)
			}
			for n := range 20 {
				w := decoded(t, text)
				what := mutate(w, random, "")
				asks[fmt.Sprintf("random %d%s", n, what)] = encoded(t, w)
			}
			said := ask(t, checker, folder, asks)
			for _, what := range slices.Sorted(maps.Keys(asks)) {
				problems := rechecked(folder, asks[what], &r.Way.Proofs, r.Proofs)
				asked++
				if len(problems) > 0 {
					refused++
				}
				if (len(problems) > 0) != strings.HasPrefix(said[what], "refused") {
					t.Errorf("%s, %s, %s: one finds %v, the other says %q", y.System, c.Name, what, problems, said[what])
				}
				_, forged := forgeries[what]
				if (what == "as it is") == (len(problems) > 0) && (forged || what == "as it is") {
					t.Errorf("%s, %s, %s: %v", y.System, c.Name, what, problems)
				}
			}
		}
	}
	t.Logf("%d certificates: %d are refused by both, %d by neither", asked, refused, asked-refused)
	if !moves["openconfig"] || !moves["srlinux"] {
		t.Errorf("priorities move on %v", moves)
	}
	if refused < 200 {
		t.Errorf("%d are refused, and there should be 200 at least", refused)
	}
}

// priorityMoves is a change of a PFC priority, and of nothing else: OpenConfig's files do not hold it.
func priorityMoves(y year.Year) []year.Change {
	moved := regexp.MustCompile(`(?m)^( +pfc +=) [34]$`).ReplaceAllString(y.Text, "$1 5")
	return []year.Change{{Name: "priority moves", Before: y.Text, After: moved}}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, text, 0o666))
}

func decoded(t *testing.T, text []byte) (w anything) {
	t.Helper()
	must.Do(t, json.Unmarshal(text, &w))
	return w
}

func encoded(t *testing.T, w anything) []byte {
	t.Helper()
	text := must.Get(json.Marshal(w))(t)
	return text
}

// ask asks the other program about several certificates at once.
func ask(t *testing.T, checker, folder string, asks map[string][]byte) map[string]string {
	t.Helper()
	cmd, of := exec.Command(checker), map[string]string{}
	for _, what := range slices.Sorted(maps.Keys(asks)) {
		path := filepath.Join(folder, fmt.Sprintf("w%d.json", len(cmd.Args)))
		write(t, path, asks[what])
		cmd.Args, of[path] = append(cmd.Args, path), what
	}
	out, _ := cmd.CombinedOutput() // 1 is one that is refused
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		verdict, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		path, _, _ := strings.Cut(rest, ": ")
		if what, ok := of[path]; ok && (verdict == "right" || verdict == "refused") {
			said[what] = verdict
		} else if len(line) > 2 && line[:2] != "  " {
			t.Fatalf("%s", out)
		}
	}
	if len(said) != len(asks) {
		t.Fatalf("%d of %d are answered: %s", len(said), len(asks), out)
	}
	return said
}

// rechecked returns the findings of the program itself. The certificates of the states are read where a way
// has others than these.
func rechecked(folder string, text []byte, of *way.Proofs, known *verify.Certificates) []string {
	w, err := way.Parse(text)
	if err != nil {
		return []string{err.Error()}
	}
	proofs, wrong := known, error(nil)
	if w.Proofs != *of {
		proofs, wrong, err = w.Open(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) })
	}
	if err != nil {
		return []string{err.Error()}
	}
	errs := way.Recheck(w, proofs)
	if wrong != nil {
		errs = append(errs, wrong)
	}
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// mutate changes a value somewhere in a document, and says which.
func mutate(of any, random *rand.Rand, at string) string {
	switch v := of.(type) {
	case anything:
		keys := slices.Sorted(maps.Keys(v))
		key := keys[random.IntN(len(keys))]
		if changed, ok := scalar(v[key], random); ok {
			v[key] = changed
			return at + "/" + key
		}
		if random.IntN(8) == 0 {
			delete(v, key)
			return at + "/" + key + " is gone"
		}
		if l, ok := v[key].([]any); ok && (len(l) == 0 || random.IntN(4) == 0) {
			v[key] = append(l, 7.0)
			if len(l) > 0 {
				v[key] = slices.Delete(slices.Clone(l), 0, 1)
			}
			return at + "/" + key + " has another length"
		}
		if m, ok := v[key].(anything); ok && len(m) == 0 {
			m["3"] = 8.0
			return at + "/" + key + " has something"
		}
		return mutate(v[key], random, at+"/"+key)
	case []any:
		i := random.IntN(len(v))
		if changed, ok := scalar(v[i], random); ok {
			v[i] = changed
			return fmt.Sprintf("%s/%d", at, i)
		}
		if l, ok := v[i].([]any); ok && len(l) == 0 {
			v[i] = []any{7.0}
			return fmt.Sprintf("%s/%d", at, i)
		}
		return mutate(v[i], random, fmt.Sprintf("%s/%d", at, i))
	}
	return at
}

func scalar(v any, random *rand.Rand) (changed any, ok bool) {
	switch v := v.(type) {
	case float64:
		return []any{v + 1, v - 1, 0.0, 2 * v, 1e18, v + 8, -1.0}[random.IntN(7)], true
	case string:
		return []any{v + "x", "", string(proof.Holds.String()), "26"}[random.IntN(4)], true
	case bool:
		return !v, true
	}
	return nil, false
}
