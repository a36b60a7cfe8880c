package nvue

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// RoCE mode is one command, and stands for a plan alone that differs from what the mode sets in
// nothing but cables and the alpha of the lossless group (Cumulus Linux 5.14, RDMA over Converged
// Ethernet, Default RoCE Configuration). Thresholds may be less than a cell apart.
func TestWhatRoCEModeStandsFor(t *testing.T) {
	form := emit.Form{Name: "commands", Emit: EmitCommands}
	queue := func(i int, change func(*plan.Queue)) func(*plan.Switch) {
		return func(s *plan.Switch) { change(&s.Ports[0].QoS.Queues[i]) }
	}
	const mode = "nv set qos roce mode lossless"
	for name, c := range map[string]struct {
		change func(*plan.Switch)
		is     bool
	}{
		"as it is":                        {func(*plan.Switch) {}, true},
		"another alpha":                   {func(s *plan.Switch) { s.Ports[0].QoS.PGs[1].Limit = dynamic(2) }, true},
		"a static limit":                  {func(s *plan.Switch) { s.Ports[0].QoS.PGs[1].Limit = given(plan.Limit{Static: 100_000}) }, false},
		"a static limit of a lossy group": {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Limit = given(plan.Limit{Static: 100_000}) }, true},
		"another cable":                   {func(s *plan.Switch) { s.Ports[0].Cable, s.Ports[1].Cable = 7*units.Metre, 7*units.Metre }, true},
		"two cables":                      {func(s *plan.Switch) { q := *s.Ports[1].QoS; s.Ports[1].QoS, s.Ports[1].Cable = &q, 7*units.Metre }, false},
		"another code point":              {func(s *plan.Switch) { s.Maps.DSCPToTC[26] = 0 }, false},
		"another queue":                   {func(s *plan.Switch) { s.Maps.TCToQueue[1] = 1 }, false},
		"CNPs in queue 0":                 {func(s *plan.Switch) { s.Maps.TCToQueue[6] = 0 }, false},
		"marking":                         {func(s *plan.Switch) { s.Marking = &plan.Marking{} }, false},
		"no trust":                        {func(s *plan.Switch) { s.Ports[0].QoS.Trust = plan.TrustNone }, false},
		"a second lossless priority":      {func(s *plan.Switch) { s.Ports[0].QoS.PFC |= 1 << 4 }, false},
		"PFC at no port":                  {func(s *plan.Switch) { s.Ports[0].QoS.PFC = 0 }, false},
		"CNPs by weight":                  {queue(2, func(q *plan.Queue) { q.Scheduler = plan.Scheduler{Weight: given(int64(50))} }), false},
		"CNPs that are marked":            {queue(2, func(q *plan.Queue) { q.ECN = &plan.ECN{} }), false},
		"CNPs with a cap":                 {queue(2, func(q *plan.Queue) { q.Scheduler.MaxRate = given(units.Gbps) }), false},
		"a cap":                           {queue(0, func(q *plan.Queue) { q.Scheduler.MaxRate = given(units.Gbps) }), false},
		"RDMA in front":                   {queue(1, func(q *plan.Queue) { q.Scheduler.Strict = true }), false},
		"a larger share":                  {queue(1, func(q *plan.Queue) { q.Scheduler.Weight.Value = 51 }), false},
		"a smaller share":                 {queue(0, func(q *plan.Queue) { q.Scheduler.Weight.Value = 49 }), false},
		"no marking of the rest":          {queue(0, func(q *plan.Queue) { q.ECN = nil }), false},
		"half of the probability":         {queue(0, func(q *plan.Queue) { q.ECN.PMax = given(50 * units.Percent) }), false},
		"191 B above Kmin":                {queue(0, func(q *plan.Queue) { q.ECN.KMin = given(roceMin + cell - 1) }), true},
		"192 B above Kmin":                {queue(0, func(q *plan.Queue) { q.ECN.KMin = given(roceMin + cell) }), false},
		"191 B below Kmax":                {queue(0, func(q *plan.Queue) { q.ECN.KMax = given(roceMax - cell + 1) }), true},
		"192 B below Kmax":                {queue(0, func(q *plan.Queue) { q.ECN.KMax = given(roceMax - cell) }), false},
		"a fourth queue":                  {func(s *plan.Switch) { s.Ports[0].QoS.Queues = append(s.Ports[0].QoS.Queues, plan.Queue{ID: 7}) }, false},
	} {
		has, not := []string{mode}, []string(nil)
		if !c.is {
			has, not = nil, []string{mode}
		}
		plantest.Wants(t, form, roceSwitch(), name, c.change, has, not)
	}
}

