package lint_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Rules hold up to their bound, and from it on: the last that is right and the first that is wrong.
func TestBounds(t *testing.T) {
	catalogue, _ := chips.Load()
	read := &plan.Why{Kind: plan.ReadBack}
	lossless := func() *plan.PortQoS { return &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true}}} }
	fec := func(speed units.BitRate, lanes int) *plan.Switch {
		port := plan.Port{Name: "Ethernet0", Speed: speed, FEC: "none", QoS: lossless()}
		for i := range lanes {
			port.Lanes = append(port.Lanes, i)
		}
		return &plan.Switch{Ports: []plan.Port{port}}
	}
	watchdog := func(detection units.Time) *plan.Switch {
		return &plan.Switch{Ports: []plan.Port{{Name: "Ethernet0", QoS: lossless()}}, Watchdog: &plan.Watchdog{Detection: plan.Of(detection, read)}}
	}
	paced := func(detection units.Time, speeds ...units.BitRate) *plan.Switch {
		sw := watchdog(detection)
		sw.Ports = nil
		for i, speed := range speeds {
			sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprint("Ethernet", i), Speed: speed, QoS: lossless()})
		}
		return sw
	}
	polled := func(os string, detection, restoration, poll units.Time) *plan.Switch {
		sw := watchdog(detection)
		sw.OS, sw.Watchdog.Restoration, sw.Watchdog.Poll = os, plan.Of(restoration, read), plan.Of(poll, read)
		return sw
	}
	type wired struct {
		speed    units.BitRate
		cable    units.Length
		headroom units.Bytes
	}
	two := func(a, b wired) *plan.Switch {
		sw := &plan.Switch{}
		for i, w := range []wired{a, b} {
			qos := lossless()
			qos.PGs[0].Headroom = plan.Of(w.headroom, read)
			sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprint("Ethernet", i), Speed: w.speed, Cable: w.cable, QoS: qos})
		}
		return sw
	}
	const fast, slow, m = 100 * units.Gbps, 25 * units.Gbps, units.Metre
	pool := func(direction plan.Direction, sizes ...units.Bytes) *plan.Switch {
		sw := &plan.Switch{}
		for i, size := range sizes {
			sw.Pools = append(sw.Pools, plan.Pool{Name: fmt.Sprint("pool", i), Direction: direction, Size: plan.Of(size, read)})
		}
		return sw
	}
	// OpenBCM, trident3.h: 129,024 cells of 256 B. Spectrum-4 has 160 MB, of which configuration
	// can give away less; a pool is wrong where it is above the memory.
	const trident3, spectrum4 = 129_024 * 256 * units.Byte, 160 * units.MB
	for name, try := range map[string]struct {
		sw   *plan.Switch
		chip string
		code string
		want bool
	}{
		// IEEE 802.3bs: every link of 200 Gb/s and more has RS-FEC; 802.3cd: so has every lane of 50 Gb/s.
		"200G of eight lanes": {fec(200*units.Gbps, 8), "", "fec-missing", true},
		"199G of eight lanes": {fec(199*units.Gbps, 8), "", "fec-missing", false},
		"50G of one lane":     {fec(50*units.Gbps, 1), "", "fec-missing", true},
		"49G of one lane":     {fec(49*units.Gbps, 1), "", "fec-missing", false},
		"200G, lanes unknown": {fec(200*units.Gbps, 0), "", "fec-missing", true},
		"100G, lanes unknown": {fec(100*units.Gbps, 0), "", "fec-missing", false},
		"100G of two lanes":   {fec(100*units.Gbps, 2), "", "fec-missing", true},
		// sonic-pfcwd.yang: detection_time is 100 to 5000 ms.
		"detection of 5 s":    {watchdog(5 * units.Second), "", "watchdog-slow", false},
		"detection above 5 s": {watchdog(5*units.Second + 1), "", "watchdog-slow", true},
		"no watchdog":         {&plan.Switch{}, "", "watchdog-slow", false},
		// IEEE 802.3 31B.2: a pause has at most 65,535 quanta of 512 bits, 335.5392 µs at 100G and four
		// times as long at 25G. The slowest port counts.
		"as long as a pause":   {paced(335_539_200, fast), "", "watchdog-below-pause", true},
		"longer than a pause":  {paced(335_539_201, fast), "", "watchdog-below-pause", false},
		"the slowest port":     {paced(1_342_156_800, fast, slow, fast), "", "watchdog-below-pause", true},
		"beyond its pause":     {paced(1_342_156_801, fast, slow, fast), "", "watchdog-below-pause", false},
		"a port of 1 bit/s":    {paced(5*units.Second, 1), "", "watchdog-below-pause", true},
		"no speed is known":    {paced(1, 0), "", "watchdog-below-pause", false},
		"detection of 10 ms":   {watchdog(10 * units.Millisecond), "", "watchdog-hasty", false},
		"detection below it":   {watchdog(10*units.Millisecond - 1), "", "watchdog-hasty", true},
		"detection of a poll":  {polled("sonic", 100, 100, 100), "", "watchdog-poll", false},
		"less than a poll":     {polled("sonic", 99, 100, 100), "", "watchdog-poll", true},
		"restored too soon":    {polled("sonic", 100, 99, 100), "", "watchdog-poll", true},
		"two polls of EOS":     {polled("eos", 200, 200, 100), "", "watchdog-poll", false},
		"less than two":        {polled("eos", 199, 200, 100), "", "watchdog-poll", true},
		"polled by nobody":     {polled("eos", 1, 1, 0), "", "watchdog-poll", false},
		"faster, with less":    {two(wired{fast, m, 9}, wired{slow, m, 10}), "", "headroom-not-monotone", true},
		"faster, with as much": {two(wired{fast, m, 10}, wired{slow, m, 10}), "", "headroom-not-monotone", false},
		"longer, with less":    {two(wired{slow, 5 * m, 9}, wired{slow, m, 10}), "", "headroom-not-monotone", true},
		"longer and slower":    {two(wired{slow, 5 * m, 9}, wired{fast, m, 10}), "", "headroom-not-monotone", false},
		"alike, with less":     {two(wired{fast, m, 9}, wired{fast, m, 10}), "", "headroom-not-monotone", false},
		"a cable of 1 mm":      {two(wired{fast, 1, 9}, wired{slow, 1, 10}), "", "headroom-not-monotone", true},
		"no cable is known":    {two(wired{fast, m, 9}, wired{slow, 0, 10}), "", "headroom-not-monotone", false},
		"nor the other":        {two(wired{fast, 0, 9}, wired{slow, 0, 10}), "", "headroom-not-monotone", false},
		"no speed of one":      {two(wired{fast, m, 9}, wired{0, m, 10}), "", "headroom-not-monotone", false},
		"a pool of the chip":   {pool(plan.Ingress, trident3), "trident3", "pool-above-chip", false},
		"a byte more":          {pool(plan.Ingress, trident3+1), "trident3", "pool-above-chip", true},
		"egress, a byte more":  {pool(plan.Egress, trident3+1), "trident3", "pool-above-chip", true},
		"two pools of it":      {pool(plan.Ingress, trident3/2, trident3/2), "trident3", "pool-above-chip", false},
		"two, and a byte":      {pool(plan.Ingress, trident3/2, trident3/2+1), "trident3", "pool-above-chip", true},
		"egress may overlap":   {pool(plan.Egress, trident3, trident3), "trident3", "pool-above-chip", false},
		"memory, not usable":   {pool(plan.Ingress, spectrum4), "spectrum4", "pool-above-chip", false},
		"above memory":         {pool(plan.Ingress, spectrum4+1), "spectrum4", "pool-above-chip", true},
		"no chip is named":     {pool(plan.Ingress, 1<<50), "", "pool-above-chip", false},
	} {
		chip := named(t, catalogue, try.chip)
		var codes []string
		for _, d := range lint.Switch(try.sw, chip) {
			codes = append(codes, string(d.Code))
		}
		if got := slices.Contains(codes, try.code); got != try.want {
			t.Errorf("%s: %s is found: %v, want %v (%v)", name, try.code, got, try.want, codes)
		}
	}
}

