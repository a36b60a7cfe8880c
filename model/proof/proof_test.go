package proof_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// leaf returns the leaf of an example with its chip.
func leaf(t testing.TB, example, role string) (*plan.Switch, *chips.Chip) {
	t.Helper()
	for _, sw := range compiled(t)[example].Switches {
		if sw.Role == role {
			chip, _ := catalogue(t).Find(sw.Chip)
			return sw, chip
		}
	}
	t.Fatal("no such switch")
	return nil, nil
}

func prove(t testing.TB, sw *plan.Switch, chip *chips.Chip, ctx proof.Context) *proof.Report {
	t.Helper()
	report := must.Get(proof.Prove(sw, chip, ctx))(t)
	return report
}

// A pool of headroom that is too small for all groups holds as long as no more are paused at
// once than it has room for: half of a pool for 96 ports in two parts is enough for 24 in each.
func TestSharedHeadroomIsACondition(t *testing.T) {
	sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
	sw.Pools[2].Headroom.Value /= 2
	report := prove(t, sw, chip, proof.Context{})
	if len(report.Failing()) > 0 {
		t.Errorf("it fails: %v", report.Failing())
	}
	named := false
	for _, c := range report.Conditions() {
		named = named || c.ID == proof.PausedGroups && c.Bound > 0 && c.Bound < c.Worst
	}
	if !named {
		t.Errorf("no condition says how many groups may be paused: %v", report.Conditions())
	}
	for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
		t.Error(err)
	}
}

// Each harm to a switch that checks breaks the obligation that guards against it.
func TestHarmIsFound(t *testing.T) {
	for _, c := range []struct {
		harm string
		id   string
		do   func(*plan.Switch)
	}{
		{"headroom of a tenth", proof.Headroom, func(sw *plan.Switch) { each(sw, func(g *plan.PG) { g.Headroom.Value /= 10 }) }},
		{"PFC off", proof.PauseReaches, func(sw *plan.Switch) { sw.Ports[0].QoS.PFC = 0 }},
		{"cable of a thousand times", proof.Headroom, func(sw *plan.Switch) { sw.Ports[0].Cable *= 1000 }},
		{"headroom pool for less than one group", proof.HeadroomPool, func(sw *plan.Switch) { sw.Pools[2].Headroom.Value = 2 * 10 * 254 }},
		{"pool beyond the chip", proof.Memory, func(sw *plan.Switch) { sw.Pools[2].Size.Value *= 2 }},
		{"egress pool of half", proof.EgressHolds, func(sw *plan.Switch) { sw.Pools[0].Size.Value /= 2 }},
		{"queue limit of half", proof.QueueHolds, func(sw *plan.Switch) { queues(sw, func(q *plan.Queue) { q.Limit.Value.Static /= 2 }) }},
		{"xon above all", proof.Resume, func(sw *plan.Switch) { each(sw, func(g *plan.PG) { g.XOn.Value = 100 * units.MB }) }},
		{"Kmin above Kmax", proof.MarkingOrder, func(sw *plan.Switch) { curves(sw, func(e *plan.ECN) { e.KMin.Value = e.KMax.Value + 1 }) }},
		{"Kmax beyond the queue", proof.MarkingQueue, func(sw *plan.Switch) { curves(sw, func(e *plan.ECN) { e.KMax.Value = units.GB }) }},
		{"alpha of 1/128", proof.MarkingBefore, func(sw *plan.Switch) { each(sw, func(g *plan.PG) { g.Limit.Value.Alpha = -7 }) }},
		{"no cap", proof.Starvation, func(sw *plan.Switch) { queues(sw, func(q *plan.Queue) { q.Scheduler.MaxRate.Value = 0 }) }},
		{"watchdog of 100 us", proof.WatchdogPause, func(sw *plan.Switch) { sw.Watchdog.Detection.Value = 100 * units.Microsecond }},
		{"poll above detection", proof.WatchdogPoll, func(sw *plan.Switch) { sw.Watchdog.Poll.Value = units.Second }},
		{"lossy pool of everything", proof.LossyShare, func(sw *plan.Switch) { sw.Pools[1].Size.Value = 10 * units.GB }},
	} {
		sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
		c.do(sw)
		report := prove(t, sw, chip, proof.Context{})
		found := false
		for _, o := range report.Failing() {
			found = found || o.ID == c.id
		}
		if !found {
			t.Errorf("%s: want %s to fail, got %v", c.harm, c.id, report.Failing())
		}
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Errorf("%s: %v", c.harm, err)
		}
	}
}

