package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// switches compares what belongs to a switch as a whole.
func (c *collector) switches(a, b *plan.Switch) {
	stated(c, "", "chip", a.Chip, b.Chip, c.at)
	stated(c, "", "cell", a.Cell, b.Cell, diag.Range{})
	stated(c, "", "os", a.OS, b.OS, c.at)
	stated(c, "", "targets", strings.Join(a.Targets, " "), strings.Join(b.Targets, " "), c.at)
	stated(c, "", "platform", a.Platform, b.Platform, c.at)
	stated(c, "", "hwsku", a.HwSKU, b.HwSKU, c.at)
	stated(c, "", "role", a.Role, b.Role, c.at)
	if !c.telling && upgrades(a, b) {
		stated(c, "", "release", a.Release, b.Release, c.at)
	}
	c.trim(a.Trim, b.Trim)
	c.tunnel(a.Tunnel, b.Tunnel)
	stated(c, "", "load balancing", a.LoadBalancing, b.LoadBalancing, c.at)
	stated(c, "", "buffer model", bufferModel(a), bufferModel(b), c.at)
	derived(c, "", "mtu", a.MTU, b.MTU)
	c.classes(a, b)
	c.maps(a, b)
	c.pools(a, b)
	c.calculator(a.Calculator, b.Calculator)
	c.watchdog(a.Watchdog, b.Watchdog)
	c.marking(a, b)
}

func bufferModel(sw *plan.Switch) plan.BufferModel {
	if sw.BufferModel == "" {
		return plan.Traditional
	}
	return sw.BufferModel
}

// classes compares traffic classes by number. Their queues, groups and code points are compared as
// maps, as the switch holds them.
func (c *collector) classes(a, b *plan.Switch) {
	for tc := range uint8(8) {
		old, new := a.Class(tc), b.Class(tc)
		if old == nil && new == nil {
			continue
		}
		at, has := classPlace(old, new)
		of := fmt.Sprintf("class %s", className(has))
		what := fmt.Sprintf("traffic class %d", tc)
		if has.Name != "" {
			what = has.Name + ", " + what
		}
		if !c.presence("", "class", old != nil, new != nil, what, at) {
			continue
		}
		stated(c, of, "name", old.Name, new.Name, at)
		stated(c, of, "lossless", old.Lossless, new.Lossless, at)
		if old.Lossless && new.Lossless {
			stated(c, of, "pfc priority", old.PFC, new.PFC, at)
		}
		stated(c, of, "congestion control", old.CongestionControl, new.CongestionControl, at)
		stated(c, of, "transport", cmp.Or(old.Transport, "rc"), cmp.Or(new.Transport, "rc"), at)
	}
}

func classPlace(old, new *plan.Class) (diag.Range, *plan.Class) {
	if new != nil {
		return new.Range, new
	}
	return old.Range, old
}

func className(class *plan.Class) string {
	if class.Name == "" {
		return fmt.Sprintf("of traffic class %d", class.TrafficClass)
	}
	return class.Name
}

// maps compares the classification tables. Code points that move alike are one change.
func (c *collector) maps(a, b *plan.Switch) {
	if a.Maps == b.Maps {
		return
	}
	for _, table := range plan.MapTables() {
		c.mapTable(&table, a, b)
	}
}

// mapTable compares one table. The line of code points is that of the new switch's class.
func (c *collector) mapTable(table *plan.MapTable, from, of *plan.Switch) {
	a, b := table.At(&from.Maps), table.At(&of.Maps)
	moved := map[[2]uint8][]string{}
	var order [][2]uint8
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		to := [2]uint8{a[i], b[i]}
		if moved[to] == nil {
			order = append(order, to)
		}
		moved[to] = append(moved[to], fmt.Sprint(i))
	}
	for _, to := range order {
		at := diag.Range{}
		if table.Index == "DSCP" {
			if class := of.Class(to[1]); class != nil {
				at = class.Range
			}
		}
		stated(c, table.Index+" "+Fold(moved[to]), table.Name, to[0], to[1], at)
	}
}

// pools compares pools by name.
func (c *collector) pools(a, b *plan.Switch) {
	for _, name := range bothNames(a.Pools, b.Pools, func(p plan.Pool) string { return p.Name }) {
		old, new := a.Pool(name), b.Pool(name)
		of := "pool " + name
		if !c.presence("", "pool", old != nil, new != nil, name, diag.Range{}) {
			continue
		}
		c.attributes(of, plan.PoolAttributes(), old, new, new.Range)
	}
}

// find returns the element that fits, nil where there is none.
func find[T any](all []T, fits func(T) bool) *T {
	if i := slices.IndexFunc(all, fits); i >= 0 {
		return &all[i]
	}
	return nil
}

