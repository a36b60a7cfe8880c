package openconfig

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What is told of a switch with one change: of each intent that the models do not carry, once.
func TestWanted(t *testing.T) {
	form := emit.Form{Name: "openconfig", Emit: Emit}
	onEOS := func(s *plan.Switch) { s.OS = "eos" }
	each := func(change func(q *plan.PortQoS)) func(*plan.Switch) {
		return func(s *plan.Switch) { change(s.Ports[0].QoS) } // which all ports share
	}
	const lost = "warning openconfig-lost: OpenConfig cannot carry "
	for name, c := range map[string]struct {
		change   func(*plan.Switch)
		has, not []string
	}{
		"as it is": {func(*plan.Switch) {}, []string{
			lost + "PFC of priority 3 (rdma)", lost + "headroom of priority groups (up to 93980B)", lost + "XON of priority groups", lost + "reserve and limit of priority groups", lost + "which of 2 priority groups",
			lost + "the headroom pool of ingress (25400B)", lost + "buffer pools and their sizes: ingress (25400000B)", lost + "adaptive load balancing", lost + "a shaper of one queue among those that share by weight (queue 1, 10Gbps)", lost + "the PFC watchdog (detection 200ms",
		}, []string{"sends packets back", "sent back", "cutting", "calculator", "whole port", "marking rules", "openconfig-refused"}},
		"a queue that no class is sent from": {func(s *plan.Switch) {
			s.Ports[0].QoS.Queues = append(s.Ports[0].QoS.Queues, plan.Queue{ID: 7})
		}, []string{`"queue-id": 7`}, nil},
		"cutting":  {func(s *plan.Switch) { s.Trim = &plan.Trim{Size: given(units.Bytes(256))} }, []string{lost + "the cutting of packets to 256B"}, nil},
		"a tunnel": {func(s *plan.Switch) { s.Tunnel = &plan.Tunnel{Name: "MuxTunnel0"} }, []string{lost + "the classes in which MuxTunnel0 sends packets back"}, nil},
		"ports that classify by themselves": {func(s *plan.Switch) {
			for i := range s.Ports[1:] {
				own := *s.Ports[1+i].QoS
				own.DSCPToTC = &[64]uint8{}
				s.Ports[1+i].QoS = &own
			}
		}, []string{lost + "how Ethernet2/1 classifies code points"}, []string{"how Ethernet1/1", "how Ethernet3/1"}},
		"ports with queues of their own": {func(s *plan.Switch) {
			for i := range s.Ports[1:] {
				own := *s.Ports[1+i].QoS
				own.TCToQueue = &plan.QueueMap{To: [8]uint8{3: 5}}
				s.Ports[1+i].QoS = &own
			}
		}, []string{lost + "that classes leave Ethernet2/1 from other queues than most ports"}, []string{"leave Ethernet1/1", "leave Ethernet3/1"}},
		// A scheduler for each strict queue, and none for those that share by weight, since there are none.
		"strict queues alone": {each(func(q *plan.PortQoS) { q.Queues = q.Queues[2:] }), []string{`"sequence": 0`}, []string{`"sequence": 1`}},
		"queues by weight":    {each(func(q *plan.PortQoS) { q.Queues = q.Queues[:2] }), []string{`"sequence": 0`}, []string{`"sequence": 1`, "STRICT"}},
		"a name of signs":     {func(s *plan.Switch) { s.Classes[0].Name = "r&d<1" }, []string{`"name": "r&d<1"`}, []string{"\\u00"}},
		"a class that is called as the traffic class of another": {func(s *plan.Switch) { s.Classes[1].Name, s.Maps.DSCPToTC[10] = "tc-5", 5 },
			[]string{`"id": "no-tc-5"`, `"target-group": "no-tc-5"`, `"output-queue": "queue-5"`, `"target-group": "tc-5"`, `"output-queue": "tc-5"`}, nil},
		"the least of all": {func(s *plan.Switch) {
			s.Pools[0].Size.Value, s.Pools[0].Headroom.Value = 1, 1
			s.Ports[0].QoS.Queues[0].Scheduler.MaxRate.Value, s.Ports[0].QoS.Queues[2].Scheduler.MaxRate.Value = 1, 1
		}, []string{lost + "a shaper of one queue among those that share by weight (queue 1, 1bps)", lost + "the headroom pool of ingress (1B)", lost + "buffer pools and their sizes: ingress (1B)", `"cir": "1"`}, nil},
		"no queues":                  {each(func(q *plan.PortQoS) { q.Queues = nil }), nil, []string{"scheduler-polic", "queue-management", "buffer-allocation"}},
		"on EOS, of the least frame": {func(s *plan.Switch) { onEOS(s); s.MTU.Value = 1 }, []string{lost + "the largest frame (1B) to EOS"}, nil},
		"a calculator":               {func(s *plan.Switch) { s.Calculator = &plan.Calculator{} }, []string{lost + "the switch's own buffer calculator"}, nil},
		"bounds of whole ports":      {each(func(q *plan.PortQoS) { q.Pools = []plan.PortPool{{Pool: "ingress"}} }), []string{lost + "what a whole port may take of a pool"}, nil},
		"marking that nobody uses":   {each(func(q *plan.PortQoS) { q.Trust = plan.TrustDSCP }), []string{lost + "the marking rules: no port uses them"}, nil},
		"no marking":                 {func(s *plan.Switch) { each(func(q *plan.PortQoS) { q.Trust = plan.TrustDSCP })(s); s.Marking = nil }, nil, []string{"the marking rules"}},
		"balancing as every switch":  {func(s *plan.Switch) { s.LoadBalancing = "ecmp" }, nil, []string{"load balancing"}},
		"no watchdog":                {func(s *plan.Switch) { s.Watchdog = nil }, nil, []string{"watchdog"}},
		"two lossless classes":       {func(s *plan.Switch) { s.Classes[2].Lossless, s.Classes[2].PFC = true, 6 }, []string{lost + "PFC of priority 3 (rdma), 6 (cnp)"}, nil},
		"none":                       {func(s *plan.Switch) { s.Classes[1].Lossless = false }, nil, []string{"PFC of priority"}},
		"groups without numbers": {each(func(q *plan.PortQoS) { q.PGs = []plan.PG{{ID: 3}} }), []string{lost + "which of 1 priority groups"},
			[]string{"headroom of priority", "XON of", "reserve and limit of priority"}},
		"a level to resume at":  {each(func(q *plan.PortQoS) { q.PGs = []plan.PG{{ID: 3, XOn: given(units.Bytes(1))}} }), []string{lost + "XON of priority groups"}, []string{"headroom of priority"}},
		"a reserve":             {each(func(q *plan.PortQoS) { q.PGs = []plan.PG{{ID: 3, Reserved: given(units.Bytes(1))}} }), []string{lost + "reserve and limit of priority groups"}, []string{"XON of"}},
		"no groups":             {each(func(q *plan.PortQoS) { q.PGs = nil }), nil, []string{"priority groups a traffic class"}},
		"pools without a size":  {func(s *plan.Switch) { s.Pools[0].Size.Value, s.Pools[0].Headroom.Value = 0, 0 }, nil, []string{"buffer pools", "headroom pool"}},
		"no caps":               {each(func(q *plan.PortQoS) { q.Queues[0].Scheduler.MaxRate.Value = 0 }), nil, []string{"a shaper of one queue"}},
		"on EOS":                {onEOS, []string{lost + "the largest frame (9216B) to EOS", "warning openconfig-refused: EOS refuses the number of a queue", "EOS refuses reserve and limit of queues", "EOS refuses a match on a UDP port"}, []string{"no port uses them"}},
		"on EOS, of no frame":   {func(s *plan.Switch) { onEOS(s); s.MTU.Value = 0 }, nil, []string{"the largest frame"}},
		"on EOS, without marks": {func(s *plan.Switch) { onEOS(s); s.Marking = nil }, nil, []string{"UDP port"}},
		"on EOS, without limits": {func(s *plan.Switch) {
			onEOS(s)
			for i := range s.Ports[0].QoS.Queues {
				s.Ports[0].QoS.Queues[i].Limit.Value = plan.Limit{}
			}
		}, nil, []string{"reserve and limit of queues"}},
		"on EOS, with a reserve": {func(s *plan.Switch) {
			onEOS(s)
			for i := range s.Ports[0].QoS.Queues {
				s.Ports[0].QoS.Queues[i].Limit.Value = plan.Limit{}
			}
			s.Ports[0].QoS.Queues[2].Reserved = given(units.Bytes(1))
		}, []string{"EOS refuses reserve and limit of queues"}, nil},
		"a port of which nothing is told": {func(s *plan.Switch) { s.Ports[2].QoS = nil }, []string{lost + "PFC of priority 3 (rdma)"}, []string{"error"}},
	} {
		plantest.Wants(t, form, rack(3), name, c.change, c.has, c.not)
	}
}