// each changes every lossless group, once.
func each(sw *plan.Switch, change func(*plan.PG)) {
	seen := map[*plan.PortQoS]bool{}
	for i := range sw.Ports {
		qos := sw.Ports[i].QoS
		for j := range qos.PGs {
			if qos.PGs[j].Lossless && !seen[qos] {
				change(&qos.PGs[j])
			}
		}
		seen[qos] = true
	}
}

func queues(sw *plan.Switch, change func(*plan.Queue)) {
	seen := map[*plan.PortQoS]bool{}
	for i := range sw.Ports {
		qos := sw.Ports[i].QoS
		for j := range qos.Queues {
			if !seen[qos] {
				change(&qos.Queues[j])
			}
		}
		seen[qos] = true
	}
}

func curves(sw *plan.Switch, change func(*plan.ECN)) {
	queues(sw, func(q *plan.Queue) {
		if q.ECN != nil {
			change(q.ECN)
		}
	})
}

// What is not known is not judged: a file without cable lengths, one without buffers.
func TestUnknownIsNotJudged(t *testing.T) {
	sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
	ctx := proof.ContextOf(sw)
	for i := range sw.Ports {
		sw.Ports[i].Cable, sw.Ports[i].Assumed = 0, nil
	}
	report := prove(t, sw, chip, proof.Context{})
	if len(report.Unjudged()) == 0 || !strings.Contains(report.Unjudged()[0].Because, "cable") || !report.Holds() {
		t.Errorf("without cables: %v, %v", report.Unjudged(), report.Failing())
	}
	if report := prove(t, sw, chip, ctx); len(report.Unjudged()) > 0 || !report.Holds() {
		t.Errorf("with what the plan knew: %v, %v", report.Unjudged(), report.Failing())
	}
	sw.Pools = nil
	if report := prove(t, sw, chip, ctx); len(report.Unjudged()) == 0 || report.LosesPackets() {
		t.Errorf("without pools: %v", report.Failing())
	}
}

// UCloud's numbers are below what IEEE 802.3 allows a peer, 394 quanta at 100G: with that
// response alone, without frames, 449 cells of 84 B of wire would be needed over 100 m, and
// there are 408. What is left for the peer is said, and is worth what is missing.
func TestConditionOnTheResponse(t *testing.T) {
	sw, chip := leaf(t, "ucloud-pod", "tor")
	report := prove(t, sw, chip, proof.Context{})
	if report.LosesPackets() || len(report.Conditional()) == 0 {
		t.Fatalf("%v, %v", report.Failing(), report.Conditional())
	}
	found := false
	for _, o := range report.Conditional() {
		for _, c := range o.Conditions {
			if o.ID != proof.Headroom || !strings.Contains(c.Where, "uplinks") || c.ID != proof.PeerResponse {
				continue
			}
			found = true
			if o.Right.Value != 408 || o.Left.Value <= 449 || c.Short != o.Left.Value-408 || c.Bound <= 0 || c.Bound >= c.Worst || c.Worst != 2_017_280 {
				t.Errorf("%v: %+v", o, c)
			}
			held, broken := declare(sw, units.Time(c.Bound)), declare(sw, units.Time(c.Worst))
			if strings.Contains(c.Assumes, "together") {
				continue // what the layers of the switch take is not declared
			}
			if report := prove(t, held, chip, proof.Context{}); report.LosesPackets() {
				t.Errorf("%v declared: %v", c.Bound, report.Failing())
			}
			for _, o := range prove(t, broken, chip, proof.Context{}).Obligations {
				if o.ID == proof.Headroom && strings.Contains(o.Where, "uplinks") && (o.Verdict == proof.Holds || o.Left.Value <= 408) {
					t.Errorf("%v declared: %v", c.Worst, &o)
				}
			}
		}
	}
	if !found {
		t.Errorf("%v", report.Conditional())
	}
}

// declare is a switch of which every peer is declared to respond within a time.
func declare(sw *plan.Switch, response units.Time) *plan.Switch {
	own := *sw
	own.Ports = append([]plan.Port(nil), sw.Ports...)
	for i := range own.Ports {
		own.Ports[i].Assumed = &plan.Assumed{Declared: true, Response: plan.Of(response, nil)}
	}
	return &own
}

func certificate(t testing.TB) (*proof.Certificate, map[string][]byte) {
	t.Helper()
	sw, chip := leaf(t, "spectrum4-storage", "leaf")
	files := map[string][]byte{"leaf-01/config_db.json": []byte("{}")}
	return proof.Certify(prove(t, sw, chip, proof.Context{}), sw.Names, sw.Chip, files), files
}

