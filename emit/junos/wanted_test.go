package junos_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit/junos"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What the commands say of a switch with one change. The QFX5240 shares 84,206 KiB, which are
// 86,226,944 B: a tenth are 8,622,694.4 B and 98 per cent 84,502,405.12 B.
func TestWanted(t *testing.T) {
	of := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, nil) }
	headroom := func(v units.Bytes) func(*plan.Switch) {
		return func(s *plan.Switch) { s.Pools[0].Headroom = of(v) }
	}
	alphas := func(a units.Alpha) func(*plan.Switch) {
		return func(s *plan.Switch) {
			for i := range s.Ports {
				s.Ports[i].QoS.PGs[0].Limit = plan.Of(plan.Limit{Dynamic: true, Alpha: a}, nil)
			}
		}
	}
	lossy := func(s *plan.Switch) {
		s.Classes[0].Lossless = false
		for i := range s.Ports {
			s.Ports[i].QoS.PFC, s.Ports[i].QoS.PGs = 0, nil
		}
	}
	on := func(chip string, change ...func(*plan.Switch)) func(*plan.Switch) {
		return func(s *plan.Switch) {
			s.Chip = chip
			for _, c := range change {
				c(s)
			}
		}
	}
	shares := func(lossless, headroom, lossy int64) func(*plan.Switch) {
		return func(s *plan.Switch) {
			s.Pools = append(s.Pools, plan.Pool{Name: "ingress-lossless", Percent: lossless, HeadroomPercent: headroom}, plan.Pool{Name: "ingress-lossy", Percent: lossy})
		}
	}
	marking := func(rules ...plan.MarkRule) func(*plan.Switch) {
		return func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: rules, Default: 8, DefaultTC: 0}
			s.Ports[0].QoS.Trust = plan.TrustNone
		}
	}
	dog := func(poll, detect, restore int64) func(*plan.Switch) {
		ms := func(n int64) plan.Derived[units.Time] { return plan.Of(units.Time(n)*units.Millisecond, nil) }
		return func(s *plan.Switch) {
			s.Watchdog = &plan.Watchdog{Poll: ms(poll), Detection: ms(detect), Restoration: ms(restore), Action: plan.WatchdogDrop}
			for i := range s.Ports {
				s.Ports[i].QoS.Watchdog = true
			}
		}
	}
	const (
		cos      = "set class-of-service "
		in       = cos + "shared-buffer ingress buffer-partition "
		edge     = cos + "classifiers dscp roce-edge "
		rewrites = cos + "rewrite-rules dscp roce-edge "
	)
	set := junos.Target().Forms[1]
	for name, c := range map[string]struct {
		change   func(*plan.Switch)
		has, not []string
	}{
		"the leaf":                         {func(*plan.Switch) {}, []string{"set interfaces et-0/0/0 speed 400g", "set interfaces et-0/0/1 mtu 9212", in + "lossless percent 90", in + "lossless-headroom percent 0", in + "lossy percent 10"}, []string{"number-of-sub-ports", "error", "warning", "roce-edge"}},
		"a host name that is none":         {func(s *plan.Switch) { s.Names = []string{"leaf_1/x"} }, []string{`error junos-name: "leaf_1/x" is not a host name`}, nil},
		"a class that begins with a digit": {func(s *plan.Switch) { s.Classes[1].Name = "3rest" }, []string{`error junos-name: "3rest" cannot be the name`}, nil},
		"a class of 63 letters":            {func(s *plan.Switch) { s.Classes[1].Name = strings.Repeat("x", 63) }, nil, []string{"error"}},
		"a class of 64":                    {func(s *plan.Switch) { s.Classes[1].Name = strings.Repeat("x", 64) }, []string{"error junos-name"}, nil},
		"a bound of the whole port":        {func(s *plan.Switch) { s.Ports[1].QoS.Pools = []plan.PortPool{{Pool: "in"}} }, []string{"warning junos-device-decides: the bound of a whole port in a pool is not written"}, nil},
		"channels": {func(s *plan.Switch) { s.Ports[0].Name, s.Ports[1].Name = "et-0/0/0:0", "et-0/0/0:1" },
			[]string{"set interfaces et-0/0/0 number-of-sub-ports 2", "set interfaces et-0/0/0 speed 400g", "set interfaces et-0/0/0:1 mtu 9212"}, []string{"set interfaces et-0/0/0:0 speed", "set interfaces et-0/0/0:1 speed", "error"}},
		"a channel and a whole port": {func(s *plan.Switch) { s.Ports[0].Name = "et-0/0/0:0" }, []string{"et-0/0/0 number-of-sub-ports 1", "set interfaces et-0/0/1 speed 400g"}, []string{"et-0/0/1 number-of"}},
		"ports of which neither speed nor frame is known": {func(s *plan.Switch) {
			for i := range s.Ports {
				s.Ports[i].Speed, s.Ports[i].MTU = 0, 0
			}
		}, nil, []string{"set interfaces", "error"}},
		"the switch's frame":  {func(s *plan.Switch) { s.Ports[0].MTU, s.MTU = 0, of(5004) }, []string{"set interfaces et-0/0/0 mtu 5000", "et-0/0/1 mtu 9212"}, nil},
		"an mtu of 9216":      {func(s *plan.Switch) { s.Ports[0].MTU = 9220 }, []string{"et-0/0/0 mtu 9216"}, []string{"error"}},
		"an mtu of 9217":      {func(s *plan.Switch) { s.Ports[0].MTU = 9221 }, []string{"error junos-threshold: a frame size of 9221B is not supported: Junos takes 260B to 9220B", "fix: choose a frame size from 260B to 9220B"}, nil},
		"an mtu of 256":       {func(s *plan.Switch) { s.Ports[0].MTU = 260 }, []string{"et-0/0/0 mtu 256"}, []string{"error"}},
		"an mtu of 255":       {func(s *plan.Switch) { s.Ports[0].MTU = 259 }, []string{"error junos-threshold: a frame size of 259B is not supported: Junos takes 260B to 9220B", "fix: choose a frame size from 260B to 9220B"}, nil},
		"sixteen classes":     {func(s *plan.Switch) { classes(s, 16) }, nil, []string{"error"}},
		"seventeen":           {func(s *plan.Switch) { classes(s, 17) }, []string{"error junos-classes: the fabric has 17 classes, 1 of them lossless"}, nil},
		"six without loss":    {func(s *plan.Switch) { noLoss(s, 6) }, nil, []string{"error"}},
		"seven":               {func(s *plan.Switch) { noLoss(s, 7) }, []string{"error junos-classes: the fabric has 8 classes, 7 of them lossless, and Junos has 16 forwarding classes, at most 6 of them lossless", "fix: declare at most 16 classes, at most 6 of them lossless"}, nil},
		"another group":       {func(s *plan.Switch) { s.Classes[0].PG = 4 }, []string{"warning junos-device-decides: class \"rdma\" has priority group 4 and PFC priority 3"}, nil},
		"another queue":       {func(s *plan.Switch) { s.Maps.PFCToQueue[3] = 4 }, []string{"error junos-classes: priority 3 pauses queue 4"}, nil},
		"no lossless class":   {lossy, []string{in + "lossless percent 0", in + "lossy percent 100", in + "lossless-headroom percent 0", cos + "shared-buffer egress buffer-partition lossy percent 100"}, []string{"error", "no-loss"}},
		"a tenth of headroom": {headroom(8_622_694), []string{in + "lossless-headroom percent 10", in + "lossless percent 80", in + "lossy percent 10", "warning junos-device-decides: the headroom of all ports, 8622694B, is written as 10 % of the shared buffer of QFX5240: 8622694B"}, nil},
		"a byte more":         {headroom(8_622_695), []string{in + "lossless-headroom percent 11", in + "lossless percent 79"}, nil},
		"98 per cent":         {headroom(84_502_405), []string{in + "lossless-headroom percent 98", in + "lossless percent 1", in + "lossy percent 1"}, []string{"error"}},
		"98 and a byte":       {headroom(84_502_406), []string{"error junos-partitions: the headroom of all ports is 84502406B"}, nil},
		"what groups own, of all ports": {func(s *plan.Switch) {
			for i := range s.Ports {
				s.Ports[i].QoS.PGs[0].Headroom = of(8_622_694)
			}
		}, []string{in + "lossless-headroom percent 20"}, nil},
		"a pool of a byte beside": {func(s *plan.Switch) {
			s.Pools[0].Headroom = of(1)
			s.Ports[0].QoS.PGs[0].Headroom = of(8_622_694)
		}, []string{in + "lossless-headroom percent 1", "the headroom of all ports, 1B, is written as 1 %"}, nil},
		// Beside 10 per cent of headroom: of 800 B that are shared 200 are lossy, 22.5 of 90 per cent.
		"lossy traffic in a pool of its own": {func(s *plan.Switch) {
			s.Pools = []plan.Pool{{Name: "in", Size: of(8_622_694 + 600), Headroom: of(8_622_694)}, {Name: "rest", Size: of(200)}, {Name: "out", Direction: plan.Egress, Size: of(10_000)}}
		}, []string{in + "lossy percent 23", in + "lossless percent 67", "the size of pool in, 8623294B, is not written"}, nil},
		"nearly all of it": {func(s *plan.Switch) {
			s.Pools = []plan.Pool{{Name: "in", Size: of(1)}, {Name: "rest", Size: of(1_000_000)}}
		}, []string{in + "lossy percent 99", in + "lossless percent 1"}, nil},
		"nearly nothing of it": {func(s *plan.Switch) {
			s.Pools = []plan.Pool{{Name: "in", Size: of(1_000_000)}, {Name: "rest", Size: of(1)}}
		}, []string{in + "lossy percent 1", in + "lossless percent 99"}, nil},
		// Of 1,005 two get 49.7 per cent, the third 0.5: one, which the smaller of the others gives up.
		"shares of more than 100": {func(s *plan.Switch) {
			s.Classes = append(s.Classes, plan.Class{Name: "bulk", TrafficClass: 1, Queue: 1})
			for i := range s.Ports {
				q := s.Ports[i].QoS
				q.Queues = append(q.Queues, plan.Queue{ID: 1})
				q.Queues[0].Scheduler.Weight, q.Queues[1].Scheduler.Weight, q.Queues[2].Scheduler.Weight = plan.Of[int64](500, nil), plan.Of[int64](500, nil), plan.Of[int64](5, nil)
			}
		}, []string{"schedulers group0-rdma transmit-rate percent 50", "schedulers group0-rest transmit-rate percent 49", "schedulers group0-bulk transmit-rate percent 1", "warning junos-rounded: weights sum to 1005"}, nil},
		"the longest times of the watchdog": {dog(65535, 65535, 65535), []string{"pfc-watchdog poll-interval 65535", "pfc-watchdog detection 1", "pfc-watchdog recovery 65535", "pfc-watchdog watchdog-action drop"}, []string{"error", "warning"}},
		"the shortest":                      {dog(1, 1, 1), []string{"poll-interval 1", "recovery 1"}, []string{"error"}},
		"ten polls":                         {dog(100, 1000, 1000), []string{"pfc-watchdog poll-interval 100", "pfc-watchdog detection 10", "pfc-watchdog recovery 1000"}, []string{"error", "warning"}},
		"a longer recovery":                 {dog(100, 100, 65536), []string{"error junos-watchdog: a watchdog restoration time of 65.536s is not supported: Junos takes 1ms to 65.535s"}, nil},
		"no recovery":                       {dog(100, 100, 0), []string{"error junos-watchdog: a watchdog restoration time of 0ps"}, nil},
		"a longer poll":                     {dog(65536, 65536, 100), []string{"error junos-watchdog: a watchdog polling interval of 65.536s is not supported: Junos takes 1ms to 65.535s"}, nil},
		"no poll":                           {dog(0, 100, 100), []string{"error junos-watchdog: a watchdog polling interval of 0ps"}, nil},
		"no detection":                      {dog(100, 0, 100), []string{"detection 1", "warning junos-rounded: a watchdog detection time of 0ps"}, []string{"error"}},
		"a poll between two milliseconds":   {func(s *plan.Switch) { dog(100, 202, 100)(s); s.Watchdog.Poll.Value += units.Microsecond }, []string{"poll-interval 101", "detection 2", "warning junos-rounded: a watchdog polling interval of 100.001ms"}, []string{"error", "detection time"}},
		"a detection between two polls":     {dog(100, 250, 100), []string{"detection 3", "warning junos-rounded: a watchdog detection time of 250ms is not supported: Junos takes whole polling intervals from 1 to 100000, and gets 300ms"}, []string{"error"}},
		"alpha 1/128":                       {alphas(-7), []string{in + "lossless dynamic-threshold 0"}, []string{"error"}},
		"alpha 8":                           {alphas(3), []string{in + "lossless dynamic-threshold 10"}, []string{"error"}},
		"alpha 1/256":                       {alphas(-8), []string{"error junos-threshold: alpha 1/256 is not supported"}, nil},
		"alpha 16":                          {alphas(4), []string{"error junos-threshold: alpha 16 is not supported"}, nil},
		"no limit":                          {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Limit = plan.Of(plan.Limit{Static: plan.NoLimit}, nil) }, nil, []string{"static threshold"}},
		"a limit of a byte less": {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Limit = plan.Of(plan.Limit{Static: plan.NoLimit - 1}, nil) },
			[]string{"warning junos-threshold: a static threshold of"}, nil},
		// Of two rules for one code point or one class the first counts, as on a device that tries them in turn;
		// what no rule matches has the default.
		"marking": {marking(plan.MarkRule{DSCP: 26, TC: 3}, plan.MarkRule{DSCP: 27, TC: 3}, plan.MarkRule{DSCP: 26, TC: 0}),
			[]string{edge + "forwarding-class rdma loss-priority low code-points 011010", edge + "forwarding-class rdma loss-priority low code-points 011011", edge + "forwarding-class rest loss-priority low code-points 000000",
				rewrites + "forwarding-class rdma loss-priority low code-point 011010", rewrites + "forwarding-class rest loss-priority low code-point 001000",
				cos + "interfaces et-0/0/0 unit 0 classifiers dscp roce-edge", cos + "interfaces et-0/0/1 unit 0 classifiers dscp roce", cos + "interfaces et-0/0/0 unit 0 rewrite-rules dscp roce-edge", cos + "interfaces et-0/0/1 unit 0 rewrite-rules dscp roce-edge"}, []string{"et-0/0/1 unit 0 classifiers dscp roce-edge"}},
		// A lossy queue may hold 1/2 of 10 per cent of the buffer, 8,622,694 B, with alpha 1: 4,311,347 B. Of
		// them a tenth is 10 per cent, rounded down; 43,113 B less is 9.
		"marking from a tenth to a half": {func(s *plan.Switch) { mark(s, 431_135, 2_155_674, 5) }, []string{"drop-profiles group0-rest interpolate fill-level 10", "interpolate fill-level 50", "interpolate drop-probability 0", "interpolate drop-probability 5",
			"explicit-congestion-notification", "assumed to be 4311347B: 431134B to 2155673B"}, []string{"error"}},
		"a byte before":             {func(s *plan.Switch) { mark(s, 431_134, 2_155_673, 5) }, []string{"fill-level 9", "fill-level 49"}, nil},
		"marking at once":           {func(s *plan.Switch) { mark(s, 431_135, 431_135, 5) }, []string{"fill-level 10", "fill-level 11"}, nil},
		"marking beyond the buffer": {func(s *plan.Switch) { mark(s, 9_000_000, 10_000_000, 5) }, []string{"fill-level 99", "fill-level 100"}, nil},
		"marking with half a per cent": {func(s *plan.Switch) {
			mark(s, 431_135, 2_155_674, 1)
			s.Ports[0].QoS.Queues[1].ECN.PMax.Value = units.Percent / 2
		}, []string{"interpolate drop-probability 1", "warning junos-rounded: a marking probability of 0.5% is not supported: Junos takes whole per cent from 1 to 100, and gets 1%", "fix: write 1% in the fabric"}, nil},
		"with two and a half": {func(s *plan.Switch) {
			mark(s, 431_135, 2_155_674, 1)
			s.Ports[0].QoS.Queues[1].ECN.PMax.Value = 5 * units.Percent / 2
		}, []string{"interpolate drop-probability 2", "a marking probability of 2.5% is not supported"}, nil},
		"with two": {func(s *plan.Switch) { mark(s, 431_135, 2_155_674, 2) }, []string{"interpolate drop-probability 2"}, []string{"a marking probability of"}},
		"schedulers that would be called alike": {func(s *plan.Switch) {
			s.Ports[0].Group, s.Ports[1].Group, s.Classes[0].Name, s.Classes[1].Name = "a", "a-b", "b-c", "c"
			s.Ports[0].QoS.Queues[0].Scheduler.Weight, s.Ports[1].QoS.Queues[1].Scheduler.Weight = plan.Of[int64](7, nil), plan.Of[int64](8, nil)
		}, []string{"scheduler-maps a forwarding-class b-c scheduler a-b-c", "schedulers a-b-c transmit-rate percent 7", "scheduler-maps a-b forwarding-class c scheduler a-b-c-2", "schedulers a-b-c-2 transmit-rate percent 8"}, nil},
		"balancing that Junos has":      {func(s *plan.Switch) { s.LoadBalancing = "adaptive" }, []string{"ecmp-dlb per-packet", "ecmp-dlb ether-type ipv4", "ecmp-dlb ether-type ipv6"}, []string{"flowlet"}},
		"flowlets":                      {func(s *plan.Switch) { s.LoadBalancing = "flowlet" }, []string{"ecmp-dlb flowlet inactivity-interval 256", "ecmp-dlb ether-type ipv6"}, []string{"per-packet"}},
		"as every switch does":          {func(s *plan.Switch) { s.LoadBalancing = "ecmp" }, nil, []string{"ecmp-dlb", "warning"}},
		"shares that the fabric states": {shares(60, 31, 9), []string{in + "lossless percent 60", in + "lossless-headroom percent 31", in + "lossy percent 9", cos + "shared-buffer egress buffer-partition lossless percent 60", cos + "shared-buffer egress buffer-partition lossy percent 9"}, []string{"error", "multicast"}},
		"shares of 99 per cent":         {shares(60, 30, 9), []string{"error junos-partitions: the shares of the buffer sum to 99 per cent; Junos demands 100"}, nil},
		"a queue without a class": {func(s *plan.Switch) {
			s.Maps.TCToQueue[5] = 5
			s.Ports[0].QoS.Queues = append(s.Ports[0].QoS.Queues, plan.Queue{ID: 5, Scheduler: plan.Scheduler{Weight: plan.Of[int64](7, nil)}})
		}, []string{cos + "forwarding-classes class queue-5 queue-num 5", "scheduler-maps group0 forwarding-class queue-5 scheduler group0-queue-5", "schedulers group0-queue-5 transmit-rate percent 7"}, []string{"error"}},
		// QFX5120: Juniper's validated design has 0, 0 and 100 per cent at ingress, and 0, 90 and 10 at egress.
		"a QFX5120 that pauses": {on("trident3"), []string{"error junos-platform: no QFX with Junos Evolved has the chip trident3; on QFX5120, which runs Junos, lossless classes without shares of the buffer and marking in bytes are not supported"}, nil},
		"one that pauses, with shares": {on("trident3", shares(60, 31, 9), func(s *plan.Switch) {
			s.Pools = append(s.Pools, plan.Pool{Name: "egress-lossy", Direction: plan.Egress, Percent: 15})
		}),
			[]string{in + "lossless-headroom percent 31", cos + "shared-buffer egress buffer-partition lossless percent 60", cos + "shared-buffer egress buffer-partition lossy percent 15", cos + "shared-buffer egress buffer-partition multicast percent 25", "congestion-notification-profile group0"}, []string{"error"}},
		"one that marks": {on("trident3", lossy, func(s *plan.Switch) { mark(s, 431_135, 2_155_674, 5) }), []string{"error junos-platform"}, nil},
		"one that does neither": {on("trident3", lossy, func(s *plan.Switch) { s.Ports[1].Name = "xe-0/0/1" }), []string{"set chassis fpc 0 pic 0 port 0 speed 400g", cos + "interfaces et-0/0/0 classifiers dscp roce", cos + "interfaces xe-0/0/1 classifiers dscp roce"},
			[]string{"error", "unit 0", "shared-buffer", "interfaces et-0/0/0 speed", "port 1 speed"}},
		"with shares":                  {on("trident3", lossy, shares(0, 0, 100)), []string{in + "lossy percent 100", cos + "shared-buffer egress buffer-partition lossless percent 0", cos + "shared-buffer egress buffer-partition lossy percent 90", cos + "shared-buffer egress buffer-partition multicast percent 10"}, []string{"error"}},
		"a QFX5210 of 1G":              {on("tomahawk2", lossy, func(s *plan.Switch) { s.Ports[1].Name = "ge-0/0/1" }), []string{"interfaces ge-0/0/1 classifiers"}, []string{"error"}},
		"1G on a QFX5240":              {func(s *plan.Switch) { s.Ports[1].Name = "ge-0/0/1" }, []string{"error junos-name"}, nil},
		"groups that are called alike": {func(s *plan.Switch) { s.Ports[1].Group = "group0" }, []string{"scheduler-maps group0-2"}, []string{"scheduler-maps group1"}},
	} {
		plantest.Wants(t, set, leaf(), name, c.change, c.has, c.not)
	}
}

