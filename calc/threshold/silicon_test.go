package threshold

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

var update = flag.Bool("update", false, "write golden/silicon.txt instead of comparing with it")

// figure is one number that a hardware test expects, and what the model says.
type figure struct {
	row          row
	name         string
	theirs, ours int64
}

func (f figure) diff() int64 { return f.ours - f.theirs }

// explanation says why a figure is off by more than a packet. It never changes ours.
type explanation struct{ row, figure, why string }

var explanations = []explanation{
	{"th2 topo-any 50000M 300m", "headroom_pool.full_packets",
		"the row contradicts itself: its first drop lies 487 packets behind the first pause, which is xoff 101088 B = 486 cells and one, " +
			"but 682 cells are 141856 B, the xoff of another SKU (Arista-7260CX3-D96C16). We answer for the xoff that is given."},
	{"th2 topo-any 50000M 300m", "headroom_pool.last_pg_packets",
		"follows from the same: 13 PGs of 682 and one of 542 fill the 9408 cells of a slice's headroom pool; 14 PGs of 486 do not, so the last is full as well."},
	{"td3 topo-any 100000M 300m", "packets_to_first_pause",
		"28 lossless ports are inferred; no whole number fits better (29 give 59750). The same formula is exact for topo-t1-lag with 32 ports. The test's margin is 4."},
	{"td3 topo-any 100000M 300m", "packets_to_first_ingress_drop",
		"follows from the first pause: the distance between the two is exact."},
	{"j2c+ topo-any 400000M 2000m", "packets_from_pause_to_drop",
		"1445888 B / 112 B = 12909.7; the other five rows of the family are the floor of the same quotient. The test's margin is 100."},
	{"td3 topo-t1-lag 100000M 300m", "packets_to_first_ingress_drop",
		"its distance from the pause is 623, of other topologies with the same xoff of 625 cells 625 and 626. The test's margin is 4."},
}

func (f figure) explained() string {
	for _, e := range explanations {
		if e.row == f.row.describe() && e.figure == f.name {
			return e.why
		}
	}
	return ""
}

// figures answers a list and pairs every number of expect with its prediction.
func figures(t *testing.T, text []byte) []figure {
	t.Helper()
	answered, problems := Batch(text, own())
	for _, p := range problems {
		t.Error(p)
	}
	root := must.Get(parse(answered))(t)
	var all []figure
	d := &decoder{text: answered, catalogue: own()}
	for i := range root.items {
		r := d.row(&root.items[i], fmt.Sprintf("[%d]", i))
		for _, m := range root.items[i].members {
			if m.key == "predict" {
				all = append(all, pairs(t, r, "", r.expect, &m.value)...)
			}
		}
	}
	return all
}

// pairs walks expect and predict side by side; they must have the same keys in the same order.
func pairs(t *testing.T, r row, name string, expect, predict *node) []figure {
	t.Helper()
	if len(expect.members) != len(predict.members) || len(expect.items) != len(predict.items) {
		t.Fatalf("%s %s: expect %s, predict %s", r.describe(), name, expect.raw, predict.raw)
	}
	var all []figure
	for i, m := range expect.members {
		if p := predict.members[i]; p.key != m.key {
			t.Fatalf("%s: predict has %q where expect has %q", r.describe(), p.key, m.key)
		}
		if m.key != "pgs" {
			all = append(all, pairs(t, r, strings.TrimPrefix(name+"."+m.key, "."), &m.value, &predict.members[i].value)...)
		}
	}
	for i := range expect.items {
		all = append(all, pairs(t, r, fmt.Sprintf("%s[%d]", name, i), &expect.items[i], &predict.items[i])...)
	}
	if len(all) == 0 && !expect.isNull() && !expect.isObject() && !expect.isArray() {
		theirs, err1 := strconv.ParseInt(string(expect.raw), 10, 64)
		ours, err2 := strconv.ParseInt(string(predict.raw), 10, 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s %s: expect %s, predict %s", r.describe(), name, expect.raw, predict.raw)
		}
		all = append(all, figure{r, name, theirs, ours})
	}
	return all
}

