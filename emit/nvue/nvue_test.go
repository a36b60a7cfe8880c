package nvue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func given[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

func dynamic(a units.Alpha) plan.Derived[plan.Limit] {
	return given(plan.Limit{Dynamic: true, Alpha: a})
}

const cell = units.Bytes(192)

// leaf is a Spectrum-4 leaf as the formulas plan it: servers of 200G, uplinks of 400G.
func leaf() *plan.Switch {
	s := &plan.Switch{
		Names: []string{"leaf-1", "leaf-2"}, Chip: "spectrum4", OS: "cumulus", Cell: cell, MTU: given(units.Bytes(9216)), LoadBalancing: "adaptive",
		Classes: []plan.Class{
			{Name: "rest"}, {Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, Lossless: true}, {Name: "cnp", TrafficClass: 6, Queue: 6},
		},
		Pools: []plan.Pool{
			{Name: "egress_lossless_pool", Direction: plan.Egress, Dynamic: true, Size: given(824_112 * cell)},
			{Name: "egress_lossy_pool", Direction: plan.Egress, Dynamic: true, Size: given(226_242 * cell)},
			{Name: "ingress_lossless_pool", Dynamic: true, Size: given(754_140 * cell)},
		},
		Watchdog: &plan.Watchdog{Detection: given(200 * units.Millisecond), Restoration: given(200 * units.Millisecond), Poll: given(100 * units.Millisecond), Action: plan.WatchdogDrop},
	}
	s.Maps.DSCPToTC[26], s.Maps.DSCPToTC[48] = 3, 6
	s.Maps.TCToQueue = [8]uint8{0, 0, 0, 3, 0, 0, 6, 0}
	s.Maps.TCToPG[3], s.Maps.PFCToQueue[3], s.Maps.PFCToPG[3] = 3, 3, 3
	for i, group := range []string{"servers", "uplinks"} {
		none, all := given(plan.Limit{Static: plan.NoLimit}), dynamic(7)
		q := &plan.PortQoS{
			PFC: 1 << 3, Watchdog: true,
			PGs: []plan.PG{
				{ID: 0, Pool: "ingress_lossless_pool", Limit: none},
				{ID: 3, Pool: "ingress_lossless_pool", Limit: dynamic(-1), Lossless: true, Reserved: given(units.Bytes(374+182*i) * cell), XOn: given(102 * cell), Headroom: given(units.Bytes(272+182*i) * cell)},
			},
			Queues: []plan.Queue{
				{ID: 0, Pool: "egress_lossy_pool", Limit: dynamic(0), Scheduler: plan.Scheduler{Weight: given(int64(30))}},
				{ID: 3, Pool: "egress_lossless_pool", Limit: all, Scheduler: plan.Scheduler{Weight: given(int64(70))}, ECN: &plan.ECN{KMin: given(units.Bytes(1302+1302*i) * cell), KMax: given(units.Bytes(5208+5208*i) * cell), PMax: given(34 * units.Percent)}},
				{ID: 6, Pool: "egress_lossy_pool", Limit: dynamic(0), Scheduler: plan.Scheduler{Strict: true, MaxRate: given(2 * units.Gbps)}},
			},
			Pools: []plan.PortPool{{Pool: "egress_lossless_pool", Limit: all}, {Pool: "egress_lossy_pool", Reserved: given(48 * cell), Limit: all}, {Pool: "ingress_lossless_pool", Limit: all}},
		}
		for p := range 2 {
			s.Ports = append(s.Ports, plan.Port{Name: fmt.Sprintf("swp%d", 2*i+p+1), Group: group, QoS: q, MTU: 9216, Speed: units.BitRate(200+200*i) * units.Gbps, Cable: units.Length(5+35*i) * units.Metre})
		}
	}
	return s
}

// staticLeaf has bytes for thresholds, in every pool.
func staticLeaf() *plan.Switch {
	s := leaf()
	for i := range 2 {
		q := s.Ports[2*i].QoS
		for j := range q.PGs {
			q.PGs[j].Limit = given(plan.Limit{Static: 20_000 * cell})
		}
		for j := range q.Queues {
			q.Queues[j].Limit = given(plan.Limit{Static: 30_000 * cell})
		}
		for j := range q.Pools {
			q.Pools[j].Limit = given(plan.Limit{Static: plan.NoLimit})
		}
	}
	return s
}

// A pool in which all is bounded by bytes is static; the bytes are those of the plan, and
// what nothing bounds may take the largest pool, 824,112 cells of 192 B.
func TestStaticThresholds(t *testing.T) {
	said := saidByYAML(t, yamlOf(t, staticLeaf()))
	const of = " qos advance-buffer-config default-global "
	for _, want := range []string{
		"ingress-service-pool 1 mode static", "egress-service-pool 0 mode static", "egress-service-pool 1 mode static",
		"ingress-lossless-buffer shared-bytes 3840000", "egress-lossless-buffer shared-bytes 5760000",
		"egress-lossy-buffer traffic-class 0 shared-bytes 5760000", "egress-service-pool 0 shared-bytes 158229504",
	} {
		if !said[of+want] && !said[strings.Replace(of+want, "ingress-service-pool 1", "ingress-service-pool 0", 1)] {
			t.Errorf("it does not say %q", want)
		}
	}
	for line := range said {
		if strings.Contains(line, "shared-alpha") {
			t.Errorf("a static pool has an alpha: %s", line)
		}
	}
}

// A pool of less than 1 % would be one of 0 %, which shares nothing. 1 % of the 824,112 cells of 192 B
// that the chip has, 158,229,504 B, is 1,582,295.04 B.
func TestPoolOfLessThanOnePercent(t *testing.T) {
	for size, fits := range map[units.Bytes]bool{0: false, 1: false, 1_582_295: false, 1_582_296: true, 3_164_590: true} {
		s := leaf()
		s.Pools[1].Size = given(size)
		files, list := Emit(s)
		refused := slices.IndexFunc(list, func(d diag.Diagnostic) bool { return d.Code == PoolTooSmall })
		if fits != (refused < 0) || fits != (len(files) > 0) {
			t.Errorf("%v: %d files, %v", size, len(files), list)
			continue
		}
		if fits {
			if said := saidByYAML(t, string(files[0].Body.AppendFor(nil, "leaf-1"))); !said[" qos advance-buffer-config default-global egress-service-pool 0 memory-percent 1"] {
				t.Errorf("%v is not 1 %%", size)
			}
		} else if d := list[refused]; d.Severity != diag.Error || !strings.Contains(d.Message, fmt.Sprintf("egress_lossy_pool has %v of 158229504B", size)) || !strings.Contains(d.Fix, "1582296B") {
			t.Errorf("%v: %v, fix %q", size, d, d.Fix)
		}
	}
}

// Left to the switch, headroom is what the file says nothing of, and that is told for each
// kind of port with what the plan has: 102 cells and 272, or 454, of 192 B.
func TestHeadroomByCableLength(t *testing.T) {
	files, list := EmitCableLength(leaf())
	for line := range saidByYAML(t, string(files[0].Body.AppendFor(nil, "leaf-1"))) {
		for _, left := range []string{"port-buffer", "xoff-threshold", "xon-threshold"} {
			if strings.Contains(line, left) {
				t.Errorf("the switch is told headroom: %s", line)
			}
		}
	}
	var told []string
	for _, d := range list {
		if d.Code == HeadroomLeft {
			told = append(told, d.Message)
		}
	}
	if len(told) != 2 || !strings.Contains(told[0], "threshold of 19584B and 52224B of headroom") || !strings.Contains(told[1], "threshold of 19584B and 87168B of headroom") {
		t.Errorf("told: %q", told)
	}
}

// roceSwitch has the numbers of RoCE mode, as Cumulus Linux 5.14 documents them.
func roceSwitch() *plan.Switch {
	s := leaf()
	s.Ports = s.Ports[:2]
	for d := range s.Maps.DSCPToTC {
		s.Maps.DSCPToTC[d] = uint8(d / 8)
	}
	curve := func() *plan.ECN {
		return &plan.ECN{KMin: given(roceMin.FloorTo(cell)), KMax: given(roceMax.FloorTo(cell)), PMax: given(units.One)}
	}
	q := s.Ports[0].QoS
	q.PGs[1].Limit = dynamic(0)
	q.Queues[0].Scheduler.Weight, q.Queues[0].ECN = given(int64(50)), curve()
	q.Queues[1].Scheduler.Weight, q.Queues[1].ECN = given(int64(50)), curve()
	q.Queues[2].Scheduler.MaxRate = plan.Derived[units.BitRate]{}
	return s
}

func yamlOf(t testing.TB, s *plan.Switch) string     { return text(t, s, Emit) }
func commandsOf(t testing.TB, s *plan.Switch) string { return text(t, s, EmitCommands) }

func TestConfigurations(t *testing.T) {
	diagtest.Golden(t, "testdata/leaf.yaml", yamlOf(t, leaf()))
	diagtest.Golden(t, "testdata/leaf.sh", commandsOf(t, leaf()))
	diagtest.Golden(t, "testdata/roce.sh", commandsOf(t, roceSwitch()))
	// What differs a little from RoCE mode is said after it, what differs more is manual.
	s := roceSwitch()
	s.Ports[0].QoS.PGs[1].Limit, s.Ports[0].Cable, s.Ports[1].Cable = dynamic(1), 100*units.Metre, 100*units.Metre
	diagtest.Golden(t, "testdata/roce-alpha.sh", commandsOf(t, s))
	s.Ports[0].QoS.Queues[1].ECN.KMin.Value += 2 * cell
	if got := commandsOf(t, s); strings.Contains(got, "roce") {
		t.Errorf("RoCE mode with another Kmin:\n%s", got)
	}
}

// What becomes of plans that Cumulus Linux cannot hold as they are.
func TestFindings(t *testing.T) {
	qos := func(s *plan.Switch) *plan.PortQoS { return s.Ports[0].QoS }
	write := Emit
	diagtest.Golden(t, "testdata/findings.txt", plantest.Findings(t, leaf, func(s *plan.Switch) ([]emit.File, diag.List) { return write(s) }, []plantest.Fault[plan.Switch]{
		{"as it is", func(*plan.Switch) {}},
		{"RoCE mode", func(s *plan.Switch) { *s = *roceSwitch() }},
		{"another chip", func(s *plan.Switch) { s.Chip = "tomahawk5" }},
		{"names", func(s *plan.Switch) {
			s.Names[0], s.Ports[0].Name, s.Ports[2].Group = "leaf 1", "Ethernet0", "up links"
		}},
		{"two numbers for one class", func(s *plan.Switch) { s.Classes[1].TrafficClass, s.Maps.PFCToQueue[3] = 4, 4 }},
		{"two lossless classes", second(0)},
		{"alphas that differ", func(s *plan.Switch) { qos(s).PGs[1].Limit = dynamic(0) }},
		{"bounds of ports that differ", func(s *plan.Switch) { qos(s).Pools[1].Reserved.Value = 0 }},
		{"a pool of less than 1 %", func(s *plan.Switch) { s.Pools[1].Size = given(units.Bytes(1_000_000)) }},
		{"a tiny alpha", func(s *plan.Switch) {
			for _, p := range s.Ports {
				p.QoS.PGs[1].Limit = dynamic(-8)
			}
		}},
		{"a static limit among dynamic ones", func(s *plan.Switch) {
			for _, p := range s.Ports {
				p.QoS.Queues[0].Limit = given(plan.Limit{Static: 1000 * cell})
			}
		}},
		{"a headroom pool", func(s *plan.Switch) { s.Pools[2].Headroom = given(1000 * cell) }},
		{"weights", func(s *plan.Switch) { qos(s).Queues[0].Scheduler.Weight.Value = 80 }},
		{"rounding", func(s *plan.Switch) {
			qos(s).Queues[1].ECN.PMax.Value = units.Percent / 2
			qos(s).Queues[2].Scheduler.MaxRate.Value = 1500
			s.Ports[0].Cable = 1500
			s.Watchdog.Detection.Value = 250 * units.Millisecond
			s.Pools[1].Size.Value -= cell
		}},
		{"forwarding in spite of pauses", func(s *plan.Switch) { s.Watchdog.Action = plan.WatchdogForward }},
		{"polls too often", func(s *plan.Switch) { s.Watchdog.Poll.Value = 500 * units.Microsecond }},
		{"polls in between", func(s *plan.Switch) { s.Watchdog.Poll.Value = 10*units.Millisecond + 500*units.Microsecond }},
		{"untrusted senders", func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 26, TC: 3}, {DSCP: 48, TC: 6}}}
			qos(s).Trust = plan.TrustNone
		}},
		{"two code points for one class", func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 26, TC: 3}, {DSCP: 27, TC: 3}}}
			qos(s).Trust = plan.TrustNone
		}},
		{"SONiC's own calculator", func(s *plan.Switch) { s.BufferModel = plan.DynamicModel }},
		{"spraying", func(s *plan.Switch) { s.LoadBalancing = "spray" }},
		{"trimming", plantest.Trimming},
		{"what is sent back, and a port that classifies by itself", plantest.SentBack},
		{"adaptive routing of 800G", func(s *plan.Switch) { s.Ports[2].Speed = 800 * units.Gbps }},
		{"adaptive routing of Spectrum-2", func(s *plan.Switch) { s.Chip = "spectrum2" }},
		{"a frame that is too large", func(s *plan.Switch) { s.Ports[0].MTU = 10000 }},
		{"headroom left to the switch", func(*plan.Switch) { write = EmitCableLength }},
	}))
}