// mark has the lossy queue of the first port mark between two levels, and hold half of what it shares.
func mark(s *plan.Switch, low, high units.Bytes, percent units.Ratio) {
	q := &s.Ports[0].QoS.Queues[1]
	q.Limit.Value.Alpha = 0
	q.ECN = &plan.ECN{KMin: plan.Of(low, nil), KMax: plan.Of(high, nil), PMax: plan.Of(percent*units.Percent, nil)}
}

// classes adds lossy classes until there are so many.
func classes(s *plan.Switch, n int) {
	for i := len(s.Classes); i < n; i++ {
		s.Classes = append(s.Classes, plan.Class{Name: fmt.Sprintf("c%d", i)})
	}
}

// noLoss makes so many classes lossless, in queues from 1 on.
func noLoss(s *plan.Switch, n int) {
	rest := s.Classes[1]
	s.Classes = nil
	for i := range uint8(n) {
		id := i + 1
		s.Classes = append(s.Classes, plan.Class{Name: fmt.Sprintf("l%d", id), TrafficClass: id, Queue: id, PG: id, PFC: id, Lossless: true})
		s.Maps.PFCToQueue[id], s.Maps.TCToQueue[id], s.Maps.TCToPG[id], s.Maps.PFCToPG[id] = id, id, id, id
	}
	s.Classes = append(s.Classes, rest)
}

// A change from or to a switch that Junos cannot be told is none, and neither is one to itself.
func TestNoChangeOfWhatCannotBeTold(t *testing.T) {
	plantest.NoChangeOfWhatCannotBeTold(t, leaf, junos.Emit, junos.EmitChange)
}

// The fastest speed and the number of cages that Juniper's datasheets give.
func TestFastest(t *testing.T) {
	for model, want := range map[string]struct {
		rate  units.BitRate
		cages int
	}{"QFX5240": {800 * units.Gbps, 66}, "QFX5230": {400 * units.Gbps, 66}, "QFX5220": {400 * units.Gbps, 130}, "QFX5130-32CD": {400 * units.Gbps, 50}} {
		if rate, cages := row.Fastest(model); rate != want.rate || cages != want.cages {
			t.Errorf("%s: %d cages of %v", model, cages, rate)
		}
	}
}
