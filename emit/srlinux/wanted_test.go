package srlinux_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/srlinux"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Bounds of srl_nokia-qos 2025-03-31.
const (
	mostHeadroom = 104_857_600 * units.Byte // maximum-pfc-reserved-share-bytes
	mostBurst    = 1<<32 - 1                // maximum-burst-size, B
	leastDetect  = 10 * units.Millisecond
	mostTimer    = 1500 * units.Millisecond
)

// What the document says of a switch with one change. The buffer of the box with a Tomahawk 5 is
// taken for 166,115,492 B, of which one per cent are 1,661,154.92 B. A 7220 IXR takes an mtu from
// 1,500 to 9,412, and times from 10 ms to detect, 100 ms to recover, up to 1.5 s.
func TestWanted(t *testing.T) {
	of := func(v units.Bytes) plan.Derived[units.Bytes] { return plan.Of(v, nil) }
	pool := func(v units.Bytes) func(*plan.Switch) {
		return func(s *plan.Switch) { s.Pools[0].Headroom = of(v) }
	}
	limit := func(l plan.Limit) func(*plan.Switch) {
		return func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Limit = plan.Of(l, nil) }
	}
	queues := func(change func(q *plan.Queue)) func(*plan.Switch) {
		return func(s *plan.Switch) { change(&s.Ports[0].QoS.Queues[0]) }
	}
	dog := func(detect, restore units.Time) func(*plan.Switch) {
		return func(s *plan.Switch) {
			s.Watchdog = &plan.Watchdog{Detection: plan.Of(detect, nil), Restoration: plan.Of(restore, nil), Action: plan.WatchdogForward}
			s.Ports[0].QoS.Watchdog = true
		}
	}
	for name, c := range map[string]struct {
		change   func(*plan.Switch)
		has, not []string
	}{
		"the leaf":                      {func(*plan.Switch) {}, []string{`"mtu": 9212`, `"port-speed": "400G"`, `"pfc-buffer-reservation": 1`, `"maximum-pfc-reserved-share-bytes": 1016`, `"maximum-burst-size": 1048576`, `"interface-id": "ethernet-1/1.0"`}, []string{"error", "breakout", "deadlock", "rewrite"}},
		"a rewriting names all classes": {func(s *plan.Switch) { s.Ports[0].QoS.Rewrite = &plan.Rewrite{TCs: 1, DSCP: [8]uint8{8}} }, []string{`"dscp": 8`, `"dscp": 26`}, []string{"warning srlinux-marking-lost"}},
		"a rewriting that cannot": {func(s *plan.Switch) { s.Ports[0].QoS.Rewrite = &plan.Rewrite{TCs: 8, DSCP: [8]uint8{3: 27}} },
			[]string{"(traffic class 3 → DSCP 27) is not written: SR Linux writes DSCP 0 into packets of classes that a rewriting policy leaves out, and traffic class 0 keeps its 63 code points"}, []string{"rewrite-rules"}},
		"channels": {func(s *plan.Switch) { s.Ports[0].Name, s.Ports[1].Name = "ethernet-1/1/1", "ethernet-1/1/2" },
			[]string{`"name": "ethernet-1/1"`, `"num-breakout-ports": "2"`, `"breakout-port-speed": "400G"`, `"name": "ethernet-1/1/2"`}, []string{`"port-speed"`, "error"}},
		"a speed below a gigabit": {func(s *plan.Switch) { s.Ports[0].Speed = 100 * units.Mbps }, []string{`"port-speed": "100M"`}, nil},
		"no speed":                {func(s *plan.Switch) { s.Ports[0].Speed, s.Ports[1].Speed = 0, 0 }, nil, []string{"port-speed"}},
		"the switch's frame":      {func(s *plan.Switch) { s.Ports[0].MTU, s.MTU = 0, of(5004) }, []string{`"mtu": 5000`, `"mtu": 9212`}, nil},
		"an mtu of 1500":          {func(s *plan.Switch) { s.Ports[0].MTU = 1504 }, []string{`"mtu": 1500`}, []string{"error"}},
		"an mtu of 1499":          {func(s *plan.Switch) { s.Ports[0].MTU = 1503 }, []string{"error srlinux-threshold: a frame size of 1503B is not supported: SR Linux takes 1504B to 9416B"}, nil},
		"an mtu of 9412":          {func(s *plan.Switch) { s.Ports[0].MTU = 9416 }, []string{`"mtu": 9412`}, []string{"error"}},
		"an mtu of 9413":          {func(s *plan.Switch) { s.Ports[0].MTU = 9417 }, []string{"error srlinux-threshold: a frame size of 9417B is not supported: SR Linux takes 1504B to 9416B"}, nil},
		"no frame":                {func(s *plan.Switch) { s.Ports[0].MTU, s.Ports[1].MTU = 0, 0 }, nil, []string{`"mtu"`, "error"}},
		"a port of which nothing is told": {func(s *plan.Switch) {
			s.Ports[1].QoS, s.Ports[1].Speed, s.Ports[1].MTU = nil, 0, 0
		}, nil, []string{"ethernet-1/2"}},
		"a bound of the whole port":        {func(s *plan.Switch) { s.Ports[1].QoS.Pools = []plan.PortPool{{Pool: "in"}} }, []string{"warning srlinux-device-decides: the bound of a whole port in a pool is not written"}, nil},
		"a sized pool":                     {func(s *plan.Switch) { s.Pools[0].Size = of(1) }, []string{"warning srlinux-device-decides: the size of pool in, 1B, is not written"}, nil},
		"one per cent of headroom":         {pool(1_661_154), []string{`"pfc-buffer-reservation": 1`, "warning srlinux-rounded: the headroom of all ports, 1661154B, is written as 1 %"}, []string{"error"}},
		"a byte more":                      {pool(1_661_155), []string{`"pfc-buffer-reservation": 2`}, nil},
		"all of the buffer":                {pool(166_115_492), []string{`"pfc-buffer-reservation": 100`}, []string{"error"}},
		"more than that":                   {pool(166_115_493), []string{"error srlinux-threshold: the headroom of all ports is 166115493B"}, nil},
		"the most of a group":              {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Headroom = of(mostHeadroom) }, nil, []string{"error"}},
		"a byte beyond":                    {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Headroom = of(mostHeadroom + 1) }, []string{"error srlinux-threshold: a headroom of"}, nil},
		"no limit of a group":              {limit(plan.Limit{Static: plan.NoLimit}), []string{`"maximum-burst-size": 166115492`}, []string{"error"}},
		"a byte less than none of a group": {limit(plan.Limit{Static: plan.NoLimit - 1}), []string{"error srlinux-threshold: a static group limit of"}, nil},
		"a limit of nothing":               {limit(plan.Limit{}), []string{`"maximum-burst-size": 166115492`}, []string{"error"}},
		"no limit of a pool beyond the leaf": {func(s *plan.Switch) {
			s.Pools[0].Size = of(5 * units.GiB)
			limit(plan.Limit{Static: plan.NoLimit})(s)
		}, []string{`"maximum-burst-size": 4294967295`}, []string{"error"}},
		"a limit":                   {limit(plan.Limit{Static: 5}), []string{`"maximum-burst-size": 5`}, []string{"error"}},
		"the largest limit":         {limit(plan.Limit{Static: mostBurst}), nil, []string{"error"}},
		"a byte more than it":       {limit(plan.Limit{Static: mostBurst + 1}), []string{"error srlinux-threshold: a static group limit of 4294967296B is not supported: SR Linux takes 0B to 4294967295B", "fix: choose a static group limit from 0B to 4294967295B"}, nil},
		"a limit of nearly nothing": {limit(plan.Limit{Dynamic: true, Alpha: -7}), []string{"warning srlinux-threshold: alpha 1/128 is not supported"}, []string{"error"}},
		"alpha of what a pool shares": {func(s *plan.Switch) { // 1/2 of 3,000 B for two: 3,000/(2+2)
			s.Pools[0].Size, s.Pools[0].Headroom = of(4000), of(1000)
			limit(plan.Limit{Dynamic: true, Alpha: -1})(s)
		}, []string{`"maximum-burst-size": 750`}, nil},
		"a queue without a limit":      {queues(func(q *plan.Queue) { q.Limit.Value = plan.Limit{} }), nil, []string{"error"}},
		"a limit of a queue of a byte": {queues(func(q *plan.Queue) { q.Limit.Value = plan.Limit{Static: 1} }), []string{`"queue-name": "rest",`, `"maximum-burst-size": 1`}, []string{"error"}},
		"no limits of queues": {func(s *plan.Switch) {
			for i := range s.Ports {
				for k := range s.Ports[i].QoS.Queues {
					s.Ports[i].QoS.Queues[k].Limit.Value = plan.Limit{}
				}
			}
		}, []string{`"pfc-buffer-allocation-profile": "group0"`}, []string{`"buffer-allocation-profile": "group0"`, "error"}},
		"XON at a byte":              {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].XOn = of(1) }, []string{"warning srlinux-device-decides: XON at 1B, or 0B below the threshold, is not written"}, nil},
		"XON a byte below":           {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].XOnOffset = of(1) }, []string{"warning srlinux-device-decides: XON at 0B, or 1B below the threshold, is not written"}, nil},
		"neither":                    {func(*plan.Switch) {}, nil, []string{"XON at"}},
		"the last priority":          {func(s *plan.Switch) { s.Ports[0].QoS.PFC |= 1 << 7; s.Maps.PFCToPG[7], s.Maps.PFCToQueue[7] = 7, 7 }, []string{`"pfc-queue-name": "pfc7"`, `"queue-index": 7`}, nil},
		"a strict queue and a share": {queues(func(q *plan.Queue) { q.Scheduler.Weight = plan.Of[int64](30, nil) }), []string{`"weight": 30`, `"priority": "strict"`}, nil},
		"a share of nothing":         {func(*plan.Switch) {}, []string{`"weight": 1`}, []string{`"weight": 0`}},
		"no queues":                  {func(s *plan.Switch) { s.Ports[0].QoS.Queues, s.Ports[1].QoS.Queues = nil, nil }, nil, []string{"scheduler", "error"}},
		// A tenth of 400 Gb/s are 40 Gb/s.
		"a cap in per cent":    {queues(func(q *plan.Queue) { q.Scheduler.MaxRate = plan.Of(40*units.Gbps, nil) }), []string{`"peak-rate-percent": 10`}, []string{"a cap of"}},
		"a cap below one":      {queues(func(q *plan.Queue) { q.Scheduler.MaxRate = plan.Of(units.Gbps, nil) }), []string{`"peak-rate-percent": 1`, "warning srlinux-rounded: a rate cap of 1Gbps is not supported: SR Linux takes whole per cent of the port's rate from 1 to 100, and gets 4Gbps"}, nil},
		"a cap above the port": {queues(func(q *plan.Queue) { q.Scheduler.MaxRate = plan.Of(800*units.Gbps, nil) }), []string{`"peak-rate-percent": 100`}, nil},
		"marking in whole per cent": {queues(func(q *plan.Queue) {
			q.ECN = &plan.ECN{KMin: of(1000), KMax: of(2000), PMax: plan.Of(5*units.Percent, nil)}
		}), []string{`"name": "ecn-1000-2000-5"`, `"min-threshold": "1000"`, `"max-threshold": "2000"`, `"max-drop-probability-percent": 5`, `"queue-management-profile": "ecn-1000-2000-5"`}, []string{"a marking probability"}},
		"the least time to detect":    {dog(leastDetect, 300*units.Millisecond), []string{`"detection-timer": 10`, `"recovery-timer": 300`, `"name": "pause-00001000-watched"`, `"name": "pause-00001000"`}, []string{"srlinux-watchdog"}},
		"a shorter one":               {dog(leastDetect-units.Millisecond, 300*units.Millisecond), []string{`"detection-timer": 10`, "warning srlinux-watchdog: a watchdog detection time of 9ms is not supported: SR Linux takes whole milliseconds from 10 to 1500, and gets 10ms"}, nil},
		"the longest":                 {dog(mostTimer, mostTimer), nil, []string{"srlinux-watchdog"}},
		"a longer one":                {dog(mostTimer, mostTimer+units.Millisecond), []string{"warning srlinux-watchdog: a watchdog restoration time of 1.501s is not supported"}, nil},
		"half a millisecond":          {dog(200*units.Millisecond+units.Millisecond/2, 300*units.Millisecond), []string{`"detection-timer": 201`}, nil},
		"two priorities of one group": {func(s *plan.Switch) { s.Ports[0].QoS.PFC |= 1 << 4; s.Maps.PFCToPG[4], s.Maps.PFCToQueue[4] = 3, 0 }, []string{"error srlinux-mappings: priority group 3 raises two PFC priorities"}, nil},
		"a priority that stops no queue of the document": {func(s *plan.Switch) { s.Maps.PFCToQueue[3] = 5 }, nil, []string{`"enable-pfc"`, "error"}},
		"marking by the first rule": {func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 26, TC: 3}, {DSCP: 27, TC: 3}, {DSCP: 26, TC: 0}, {DSCP: 9, TC: 0}}, Default: 8}
			s.Ports[0].QoS.Trust = plan.TrustNone
		}, []string{`"name": "roce-edge"`, `"dscp-policy": "roce-edge"`, `"dscp": 26`, `"dscp": 8`}, []string{`"dscp": 27`, `"dscp": 9`, "error"}},
	} {
		plantest.Wants(t, srlinux.Target().Forms[0], leaf(), name, c.change, c.has, c.not)
	}
}