// A tester is a test or a check of a property.
type tester interface {
	Errorf(string, ...any)
	Fatal(...any)
	Fatalf(string, ...any)
}

// saidByYAML reads the YAML with a library and lists what it says, one leaf each, as a
// command would.
func saidByYAML(t tester, text string) map[string]bool {
	var doc []struct {
		Set map[string]any `yaml:"set"`
	}
	if err := yaml.Load([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc) != 1 {
		t.Fatalf("%d operations, want one", len(doc))
	}
	said := make(map[string]bool)
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if len(v) == 0 {
				said[prefix] = true
			}
			for key, kid := range v {
				walk(prefix+" "+key, kid)
			}
		case string, int, bool:
			said[fmt.Sprintf("%s %v", prefix, v)] = true
		default:
			t.Fatalf("%s is a %T", prefix, v)
		}
	}
	walk("", doc[0].Set)
	return said
}

var (
	swpRange = regexp.MustCompile(`^swp(\d+)-(\d+)$`)
	lists    = []string{"interface", "dscp", "switch-priority", "traffic-class"}
)

// saidByCommands takes the commands apart: a list stands for each of its members.
func saidByCommands(text string) map[string]bool {
	said := make(map[string]bool)
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "nv" || words[1] != "set" {
			continue
		}
		paths := []string{""}
		for i, word := range words[2:] {
			members := []string{word}
			if slices.Contains(lists, words[i+1]) {
				members = expand(word)
			}
			var longer []string
			for _, path := range paths {
				for _, m := range members {
					longer = append(longer, path+" "+m)
				}
			}
			paths = longer
		}
		for _, path := range paths {
			said[path] = true
		}
	}
	return said
}

