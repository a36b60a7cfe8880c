package verify

import (
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// What a Spectrum-4 in the dynamic model gives a group at 800 Gb/s. SONiC's calculator has, at 300 m
// and 5 m, xon 19,456 B, and xoff 476,160 B and 108,544 B; in cells of 192 B these are 102, 2480 and
// 566 cells. The reserve is both together, or xon alone where headroom is shared.
func TestComputedGroup(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	method := must.Get(headroom.For(chip, "spectrum"))(t)
	said := &plan.Why{Kind: plan.ReadBack}
	port := func(name string, cable units.Length, qos *plan.PortQoS) plan.Port {
		return plan.Port{Name: name, Speed: 800 * units.Gbps, Cable: cable * units.Metre, MTU: 9122, Lanes: []int{1, 2, 3, 4}, QoS: qos}
	}
	compute := func(given plan.Calculator, ports ...plan.Port) *calculation {
		c := &calculation{sw: &plan.Switch{Calculator: &given, Ports: ports}, method: method, cell: 192, of: map[portSort]*plan.PortQoS{}}
		for i := range ports {
			must.Do(t, c.port(&ports[i]))
		}
		return c
	}
	qos := &plan.PortQoS{PGs: []plan.PG{{ID: 0, Reserved: plan.Of(units.Bytes(7), said)}, {ID: 3, Lossless: true}, {ID: 4, Lossless: true, Override: true, Headroom: plan.Of(units.Bytes(5), said)}}}
	const small, near, far = 102 * 192, 566 * 192, 2480 * 192
	c := compute(plan.Calculator{}, port("far", 300, qos), port("near", 5, qos), port("near too", 5, qos))
	for i, xoff := range []units.Bytes{far, near, near} {
		pgs := c.sw.Ports[i].QoS.PGs
		if got := pgs[1]; got.Headroom.Value != xoff || got.XOn.Value != small || got.Reserved.Value != small+xoff || got.Headroom.Why == nil || got.XOn.Why == nil || got.Reserved.Why == nil {
			t.Errorf("%s: %v, %v, %v", c.sw.Ports[i].Name, got.Headroom.Value, got.XOn.Value, got.Reserved.Value)
		}
		if pgs[0].Reserved.Value != 7 || pgs[2].Headroom.Value != 5 || pgs[2].XOn.Why != nil {
			t.Errorf("%s: what the switch does not compute is %+v", c.sw.Ports[i].Name, pgs)
		}
	}
	if qos.PGs[1].Headroom.Why != nil || c.sw.Ports[0].QoS == c.sw.Ports[1].QoS || c.sw.Ports[1].QoS != c.sw.Ports[2].QoS {
		t.Error("ports that are alike have one profile, others each their own, and what was read stays")
	}
	shared := compute(plan.Calculator{Oversubscribe: plan.Of(int64(2), said)}, port("a", 300, qos)).sw.Ports[0].QoS.PGs[1]
	if shared.Reserved.Value != small || shared.Headroom.Value != 2470*192 { // 474,112 B, without 2 KiB for small packets
		t.Errorf("of shared headroom: %v, %v", shared.Reserved.Value, shared.Headroom.Value)
	}
	none := &plan.PortQoS{PGs: []plan.PG{{ID: 3}, {ID: 4, Lossless: true, Override: true}}}
	if got := compute(plan.Calculator{}, port("a", 300, none), port("b", 300, nil)).sw; got.Ports[0].QoS != none || got.Ports[1].QoS != nil {
		t.Error("a port of which nothing is computed does not stay as it is")
	}
	// Each figure that the file declares is the calculator's input.
	for name, c := range map[string]struct {
		given plan.Calculator
		lanes int
		mtu   units.Bytes
		in    func(*headroom.Input)
	}{
		"lossless MTU":     {plan.Calculator{LosslessFrame: plan.Of(units.Bytes(4096), said)}, 4, 9122, func(in *headroom.Input) { in.LosslessMTU = 4096 }},
		"small packets":    {plan.Calculator{SmallPackets: plan.Of(20*units.Percent, said)}, 4, 9122, func(in *headroom.Input) { in.SmallPackets = 20 * units.Percent }},
		"no small packets": {plan.Calculator{SmallPackets: plan.Of(units.Ratio(0), said)}, 4, 9122, func(in *headroom.Input) { in.SmallPackets = 0 }},
		"eight lanes":      {plan.Calculator{}, 8, 9122, func(in *headroom.Input) { in.Lanes = 8 }},
		"no lanes":         {plan.Calculator{}, 0, 9122, func(*headroom.Input) {}},
		"small frames":     {plan.Calculator{}, 4, 1522, func(in *headroom.Input) { in.PortMTU = 1500 }},
	} {
		p := port(name, 300, qos)
		p.MTU, p.Lanes = c.mtu, make([]int, c.lanes)
		got := compute(c.given, p).sw.Ports[0].QoS.PGs[1]
		in := headroom.Defaults()
		in.Speed, in.Cable = 800*units.Gbps, 300*units.Metre
		c.in(&in)
		want, err := method.Compute(in)
		if err != nil || got.Headroom.Value != want.XOff.CeilTo(192) || got.XOn.Value != want.XOn.CeilTo(192) {
			t.Errorf("%s: %v, %v; want %+v, %v", name, got.Headroom.Value, got.XOn.Value, want, err)
		}
	}
	// Frames of a port have 22 B around its MTU: to the byte, wherever that makes one cell more.
	for mtu := units.Bytes(1500); mtu < 1800; mtu++ {
		p := port("a", 300, qos)
		p.MTU = mtu + 22
		in := headroom.Defaults()
		in.Speed, in.Cable, in.PortMTU = 800*units.Gbps, 300*units.Metre, mtu
		want, err := method.Compute(in)
		if got := compute(plan.Calculator{}, p).sw.Ports[0].QoS.PGs[1]; err != nil || got.Headroom.Value != want.XOff.CeilTo(192) {
			t.Fatalf("an MTU of %v: %v; want %+v, %v", mtu, got.Headroom.Value, want, err)
		}
	}
}

// What of a file in the dynamic model the pools are computed from.
func TestComputedPools(t *testing.T) {
	size := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, &plan.Why{Kind: plan.ReadBack}) }
	pg := func(id uint8, name string, lossless bool, reserved units.Bytes) plan.PG {
		return plan.PG{ID: id, Pool: name, Lossless: lossless, Reserved: size(reserved), Headroom: size(reserved + 1), XOn: size(reserved + 2)}
	}
	a := &plan.PortQoS{
		PGs:    []plan.PG{pg(0, "in-lossy", false, 10), pg(3, "in", true, 1000)},
		Queues: []plan.Queue{{ID: 0, Pool: "out-lossy", Reserved: size(20)}, {ID: 3, Pool: "out", Reserved: size(9999)}, {ID: 5, Pool: "out-5", Reserved: size(30)}},
		Pools:  []plan.PortPool{{Pool: "in", Reserved: size(8888)}, {Pool: "out", Reserved: size(40)}, {Pool: "out-lossy", Reserved: size(50)}},
	}
	b := &plan.PortQoS{
		PGs:    []plan.PG{pg(0, "in-lossy", false, 9), pg(3, "in", true, 3000), pg(4, "in", true, 2000)},
		Queues: []plan.Queue{{ID: 0, Pool: "out-lossy", Reserved: size(19)}},
		Pools:  []plan.PortPool{{Pool: "out", Reserved: size(39)}, {Pool: "out-lossy", Reserved: size(51)}},
	}
	sw := &plan.Switch{
		Calculator: &plan.Calculator{Oversubscribe: plan.Of(int64(2), nil)},
		Pools: []plan.Pool{
			{Name: "in", Direction: plan.Ingress}, {Name: "in-lossy", Direction: plan.Ingress, Size: size(192_001)},
			{Name: "out", Direction: plan.Egress}, {Name: "out-5", Direction: plan.Egress}, {Name: "out-lossy", Direction: plan.Egress},
		},
		Ports: []plan.Port{{QoS: a, Lanes: make([]int, 4)}, {QoS: b, Lanes: make([]int, 8)}, {QoS: a, Lanes: make([]int, 4)}, {}, {QoS: a, Lanes: make([]int, 8)}},
	}
	// DSCP 26 is of class 3, DSCP 5 of class 5, and both are fed from group 3; class 6 has no DSCP.
	sw.Maps.DSCPToTC[26], sw.Maps.DSCPToTC[5] = 3, 5
	sw.Maps.TCToQueue[3], sw.Maps.TCToQueue[5], sw.Maps.TCToPG[3], sw.Maps.TCToPG[6] = 3, 5, 3, 3
	c := &calculation{sw: sw}
	lossless := c.losslessPools()
	must.NoDiffIn(t, gocmp.Diff(map[string]bool{"in": true, "out": true}, lossless), "lossless pools (-want +got):")
	must.Equalf(t, c.profiles(lossless), pool.SpectrumProfiles{IngressLossy: 10, EgressLossless: 40, EgressLossy: 51, QueueLossy: 30}, "profiles")
	want := []pool.SpectrumGroup{
		{Ports: 2, Lanes: 4, Up: true, LosslessPGs: 1, XOn: 1002, XOff: 1001, Size: 1000},
		{Ports: 1, Lanes: 8, Up: true, LosslessPGs: 2, XOn: 2002, XOff: 2001, Size: 2000},
		{Ports: 1, Lanes: 8, Up: true, LosslessPGs: 1, XOn: 1002, XOff: 1001, Size: 1000},
	}
	if got := c.groups(); !slices.Equal(got, want) {
		t.Errorf("groups %+v, want %+v", got, want)
	}
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	constants := must.Get(pool.SpectrumOf(chip))(t)
	in := pool.SpectrumInput{Chip: constants, Groups: want, Profiles: pool.SpectrumProfiles{IngressLossy: 10, EgressLossless: 40, EgressLossy: 51, QueueLossy: 30}, OverSubscribe: 2, TwoIngressPools: true}
	sum, err := pool.Spectrum(&in)
	if err != nil || sum.HeadroomPool == 0 {
		t.Fatal(sum, err)
	}
	must.Do(t, c.pools(chip))
	for i, size := range []units.Bytes{sum.Size / 192 * 192, 192_001, sum.Size / 192 * 192, sum.Size / 192 * 192, sum.Size / 192 * 192} {
		p, headroom := sw.Pools[i], units.Bytes(0)
		if p.Name == "in" {
			headroom = sum.HeadroomPool
		}
		if p.Size.Value != size || p.Headroom.Value != headroom || p.Size.Why == nil {
			t.Errorf("%s: %v and %v of headroom; want %v and %v", p.Name, p.Size.Value, p.Headroom.Value, size, headroom)
		}
	}
	// A size of the headroom pool that the file says stays, and counts.
	in.HeadroomPool, in.TwoIngressPools, in.Profiles.EgressLossy = 1_000_000, false, 0 // whose pool is gone
	if sum, err = pool.Spectrum(&in); err != nil {
		t.Fatal(err)
	}
	sw.Pools = []plan.Pool{{Name: "in", Direction: plan.Ingress, Headroom: size(1_000_000)}, {Name: "out", Direction: plan.Egress, Headroom: size(2_000_000)}}
	if err := c.pools(chip); err != nil || sw.Pools[0].Headroom.Value != 1_000_000 || sw.Pools[0].Size.Value != sum.Size/192*192 {
		t.Errorf("%+v, %v, want %v", sw.Pools[0], err, sum.Size)
	}
	a.PGs[0].Reserved = size(units.GiB)
	if err := c.pools(chip); !errors.As(err, new(*pool.Shortage)) {
		t.Errorf("reserves beyond the buffer: %v", err)
	}
}