// Every form says what is lost, and none of them more than the others.
func TestFormsFindTheSame(t *testing.T) {
	_, want := Emit(rack(2))
	for _, form := range Target().Forms {
		if files, found := form.Emit(rack(2)); len(files) == 0 || len(want) == 0 || len(found) != len(want) {
			t.Errorf("%s: %d files, found %v, want %v", form.Name, len(files), found, want)
		}
	}
}

// Strings of the text format stand between single quotes; control characters are three digits to
// the base of eight (protobuf.dev, Text Format Language Specification, String Literals).
func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{`a"b`: `'a"b'`, `a'b`: `'a\'b'`, `a\b`: `'a\\b'`, "a\tb": `'a\011b'`, "\x00": `'\000'`, "\x1f ": `'\037 '`, "\x7f": `'\177'`, "\x80": "'\x80'", "": `''`} {
		must.Equalf(t, quoted(text), want, "%q becomes", text)
	}
}

// A request lays nothing over what it has nothing to say of: a switch without limits has no profiles of buffers.
func TestUpdateIsSilent(t *testing.T) {
	for name, c := range map[string]struct {
		emit     func(*plan.Switch) ([]emit.File, diag.List)
		has, not []string
	}{
		"update":  {EmitUpdate, nil, []string{"buffer-allocation", "{}", "delete"}},
		"replace": {EmitReplace, []string{"delete {", "elem { name: 'buffer-allocation-profiles' }"}, []string{"{}"}},
	} {
		plantest.Wants(t, emit.Form{Name: name, Emit: c.emit}, rack(1), "no limits", func(s *plan.Switch) {
			for i := range s.Ports[0].QoS.Queues {
				s.Ports[0].QoS.Queues[i].Limit = given(plan.Limit{})
			}
		}, c.has, c.not)
	}
}

