package sonic

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// EnterprisePath is the file of the flavour that Broadcom and Dell ship.
const EnterprisePath = "enterprise-sonic.txt"

// enterpriseName is the name of maps; there is one of each.
const enterpriseName = "roceplan"

// Ranges of Enterprise SONiC: SONiC_ROCEv2_support.md of Broadcom (project-arlo/SONiC, pull
// request 146, for release 4.1) and the arguments of Dell's Ansible collection
// dellemc.enterprise_sonic @9851e680, sonic_qos_buffer, sonic_qos_pfc, sonic_qos_interfaces, sonic_qos_wred.
const (
	enterpriseLossyPG = 7 // where all lossy classes go
	enterpriseInPool  = "ingress_lossless_pool"
	leastPause        = 46_080 * units.Byte
)

// Numbers of Enterprise SONiC. The CLI counts marks in kilobytes of 1000 B, as 1048 and 2097 for 1 MiB
// and 2 MiB show.
var (
	enterpriseAlpha = format.Number{Unit: format.Ones, Least: -6, Most: 3}
	enterprisePause = format.Number{Unit: format.Bytes, Most: 8_388_608}
	enterpriseMark  = format.Number{Unit: format.Kilobytes, Least: 1, Most: 12_480}
)

func enterpriseTimer(round format.Rounding, most int64) format.Number {
	return format.Number{Unit: format.Milliseconds, Round: round, Least: 100, Most: most}
}

// enterpriseChips returns the chips that the document names for 4.1: Trident 3 and Tomahawk 3.
func enterpriseChips() []string { return []string{"trident3", "tomahawk3"} }

// EmitEnterprise prints the lines of sonic-cli that say the plan on Enterprise SONiC: buffers
// are initialized for lossless traffic, maps, marking, scheduling and headroom are those of
// the plan, and the sizes of pools, the limits of queues and lossy groups the switch's own.
// No model and no switch has checked the lines, which a warning says.
func EmitEnterprise(sw *plan.Switch) ([]emit.File, diag.List) {
	e := &enterprise{sw: sw, curves: map[string]wred{}, profiles: map[string]headroomProfile{}}
	e.check()
	e.ports()
	if e.found.HasErrors() {
		return nil, e.found.Sorted()
	}
	return []emit.File{{Path: EnterprisePath, Body: emit.NewBody(e.text())}}, e.found.Sorted()
}

type enterprise struct {
	sw         *plan.Switch
	found      diag.List
	curves     map[string]wred
	profiles   map[string]headroomProfile
	schedulers []string // the body of each policy
	// Times of the watchdog, in milliseconds.
	detect, restore, poll int64
	interfaces            bytes.Buffer
}

// A headroomProfile is the profile of a lossless group in `buffer profile`.
type headroomProfile struct {
	size, pause units.Bytes
	alpha       units.Alpha
}

// write converts a quantity of the plan for a line.
func write[Q format.Quantity](e *enterprise, n format.Number, what format.Attribute, d plan.Derived[Q], otherwise diag.Range) int64 {
	to := format.Voice{List: &e.found, System: "Enterprise SONiC", Rounded: EnterpriseLost, Range: EnterpriseRefused}
	return format.Write(to, n, what, d.Value, d.Why.RangeOr(otherwise))
}

// check refuses settings that the flavour does not support and whose loss would lose packets.
func (e *enterprise) check() {
	e.found.Warnf(EnterpriseAssumed, e.sw.Range, "the lines for Enterprise SONiC are those of Broadcom's document for 4.1 and of Dell's Ansible collection; no public model checks them").
		Fixf("try them on one switch, and compare the result with its output")
	if !slices.Contains(enterpriseChips(), e.sw.Chip) {
		e.found.Errorf(EnterpriseRefused, e.sw.Range, "published documents of Enterprise SONiC have lossless buffers on Trident 3 and Tomahawk 3 only, and %s is neither", e.sw.Chip).Fixf("choose the target sonic, or another for this switch")
	}
	if e.sw.BufferModel == plan.DynamicModel || e.sw.VOQ {
		e.found.Errorf(EnterpriseRefused, e.sw.Range, "Enterprise SONiC has the traditional buffer model alone").Fixf("choose the traditional buffer model, or the target sonic")
	}
	for i := range e.sw.Classes {
		c := &e.sw.Classes[i]
		if c.Lossless && (c.PFC != 3 && c.PFC != 4 || c.PG != c.PFC || c.Queue != c.PFC || c.TrafficClass != c.PFC) {
			e.found.Errorf(EnterpriseRefused, c.Range, "lossless traffic of Enterprise SONiC has one number, 3 or 4, for priority, class, group and queue; %s has %d, %d, %d and %d", c.Name, c.PFC, c.TrafficClass, c.PG, c.Queue).
				Fixf("give the class traffic_class, queue, priority_group and pfc 3")
		}
	}
	if e.sw.Marking != nil {
		e.found.Warnf(EnterpriseLost, e.sw.Marking.Range, "Enterprise SONiC has no line here for the marking rules of the edge: its ports trust the DSCP that they receive")
	}
	emit.RemappingLost(&e.found, EnterpriseLost, e.sw, "no line of Enterprise SONiC is public for it")
	emit.RewritingLost(&e.found, EnterpriseLost, e.sw, "no line of Enterprise SONiC is public for it")
	emit.TrimmingLost(&e.found, EnterpriseLost, e.sw, "no line of Enterprise SONiC that trims packets is public")
	if way := e.sw.LoadBalancing; way != "" && way != "ecmp" {
		e.found.Warnf(EnterpriseLost, e.sw.LoadBalancingAt, "Enterprise SONiC has no public line for %s load balancing; flows are hashed over equal paths (ecmp)", way).Fixf("write load_balancing = ecmp, or choose another target")
	}
	e.found.Warnf(EnterpriseLost, e.sw.Range, "Enterprise SONiC chooses the sizes of pools, XON, and the limits and reserves of queues and lossy groups itself: compare them with the output of one switch")
	e.checkWatchdog()
}