// bothNames lists the names of two lists, each once, in natural order.
func bothNames[T any](a, b []T, name func(T) string) []string {
	var names []string
	for _, e := range slices.Concat(a, b) {
		names = append(names, name(e))
	}
	slices.SortFunc(names, natural.Compare)
	return slices.Compact(names)
}

func (c *collector) calculator(a, b *plan.Calculator) {
	const of = "buffer calculator"
	has := cmp.Or(b, a)
	if has == nil {
		return
	}
	if !c.presence("", of, a != nil, b != nil, fmt.Sprintf("headroom pool ratio %v", has.Oversubscribe.Value), diag.Range{}) {
		return
	}
	derived(c, of, "default alpha", a.DefaultAlpha, b.DefaultAlpha)
	derived(c, of, "headroom pool ratio", a.Oversubscribe, b.Oversubscribe)
	derived(c, of, "lossless frame", a.LosslessFrame, b.LosslessFrame)
	derived(c, of, "small packets", a.SmallPackets, b.SmallPackets)
}

func (c *collector) watchdog(a, b *plan.Watchdog) {
	const of = "watchdog"
	if !c.presence("", of, a != nil, b != nil, of, diag.Range{}) {
		return
	}
	c.attributes(of, plan.WatchdogAttributes(), a, b, diag.Range{})
}

// marking compares the rules of edge ports as a list: their order means something.
func (c *collector) marking(a, b *plan.Switch) {
	const of = "marking"
	what := cmp.Or(b.Marking, a.Marking)
	if what == nil {
		return
	}
	if a.Marking == nil || b.Marking == nil {
		c.presence("", of, a.Marking != nil, b.Marking != nil, rules(what), what.Range)
		return
	}
	stated(c, of, "rules", rules(a.Marking), rules(b.Marking), b.Marking.Range)
	stated(c, of, "dscp of all else", a.Marking.Default, b.Marking.Default, b.Marking.Range)
	stated(c, of, "class of all else", a.Marking.DefaultTC, b.Marking.DefaultTC, b.Marking.Range)
}

func rules(m *plan.Marking) string {
	var parts []string
	for _, r := range m.Rules {
		rule := fmt.Sprintf("DSCP %d → traffic class %d", r.DSCP, r.TC)
		if r.UDPPort != 0 {
			rule = fmt.Sprintf("UDP %d ", r.UDPPort) + rule
		}
		parts = append(parts, rule)
	}
	return strings.Join(parts, ", ")
}

// hosts compares NICs by name.
func (m *merger) hosts(before, after *plan.Plan) {
	for _, name := range bothNames(before.Hosts, after.Hosts, func(h *plan.Host) string { return h.Name }) {
		a, b := before.Host(name), after.Host(name)
		c := collector{merger: m}
		switch {
		case a == nil:
			c.presence("", "nic", false, true, b.Model, b.Range)
		case b == nil:
			c.presence("", "nic", true, false, a.Model, a.Range)
		default:
			c.host(a, b)
		}
		for _, f := range c.found {
			if f.change.Quantity != "nic" { // else the NIC itself
				f.change.Of = strings.TrimSpace("nic " + f.change.Of)
			}
			m.add(f, []string{name}, noPorts)
		}
	}
}

// numbers folds code points, in any order.
func numbers(all []uint8) string {
	var texts []string
	for _, n := range slices.Sorted(slices.Values(all)) {
		texts = append(texts, strconv.Itoa(int(n)))
	}
	return Fold(texts)
}

func (c *collector) host(a, b *plan.Host) {
	at := b.Range
	stated(c, "", "model", a.Model, b.Model, at)
	stated(c, "", "trust", a.Trust, b.Trust, at)
	stated(c, "", "mtu", a.MTU, b.MTU, diag.Range{})
	stated(c, "", "tos of rdma", tosText(a), tosText(b), at)
	stated(c, "", "cnp dscp", a.CNPDSCP, b.CNPDSCP, at)
	stated(c, "", "ack dscp", a.AckDSCP, b.AckDSCP, at)
	stated(c, "", "acks apart", a.AcksApart, b.AcksApart, at)
	stated(c, "", "cnp priority", a.CNPPFC, b.CNPPFC, at)
	derived(c, "", "cnp interval", a.CNPInterval, b.CNPInterval)
	derived(c, "", "send latency", a.SendLatency, b.SendLatency)
	derived(c, "", "receive latency", a.ReceiveLatency, b.ReceiveLatency)
	stated(c, "", "cnp per port", a.CNPPerPort, b.CNPPerPort, at)
	stated(c, "", "cable", a.Cable, b.Cable, diag.Range{})
	stated(c, "", "speed", a.Speed, b.Speed, diag.Range{})
	derived(c, "", "buffer", a.Buffer, b.Buffer)
	stated(c, "", "roce mtu", a.RoCEMTU, b.RoCEMTU, diag.Range{})
	c.reaction(&a.Reaction, &b.Reaction)
	for _, name := range bothNames(a.Classes, b.Classes, func(h plan.HostClass) string { return h.Name }) {
		named := func(h plan.HostClass) bool { return h.Name == name }
		old, new := find(a.Classes, named), find(b.Classes, named)
		of := "class " + name
		if !c.presence("", "class", old != nil, new != nil, name, at) {
			continue
		}
		stated(c, of, "dscp", numbers(old.DSCPs), numbers(new.DSCPs), new.Range)
		stated(c, of, "priority", old.Priority, new.Priority, new.Range)
		stated(c, of, "lossless", old.Lossless, new.Lossless, new.Range)
		stated(c, of, "strict", old.Strict, new.Strict, new.Range)
		stated(c, of, "share", old.Share, new.Share, new.Range)
		stated(c, of, "used by RDMA", old.Used, new.Used, at)
		stated(c, of, "used by CNPs", old.CNP, new.CNP, at)
		stated(c, of, "congestion control", old.CongestionControl, new.CongestionControl, at)
		stated(c, of, "ecn", old.ECN, new.ECN, at)
	}
}