// report lists every figure, then the sums, then what is off by more than a packet.
func report(title string, all []figure) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n%-44s %-40s %9s %9s %5s\n", title, "set-up", "figure", "ours", "theirs", "diff")
	for _, f := range all {
		fmt.Fprintf(&out, "%-44s %-40s %9d %9d %+5d\n", f.row.describe(), f.name, f.ours, f.theirs, f.diff())
	}
	fmt.Fprintf(&out, "\n%d figures: %d equal, %d within 1 packet, %d within 3, %d beyond\n\n",
		len(all), within(all, 0), within(all, 1), within(all, 3), len(all)-within(all, 3))
	for _, f := range all {
		if max(f.diff(), -f.diff()) > 1 {
			fmt.Fprintf(&out, "%s, %s: %+d\n    %s\n", f.row.describe(), f.name, f.diff(), f.explained())
		}
	}
	return out.String()
}

func within(all []figure, packets int64) int {
	n := 0
	for _, f := range all {
		if max(f.diff(), -f.diff()) <= packets {
			n++
		}
	}
	return n
}

// judge checks a list against the aim: 97 % within a packet, all within three, except for
// rows that contradict themselves; and every figure beyond one packet explained.
func judge(t *testing.T, all []figure) {
	t.Helper()
	if n := within(all, 1); n*100 < 97*len(all) {
		t.Errorf("%d of %d figures are within a packet, want at least 97 %%", n, len(all))
	}
	for _, f := range all {
		off := max(f.diff(), -f.diff())
		if off > 1 && f.explained() == "" {
			t.Errorf("%s %s: ours %d, theirs %d, and nothing explains it", f.row.describe(), f.name, f.ours, f.theirs)
		}
		if off > 3 && !(strings.HasPrefix(f.name, "headroom_pool.") && contradicts(all, f.row)) {
			t.Errorf("%s %s: ours %d, theirs %d", f.row.describe(), f.name, f.ours, f.theirs)
		}
	}
}

// contradicts reports whether a row's expected figures need two different xoffs: its first
// drop agrees with the xoff it gives, its headroom pool with another.
func contradicts(all []figure, r row) bool {
	xoff := int64(r.setup.cells(r.setup.Xoff))
	theirs := map[string]int64{}
	for _, f := range all {
		if f.row.node == r.node {
			theirs[f.name] = f.theirs
		}
	}
	distance := theirs["packets_to_first_ingress_drop"] - theirs["packets_to_first_pause"]
	return distance >= xoff && distance <= xoff+1 && theirs["headroom_pool.full_packets"] != xoff
}

func TestSilicon(t *testing.T) {
	measured := must.Get(os.ReadFile(oracle.Figures(t, "silicon_thresholds.json")))(t)
	fresh := must.Get(os.ReadFile("testdata/fresh.json"))(t)
	known, others := figures(t, measured), figures(t, fresh)
	judge(t, known)
	judge(t, others)
	for _, e := range explanations {
		used := false
		for _, f := range append(known, others...) {
			used = used || max(f.diff(), -f.diff()) > 1 && e.row == f.row.describe() && e.figure == f.name
		}
		if !used {
			t.Errorf("nothing needs the explanation of %s %s any more", e.row, e.figure)
		}
	}

	got := []byte(header + report("Set-ups that the rules were found with (silicon_thresholds.json)", known) +
		report("\nOther set-ups of the same chips (calc/threshold/testdata/fresh.json); those of th3, td4 and th6 were looked at when their rules were chosen", others))
	path := filepath.Join("..", "..", "golden", "silicon.txt")
	if *update {
		must.Do(t, os.WriteFile(path, got, 0o644))
		return
	}
	want := must.Get(os.ReadFile(path))(t)
	if !bytes.Equal(want, got) {
		t.Errorf("golden/silicon.txt differs (run with -update): %s", cmp.Diff(string(want), string(got)))
	}
}

// TestFresh needs no outside data: other topologies must come out as well.
func TestFresh(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/fresh.json"))(t)
	judge(t, figures(t, text))
}

const header = `What the buffer model predicts, checked against switches

Theirs are the packet counts of SONiC's hardware tests (sonic-mgmt tests/qos/files/qos_params.*.yaml), which hold
within a margin of 2 to 4 packets (Jericho: 100). Ours come from sending packets one by one to model/mmu, with the
configuration of that topology and the behaviour of the chip; no number belongs to a single row.
Written by: go test ./calc/threshold -run TestSilicon -update

`

// describe names a row in a report: chip, topology, speed and cable as far as given.
func (r row) describe() string {
	words := map[string]string{}
	for _, m := range r.node.members {
		words[m.key] = string(m.value.raw)
	}
	text := func(key string) string {
		if s, err := strconv.Unquote(words[key]); err == nil {
			return s
		}
		return words[key]
	}
	return fmt.Sprintf("%s %s %sM %sm", text("chip"), text("topology"), text("speed_mbps"), text("cable_m"))
}