// What the commands say of a switch with one change. Packets are cut to 256 to 1,024 B in steps
// of 4 from Spectrum-4 on (Cumulus Linux 5.15 user guide, Packet Trimming).
func TestWanted(t *testing.T) {
	form := emit.Form{Name: "commands", Emit: EmitCommands}
	trim := func(size units.Bytes) func(*plan.Switch) {
		return func(s *plan.Switch) {
			s.Trim = &plan.Trim{Size: given(size), DSCP: 11, TC: 6, Queue: 6}
			s.Ports[0].QoS.Queues[0].Trims = true
		}
	}
	mtu := func(frame units.Bytes) func(*plan.Switch) {
		return func(s *plan.Switch) { s.Ports[0].MTU = frame }
	}
	const shaper = "traffic-class 7 max-rate "
	rate := func(rate units.BitRate) func(*plan.Switch) {
		return func(s *plan.Switch) {
			q := s.Ports[0].QoS.Queues
			q[len(q)-1].ID, q[len(q)-1].Scheduler.MaxRate = 7, given(rate)
		}
	}
	const cut = "nv set system forwarding packet-trim "
	for name, c := range map[string]struct {
		change   func(*plan.Switch)
		has, not []string
	}{
		// Without a profile the switch marks traffic class 0 (Cumulus Linux 5.14, Quality of Service, Congestion Control).
		"nothing marks": {func(s *plan.Switch) {
			for i := range s.Ports {
				for j := range s.Ports[i].QoS.Queues {
					s.Ports[i].QoS.Queues[j].ECN = nil
				}
			}
		}, []string{"traffic-class 0 ecn disable", "qos congestion-control profile"}, []string{"min-threshold"}},
		"packets of 300 B": {trim(300), []string{cut + "state enabled", cut + "size 300", cut + "switch-priority 6", cut + "remark dscp 11", "packet-trim egress-eligibility traffic-class 0"}, []string{"trimming-lost", "traffic-class 3 packet-trim", "egress-eligibility traffic-class 3"}},
		"256 B":            {trim(256), []string{cut + "size 256"}, []string{"trimming-lost"}},
		"252 B":            {trim(252), []string{"warning nvue-trimming-lost"}, []string{cut}},
		"1,024 B":          {trim(1024), []string{cut + "size 1024"}, []string{"trimming-lost"}},
		"1,028 B":          {trim(1028), []string{"warning nvue-trimming-lost"}, []string{cut}},
		"302 B":            {trim(302), []string{"warning nvue-trimming-lost"}, []string{cut}},
		"on Spectrum-3":    {func(s *plan.Switch) { trim(300)(s); s.Chip = "spectrum3" }, []string{"warning nvue-trimming-lost"}, []string{cut}},
		"a lossy group beside": {func(s *plan.Switch) {
			for i := range s.Ports {
				q := s.Ports[i].QoS
				if len(q.PGs) == 2 {
					q.PGs = append(q.PGs, plan.PG{ID: 5, Pool: q.PGs[0].Pool, Limit: dynamic(0)})
				}
			}
		}, []string{"priority-group bulk", "priority-group service5"}, []string{"service0"}},
		"a limit of a byte": {func(s *plan.Switch) {
			for i := range s.Ports {
				s.Ports[i].QoS.PGs[0].Limit, s.Ports[i].QoS.PGs[1].Limit, s.Ports[i].QoS.Pools = given(plan.Limit{Static: 1}), given(plan.Limit{Static: 1}), nil
			}
		}, []string{"ingress-service-pool 0 mode static", "ingress-lossless-buffer shared-bytes 1", "egress-service-pool 0 mode dynamic", "egress-service-pool 1 mode dynamic"}, []string{"ingress-service-pool 0 mode dynamic", "egress-service-pool 0 mode static"}},
		"no limit of that pool": {func(s *plan.Switch) {
			for i := range s.Ports {
				s.Ports[i].QoS.PGs[0].Limit, s.Ports[i].QoS.PGs[1].Limit, s.Ports[i].QoS.Pools = given(plan.Limit{}), given(plan.Limit{}), nil
			}
		}, []string{"ingress-service-pool 0 mode dynamic"}, []string{"shared-bytes"}},
		// What no rule admits has the default's priority, and becomes its code point.
		"an edge": {func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 26, TC: 3}}, Default: 9, DefaultTC: 6}
			s.Ports[0].QoS.Trust = plan.TrustNone
		}, []string{"qos mapping edge dscp 26 switch-priority 3", "qos mapping edge dscp 0,1,2,3,", ",63 switch-priority 6", "qos remark edge switch-priority 6 dscp 9", "qos remark edge switch-priority 3 dscp 26"}, []string{"qos mapping edge dscp 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,27 "}},
		// A packet of 552 B to 9,216 B is a frame of 574 B to 9,238 B (NVUE command reference, nv set
		// interface link mtu).
		"the largest packet":  {mtu(9238), []string{"link mtu 9216"}, []string{"error"}},
		"a larger packet":     {mtu(9239), []string{"error nvue-threshold: a frame size of 9239B is not supported: Cumulus Linux takes 574B to 9238B", "fix: choose a frame size from 574B to 9238B"}, nil},
		"the smallest packet": {mtu(574), []string{"link mtu 552"}, []string{"error"}},
		"a smaller packet":    {mtu(573), []string{"error nvue-threshold: a frame size of 573B is not supported: Cumulus Linux takes 574B to 9238B", "fix: choose a frame size from 574B to 9238B"}, nil},
		// A shaper is 0 to 2147483647 kb/s (openapi of NVUE), and 0 is none.
		"a cap of 1 kb/s":      {rate(units.Kbps), []string{shaper + "1"}, []string{"rounded: queue 7"}},
		"a cap of less":        {rate(999), []string{shaper + "1", "warning nvue-rounded: a rate cap of 999bps is not supported: Cumulus Linux takes whole kb/s", "fix: write 1kbps in the fabric"}, []string{shaper + "0"}},
		"a cap of 1 b/s":       {rate(1), []string{shaper + "1", "a rate cap of 1bps is not supported: Cumulus Linux takes whole kb/s from 1 to 2147483647, and gets 1kbps"}, nil},
		"a cap of 1,999 b/s":   {rate(1999), []string{shaper + "1", "a rate cap of 1.999kbps is not supported: Cumulus Linux takes whole kb/s from 1 to 2147483647, and gets 1kbps"}, nil},
		"the largest cap":      {rate(2_147_483_647 * units.Kbps), []string{shaper + "2147483647"}, []string{"rounded: queue 7"}},
		"a cap of 1 kb/s more": {rate(2_147_483_648 * units.Kbps), []string{shaper + "2147483647", "a rate cap of 2147483.648Mbps is not supported: Cumulus Linux takes whole kb/s from 1 to 2147483647, and gets 2147483.647Mbps"}, nil},
		"no pools":             {func(s *plan.Switch) { s.Pools = nil }, nil, []string{"advance-buffer-config"}},
		// A switch priority has one code point: the first of those that are admitted with it.
		"two code points of one priority": {func(s *plan.Switch) {
			s.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 26, TC: 3}, {DSCP: 27, TC: 3}}, Default: 9, DefaultTC: 6}
			s.Ports[0].QoS.Trust = plan.TrustNone
		}, []string{"qos remark edge switch-priority 3 dscp 26", "qos remark edge switch-priority 6 dscp 9", "untrusted packets with DSCP 27 get DSCP 26: Cumulus Linux remarks by switch priority, and both code points have priority 3"},
			[]string{"switch-priority 3 dscp 27", "edge switch-priority 0 dscp", "untrusted packets with DSCP 26", "untrusted packets with DSCP 0"}},
		"the first class pauses another": {func(s *plan.Switch) {
			s.Classes[0], s.Classes[1] = s.Classes[1], s.Classes[0]
			s.Classes[0].TrafficClass = 4
		}, []string{"error nvue-priority: priority 3 pauses traffic class 4, and Cumulus Linux has one number for both"}, nil},
		"the first class pauses its own":                {func(s *plan.Switch) { s.Classes[0], s.Classes[1] = s.Classes[1], s.Classes[0] }, nil, []string{"error"}},
		"a class of no code point pauses another queue": {func(s *plan.Switch) { s.Maps.PFCToQueue[3] = 4 }, []string{"error nvue-priority: priority 3 pauses queue 4, but its traffic is sent from queue 3"}, nil},
		// `nv set qos pfc my_pfc_ports switch-priority 3,5`: Cumulus Linux 5.14, Quality of Service, Port Groups, PFC. A profile
		// has one port-buffer.
		"two lossless classes": {second(0), []string{"qos pfc servers switch-priority 3,4", "qos pfc servers port-buffer 71808", "qos pfc uplinks port-buffer 106752",
			"warning nvue-port-buffer: ports of servers pause several priorities"}, []string{"error"}},
		"one of them with another reserve": {second(cell), []string{"error nvue-conflict: priority group 4 of servers has another reserve, headroom or XON threshold than the other lossless groups"}, nil},
		"no frame is known": {func(s *plan.Switch) {
			s.MTU.Value = 0
			for i := range s.Ports {
				s.Ports[i].MTU = 0
			}
		}, nil, []string{"link mtu", "error"}},
		// A limit is none if it is as large as the largest pool, of which no size is known here.
		"a limit beside pools without a size": {func(s *plan.Switch) {
			for i := range s.Pools {
				s.Pools[i].Size.Value = 0
			}
			s.Ports[0].QoS.PGs[0].Limit = given(plan.Limit{Static: 1})
		}, []string{"error nvue-threshold: a limit of 1B is static, and other limits in its pool are dynamic"}, nil},
		"a limit of the largest pool": {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Limit = given(plan.Limit{Static: 824_112 * cell}) }, []string{"priority-group bulk shared-alpha alpha_infinity"}, []string{"error"}},
		"of a byte less":              {func(s *plan.Switch) { s.Ports[0].QoS.PGs[0].Limit = given(plan.Limit{Static: 824_112*cell - 1}) }, []string{"error nvue-threshold: a limit of 158229503B is static"}, nil},
	} {
		plantest.Wants(t, form, leaf(), name, c.change, c.has, c.not)
	}
}