// There are 7 mappings, and each set of priorities that ports pause is one.
func TestMappings(t *testing.T) {
	sets := []uint8{1, 2, 4, 8, 16, 32, 64, 1 | 2}
	for n, refused := range map[int]bool{7: false, 8: true} {
		s := leaf()
		for i := range uint8(8) {
			s.Maps.PFCToPG[i], s.Maps.PFCToQueue[i] = i, i
		}
		first := s.Ports[0]
		s.Ports = nil
		for i, set := range sets[:n] {
			p, q := first, *first.QoS
			p.Name, p.QoS, q.PFC = fmt.Sprintf("ethernet-1/%d", i+1), &q, set
			s.Ports = append(s.Ports, p)
		}
		_, found := srlinux.Emit(s)
		if found.HasErrors() != refused {
			t.Errorf("%d sets: %v", n, found)
		}
		if says := slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return strings.Contains(d.Message, "8 different sets of priorities, and SR Linux has 7 mappings")
		}); says != refused {
			t.Errorf("%d sets: %v", n, found)
		}
	}
}

// A change from or to a switch that SR Linux cannot be told is none, and neither is one to itself.
func TestNoChangeOfWhatCannotBeTold(t *testing.T) {
	plantest.NoChangeOfWhatCannotBeTold(t, leaf, srlinux.Emit, srlinux.EmitChange)
}

