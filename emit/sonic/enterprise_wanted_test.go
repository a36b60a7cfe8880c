package sonic_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// What Enterprise SONiC is told of a switch with one change. Its ranges are those of the arguments of
// dellemc.enterprise_sonic @9851e680: pause thresholds of 46,080 to 8,388,608 B, thresholds of -6 to 3,
// marking from 1,000 to 12,480,000 B, a watchdog that detects after 100 to 5,000 ms, restores after 100 to 60,000 and polls every 100 to 3,000.
func TestEnterpriseWanted(t *testing.T) {
	form := emit.Form{Name: "enterprise", Emit: sonic.EmitEnterprise}
	qos := func(change func(*plan.PortQoS)) func(*plan.Switch) {
		return func(sw *plan.Switch) { change(sw.Ports[0].QoS) }
	}
	pg := func(change func(*plan.PG)) func(*plan.Switch) {
		return qos(func(q *plan.PortQoS) { change(&q.PGs[1]) })
	}
	headroom := func(b units.Bytes) func(*plan.Switch) { return pg(func(g *plan.PG) { g.Headroom = of(b) }) }
	limit := func(l plan.Derived[plan.Limit]) func(*plan.Switch) { return pg(func(g *plan.PG) { g.Limit = l }) }
	pmax := func(p units.Ratio) func(*plan.Switch) {
		return qos(func(q *plan.PortQoS) { q.Queues[1].ECN.PMax = of(p) })
	}
	curve := func(kmin, kmax units.Bytes) func(*plan.Switch) {
		return qos(func(q *plan.PortQoS) { q.Queues[1].ECN.KMin, q.Queues[1].ECN.KMax = of(kmin), of(kmax) })
	}
	dog := func(detects, restores, polls units.Time) func(*plan.Switch) {
		return func(sw *plan.Switch) {
			sw.Watchdog.Detection, sw.Watchdog.Restoration, sw.Watchdog.Poll = of(detects), of(restores), of(polls)
		}
	}
	class := func(tc, queue, pg, pfc uint8) func(*plan.Switch) {
		return func(sw *plan.Switch) {
			c := &sw.Classes[0]
			c.TrafficClass, c.Queue, c.PG, c.PFC = tc, queue, pg, pfc
		}
	}
	const (
		ms       = units.Millisecond
		refused  = "error sonic-enterprise-refused"
		priority = "priority-flow-control priority "
		pause    = "pause pause-threshold "
		watched  = "priority-flow-control watchdog on detect-time "
		rounded  = "takes whole per cent"
		lossless = "lossless traffic of Enterprise SONiC has one number"
	)
	for name, c := range map[string]struct {
		change   func(*plan.Switch)
		has, not []string
	}{
		"as it is": {func(*plan.Switch) {}, []string{priority + "3", watched + "200", "watchdog on restore-time 400", "polling-interval 100", "no qos default-lossless-buffer-profile",
			"qos buffer priority-group 3 roceplan-46080-1280--3", "buffer profile roceplan-46080-1280--3 ingress_lossless_pool 1280 dynamic-threshold -3 pause pause-threshold 46080",
			"dscp 46 traffic-class 3", "dscp 0 traffic-class 2", "dscp 63 traffic-class 2", "queue 3 wred-policy roceplan-400-1600-5", "scheduler-policy roceplan-1", "queue 6 has a cap of 500Mbps", "type dwrr", "weight 40", "weight 60", "type strict",
			"needs 25088B of headroom and gets 46080B, the least"},
			[]string{refused, "roceplan-2", priority + "2", priority + "4", "dscp 64", "queue 2 wred-policy", "queue 6 wred-policy", "priority-group 0", "traffic-class 8", "pfc-priority 8", "queue 2 may send", "load balancing", rounded, "edge"}},
		"two priorities":              {qos(func(q *plan.PortQoS) { q.PFC = 1<<0 | 1<<7 }), []string{priority + "0", priority + "7"}, nil},
		"no PFC":                      {func(sw *plan.Switch) { sw.Ports[0].QoS.PFC, sw.Ports[8].QoS.PFC = 0, 0 }, []string{"queue 3 wred-policy"}, []string{priority, "qos buffer", "watchdog on", "default-lossless"}},
		"no watchdog":                 {func(sw *plan.Switch) { sw.Watchdog = nil }, []string{priority + "3"}, []string{"watchdog"}},
		"an unwatched port":           {func(sw *plan.Switch) { sw.Ports[0].QoS.Watchdog, sw.Ports[8].QoS.Watchdog = false, false }, []string{"polling-interval 100"}, []string{"watchdog on", "watchdog action"}},
		"a port that is told nothing": {func(sw *plan.Switch) { sw.Ports[0].QoS = nil }, []string{"interface Ethernet1"}, []string{"interface Ethernet0"}},

		"the least headroom":    {headroom(46_080), []string{pause + "46080"}, []string{refused, "the least that"}},
		"a byte less":           {headroom(46_079), []string{pause + "46080", "needs 46079B of headroom and gets 46080B"}, []string{refused, pause + "46079"}},
		"the most headroom":     {headroom(8_388_608), []string{pause + "8388608"}, []string{refused}},
		"a byte more":           {headroom(8_388_609), []string{refused + ": a headroom of 8388609B is not supported: Enterprise SONiC takes 0B to 8388608B"}, []string{"interface"}},
		"the least alpha":       {limit(alpha(-6)), []string{"dynamic-threshold -6 "}, []string{refused}},
		"a smaller alpha":       {limit(alpha(-7)), []string{refused, "threshold of 1/128 is not supported: Enterprise SONiC takes 1/64 to 8"}, nil},
		"the largest alpha":     {limit(alpha(3)), []string{"dynamic-threshold 3 "}, []string{refused}},
		"a larger alpha":        {limit(alpha(4)), []string{refused, "threshold of 16 is not supported: Enterprise SONiC takes 1/64 to 8"}, nil},
		"a static limit":        {limit(static(1280)), []string{refused, "has an alpha from 1/64 to 8"}, nil},
		"another size":          {pg(func(g *plan.PG) { g.Reserved = of(units.Bytes(1536)) }), []string{"roceplan-46080-1536--3", "ingress_lossless_pool 1536 dynamic", "ingress_lossless_pool 1280 dynamic"}, nil},
		"a second strict queue": {qos(func(q *plan.PortQoS) { q.Queues[0].Scheduler = plan.Scheduler{Strict: true} }), []string{"qos scheduler-policy roceplan-1", "qos scheduler-policy roceplan-2"}, []string{"roceplan-3"}},
		"no cap": {func(sw *plan.Switch) {
			sw.Ports[0].QoS.Queues[2].Scheduler.MaxRate.Value, sw.Ports[8].QoS.Queues[2].Scheduler.MaxRate.Value = 0, 0
		}, nil, []string{"may send"}},
		"a cap of 1 b/s":            {qos(func(q *plan.PortQoS) { q.Queues[0].Scheduler.MaxRate = of(units.BitRate(1)) }), []string{"queue 2 has a cap of 1bps"}, nil},
		"marks of a per cent":       {pmax(units.Percent), []string{"drop-probability 1", "roceplan-400-1600-1"}, []string{rounded}},
		"of less":                   {pmax(units.Percent - 1), []string{"drop-probability 1", rounded, "fix: write 1%"}, []string{"drop-probability 0"}},
		"of a little more":          {pmax(2*units.Percent - 1), []string{"drop-probability 1", rounded, "and gets 1"}, []string{"drop-probability 2"}},
		"thresholds of whole kB":    {curve(1000, 12_480_000), []string{"minimum-threshold 1 maximum-threshold 12480 "}, []string{refused, "marking threshold of 1"}},
		"of a byte less":            {curve(1999, 2000), []string{"minimum-threshold 1 maximum-threshold 2 ", "sonic-enterprise-lost: a lower marking threshold of 1999B is not supported: Enterprise SONiC takes whole kB from 1 to 12480, and gets 1000B"}, []string{refused}},
		"of a byte more":            {curve(1000, 2001), []string{"minimum-threshold 1 maximum-threshold 2 ", "upper marking threshold of 2001B is not supported: Enterprise SONiC takes whole kB from 1 to 12480, and gets 2000B"}, []string{refused}},
		"a threshold below 1 kB":    {curve(999, 2000), []string{refused + ": a lower marking threshold of 999B is not supported: Enterprise SONiC takes 1000B to 12480000B"}, []string{"minimum-threshold"}},
		"a threshold above 12.5 MB": {curve(1000, 12_481_000), []string{refused + ": an upper marking threshold of 12481000B is not supported: Enterprise SONiC takes 1000B to 12480000B"}, []string{"minimum-threshold"}},

		"the fastest watchdog":   {dog(100*ms, 100*ms, 100*ms), []string{watched + "100", "restore-time 100", "polling-interval 100"}, []string{refused}},
		"it detects too early":   {dog(99*ms, 100*ms, 100*ms), []string{refused + ": a watchdog detection time of 99ms is not supported: Enterprise SONiC takes 100ms to 5s"}, nil},
		"it restores too early":  {dog(100*ms, 99*ms, 100*ms), []string{refused + ": a watchdog restoration time of 99ms is not supported: Enterprise SONiC takes 100ms to 60s"}, nil},
		"it polls too often":     {dog(100*ms, 100*ms, 99*ms), []string{refused + ": a watchdog polling interval of 99ms is not supported: Enterprise SONiC takes 100ms to 3s"}, nil},
		"the slowest watchdog":   {dog(5000*ms, 60_000*ms, 3000*ms), []string{watched + "5000", "restore-time 60000", "polling-interval 3000"}, []string{refused}},
		"it detects too late":    {dog(5001*ms, 60_000*ms, 3000*ms), []string{refused + ": a watchdog detection time of 5.001s"}, []string{"restoration time of", "polling interval of"}},
		"it restores too late":   {dog(5000*ms, 60_001*ms, 3000*ms), []string{refused + ": a watchdog restoration time of 60.001s"}, []string{"detection time of", "polling interval of"}},
		"it polls too seldom":    {dog(5000*ms, 60_000*ms, 3001*ms), []string{refused + ": a watchdog polling interval of 3.001s"}, []string{"detection time of", "restoration time of"}},
		"a part of a ms":         {dog(200*ms, 400*ms+units.Microsecond, 100*ms), []string{"restoration time of 400.001ms is not supported: Enterprise SONiC takes whole milliseconds from 100 to 60000, and gets 401ms", "restore-time 401"}, []string{refused}},
		"it polls as it detects": {dog(200*ms, 400*ms, 200*ms), []string{"polling-interval 200"}, []string{refused}},
		"it polls later":         {dog(200*ms, 400*ms, 201*ms), []string{refused + ": the PFC watchdog polls every 201ms, longer than the 200ms"}, nil},
		"later than it restores": {dog(400*ms, 200*ms, 201*ms), []string{refused + ": the PFC watchdog polls every 201ms, longer than the 200ms"}, nil},

		"number 4":                 {class(4, 4, 4, 4), nil, []string{refused}},
		"number 5":                 {class(5, 5, 5, 5), []string{refused + ": " + lossless}, nil},
		"number 2":                 {class(2, 2, 2, 2), []string{refused + ": " + lossless}, nil},
		"another class":            {class(4, 3, 3, 3), []string{lossless}, nil},
		"another queue":            {class(3, 4, 3, 3), []string{lossless}, nil},
		"another group":            {class(3, 3, 4, 3), []string{lossless}, nil},
		"another priority":         {class(3, 3, 3, 4), []string{lossless}, nil},
		"a lossy class of any":     {func(sw *plan.Switch) { class(6, 5, 4, 2)(sw); sw.Classes[0].Lossless = false }, []string{"traffic-class 6 priority-group 7", "traffic-class 3 priority-group 7"}, []string{refused}},
		"Tomahawk 3":               {func(sw *plan.Switch) { sw.Chip = "tomahawk3" }, nil, []string{refused}},
		"Tomahawk 4":               {func(sw *plan.Switch) { sw.Chip = "tomahawk4" }, []string{refused}, nil},
		"virtual output queues":    {func(sw *plan.Switch) { sw.VOQ = true }, []string{refused + ": Enterprise SONiC has the traditional buffer model alone"}, nil},
		"the dynamic model":        {func(sw *plan.Switch) { sw.BufferModel = plan.DynamicModel }, []string{refused + ": Enterprise SONiC has the traditional buffer model alone"}, nil},
		"flows over equal paths":   {func(sw *plan.Switch) { sw.LoadBalancing = "ecmp" }, nil, []string{"load balancing"}},
		"packets over equal paths": {func(sw *plan.Switch) { sw.LoadBalancing = "spray" }, []string{"no public line for spray load balancing"}, nil},
		"rules of the edge":        {func(sw *plan.Switch) { sw.Marking = &plan.Marking{} }, []string{"Enterprise SONiC has no line here for the marking rules of the edge"}, nil},
	} {
		plantest.Wants(t, form, enterpriseTor(), name, c.change, c.has, c.not)
	}
}