// At a speed without a published response, a lossless port of a device that computes headroom has
// that of 400 Gb/s, 905 quanta of 512 bits; what else is declared of its peer stays.
func TestRespondAs400G(t *testing.T) {
	lossless, lossy := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Lossless: true}}}, &plan.PortQoS{PGs: []plan.PG{{ID: 3}}}
	mix := plan.Of(20*units.Percent, &plan.Why{})
	declared := &plan.Assumed{Declared: true, Response: plan.Of(units.Microsecond, nil)}
	sw := func() *plan.Switch {
		return &plan.Switch{Ports: []plan.Port{
			{Name: "e1", Speed: 800 * units.Gbps, QoS: lossless, Assumed: &plan.Assumed{SmallPackets: mix}}, {Name: "e2", Speed: 400 * units.Gbps, QoS: lossless},
			{Name: "e3", QoS: lossless}, {Name: "e4", Speed: 800 * units.Gbps, QoS: lossy}, {Name: "e5", Speed: 800 * units.Gbps},
			{Name: "e6", Speed: 800 * units.Gbps, QoS: lossless, Assumed: declared}, {Name: "e7", Speed: 1, QoS: lossless},
		}}
	}
	s := &Switch{Plan: sw(), chip: &chips.Chip{}, shape: &Shape{Format: read.Format{Computed: "something"}}}
	s.respondAs400G()
	const longest = units.Time(905 * 512 * 1000 / 400) // in ps
	for i, want := range map[int]units.Time{0: longest, 5: units.Microsecond, 6: longest} {
		if got := s.Plan.Ports[i].Assumed; got == nil || !got.Declared || got.Response.Value != want || i == 0 && got.SmallPackets.Value != 20*units.Percent {
			t.Errorf("%s: %+v", s.Plan.Ports[i].Name, got)
		}
	}
	for _, i := range []int{1, 2, 3, 4} {
		if got := s.Plan.Ports[i].Assumed; got != nil {
			t.Errorf("%s: %+v", s.Plan.Ports[i].Name, got)
		}
	}
	if len(s.taken) != 1 || s.taken[0].Where != plan.Abbreviate([]string{"e1", "e7"}) {
		t.Errorf("%+v", s.taken)
	}
	for name, s := range map[string]*Switch{
		"without a chip":           {Plan: sw(), shape: &Shape{Format: read.Format{Computed: "something"}}},
		"whose file says headroom": {Plan: sw(), chip: &chips.Chip{}, shape: &Shape{}},
		"of 400 Gb/s":              {Plan: &plan.Switch{Ports: sw().Ports[1:2]}, chip: &chips.Chip{}, shape: &Shape{Format: read.Format{Computed: "something"}}},
	} {
		if s.respondAs400G(); len(s.taken) > 0 {
			t.Errorf("a device %s: %+v", name, s.taken)
		}
	}
}

