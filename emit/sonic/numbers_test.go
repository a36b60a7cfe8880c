package sonic_test

import (
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Each number at its bounds, which are those of the YANG models (format/sonic), and next to them: what is refused is named
// with both, and nothing else is.
func TestEveryNumberIsChecked(t *testing.T) {
	form := emit.Form{Name: "config_db", Emit: sonic.Emit}
	ms := func(n int64) plan.Derived[units.Time] { return of(units.Time(n) * units.Millisecond) }
	dog := func(detects, restores, polls int64) func(*plan.Switch, int64) {
		return func(sw *plan.Switch, _ int64) {
			sw.Watchdog.Detection, sw.Watchdog.Restoration, sw.Watchdog.Poll = ms(detects), ms(restores), ms(polls)
		}
	}
	port := func(set func(*plan.Port, int64)) func(*plan.Switch, int64) {
		return func(sw *plan.Switch, v int64) { set(&sw.Ports[0], v) }
	}
	pg := func(set func(*plan.PG, int64)) func(*plan.Switch, int64) {
		return func(sw *plan.Switch, v int64) { set(&sw.Ports[0].QoS.PGs[0], v) }
	}
	queue := func(set func(*plan.Queue, int64)) func(*plan.Switch, int64) {
		return func(sw *plan.Switch, v int64) { set(&sw.Ports[0].QoS.Queues[1], v) }
	}
	for _, c := range []struct {
		what, of  string // as the finding says it
		low, high int64  // taken
		set       func(*plan.Switch, int64)
	}{
		{"a port speed of", "1Mbps to 1600Gbps", 1, 1_600_000, port(func(p *plan.Port, v int64) { p.Speed = units.BitRate(v) * units.Mbps })},
		{"a frame size of", "90B to 9238B", 68, 9216, port(func(p *plan.Port, v int64) { p.MTU = units.Bytes(v + 22) })},
		{"a port index of", "0 to 65535", 0, 65535, port(func(p *plan.Port, v int64) { p.Index = int(v) })},
		{"a subport of", "0 to 8", 0, 8, port(func(p *plan.Port, v int64) { p.Cage.Subport = int(v) })},
		{"a dynamic threshold of", "1/256 to 128", -8, 7, pg(func(g *plan.PG, v int64) { g.Limit = alpha(units.Alpha(v)) })},
		{"a dynamic threshold of", "1/256 to 128", -8, 7, queue(func(q *plan.Queue, v int64) { q.Limit = alpha(units.Alpha(v)) })},
		{"a dynamic threshold of", "1/256 to 128", -8, 7, port(func(p *plan.Port, v int64) {
			p.QoS.Pools = []plan.PortPool{{Pool: "egress_lossy_pool", Limit: alpha(units.Alpha(v))}}
		})},
		{"a weight of", "1 to 100", 1, 100, queue(func(q *plan.Queue, v int64) { q.Scheduler = plan.Scheduler{Weight: of(v), MaxRate: of(units.Gbps)} })},
		{"a lower marking threshold of", "0B to 2147483647B", 0, 1_600_000, queue(func(q *plan.Queue, v int64) { q.ECN.KMin = of(units.Bytes(v)) })},
		{"an upper marking threshold of", "0B to 2147483647B", 400_128, 1<<31 - 1, queue(func(q *plan.Queue, v int64) { q.ECN.KMax = of(units.Bytes(v)) })},
	} {
		for v, ok := range map[int64]bool{c.low - 1: false, c.low: true, c.high: true, c.high + 1: false} {
			has, not := []string{"error sonic-value-refused: "}, []string(nil)
			if ok {
				has, not = nil, []string{"error"}
			} else if v != 1_600_001 && v != 400_127 { // Kmin and Kmax exclude each other there
				has = []string{"error sonic-value-refused: " + c.what, "is not supported: SONiC takes " + c.of}
			}
			plantest.Wants(t, form, tor(), c.what, func(sw *plan.Switch) { c.set(sw, v) }, has, not)
		}
	}
	const refused = "error sonic-value-refused: SONiC "
	for name, c := range map[string]struct {
		set func(*plan.Switch, int64)
		has string
	}{
		"a speed":            {port(func(p *plan.Port, _ int64) { p.Speed++ }), "warning sonic-rounded: a port speed of 25000000.001kbps is not supported: SONiC takes whole Mb/s from 1 to 1600000, and gets 25Gbps"},
		"a cap":              {queue(func(q *plan.Queue, _ int64) { q.Scheduler.MaxRate = of(units.BitRate(12)) }), "warning sonic-rounded: a rate cap of 12bps is not supported: SONiC takes whole bytes per second, and gets 16bps"},
		"a probability":      {queue(func(q *plan.Queue, _ int64) { q.ECN.PMax = of(units.Percent / 2) }), "warning sonic-rounded: a marking probability of 0.5% is not supported: SONiC takes whole per cent from 1 to 100, and gets 1%"},
		"group 8":            {pg(func(g *plan.PG, _ int64) { g.ID = 8 }), refused + "accepts priority groups from 0 to 7, not 8"},
		"queue 16":           {queue(func(q *plan.Queue, _ int64) { q.ID = 16 }), refused + "accepts queues from 0 to 15, not 16"},
		"a class":            {func(sw *plan.Switch, _ int64) { sw.Maps.DSCPToTC[1] = 8 }, refused + "accepts traffic classes of a map from 0 to 7, not 8"},
		"a group":            {func(sw *plan.Switch, _ int64) { sw.Maps.TCToPG[1] = 8 }, refused + "accepts priority groups of a map from 0 to 7, not 8"},
		"a paused queue":     {func(sw *plan.Switch, _ int64) { sw.Maps.PFCToQueue[1] = 8 }, refused + "accepts queues of a map from 0 to 7, not 8"},
		"a paused group":     {func(sw *plan.Switch, _ int64) { sw.Maps.PFCToPG[1] = 8 }, refused + "accepts priority groups of a map from 0 to 7, not 8"},
		"Kmax below Kmin":    {queue(func(q *plan.Queue, _ int64) { q.ECN.KMax = of(units.Bytes(400_127)) }), "error sonic-value-refused: Kmax of queue 5, 400127 B, lies below Kmin, 400128 B"},
		"a group's pool":     {pg(func(g *plan.PG, _ int64) { g.Pool = "none" }), `error sonic-plan-incomplete: Ethernet0 uses the pool "none"`},
		"a queue's pool":     {queue(func(q *plan.Queue, _ int64) { q.Pool = "none" }), `error sonic-plan-incomplete: Ethernet0 uses the pool "none"`},
		"a port's pool":      {port(func(p *plan.Port, _ int64) { p.QoS.Pools = []plan.PortPool{{Pool: "none"}} }), `error sonic-plan-incomplete: Ethernet0 uses the pool "none"`},
		"a detection":        {func(sw *plan.Switch, _ int64) { sw.Watchdog.Detection.Value += units.Microsecond }, "warning sonic-rounded: a watchdog detection time of 200.001ms is not supported: SONiC takes whole milliseconds from 100 to 5000, and gets 201ms"},
		"no trust":           {port(func(p *plan.Port, _ int64) { p.QoS.Trust = plan.TrustNone }), "error sonic-marking-conflict: Ethernet0 trusts nothing that comes in, and no marking says what to do with it"},
		"an early detection": {dog(99, 400, 100), "a watchdog detection time of 99ms is not supported: SONiC takes 100ms to 5s"}, "a late one": {dog(5001, 6000, 100), "detection time of 5.001s is not"}, "an early restoration": {dog(200, 99, 100), "restoration time of 99ms is not supported: SONiC takes 100ms to 60s"}, "a late restoration": {dog(200, 60_001, 100), "restoration time of 60.001s is not"},
		"101 per cent":     {queue(func(q *plan.Queue, _ int64) { q.ECN.PMax = of(101 * units.Percent) }), "from 1 to 100, and gets 100%"},
		"less than none":   {queue(func(q *plan.Queue, _ int64) { q.ECN.PMax = of(-units.Percent) }), "from 1 to 100, and gets 1%"},
		"a poll too often": {dog(200, 400, 99), "polling interval of 99ms is not supported: SONiC takes 100ms to 1s"}, "a poll too seldom": {dog(5000, 5000, 1001), "polling interval of 1.001s is not"},
	} {
		plantest.Wants(t, form, tor(), name, func(sw *plan.Switch) { c.set(sw, 0) }, []string{c.has}, nil)
	}
	for name, set := range map[string]func(*plan.Switch, int64){
		"the fastest watchdog": dog(100, 100, 100), "SONiC's own poll": dog(200, 400, 0), "the slowest": dog(5000, 60_000, 1000), "queue 15": queue(func(q *plan.Queue, _ int64) { q.ID = 15 }), "group 7": pg(func(g *plan.PG, _ int64) { g.ID = 7 }),
		"no marks": queue(func(q *plan.Queue, _ int64) { q.ECN.PMax = of(units.Ratio(0)) }), "all marks": queue(func(q *plan.Queue, _ int64) { q.ECN.PMax = of(units.One) }),
		"no pool": pg(func(g *plan.PG, _ int64) { g.Pool, g.Limit = "", alpha(9) }), "Kmax as Kmin": queue(func(q *plan.Queue, _ int64) { q.ECN.KMax = q.ECN.KMin }),
	} {
		plantest.Wants(t, form, tor(), name, func(sw *plan.Switch) { set(sw, 0) }, nil, []string{"error", "rounded"})
	}
}
