package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// The files of every example get the verdict that they get without the fabric, group by group
// and inequality by inequality, once the caller declares what the fabric declares. What that
// is, the report lists.
func TestSameBytesSameVerdict(t *testing.T) {
	examples, err := filepath.Glob("../examples/*/fabric.hcl")
	if err != nil || len(examples) < 5 {
		t.Fatalf("%d examples: %v", len(examples), err)
	}
	compared, formats := 0, map[string]bool{}
	for _, path := range examples {
		example := filepath.Base(filepath.Dir(path))
		p, catalogue := planOf(t, example)
		for _, sw := range p.Switches {
			sw.PausedPGs = 0 // what no caller can declare: how many groups are paused at once
			for _, name := range sw.Names[:1] {
				files := must.Get(filepath.Glob(filepath.Join("../golden", example, name, "*")))(t)
				for _, file := range files {
					if compareVerdicts(t, p, catalogue, sw, name, file) {
						compared++
						formats[filepath.Base(file)] = true
					}
				}
			}
		}
	}
	for _, file := range []string{"config_db.json", "eos.cfg", "nvue.yaml", "junos.conf", "srlinux.json"} {
		if !formats[file] {
			t.Errorf("no %s is compared", file)
		}
	}
	if compared < 10 {
		t.Errorf("%d files compared, too few to mean anything", compared)
	}
}

// compareVerdicts reports whether the file is one that a verdict can rest on.
func compareVerdicts(t *testing.T, p *plan.Plan, catalogue *chips.Catalogue, sw *plan.Switch, name, path string) bool {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	all := Formats()
	format := recognize(all, text).format
	if format.Name == "" || format.Silent != "" || !slices.Contains(usualNames(all), filepath.Base(path)) {
		return false
	}
	file := Text(name+"/"+filepath.Base(path), text)
	with := judge(t, Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p}}, file).Switches[0]
	alone := judge(t, declaredBy(t, catalogue, sw, name), file).Switches[0]
	must.NoDiffIn(t, cmp.Diff(outcome(with), outcome(alone)), "%s (-with the fabric +without):", path)
	if part := "chip " + sw.Chip; !slices.Contains(with.Declared, part) {
		t.Errorf("%s: %q is not listed as declared: %v", path, part, with.Declared)
	}
	if a := sw.Ports[0].Assumed; a != nil && a.Declared && !strings.Contains(strings.Join(with.Declared, "\n"), a.Response.Value.String()) {
		t.Errorf("%s: the response of peers is not listed: %v", path, with.Declared)
	}
	return true
}

// declaredBy returns the facts that a fabric declares of a switch, as a caller without it would.
func declaredBy(t *testing.T, catalogue *chips.Catalogue, sw *plan.Switch, name string) Options {
	t.Helper()
	o := Options{Catalogue: catalogue, Cables: Cables{}, Peers: Peers{Of: map[plan.LinkEnd]*plan.Assumed{}}}
	o.Chip, _ = catalogue.Find(sw.Chip)
	for i := range sw.Ports {
		port := &sw.Ports[i]
		end := plan.LinkEnd{Switch: name, Port: port.Name}
		o.Cables[end] = Cable{Length: port.Cable, Speed: port.Speed}
		o.Peers.Of[end] = port.Assumed
	}
	return o
}

// outcome returns the verdicts about losslessness, without the names that a fabric gives ports.
func outcome(s *Switch) (lines []string) {
	lines = append(lines, s.Verdict.String())
	for _, g := range s.Groups {
		lines = append(lines, fmt.Sprintf("%v PG %d: %v", g.Ports, g.PG, g.Verdict))
	}
	for _, o := range s.Obligations {
		if !o.Lossless {
			continue
		}
		var conditions []string
		for _, c := range o.Conditions {
			conditions = append(conditions, fmt.Sprintf("%s up to %d of %d", c.ID, c.Bound, c.Worst))
		}
		lines = append(lines, fmt.Sprintf("%s %v: %d ≤ %d %v", o.ID, o.Verdict, o.Left.Value, o.Right.Value, conditions))
	}
	slices.Sort(lines)
	return lines
}