// The cell that amounts of a file have whose switch is not known yet.
func TestUsualCell(t *testing.T) {
	of := func(cells ...units.Bytes) *Fabric {
		p := &plan.Plan{}
		for _, cell := range cells {
			p.Switches = append(p.Switches, &plan.Switch{Cell: cell})
		}
		return &Fabric{Plan: p}
	}
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	for want, o := range map[units.Bytes][]Options{0: {{}, {Fabric: of()}, {Chip: &chips.Chip{}}, {Chip: &chips.Chip{}, Fabric: of(254)}}, 192: {{Chip: chip}, {Chip: chip, Fabric: of(254)}}, 254: {{Fabric: of(254)}, {Fabric: of(254, 208)}}} {
		for i, options := range o {
			must.Equalf(t, (&Verifier{Options: options}).usualCell(), want, "%d of %v:", i, want)
		}
	}
}

// Where sizes cannot be told nothing is said to be taken for granted, nor divided.
func TestSizesThatCannotBeTold(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	for name, sw := range map[string]*plan.Switch{"a box that Juniper does not build": {OS: "junos"}, "parameters that are not there": {OS: "sonic", BufferModel: plan.DynamicModel}} {
		if divided, taken, err := fillBuffers(sw, chip); divided || taken != nil || err == nil {
			t.Errorf("%s: %t, %v, %v", name, divided, taken, err)
		}
	}
}