// second gives each port a second lossless class, of priority 4, with so much more of a reserve.
func second(more units.Bytes) func(s *plan.Switch) {
	return func(s *plan.Switch) {
		s.Classes = append(s.Classes, plan.Class{Name: "store", TrafficClass: 4, Queue: 4, PG: 4, PFC: 4, Lossless: true})
		s.Maps.DSCPToTC[34], s.Maps.TCToQueue[4], s.Maps.TCToPG[4], s.Maps.PFCToQueue[4], s.Maps.PFCToPG[4] = 4, 4, 4, 4, 4
		for i := range s.Ports {
			q := s.Ports[i].QoS
			if q.PFC&(1<<4) != 0 {
				continue // ports of one kind share it
			}
			group, queue := q.PGs[1], q.Queues[1]
			group.ID, queue.ID = 4, 4
			group.Reserved.Value += more
			queue.Scheduler.Weight.Value = 0
			q.PFC, q.PGs, q.Queues = q.PFC|1<<4, append(q.PGs, group), append(q.Queues, queue)
		}
	}
}

// That a switch does not balance load as the fabric says is told where the fabric says it.
func TestPlaceOfLoadBalancing(t *testing.T) {
	for _, way := range []string{"flowlet", "spray", "adaptive"} {
		s := leaf()
		s.Chip, s.LoadBalancing = "spectrum3", way
		s.Range.Start.Line, s.LoadBalancingAt.Start.Line = 1, 7
		_, found := Emit(s)
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == LoadBalancing })
		if i < 0 || found[i].Subject.Start.Line != 7 {
			t.Errorf("%s: %v", way, found)
		}
	}
}

// A change from or to a switch that Cumulus Linux cannot be told is none, and neither is one to itself.
func TestNoChangeOfWhatCannotBeTold(t *testing.T) {
	bad := leaf()
	bad.Ports[0].Name = "Ethernet0"
	for _, c := range [][2]*plan.Switch{{bad, leaf()}, {leaf(), bad}} {
		if files, found := EmitChange(c[0], c[1]); len(files) > 0 || !found.HasErrors() {
			t.Errorf("%d files, found %v", len(files), found)
		}
	}
	_, usual := Emit(leaf())
	if files, found := EmitChange(leaf(), leaf()); len(files) > 0 || found.HasErrors() || len(found) != len(usual) {
		t.Errorf("to itself: %d files, found %v", len(files), found)
	}
}
