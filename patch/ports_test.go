package patch_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// fileOf is a file of a patch by its path.
func fileOf(t *testing.T, p *patch.Patch, path string) string {
	t.Helper()
	for _, f := range p.Files() {
		if f.Path == path {
			return string(f.Text)
		}
	}
	t.Fatalf("there is no file %s", path)
	return ""
}

func titles(p *patch.Patch) (all []string) {
	for _, step := range p.Steps {
		all = append(all, step.Title)
	}
	return all
}

// A port that is new is made before it gets QoS, and no patch touches its row of PORT: a
// patch that adds the row would take the lanes off a port that is there.
func TestPortIsMade(t *testing.T) {
	from, to := withLanes(), withLanes()
	port := to.Ports[0]
	port.Name, port.Lanes, port.Alias = "Ethernet64", []int{65, 66, 67, 68}, "hundredGigE1/17"
	to.Ports = append(slices.Clone(to.Ports), port)
	to.Release = "202505"
	p, found := changed(t, from, to)
	if p == nil || found.HasErrors() {
		t.Fatal(found)
	}
	if p.Steps[0].Title != "make ports" {
		t.Fatalf("the steps are %q", titles(p))
	}
	for _, op := range p.Operations() {
		if strings.HasPrefix(op.Path, "/PORT/") {
			t.Errorf("%s %s", op.Op, op.Path)
		}
	}
	made := p.StepFile(0)
	if text := fileOf(t, p, made); !strings.Contains(text, "runs Ethernet64 65,66,67,68 || runs Ethernet64 '' || stop Ethernet64 65,66,67,68\n") {
		t.Errorf("%s", text)
	}
	if text := fileOf(t, p, "load/01-make-ports.json"); !strings.Contains(text, `"lanes": "65,66,67,68"`) || !strings.Contains(text, `"alias": "hundredGigE1/17"`) {
		t.Errorf("%s", text)
	}
	if want := p.Target["BUFFER_PG"]["Ethernet64|5"]; want == nil {
		t.Errorf("the port has no headroom: %v", p.Target["BUFFER_PG"])
	}
}

// A cage that is used otherwise: its ports have no QoS before SONiC's command takes it apart,
// and all other ports keep what they have.
func TestCageIsBrokenOut(t *testing.T) {
	from, to := withLanes(), withLanes()
	whole := from.Ports[0]
	whole.Name, whole.Lanes, whole.Cage = "Ethernet64", []int{65, 66, 67, 68}, plan.Cage{Port: "Ethernet64", Mode: "1x100G"}
	from.Ports = append(slices.Clone(from.Ports), whole)
	for i := range 2 {
		half := whole
		half.Name, half.Lanes, half.Cage = []string{"Ethernet64", "Ethernet66"}[i], whole.Lanes[2*i:2*i+2], plan.Cage{Port: "Ethernet64", Mode: "2x50G", Subport: i + 1}
		to.Ports = append(to.Ports, half)
	}
	p, found := changed(t, from, to)
	if p == nil || found.HasErrors() {
		t.Fatal(found)
	}
	made := slices.Index(titles(p), "make ports")
	if made < 1 {
		t.Fatalf("the steps are %q", titles(p))
	}
	for i, step := range p.Steps {
		for _, op := range step.Operations {
			if i < made && op.Op != "remove" || !strings.Contains(op.Path, "Ethernet64") && !strings.Contains(op.Path, "Ethernet66") {
				t.Errorf("%s %s of %q", op.Op, op.Path, step.Title)
			}
		}
	}
	for file, want := range map[string]string{
		p.StepFile(made):           "runs Ethernet64 65,66 || config interface breakout Ethernet64 2x50G -y\nruns Ethernet66 67,68 || config interface breakout Ethernet64 2x50G -y\n",
		"undo/" + p.StepFile(made): "\nconfig interface breakout Ethernet64 1x100G -y\n",
	} {
		if text := fileOf(t, p, file); !strings.Contains(text, want) {
			t.Errorf("%s: %s", file, text)
		}
	}
}

// A port that goes has no QoS any more, and is there all the same.
func TestPortGoes(t *testing.T) {
	from, to := withLanes(), withLanes()
	port := from.Ports[0]
	port.Name, port.Lanes = "Ethernet64", []int{65}
	from.Ports = append(slices.Clone(from.Ports), port)
	p, found := changed(t, from, to)
	if p == nil || found.HasErrors() {
		t.Fatal(found)
	}
	if p.Target["BUFFER_PG"]["Ethernet64|5"] != nil || p.Target["PORT"]["Ethernet64"] == nil {
		t.Errorf("it ends with %v", p.Target["PORT"])
	}
}

// A port becomes faster after all else, and slower before it.
func TestSpeedOfAPort(t *testing.T) {
	slow, fast := withLanes(), withLanes()
	fast.Ports = slices.Clone(fast.Ports)
	fast.Ports[0].Speed *= 2
	for _, c := range []struct {
		from, to *plan.Switch
		step     int
	}{{slow, fast, -1}, {fast, slow, 0}} {
		p, found := changed(t, c.from, c.to)
		if p == nil || len(p.Steps) == 0 {
			t.Fatal(found)
		}
		at := (c.step + len(p.Steps)) % len(p.Steps)
		want := patch.Operation{Op: "replace", Path: "/PORT/" + c.to.Ports[0].Name + "/speed", Value: patch.Value{Text: mbps(c.to.Ports[0].Speed)}}
		must.NoDiffIn(t, cmp.Diff([]patch.Operation{want}, p.Steps[at].Operations), "%s:", p.Steps[at].Title)
	}
}

