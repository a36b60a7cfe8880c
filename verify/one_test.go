package verify

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// One port, one group, one cable is some: what counts from the first on is counted there.
func TestOneIsSome(t *testing.T) {
	o := trident3(t)
	o.Cables = Cables{{Switch: "leaf-1", Port: "Ethernet0"}: {Length: 5 * units.Metre}}
	if s := judge(t, o, Text("config_db.json", sample(t))).Switches[0]; !slices.Contains(s.Declared, "cables of 1 port") {
		t.Errorf("one cable: %q", s.Declared)
	}

	planned := &plan.Switch{Ports: []plan.Port{{Name: "a", Speed: 1, Cable: 1, MTU: 1, Gearbox: 1, Lanes: []int{7}}}}
	s := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{Name: "a"}}}}
	s.fromFabric(planned)
	if want := []string{"speeds of 1 port", "lengths of cables of 1 port", "largest frames of 1 port", "delays of gearboxes of 1 port", "serdes lanes of 1 port"}; !slices.Equal(s.Declared, want) {
		t.Errorf("one port of the fabric: %q", s.Declared)
	}

	lossless := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}}
	fast := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{Name: "e1", Speed: 800 * units.Gbps, QoS: lossless}}}, chip: &chips.Chip{}, shape: &Shape{Format: read.Format{Computed: "something"}}}
	if fast.respondAs400G(); len(fast.taken) != 1 || fast.taken[0].Where != "e1" {
		t.Errorf("one port at 800 Gb/s: %+v", fast.taken)
	}

	told := &Switch{Plan: &plan.Switch{Ports: []plan.Port{{Name: "a", Cable: 7}, {Name: "b", Cable: 9}}}}
	for n, want := range map[int]string{0: "map[a:3]", 1: "map[a:7 b:9]"} {
		v := &Verifier{Options: Options{Cables: Cables{}}}
		for i := range n {
			v.Cables[plan.LinkEnd{Switch: "s", Port: fmt.Sprint(i)}] = Cable{}
		}
		must.Equalf(t, fmt.Sprint(cablesAsNumbers(cablesOf(v, told, &plan.Switch{Ports: []plan.Port{{Name: "a", Cable: 3}}}))), want, "%d cables:", n)
	}
	if got := cablesOf(&Verifier{}, told, nil); len(got) != 0 {
		t.Errorf("nobody declares a cable: %v", got)
	}
}

func cablesAsNumbers(of map[string]units.Length) map[string]int64 {
	numbers := map[string]int64{}
	for port, length := range of {
		numbers[port] = int64(length)
	}
	return numbers
}

// A file leaves headroom to its device if it has a lossless group and gives none of them any.
func TestLeavesHeadroom(t *testing.T) {
	given := plan.Of(units.Bytes(0), &plan.Why{})
	for _, c := range []struct {
		pgs  []plan.PG
		want bool
	}{
		{nil, false}, {[]plan.PG{{}}, false}, {[]plan.PG{{Lossless: true}}, true}, {[]plan.PG{{Lossless: true, Headroom: given}}, false},
		{[]plan.PG{{Lossless: true}, {Lossless: true, Headroom: given}}, false}, {[]plan.PG{{Headroom: given}, {Lossless: true}}, true},
	} {
		sw := &plan.Switch{Ports: []plan.Port{{}, {QoS: &plan.PortQoS{PGs: c.pgs}}}}
		must.Equalf(t, LeavesHeadroom(sw), c.want, "%+v:", c.pgs)
	}
}

// Of several files of a device the one with a lossless group is compared at its links, else the first.
func TestSwitchOfADevice(t *testing.T) {
	of := func(groups int, names ...string) *Switch {
		return &Switch{Names: names, Plan: &plan.Switch{}, Coverage: Coverage{Groups: groups}}
	}
	a, b, c := of(0, "x", "y"), of(1, "x"), of(0, "x")
	find := byDevice([]*Switch{a, b, c})
	if find["x"] != b || find["y"] != a || find["z"] != nil {
		t.Errorf("x %p, y %p, z %v", find["x"], find["y"], find["z"])
	}
}

// A speed of the fabric is that of ports which say none, where the file that the fabric compiles to says
// none either.
func TestSpeedOfTheFabric(t *testing.T) {
	of := func(speeds ...units.BitRate) *plan.Switch {
		sw := &plan.Switch{}
		for i, speed := range speeds {
			sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprint("p", i), Speed: speed})
		}
		return sw
	}
	read := of(0, 0, 5)
	got := atSpeed(read, of(0, 1, 0), of(7, 8, 9))
	if a, b, c := got.Ports[0].Speed, got.Ports[1].Speed, got.Ports[2].Speed; a != 7 || b != 0 || c != 5 || read.Ports[0].Speed != 0 {
		t.Errorf("%d, %d, %d; what was read is %d", a, b, c, read.Ports[0].Speed)
	}
}

// A switch of one port with an error in its file is completed and judged as far as it goes; one of
// which no port could be read is not.
func TestOnePortWithAnError(t *testing.T) {
	o := trident3(t)
	for text, want := range map[string]string{
		`{"PORT": {"Ethernet0": {"speed": "100000", "lanes": "1,2,3,4", "mtu": "x"}}}`: "trident3",
		`{"PORT": 5}`: "",
	} {
		s := judge(t, o, Text("config_db.json", []byte(text))).Switches[0]
		if !s.Findings.HasErrors() || s.Chip != want || (len(s.Plan.Ports) == 1) != (want != "") {
			t.Errorf("%s: chip %q, want %q; %d ports, %v", text, s.Chip, want, len(s.Plan.Ports), s.Findings)
		}
	}
}

// Headroom that the device computes is not missed, and neither is what the reader has told already.
func TestRulesThatAreLeftOut(t *testing.T) {
	text := []byte(fanIn(2, 1, 66))
	s := judge(t, Options{}, Text("junos.conf", text)).Switches[0]
	if slices.Contains(codes(s.Findings), lint.HeadroomMissing) {
		t.Errorf("%v", s.Findings)
	}
	if found := lint.Switch(s.shape.Switch, s.chip); !slices.Contains(codes(found), lint.HeadroomMissing) {
		t.Errorf("the rule itself does not miss it: %v", codes(found))
	}
}