// The parts of the file are in the order in which one needs the other, and each policy and profile is once in it.
func TestOrderOfEnterprise(t *testing.T) {
	files, _ := sonic.EmitEnterprise(enterpriseTor())
	text := string(files[0].Body.AppendFor(nil, "tor-01"))
	at := -1
	for _, part := range []string{"! for tor-01", "configure terminal\nbuffer init lossless\n", "qos map dscp-tc", "qos map tc-queue", "qos map tc-pg", "qos map pfc-priority-queue", "qos wred-policy",
		"qos scheduler-policy", "buffer pool", "buffer profile roceplan-104448", "buffer profile roceplan-46080", "watchdog polling-interval", "interface Ethernet0\n", "interface Ethernet12\n", "\nend\n"} {
		i := strings.Index(text, part)
		if i <= at || strings.Count(text, part) != 1 {
			t.Errorf("%q is at %d, after %d, %d times", part, i, at, strings.Count(text, part))
		}
		at = i
	}
	if files[0].Path != "enterprise-sonic.txt" {
		t.Error(files[0].Path)
	}
}

// A box that numbers its ports from 0 says so of the first; one of which no number is known says none.
func TestNumbersOfPorts(t *testing.T) {
	form := emit.Form{Name: "config_db", Emit: sonic.Emit}
	for _, c := range []struct {
		index    [2]int
		has, not []string
	}{
		{[2]int{0, 0}, nil, []string{`"index"`}}, {[2]int{0, 1}, []string{`"index": "0"`, `"index": "1"`}, nil}, {[2]int{1, 2}, []string{`"index": "1"`, `"index": "2"`}, []string{`"index": "0"`}},
	} {
		plantest.Wants(t, form, tor(), "numbers", func(sw *plan.Switch) {
			sw.Ports = sw.Ports[:2]
			for i := range sw.Ports {
				sw.Ports[i].Index, sw.Ports[i].Numbered = c.index[i], c.index != [2]int{}
			}
		}, c.has, c.not)
	}
}

