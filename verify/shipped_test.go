package verify

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

// keepHeadroom are configurations whose groups resume above their threshold, by a fixed xon,
// and which were said to lose packets for that: what a group keeps counts when it is asked how
// many a pool holds.
var keepHeadroom = []string{
	"Arista-7050SX3-48C8", "Arista-7060CX-32S-D48C8", "Arista-7060CX-32S-Q24C8", "Arista-7060X6-16PE-384C-B-O128S2-FANOUT",
	"Arista-7060X6-16PE-384C-O128S2-FANOUT", "Arista-7060X6-64PE-O128", "DellEMC-Z9264f-C8D112", "DellEMC-Z9264f-Q64", "Force10-Z9100-C8D48",
}

// shippedFile is a configuration that ships with SONiC.
func shippedFile(t *testing.T, name string) File {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(oracle.Data(t, "shipped_sonic"), name)))(t)
	return Text(name, text)
}

// Of what ships, headroom pools that hold less than all groups need hold some of them: the
// verdict says how many, and no pool of them is said to lose packets.
func TestShippedPools(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(oracle.Data(t, "shipped_sonic"), "*.json"))
	if err != nil || len(names) < 97 {
		t.Fatalf("%d configurations: %v", len(names), err)
	}
	short := map[string]bool{}
	for _, name := range names {
		name = filepath.Base(name)
		file := shippedFile(t, name)
		r := judge(t, Options{}, file)
		for _, o := range r.Switches[0].Obligations {
			if o.ID != proof.HeadroomPool || o.Left.Value <= o.Right.Value {
				continue
			}
			short[name] = true
			i := slices.IndexFunc(o.Conditions, func(c proof.Condition) bool { return c.ID == proof.PausedGroups })
			if o.Verdict != proof.Conditional || i < 0 {
				t.Errorf("%s: %v", name, &o)
				continue
			}
			if least, most := heldAtOnce(t, file, r.Switches[0], &o); o.Conditions[i].Bound < least || o.Conditions[i].Bound > most {
				t.Errorf("%s, %s: the pool holds %d groups, want %d to %d", name, o.Where, o.Conditions[i].Bound, least, most)
			}
		}
	}
	for _, name := range keepHeadroom {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(short)), func(file string) bool { return strings.HasPrefix(file, name+"@") }) {
			t.Errorf("the pool of %s is not short", name)
		}
	}
}

// heldAtOnce counts how many groups a pool holds: at least, if each fills the xoff of its
// profile; at most, if each takes what comes in after one pause.
func heldAtOnce(t *testing.T, file File, s *Switch, o *proof.Obligation) (least, most int64) {
	t.Helper()
	text := must.Get(file.Read())(t)
	var db struct {
		PGs      map[string]struct{ Profile string } `json:"BUFFER_PG"`
		Profiles map[string]struct{ XOFF string }    `json:"BUFFER_PROFILE"`
	}
	must.Do(t, json.Unmarshal(text, &db))
	config, slice := s.Proof.Model.Config, 0
	for slice = range config.Slices {
		if strings.HasPrefix(o.Where, "slice "+strconv.Itoa(slice)+",") {
			break
		}
	}
	var whole, once []int64
	for key, pg := range db.PGs {
		port, ids, _ := strings.Cut(key, "|")
		i := slices.IndexFunc(s.Plan.Ports, func(p plan.Port) bool { return p.Name == port })
		xoff, _ := strconv.ParseInt(db.Profiles[pg.Profile].XOFF, 10, 64)
		if i < 0 || xoff == 0 || config.Ports[i].Slice != slice {
			continue
		}
		cells := (xoff + int64(config.CellBytes) - 1) / int64(config.CellBytes)
		for range 1 + strings.Count(ids, "-") { // "3-4" are two
			whole = append(whole, cells)
		}
	}
	value := map[string]int64{}
	for _, term := range o.Terms {
		value[term.Symbol] = term.Value
	}
	for i := 1; ; i++ {
		n, ok := value["n"+strconv.Itoa(i)]
		if !ok {
			break
		}
		once = append(once, slices.Repeat([]int64{value["N"+strconv.Itoa(i)] - 1}, int(n))...)
	}
	if len(whole) != len(once) {
		t.Errorf("%s: the file has %d groups of this pool, the proof %d", o.Where, len(whole), len(once))
	}
	return neediest(whole, o.Right.Value), neediest(once, o.Right.Value)
}

// neediest is how many of the largest fit.
func neediest(needs []int64, size int64) (n int64) {
	slices.Sort(needs)
	slices.Reverse(needs)
	for _, need := range needs {
		if size -= need; size < 0 {
			break
		}
		n++
	}
	return n
}

// So many groups as the verdict says lose nothing, and all of them do.
func TestShippedPoolHoldsAsMany(t *testing.T) {
	r := judge(t, Options{}, shippedFile(t, "Arista-7060CX-32S-Q24C8@x86_64-arista_7060_cx32s.json"))
	s := r.Switches[0]
	if s.Verdict != Conditional {
		t.Fatalf("%v: %v", s.Verdict, s.Because)
	}
	atOnce := 0
	for _, c := range s.Conditions {
		if c.ID == proof.PausedGroups && (atOnce == 0 || int(c.Bound) < atOnce) {
			atOnce = int(c.Bound)
		}
	}
	for _, tt := range []struct {
		groups int
		lost   string
	}{{atOnce, ""}, {0, mmu.DropHeadroomPool.String()}} {
		result := must.Get(adversary.Search(s.Proof.Model, adversary.Options{Seed: 1, Packets: 3_000_000, PausedPGs: tt.groups}))(t)
		lost := ""
		if result.Found != nil {
			lost = result.Found.Loss.Why
		}
		if lost != tt.lost {
			t.Errorf("%d groups at once (0 is all): %v, want %q", tt.groups, result, tt.lost)
		}
	}
}