// Ports that trust nobody have the classifier of the edge, and what leaves any port is rewritten as its
// class is marked: one binding of the first, two of the second.
func TestRewritesLeaveEveryPort(t *testing.T) {
	s := leaf()
	s.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 26, TC: 3}}}
	s.Ports[0].QoS.Trust = plan.TrustNone
	files := must.Sound(srlinux.Emit(s))(t)
	if text := string(files[0].Body.AppendFor(nil, "leaf")); strings.Count(text, `"dscp-policy": "roce-edge"`) != 3 {
		t.Errorf("not three of them in\n%s", text)
	}
}

// A queue that two classes are sent from is one.
func TestQueueOfTwoClasses(t *testing.T) {
	s := leaf()
	s.Classes = append(s.Classes, plan.Class{Name: "more", TrafficClass: 1})
	files := must.Sound(srlinux.Emit(s))(t)
	if text := string(files[0].Body.AppendFor(nil, "leaf")); strings.Count(text, `"queue-index": 0`) != 2 { // with that for many
		t.Errorf("not two queues 0 in\n%s", text)
	}
}

// A change names what differs by its path, there and back.
func TestPathsOfChanges(t *testing.T) {
	from, to := leaf(), leaf()
	for i := range from.Ports {
		from.Ports[i].Speed, from.Ports[i].MTU, from.Ports[i].QoS.Queues = 0, 0, nil
	}
	to.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 26, TC: 3}}}
	to.Ports[0].QoS.Queues[1].ECN = &plan.ECN{KMin: plan.Of(units.Bytes(1000), nil), KMax: plan.Of(units.Bytes(2000), nil), PMax: plan.Of(5*units.Percent, nil)}
	files, found := srlinux.EmitChange(from, to)
	back, _ := srlinux.EmitChange(to, from)
	files = append(files, back...)
	if len(files) != 2 || found.HasErrors() {
		t.Fatalf("%d files, %v", len(files), found)
	}
	for _, f := range files {
		text := string(f.Body.AppendFor(nil, "leaf"))
		for _, path := range []string{
			"/interface[name=ethernet-1/1]/mtu", "/interface[name=ethernet-1/2]/ethernet/port-speed", "/qos/rewrite-rules/dscp-policy[name=roce-edge]", "/qos/classifiers/dscp-policy[name=roce-edge]", "/qos/explicit-congestion-notification",
			"/qos/scheduler-policies/scheduler-policy[name=group0]", "/qos/buffer-management/queue-management-profile[name=ecn-1000-2000-5]", "/qos/buffer-management/buffer-allocation-profile[name=group0]",
		} {
			if !strings.Contains(text, path) {
				t.Errorf("%s lacks %s:\n%s", f.Path, path, text)
			}
		}
		if strings.Contains(text, "breakout-mode") || strings.Contains(text, "pfc-mapping-profile[") {
			t.Errorf("%s has what does not differ:\n%s", f.Path, text)
		}
	}
}

// The boxes that Nokia says have PFC, with the cells and the buffer of their chips in the catalogue: what is
// usable of it, else all.
func TestBoxesAreThoseOfTheCatalogue(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, box := range row.Boxes() {
		i := slices.IndexFunc(catalogue.Chips(), func(c *chips.Chip) bool { return c.Name == box.Chip })
		if i < 0 || catalogue.Chips()[i].CellSize.Or(0) != box.Cell || catalogue.Chips()[i].UsableBuffer.Or(catalogue.Chips()[i].PacketBuffer.Or(0)) != box.Shared {
			t.Errorf("%s with %s has cells of %v and %v; the catalogue has others", box.Model, box.Chip, box.Cell, box.Shared)
		}
	}
}