func textOf(t *testing.T, db patch.DB) []byte {
	t.Helper()
	text := must.Get(json.Marshal(db))(t)
	return text
}

func mbps(speed units.BitRate) string { return strings.TrimSuffix(speed.String(), "Gbps") + "000" }

// A profile that no port uses and that the updater does not remove is left and told: the way stays
// one of patches. A pool is no such row, since it holds memory.
func TestUnusedIsLeft(t *testing.T) {
	sw := withLanes()
	sw.Release, sw.Chip = "202505", "trident3"
	p, _ := patch.Make(sw, "tor-1", running(t, full(t, sw)), nil)
	from := maps.Clone(p.Target)
	from["BUFFER_PROFILE"] = maps.Clone(from["BUFFER_PROFILE"])
	from["BUFFER_PROFILE"]["pg_lossless_100000_5m_profile"] = maps.Clone(from["BUFFER_PROFILE"][slices.Min(slices.Collect(maps.Keys(from["BUFFER_PROFILE"])))])
	p, found := patch.Make(sw, "tor-1", running(t, textOf(t, from)), nil)
	if p == nil || len(p.Steps) != 0 || p.Target["BUFFER_PROFILE"]["pg_lossless_100000_5m_profile"] == nil {
		t.Fatalf("%v", found)
	}
	if i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == patch.Left }); i < 0 || !strings.Contains(found[i].Message, "BUFFER_PROFILE|pg_lossless_100000_5m_profile") {
		t.Errorf("%v", found)
	}
	sw.Release = "202511" // from here on rows of profiles come and go
	if p, _ := patch.Make(sw, "tor-1", running(t, textOf(t, from)), nil); p == nil || len(p.Operations()) != 1 || p.Operations()[0].Op != "remove" {
		t.Error("it is left where it could be removed")
	}
}

// What the updater refuses and ecnconfig and mmuconfig set, they set; config load does the rest.
func TestPastTheUpdater(t *testing.T) {
	text := func(s string) patch.Value { return patch.Value{Text: s} }
	ops := []patch.Operation{
		{Op: "replace", Path: "/WRED_PROFILE/ECN_1/green_max_threshold", Value: text("2000")},
		{Op: "replace", Path: "/WRED_PROFILE/ECN_1/green_min_threshold", Value: text("1000")},
		{Op: "replace", Path: "/BUFFER_PROFILE/lossy/dynamic_th", Value: text("-3")},
		{Op: "add", Path: "/BUFFER_PROFILE/lossy/static_th", Value: text("7")},
		{Op: "replace", Path: "/BUFFER_POOL/p/size", Value: text("9")},
		{Op: "remove", Path: "/BUFFER_PROFILE/it's"},
		{Op: "remove", Path: "/BUFFER_PROFILE/lossy/xoff"},
		{Op: "remove", Path: "/PFC_WD/Ethernet0"},
		{Op: "remove", Path: "/BUFFER_PROFILE/lossy/size"},
		{Op: "remove", Path: "/BUFFER_PROFILE/other/xoff"},
	}
	p := &patch.Patch{Steps: []patch.Step{{Title: "a", Past: true, Operations: ops}}}
	got := fileOf(t, p, "01-a.sh")
	_, got, _ = strings.Cut(got, "set -eu\n")
	want := "ecnconfig -p ECN_1 -gmax 2000\necnconfig -p ECN_1 -gmin 1000\nmmuconfig -p lossy -a -3\nconfig load -y load/01-a.json\n" +
		"sonic-db-cli CONFIG_DB DEL 'BUFFER_PROFILE|it'\\''s' 'PFC_WD|Ethernet0'\nsonic-db-cli CONFIG_DB HDEL 'BUFFER_PROFILE|lossy' xoff size\nsonic-db-cli CONFIG_DB HDEL 'BUFFER_PROFILE|other' xoff\n"
	must.NoDiff(t, cmp.Diff(want, got))
	if got, want := fileOf(t, p, "load/01-a.json"), "{\n  \"BUFFER_POOL\": {\n    \"p\": {\n      \"size\": \"9\"\n    }\n  },\n  \"BUFFER_PROFILE\": {\n    \"lossy\": {\n      \"static_th\": \"7\"\n    }\n  }\n}\n"; got != want {
		t.Errorf("%s", got)
	}
}

// A port that is made has the row of PORT that compile gives it, the index 0 of the first port of a box too.
func TestMadePortHasItsWholeRow(t *testing.T) {
	from, to := withLanes(), withLanes()
	for _, sw := range []*plan.Switch{from, to} {
		for i := range sw.Ports {
			sw.Ports[i].Index, sw.Ports[i].Numbered = i+1, true
		}
	}
	port := to.Ports[0]
	port.Name, port.Lanes, port.Alias, port.Index, port.FEC, port.Peer = "Ethernet64", []int{65, 66, 67, 68}, "hundredGigE1/17", 0, "rs", "gpu"
	to.Ports = append(slices.Clone(to.Ports), port)
	p, found := changed(t, from, to)
	if p == nil || found.HasErrors() {
		t.Fatal(found)
	}
	whole := must.Sound(sonic.Emit(to))(t)
	rowOf := func(text string) (row map[string]any) {
		var db map[string]map[string]map[string]any
		must.Do(t, json.Unmarshal([]byte(text), &db))
		return db["PORT"]["Ethernet64"]
	}
	made := rowOf(fileOf(t, p, "load/01-make-ports.json"))
	if diff := cmp.Diff(rowOf(string(whole[0].Body.AppendFor(nil, "tor-1"))), made); diff != "" || made["index"] != "0" {
		t.Errorf("%s", diff)
	}
}