// A file's cells are those of the switch of the fabric, of the chip that is named, or of the platform that
// the file names.
func TestCellOf(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	told := &plan.Switch{Platform: "x86_64-nvidia_sn5600-r0"}
	for i, c := range []struct {
		chip          *chips.Chip
		planned, told *plan.Switch
		want          units.Bytes
	}{
		{nil, nil, &plan.Switch{}, 0}, {chip, nil, &plan.Switch{}, 192}, {chip, &plan.Switch{Cell: 254}, told, 254}, {nil, &plan.Switch{}, told, 0}, {nil, nil, told, 192}, {&chips.Chip{}, nil, told, 0},
	} {
		must.Equalf(t, (&Verifier{Options: Options{Chip: c.chip, Catalogue: catalogue}}).cellOf(c.planned, c.told), c.want, "%d:", i)
	}
}

// What lint says of the usual code point of CNPs counts as long as a NIC of the fabric has it, or
// none is known.
func TestOtherCNPs(t *testing.T) {
	nics := func(dscps ...uint8) *Fabric {
		p := &plan.Plan{}
		for _, dscp := range dscps {
			p.Hosts = append(p.Hosts, &plan.Host{CNPDSCP: dscp})
		}
		return &Fabric{Plan: p}
	}
	for _, code := range []diag.Code{lint.CNPInLossless, lint.CNPPriority, lint.CNPQueueNotStrict, lint.HeadroomMissing} {
		for _, c := range []struct {
			fabric *Fabric
			want   bool
		}{{nil, false}, {nics(), false}, {nics(lint.CNPDSCP), false}, {nics(10, lint.CNPDSCP), false}, {nics(10), true}, {nics(10, 12), true}} {
			if got := (&Verifier{Options: Options{Fabric: c.fabric}}).otherCNPs(diag.Diagnostic{Code: code}); got != (c.want && code != lint.HeadroomMissing) {
				t.Errorf("%s, %+v: %v", code, c.fabric, got)
			}
		}
	}
}