// A certificate survives being written and read; whatever is changed in it is noticed.
func TestCertificate(t *testing.T) {
	c, files := certificate(t)
	text := must.Get(json.Marshal(c))(t)
	again := must.Get(proof.ParseCertificate(text))(t)
	if errs := proof.Recheck(again, files); errs != nil {
		t.Fatal(errs)
	}
	second, _ := json.Marshal(again)
	if !bytes.Equal(text, second) {
		t.Error("what was read is written otherwise")
	}
	files["leaf-01/config_db.json"] = []byte("{ }")
	if errs := proof.Recheck(again, files); len(errs) != 1 {
		t.Errorf("a file changed: %v", errs)
	}
	files["leaf-01/config_db.json"] = []byte("{}")

	for i := range again.Obligations {
		o := &again.Obligations[i]
		for symbol := range o.Terms {
			by := int64(1)
			switch symbol {
			case "i", "t": // a picosecond more brings no more cells
				by = 1_000_000
			case "y": // lossy traffic takes no more of a pool that others have filled
				continue
			}
			o.Terms[symbol] += by
			if errs := proof.Recheck(again, files); errs == nil {
				t.Errorf("%s: term %s changed and was not refused", o.ID, symbol)
			}
			o.Terms[symbol] -= by
		}
		for _, side := range []*int64{&o.Left, &o.Right} {
			*side--
			if errs := proof.Recheck(again, files); errs == nil {
				t.Errorf("%s: a side changed and was not refused", o.ID)
			}
			*side++
		}
		if i > 12 {
			break // the others are of the same kinds
		}
	}
}

// A given figure that was changed together with all that follows from it is right in
// itself, and not that of the files.
func TestCompare(t *testing.T) {
	sw, chip := leaf(t, "spectrum4-storage", "leaf")
	report := prove(t, sw, chip, proof.Context{})
	c := proof.Certify(report, sw.Names, sw.Chip, nil)
	if errs := proof.Compare(c, report); errs != nil {
		t.Fatal(errs)
	}
	for i := range sw.Ports {
		sw.Ports[i].Cable += units.Metre
	}
	if errs := proof.Compare(c, prove(t, sw, chip, proof.Context{})); errs == nil {
		t.Error("longer cables have the certificate of shorter ones")
	}
}

// Hostile certificates give errors, not hours or panics.
func TestHostileCertificate(t *testing.T) {
	const most = 1<<63 - 1
	for what, forge := range map[string]func(c *proof.Certificate, o *proof.Claim){
		"no model":              func(c *proof.Certificate, _ *proof.Claim) { c.Model = nil },
		"no buffer":             func(c *proof.Certificate, _ *proof.Claim) { c.Model.Config = nil },
		"fewer ports":           func(c *proof.Certificate, _ *proof.Claim) { c.Model.Ports = c.Model.Ports[1:] },
		"a pool that is none":   func(c *proof.Certificate, _ *proof.Claim) { c.Model.Config.Ports[0].PGs[3].Pool = 7 },
		"a slice that is none":  func(c *proof.Certificate, _ *proof.Claim) { c.Model.Config.Ports[0].Slice = -1 },
		"a pool of all cells":   func(c *proof.Certificate, _ *proof.Claim) { c.Model.Config.IngressPools[0].SharedCells = most },
		"a cable of all metres": func(c *proof.Certificate, _ *proof.Claim) { c.Model.Ports[0].Link.Cable = most },
		"no rate":               func(c *proof.Certificate, _ *proof.Claim) { c.Model.Ports[0].Link.Rate = 0 },
		"all rate":              func(c *proof.Certificate, _ *proof.Claim) { c.Model.Ports[0].Link.Rate = most },
		"all time":              func(_ *proof.Certificate, o *proof.Claim) { o.Terms["t"] = most },
		"less than no time":     func(_ *proof.Certificate, o *proof.Claim) { o.Terms["t"] = -most },
		"the longest time":      func(_ *proof.Certificate, o *proof.Claim) { o.Terms["t"] = 1 << 40 },
		"all packets small":     func(_ *proof.Certificate, o *proof.Claim) { o.Terms["s"] = 1_000_000_000 },
		"all accounts": func(c *proof.Certificate, _ *proof.Claim) {
			for i := range c.Obligations {
				for k := range c.Obligations[i].Fills {
					c.Obligations[i].Fills[k].Accounts, c.Obligations[i].Left = most, 0
				}
			}
		},
		"no limit": func(c *proof.Certificate, _ *proof.Claim) {
			for i := range c.Obligations {
				for k := range c.Obligations[i].Fills {
					c.Obligations[i].Fills[k].Limits = nil
				}
			}
		},
		"an alpha of 2 to the 100": func(c *proof.Certificate, _ *proof.Claim) {
			for i := range c.Obligations {
				for k := range c.Obligations[i].Fills {
					c.Obligations[i].Fills[k].Limits[0].Alpha = 100
				}
			}
		},
	} {
		c, files := certificate(t)
		i := slices.IndexFunc(c.Obligations, func(o proof.Claim) bool { return o.ID == proof.Headroom })
		forge(c, &c.Obligations[i])
		if errs := proof.Recheck(c, files); len(errs) == 0 {
			t.Errorf("%s is accepted", what)
		}
	}
}