// reaction compares the DCQCN constants of a NIC.
func (c *collector) reaction(a, b *plan.Reaction) {
	const of = "dcqcn"
	derived(c, of, "time between cnps", a.CNPInterval, b.CNPInterval)
	derived(c, of, "cnps of the port together", a.CNPPerPort, b.CNPPerPort)
	derived(c, of, "clamp target rate", a.ClampTarget, b.ClampTarget)
	derived(c, of, "clamp target rate after time increase", a.ClampAfterTimer, b.ClampAfterTimer)
	derived(c, of, "threshold", a.Threshold, b.Threshold)
	derived(c, of, "time reset", a.TimeReset, b.TimeReset)
	derived(c, of, "byte reset", a.ByteReset, b.ByteReset)
	derived(c, of, "additive increase", a.AIRate, b.AIRate)
	derived(c, of, "hyper increase", a.HAIRate, b.HAIRate)
	derived(c, of, "gd", a.GD, b.GD)
	derived(c, of, "least decrease factor", a.MinDecFac, b.MinDecFac)
	derived(c, of, "least rate", a.MinRate, b.MinRate)
	derived(c, of, "g", a.G, b.G)
	derived(c, of, "time between alpha updates", a.AlphaInterval, b.AlphaInterval)
	derived(c, of, "time between decreases", a.DecreaseInterval, b.DecreaseInterval)
	derived(c, of, "initial alpha", a.InitialAlpha, b.InitialAlpha)
	derived(c, of, "rate after the first CNP", a.FirstCNPRate, b.FirstCNPRate)
}

// tunnel compares how packets change class on their way to the other switch of a pair.
func (c *collector) tunnel(a, b *plan.Tunnel) {
	what := cmp.Or(b, a)
	if what == nil || !c.presence("", "tunnel", a != nil, b != nil, what.Name, what.Range) {
		return
	}
	stated(c, "", "tunnel", a.Name, b.Name, b.Range)
	table := func(what, from string, was, is []uint8) {
		for i := range was {
			stated(c, "", fmt.Sprintf("%s of %s %d", what, from, i), was[i], is[i], b.Range)
		}
	}
	table("traffic class out of the tunnel", "DSCP", a.DSCPToTC[:], b.DSCPToTC[:])
	table("priority group out of the tunnel", "traffic class", a.TCToPG[:], b.TCToPG[:])
	table("queue into the tunnel", "traffic class", a.TCToQueue[:], b.TCToQueue[:])
	for tc := range a.Outer.DSCP {
		stated(c, "", fmt.Sprintf("DSCP outside the tunnel of traffic class %d", tc), outer(a, tc), outer(b, tc), b.Range)
	}
	stated(c, "", "DSCP kept outside the tunnel", plan.Ranges(a.Kept), plan.Ranges(b.Kept), b.Range)
}

func outer(t *plan.Tunnel, tc int) string {
	if t.Outer.TCs>>tc&1 == 0 {
		return "that inside"
	}
	return fmt.Sprint(t.Outer.DSCP[tc])
}

// trim compares how packets without room are cut.
func (c *collector) trim(a, b *plan.Trim) {
	what := cmp.Or(b, a)
	if what == nil {
		return
	}
	to := fmt.Sprintf("to %s with DSCP %d, traffic class %d and queue %d", show(what.Size.Value), what.DSCP, what.TC, what.Queue)
	if !c.presence("", "trimming", a != nil, b != nil, to, what.Range) {
		return
	}
	derived(c, "", "size of trimmed packets", a.Size, b.Size)
	stated(c, "", "DSCP of trimmed packets", a.DSCP, b.DSCP, b.Range)
	stated(c, "", "traffic class of trimmed packets", a.TC, b.TC, b.Range)
	stated(c, "", "queue of trimmed packets", a.Queue, b.Queue, b.Range)
}