// Headroom of a pool is compared with that of the pool of its name, where the file sizes it.
func TestSamePools(t *testing.T) {
	of := func(pools ...mmu.Pool) *model.Switch {
		return &model.Switch{Config: &mmu.Config{IngressPools: pools}}
	}
	said := plan.Of(units.Bytes(1), &plan.Why{})
	sw := &plan.Switch{Pools: []plan.Pool{{Name: "a", Headroom: said}, {Name: "b", Headroom: said}, {Name: "left open"}}}
	file := of(mmu.Pool{Name: "a", HeadroomCells: 5}, mmu.Pool{Name: "b", HeadroomCells: 7}, mmu.Pool{Name: "left open", HeadroomCells: 9})
	for _, c := range []struct {
		a, b, open units.Cells
		want       int
	}{{5, 7, 9, 0}, {5, 7, 1, 0}, {7, 5, 9, 2}, {5, 5, 9, 1}, {7, 7, 9, 1}} {
		certified := of(mmu.Pool{Name: "b", HeadroomCells: c.b}, mmu.Pool{Name: "left open", HeadroomCells: c.open}, mmu.Pool{Name: "a", HeadroomCells: c.a})
		if errs := samePools(sw, certified, file); len(errs) != c.want {
			t.Errorf("%+v: %v", c, errs)
		}
	}
}