func expand(word string) (members []string) {
	for _, part := range strings.Split(word, ",") {
		m := swpRange.FindStringSubmatch(part)
		if m == nil {
			members = append(members, part)
			continue
		}
		first, _ := strconv.Atoi(m[1])
		last, _ := strconv.Atoi(m[2])
		for n := first; n <= last; n++ {
			members = append(members, fmt.Sprint("swp", n))
		}
	}
	return members
}

// anySwitch draws one that Cumulus Linux might or might not be able to hold.
func anySwitch(t *rapid.T) *plan.Switch {
	s := anyplan.Switch(t, anyplan.Want{
		Chip: rapid.SampledFrom([]string{"spectrum2", "spectrum4", "spectrum5"}).Draw(t, "chip"), OS: "cumulus", Cell: cell,
		PortName: func(i int) string {
			return rapid.SampledFrom([]string{"swp%d", "swp%ds0"}).Draw(t, "port")[:3] + fmt.Sprint(i+1)
		},
		OneNumber: true, OneBuffer: true, Dynamic: true, MinAlpha: -7, MaxAlpha: 6, Unbounded: true,
		LoadBalancing: []string{"", "ecmp", "adaptive", "spray"}, Actions: []plan.WatchdogAction{plan.WatchdogDrop},
	})
	for _, p := range s.Ports {
		p.QoS.PFC &= -p.QoS.PFC // one lossless class at most
	}
	return s
}

// acceptedSwitch is one that Cumulus Linux can be told, as about one in five can.
func acceptedSwitch(t *rapid.T) *plan.Switch {
	for range 60 {
		s := anySwitch(t)
		if told, _ := compose(s); told != nil {
			return s
		}
	}
	t.Skip("60 switches were refused")
	return nil
}

// Both forms say the same, leaf by leaf, and nothing is said twice with two values.
func TestCommandsAndYAMLSayTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := acceptedSwitch(t)
		files, _ := Emit(s)
		script, _ := EmitCommands(s)
		compareForms(t, string(files[0].Body.AppendFor(nil, "x")), string(script[0].Body.AppendFor(nil, "x")))
	})
	compareForms(t, yamlOf(t, leaf()), commandsOf(t, leaf()))
}

func compareForms(t tester, yamlText, commands string) {
	want, got := saidByYAML(t, yamlText), saidByCommands(commands)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("the YAML and the commands differ (-yaml +commands):\n%s", diff)
	}
}