// Caps of queues: CNPs need 9 % of a link, and a tenth is too wide; a queue of RDMA that has less
// than 5 % of its port is capped. Ports that are told the same have one finding.
func TestCaps(t *testing.T) {
	read := &plan.Why{Kind: plan.ReadBack}
	capped := func(cnps, rdma units.BitRate) *plan.Switch {
		qos := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true}}, Queues: []plan.Queue{
			{ID: 3, Scheduler: plan.Scheduler{Weight: plan.Of(int64(60), read), MaxRate: plan.Of(rdma, read)}},
			{ID: 6, Scheduler: plan.Scheduler{Strict: true, MaxRate: plan.Of(cnps, read)}},
		}}
		return &plan.Switch{
			Classes: []plan.Class{{Name: "rdma", Queue: 3, PG: 3, Lossless: true, DSCPs: []uint8{26}}, {Name: "cnp", Queue: 6, DSCPs: []uint8{48}}},
			Ports:   []plan.Port{{Name: "Ethernet0", Speed: 100 * units.Gbps, QoS: qos}, {Name: "Ethernet4", Speed: 100 * units.Gbps, QoS: qos}},
		}
	}
	for _, try := range []struct {
		cnps, rdma   units.BitRate
		wide, narrow int
	}{
		{10 * units.Gbps, 5 * units.Gbps, 1, 0},
		{10*units.Gbps - 1, 5*units.Gbps - 1000, 0, 1},
		{9 * units.Gbps, 100 * units.Gbps, 0, 0},
	} {
		count := map[string]int{}
		for _, d := range lint.Switch(capped(try.cnps, try.rdma), nil) {
			count[string(d.Code)]++
		}
		if count["cnp-cap-wide"] != try.wide || count["lossless-capped"] != try.narrow {
			t.Errorf("caps of %v and %v: %v", try.cnps, try.rdma, count)
		}
	}
}

// named is a chip of the catalogue; nil where none is named.
func named(t *testing.T, catalogue *chips.Catalogue, name string) *chips.Chip {
	t.Helper()
	if name == "" {
		return nil
	}
	chip, ok := catalogue.Find(name)
	if !ok {
		t.Fatal(name)
	}
	return chip
}