func (e *enterprise) checkWatchdog() {
	w := e.sw.Watchdog
	if w == nil {
		return
	}
	e.detect = write(e, enterpriseTimer(format.Up, 5000), format.Detection, w.Detection, e.sw.Range)
	e.restore = write(e, enterpriseTimer(format.Up, 60_000), format.Restoration, w.Restoration, e.sw.Range)
	e.poll = write(e, enterpriseTimer(format.Down, 3000), format.Polling, w.Poll, e.sw.Range)
	// sonic-utilities pfcwd/main.py, interval: a longer one is refused.
	if least := min(w.Detection.Value, w.Restoration.Value); w.Poll.Value > least {
		e.found.Errorf(EnterpriseRefused, w.Poll.Why.RangeOr(e.sw.Range), "the PFC watchdog polls every %v, longer than the %v within which it must act", w.Poll.Value, least).Fixf("declare a poll of at most %v", least)
	}
}

// text puts the parts in the order in which one needs the other.
func (e *enterprise) text() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "! for %s, in sonic-cli\n", emit.Mark)
	out.WriteString("! buffer init lossless saves and restarts the switch; give it first, and the rest once it is back\n")
	out.WriteString("configure terminal\nbuffer init lossless\n")
	e.maps(&out)
	for _, name := range slices.Sorted(maps.Keys(e.curves)) {
		c := e.curves[name]
		fmt.Fprintf(&out, "qos wred-policy %s\n green minimum-threshold %d maximum-threshold %d drop-probability %d\n ecn all\n", name, c.kmin, c.kmax, c.probability)
	}
	for i, body := range e.schedulers {
		fmt.Fprintf(&out, "qos scheduler-policy %s-%d\n%s", enterpriseName, i+1, body)
	}
	for _, p := range e.sw.Pools {
		if p.Direction == plan.Ingress && p.Headroom.Value > 0 {
			fmt.Fprintf(&out, "buffer pool %s shared-headroom-size %d\n", enterpriseInPool, int64(p.Headroom.Value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.profiles)) {
		p := e.profiles[name]
		fmt.Fprintf(&out, "buffer profile %s %s %d dynamic-threshold %d pause pause-threshold %d\n", name, enterpriseInPool, int64(p.size), int(p.alpha), int64(p.pause))
	}
	if e.sw.Watchdog != nil {
		fmt.Fprintf(&out, "priority-flow-control watchdog polling-interval %d\n", e.poll)
	}
	out.Write(e.interfaces.Bytes())
	out.WriteString("end\n")
	return out.Bytes()
}

// maps prints the classification: lossy classes share one group.
func (e *enterprise) maps(out *bytes.Buffer) {
	m := &e.sw.Maps
	fmt.Fprintf(out, "qos map dscp-tc %s\n", enterpriseName)
	for dscp, tc := range m.DSCPToTC {
		fmt.Fprintf(out, " dscp %d traffic-class %d\n", dscp, tc)
	}
	fmt.Fprintf(out, "qos map tc-queue %s\n", enterpriseName)
	for tc, queue := range m.TCToQueue {
		fmt.Fprintf(out, " traffic-class %d queue %d\n", tc, queue)
	}
	fmt.Fprintf(out, "qos map tc-pg %s\n", enterpriseName)
	for tc, pg := range m.TCToPG {
		lossless := slices.ContainsFunc(e.sw.Classes, func(c plan.Class) bool { return c.Lossless && int(c.TrafficClass) == tc })
		if !lossless {
			pg = enterpriseLossyPG
		}
		fmt.Fprintf(out, " traffic-class %d priority-group %d\n", tc, pg)
	}
	fmt.Fprintf(out, "qos map pfc-priority-queue %s\n", enterpriseName)
	for priority, queue := range m.PFCToQueue {
		fmt.Fprintf(out, " pfc-priority %d queue %d\n", priority, queue)
	}
}