// What the calculator of the dynamic buffer model takes, and next to it what it does not: alphas of -8 to 7 and frames
// of 1 to 9,216 B (sonic-default-lossless-buffer-parameter.yang, sonic-lossless-traffic-pattern.yang), ratios of 16
// bits, whole per cent.
func TestCalculatorWanted(t *testing.T) {
	form := emit.Form{Name: "config_db", Emit: sonic.Emit}
	const refused = "error sonic-value-refused"
	for name, c := range map[string]struct {
		change   func(*plan.Calculator)
		has, not []string
	}{
		"as it is": {func(*plan.Calculator) {}, []string{`"default_dynamic_th": "0"`, `"over_subscribe_ratio": "2"`, `"mtu": "4200"`, `"small_packet_percentage": "100"`}, []string{"error"}},
		"the least": {func(c *plan.Calculator) {
			c.DefaultAlpha, c.Oversubscribe, c.LosslessFrame, c.SmallPackets = of(units.Alpha(-8)), of(int64(0)), of(units.Bytes(1)), of(units.Ratio(0))
		}, []string{`"default_dynamic_th": "-8"`, `"mtu": "1"`, `"small_packet_percentage": "0"`}, []string{"error"}},
		"the most": {func(c *plan.Calculator) {
			c.DefaultAlpha, c.Oversubscribe, c.LosslessFrame = of(units.Alpha(7)), of(int64(65535)), of(units.Bytes(9216))
		}, []string{`"default_dynamic_th": "7"`, `"over_subscribe_ratio": "65535"`, `"mtu": "9216"`}, []string{"error"}},
		"a smaller alpha": {func(c *plan.Calculator) { c.DefaultAlpha = of(units.Alpha(-9)) }, []string{refused}, nil},
		"a larger alpha":  {func(c *plan.Calculator) { c.DefaultAlpha = of(units.Alpha(8)) }, []string{refused}, nil},
		"a ratio below 0": {func(c *plan.Calculator) { c.Oversubscribe = of(int64(-1)) }, []string{refused}, nil},
		"a larger ratio":  {func(c *plan.Calculator) { c.Oversubscribe = of(int64(65536)) }, []string{refused}, nil},
		"no frame":        {func(c *plan.Calculator) { c.LosslessFrame = of(units.Bytes(0)) }, []string{refused}, nil},
		"a larger frame":  {func(c *plan.Calculator) { c.LosslessFrame = of(units.Bytes(9217)) }, []string{refused}, nil},
		"half a per cent": {func(c *plan.Calculator) { c.SmallPackets = of(units.Percent / 2) }, []string{"warning sonic-rounded: a share of small packets of 0.5% is not supported", `"small_packet_percentage": "1"`}, []string{"error"}},
		"101 per cent":    {func(c *plan.Calculator) { c.SmallPackets = of(101 * units.Percent) }, []string{refused, "a share of small packets of 101%"}, nil},
	} {
		plantest.Wants(t, form, spectrum(), name, func(sw *plan.Switch) { c.change(sw.Calculator) }, c.has, c.not)
	}
	plantest.Wants(t, form, spectrum(), "none", func(sw *plan.Switch) { sw.Calculator = nil }, []string{"error sonic-plan-incomplete: the dynamic buffer model needs three inputs"}, nil)
	plantest.Wants(t, form, tor(), "none, and none is needed", func(*plan.Switch) {}, nil, []string{"error"})
}