func FuzzRecheck(f *testing.F) {
	c, _ := certificate(f)
	text, _ := json.Marshal(c)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := proof.ParseCertificate(text); err == nil {
			proof.Recheck(c, nil)
		}
	})
}

// Every switch of every example holds at its margins, and one step beyond breaks what is
// said to break. A margin that nothing bounds holds as far as was searched.
func TestMargins(t *testing.T) {
	for example, fabric := range compiled(t) {
		for _, sw := range fabric.Switches {
			chip, _ := catalogue(t).Find(sw.Chip)
			found, err := proof.Margins(sw, chip, proof.Context{})
			if err != nil || len(found) == 0 {
				t.Fatalf("%s %s: %v, %v", example, sw.Role, found, err)
			}
			for _, m := range found {
				if m.CableBreaks == "" || m.MTU < sw.MTU.Value || m.FanIn < 1 || m.Classes < 1 {
					t.Errorf("%s %s: %+v", example, sw.Role, m)
				}
				for dimension, broken := range proof.AtMargin(sw, chip, proof.Context{}, m) {
					if at, beyond, says := broken[0], broken[1], broken[2]; at != "" || says != "" && beyond != says {
						t.Errorf("%s %s, %s of %s: at the margin %q breaks, beyond %q, said is %q: %+v", example, sw.Role, dimension, m.Group, at, beyond, says, m)
					}
				}
			}
		}
	}
}

// Memory that is overbooked loses lossless packets only where more can be held than there
// is: not where a headroom pool is larger than what ever comes in.
func TestMemoryLoses(t *testing.T) {
	for _, c := range []struct {
		harm  string
		loses bool
		do    func(*plan.Switch)
	}{
		{"a headroom pool that nobody fills", false, func(sw *plan.Switch) {
			sw.Pools[2].Headroom.Value += 60 * units.MB
			sw.Pools[2].Size.Value += 60 * units.MB
		}},
		{"a shared part beyond the chip", true, func(sw *plan.Switch) { sw.Pools[2].Size.Value *= 2 }},
	} {
		sw, chip := leaf(t, "tomahawk5-ai-pod", "leaf")
		c.do(sw)
		fails := 0
		for _, o := range prove(t, sw, chip, proof.Context{}).Failing() {
			if o.ID != proof.Memory {
				continue
			}
			if fails++; o.Lossless != c.loses {
				t.Errorf("%s: %v, lossless %v; %s", c.harm, o, o.Lossless, o.Note)
			}
		}
		if fails == 0 {
			t.Errorf("%s: memory holds", c.harm)
		}
	}
}

// The model is JSON of its documented form, with the thresholds of the buffer.
func TestModelFile(t *testing.T) {
	sw, chip := leaf(t, "ucloud-pod", "tor")
	text := must.Get(proof.NewModel(sw, chip, prove(t, sw, chip, proof.Context{})).Marshal("tor-01"))(t)
	var m proof.Model
	must.Do(t, json.Unmarshal(text, &m))
	if m.Schema != proof.ModelSchema || m.Switch != "tor-01" || m.Verdict != proof.Conditional || len(m.Ports) != 40 || len(m.Buffer.Ports) != 40 {
		t.Errorf("%s of %s: %v, %d ports", m.Schema, m.Switch, m.Verdict, len(m.Ports))
	}
	for _, port := range m.Ports {
		for _, pg := range port.PGs {
			if headroom := pg.DropsAt - pg.PausesAt; headroom != 408 && headroom != 98 || pg.Needed > headroom {
				t.Errorf("%s: %+v", port.Name, pg)
			}
		}
	}
}

// A switch of 64 ports, all obligations.
func BenchmarkProve(b *testing.B) {
	sw, chip := leaf(b, "spectrum4-storage", "spine")
	if len(sw.Ports) != 64 {
		b.Fatalf("%d ports", len(sw.Ports))
	}
	b.ReportAllocs()
	for b.Loop() {
		prove(b, sw, chip, proof.Context{})
	}
}

func BenchmarkRecheck(b *testing.B) {
	c, files := certificate(b)
	for b.Loop() {
		if errs := proof.Recheck(c, files); errs != nil {
			b.Fatal(errs)
		}
	}
}