// What is lost is told where the fabric asks for it: at the first class, port or block that does.
func TestPlacesOfWhatIsLost(t *testing.T) {
	at := func(line int) (r diag.Range) {
		r.Filename, r.Start.Line = "f", line
		return r
	}
	s := rack(4)
	s.Range, s.LoadBalancingAt, s.Marking = at(1), at(2), nil
	s.Trim, s.Tunnel = &plan.Trim{Range: at(3)}, &plan.Tunnel{Range: at(4)}
	for i := range s.Classes {
		s.Classes[i].Range = at(10 + i)
	}
	s.Classes[2].Lossless = true
	for i := range s.Ports {
		own := *s.Ports[i].QoS
		own.Trust, own.Queues = plan.TrustDSCP, slices.Clone(own.Queues)
		s.Ports[i].Range, s.Ports[i].QoS = at(20+i), &own
	}
	s.Ports[0].QoS = nil
	s.Ports[1].QoS.PGs, s.Ports[1].QoS.Queues[0].Scheduler.MaxRate.Value = nil, 0
	s.Ports[2].QoS.PGs = s.Ports[2].QoS.PGs[1:]
	s.Ports[3].QoS.DSCPToTC = &[64]uint8{}
	_, found := Emit(s)
	for what, line := range map[string]int{
		"PFC of priority": 11, "priority groups a traffic class lies in": 22, "headroom of priority groups": 22, "XON of": 22, "reserve and limit of priority": 22, "buffer pools": 1, "headroom pool": 1,
		"a shaper of one queue": 22, "watchdog": 1, "adaptive load balancing": 2, "cutting": 3, "sends packets back": 4, "classifies code points": 23,
	} {
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, what) })
		if i < 0 || found[i].Subject.Start.Line != line {
			t.Errorf("%s: want it at line %d: %v", what, line, found)
		}
	}
}