// A switch has the cell of its chip, unless its file says one.
func TestUseChip(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	for said, want := range map[units.Bytes]units.Bytes{0: 192, 254: 254} {
		sw := &plan.Switch{Cell: said}
		if useChip(sw, chip); sw.Cell != want || sw.Chip != chip.Name {
			t.Errorf("%v: %v of %s", said, sw.Cell, sw.Chip)
		}
	}
	sw := &plan.Switch{}
	if useChip(sw, &chips.Chip{Name: "of nobody"}); sw.Cell != 0 || sw.Chip != "of nobody" {
		t.Errorf("a chip without a cell: %v of %s", sw.Cell, sw.Chip)
	}
	sw = &plan.Switch{}
	if err := Complete(sw, chip); err != nil || sw.Cell != 192 || sw.Chip != chip.Name {
		t.Errorf("completed: %v of %s, %v", sw.Cell, sw.Chip, err)
	}
}

// A file that cannot be read is an error, and so is a chip of which too little is known to prove anything.
func TestErrorsAreReturned(t *testing.T) {
	broken := errors.New("the disk is gone")
	if _, err := Read([]File{Text("a.txt", nil), {Name: "b.txt", Read: func() ([]byte, error) { return nil, broken }}}, 0); !errors.Is(err, broken) {
		t.Errorf("reading ends with %v", err)
	}
	v := &Verifier{}
	if report, err := v.evaluated(&plan.Switch{}, &chips.Chip{Name: "unknown"}); err == nil || report != nil {
		t.Errorf("%v, %v", report, err)
	}
	s := &Switch{Plan: &plan.Switch{}, chip: &chips.Chip{Name: "unknown"}, shape: &Shape{}}
	if err := v.asPlanned(s, &plan.Switch{}); err == nil {
		t.Error("a plan without a cell is judged")
	}
}

// A certificate without a group or a port of the file is refused, and a group beyond what one of them
// has is compared with nothing.
func TestGroupsBeyondTheOther(t *testing.T) {
	text := sample(t)
	open := func(name string) File { return Text(name, text) }
	certificate := certified(t, text)
	for name, cut := range map[string]func(c *model.Switch){
		"groups": func(c *model.Switch) { c.Config.Ports[1].PGs = c.Config.Ports[1].PGs[:4] },
		"ports":  func(c *model.Switch) { c.Config.Ports = c.Config.Ports[:1] },
	} {
		forged := must.Get(ParseCertificates(certificate))(t)
		cut(forged.Shapes[0].Model)
		if r, err := Recheck(forged, open, nil); err != nil || len(r.Problems) == 0 {
			t.Errorf("a certificate without %s: %v, %v", name, r, err)
		}
	}
	of := func(groups int) *model.Switch {
		s := &model.Switch{Ports: make([]model.Port, 1), Config: &mmu.Config{Ports: []mmu.Port{{PGs: make([]mmu.PG, groups)}}}}
		for i := range groups {
			s.Config.Ports[0].PGs[i].HeadroomCells = units.Cells(groups)
		}
		return s
	}
	port := &plan.Port{Name: "e1", QoS: &plan.PortQoS{PGs: []plan.PG{{ID: 3, Headroom: plan.Of(units.Bytes(1), &plan.Why{})}, {ID: 5, Lossless: true, Headroom: plan.Of(units.Bytes(1), &plan.Why{})}}}}
	for _, c := range []struct{ certified, file, want int }{{6, 8, 1}, {8, 6, 1}, {5, 8, 0}, {8, 5, 0}, {8, 8, 0}, {4, 4, 0}} {
		if errs := samePort(port, of(c.certified), 0, of(c.file), 0); len(errs) != c.want {
			t.Errorf("%+v: %v", c, errs)
		}
	}
}
