// Package nvue reads the configuration of a Cumulus Linux switch, ours or anybody's, into
// a [plan.Switch]: the YAML that `nv config patch` takes and `nv config show` prints, and
// the commands that `nv config show -o commands` does. Operations are done in their
// order, on a switch that has its defaults.
//
// Where the file is silent, the defaults of Cumulus Linux 5.14 hold (its user guide,
// Quality of Service, Default Configuration Files): ports trust 802.1p alone, DSCP n has
// switch priority n/8 where it is trusted, switch priority n goes to traffic class n, and
// RoCE mode, where it is on, has NVIDIA's numbers. Not in such a file are the chip, the
// speeds that ports negotiate, and the sizes of pools in bytes.
//
// # Accounting
//
// Reading a leaf marks it. An unmarked leaf is looked up in the table of neutral rules, and else is
// not modelled: no leaf is ignored.
package nvue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// readFile reads a file; name is what ranges call it. The switch is never nil: it holds what could
// be read, whatever the findings.
func readFile(name string, src []byte) read.Result {
	r := &reader{file: name, same: make(map[string]*plan.PortQoS), remarked: make(map[*plan.PortQoS]*node), users: make(map[string][]string)}
	r.set, r.header = &node{r: r}, &node{r: r}
	r.sw = &plan.Switch{Names: []string{strings.TrimSuffix(name, ".yaml")}, OS: "cumulus"}
	r.load(src)
	r.qos = r.set.get("qos")
	r.read()
	return read.Result{Switch: r.sw, Found: r.list.Sorted(), Ledger: r.ledger(), Assumed: append(r.unbounded(), r.assumed...)}
}

type reader struct {
	file     string
	src      []byte // without the byte order mark
	before   int    // its bytes
	lines    []int  // offset of the start of each
	commands bool
	list     diag.List

	said        []*statement // in the order of the file
	applied     int          // how many of them are before the last apply, it included
	set, header *node
	nodes       int
	open        []*yaml.Node // mappings that are being walked, the outermost first
	order       int

	sw   *plan.Switch
	qos  *node
	roce roce
	// paused has the switch priorities that some port may pause.
	paused uint8
	bulk   uint8                    // number of the group of lossy traffic that no other group has
	trust  string                   // of ports that have no mapping of their own
	pools  map[poolKey]string       // names
	same   map[string]*plan.PortQoS // by the profiles of a port
	users  map[string][]string      // ports, by "pfc x"
	edge   *node                    // the mapping that is the switch's Marking
	// remarked has the remark profile of each kind of port.
	remarked map[*plan.PortQoS]*node
	assumed  []read.Assumption
}

// A roce is the mode of RoCE. The zero roce is off.
type roce struct {
	on, lossless bool
	single       bool  // lossy and lossless traffic share a pool at ingress
	says         *node // what turns it on
}

type poolKey struct {
	d  plan.Direction
	id int64
}

// why returns the reason of a value that was read.
func (n *node) why(name string) *plan.Why {
	return &plan.Why{Kind: plan.ReadBack, Name: name, Range: n.at()}
}

func of[T any](v T, n *node, name string) plan.Derived[T] { return plan.Of(v, n.why(name)) }

func (r *reader) read() {
	if host := r.set.get("system", "hostname").text(); host != "" {
		r.sw.Names = []string{host}
	}
	r.box()
	r.readRoCE()
	r.paused = r.pausedAnywhere()
	r.bulk = r.bulkID()
	r.maps()
	r.poolsOf(plan.Ingress)
	r.poolsOf(plan.Egress)
	r.trafficPools()
	r.defaultPools()
	r.trimming()
	r.ports()
	r.untrusted()
	r.lossyMode()
	r.conflicts()
	r.remarks()
	r.portBuffers()
	r.classes()
	r.watchdog()
	if vxlan := r.set.get("nve", "vxlan"); vxlan.get("encapsulation", "dscp", "action").text() == "copy" && vxlan.get("decapsulation", "dscp", "action").text() == "preserve" {
		vxlan.passAll(ruleSameDSCP)
	}
	adaptive := r.set.get("router", "adaptive-routing")
	if adaptive.get("state").on(false) || adaptive.get("enable").on(false) {
		r.sw.LoadBalancing = "adaptive"
	}
}

var boxName = regexp.MustCompile(`(?i)^(m?)(sn[0-9]{4}[a-z]?)(_.*)?$`)

// box sets the platform by the model in the head of a file: SN5600, MSN2700.
func (r *reader) box() {
	model := r.header.get("header", "model")
	if model == nil {
		return
	}
	if m := boxName.FindStringSubmatch(model.value); m != nil {
		model.mark()
		maker := map[bool]string{true: "mlnx", false: "nvidia"}[m[1] != ""]
		r.sw.Platform = strings.ToLower("x86_64-" + maker + "_" + m[1] + m[2] + "-r0")
	}
}

// readRoCE reads the mode: lossless where none is set (Cumulus Linux 5.14, RDMA over Converged
// Ethernet).
func (r *reader) readRoCE() {
	n := r.qos.get("roce")
	if !n.there() || !n.mark().get("state").on(true) || !n.get("enable").on(true) {
		n.get("mode").pass(ruleLossyRoCE)
		n.get("cable-length").pass(ruleLossyRoCE)
		return
	}
	r.roce = roce{on: true, says: n}
	mode := n.get("mode")
	if mode.there() {
		r.roce.says = mode.leaf()
	}
	word := mode.word("lossless", "lossy", "lossless-single-ipool", "lossy-multi-tc")
	r.roce.single = word == "lossless-single-ipool"
	switch word {
	case "lossless", "lossless-single-ipool":
		r.roce.lossless = true
	case "lossy":
		n.get("cable-length").pass(ruleLossyRoCE)
	default:
		r.list.Warnf(NotModelled, mode.at(), "packet trimming and its classes are not modelled; the plan leaves them out")
		mode.leaf().doubtf(read.Scope{}, "switches with lossy-multi-tc have other maps, weights and curves, and trim packets")
	}
}

// untrusted warns where ports pause by DSCP's classes, and trust no DSCP as the file does
// not say otherwise.
func (r *reader) untrusted() {
	if r.sw.Paused() != 0 && r.trust == "l2" && !r.qos.get("mapping", "default-global", "trust").there() {
		r.list.Warnf(NotModelled, r.qos.at(), "the file does not set trust, so ports trust only 802.1p; the plan has the classes of untagged packets").
			Fixf("set trust: l3 in the mapping default-global")
	}
}

// lossyMode marks RoCE's lossy mode together with PFC: the mode has none, and which of the two
// holds is not documented.
func (r *reader) lossyMode() {
	if r.roce.on && !r.roce.lossless && r.sw.Paused() != 0 {
		if mode := r.qos.get("roce", "mode"); mode.there() {
			mode.leaf().doubtf(read.Scope{PGs: r.sw.Paused()}, "RoCE's lossy mode has no PFC, but the file has; it is not documented which of the two counts")
		}
	}
}

// classes sets the switch priorities that some code point leads to.
func (r *reader) classes() {
	paused := r.sw.Paused()
	m := &r.sw.Maps
	for tc := range uint8(8) {
		dscps := m.DSCPsOf(tc)
		if len(dscps) == 0 {
			continue
		}
		c := plan.Class{Name: fmt.Sprintf("switch-priority-%d", tc), TrafficClass: tc, Queue: m.TCToQueue[tc], PG: m.TCToPG[tc], DSCPs: dscps, Range: r.sw.Places.DSCPToTC[dscps[0]]}
		if paused>>tc&1 == 1 {
			c.Lossless, c.PFC = true, tc
		}
		r.sw.Classes = append(r.sw.Classes, c)
	}
}

// conflicts doubts lossy groups that have a priority which ports pause, or the number of
// its group: no public document says which of the two a switch obeys.
func (r *reader) conflicts() {
	paused := r.sw.Paused()
	r.buffers().get("ingress-lossy-buffer", "priority-group").each(func(name string, group *node) {
		id, ok := r.groupID(name)
		if !ok {
			return
		}
		if paused>>id&1 == 1 {
			r.list.Warnf(Conflict, group.at(), "the lossy group %s has the number of the switch priority %d, which ports pause", name, id).Fixf("give the lossy group a number from 0 to 7 that no paused priority has")
			group.doubtAll(read.Scope{PGs: 1 << id}, "a lossy group with the number of a lossless one")
		}
		group.get("switch-priority").instances(7, func(p int, kid *node) {
			if paused>>p&1 == 1 {
				kid.doubtf(read.Scope{PGs: 1<<p | 1<<id, TCs: 1 << p}, "a priority that ports pause is also in a lossy group, and it is not documented which of them counts")
			}
		})
	})
}

// doubtAll doubts everything below a node.
func (n *node) doubtAll(scope read.Scope, why string) {
	n.doubtf(scope, why)
	n.each(func(_ string, kid *node) { kid.doubtAll(scope, why) })
}

func (r *reader) watchdog() {
	w := r.qos.get("pfc-watchdog")
	watched := slices.ContainsFunc(r.sw.Ports, func(p plan.Port) bool { return p.QoS.Watchdog })
	if !w.there() && !watched {
		return
	}
	poll, times := r.set.row(row.Poll), r.set.row(row.Robustness)
	interval := units.Time(poll.quantity(row.Poll))
	r.sw.Watchdog = &plan.Watchdog{
		Detection:   of(interval*units.Time(times.of(row.Robustness)), times, "detection"),
		Restoration: of(interval, poll, "restoration"), Poll: of(interval, poll, "poll"), Action: plan.WatchdogDrop,
	}
}

// ports reads all interfaces that are ports. Members of a bond have the settings of the bond:
// Cumulus Linux takes QoS on the bond alone (5.14, QoS Settings on Bond Member Interfaces).
func (r *reader) ports() {
	of := make(map[string]portNodes)
	var all []string
	add := func(name string, says *node) {
		if of[name] == nil {
			all = append(all, name)
		}
		of[name] = append(of[name], says)
	}
	broken := r.breakouts()
	r.set.get("interface").each(func(name string, kid *node) {
		if _, parent := broken[name]; portName.MatchString(name) && !parent {
			kid.mark()
			add(name, kid)
		}
	})
	r.set.get("interface").each(func(name string, kid *node) {
		kid.get("bond", "member").each(func(member string, at *node) {
			if portName.MatchString(member) {
				at.mark()
				add(member, kid)
			}
		})
	})
	slices.SortFunc(all, natural.Compare)
	for _, name := range all {
		r.use(name, of[name])
	}
	for _, name := range all {
		port := r.port(name, of[name])
		if port.Speed == 0 {
			port.Speed = broken[cage(name)]
		}
		r.sw.Ports = append(r.sw.Ports, port)
	}
}

// use notes which profiles a port has.
func (r *reader) use(name string, says portNodes) {
	for _, f := range append([]string{"link-pause"}, features...) {
		named := says.get("qos", f, "profile")
		profile := named.text()
		switch profile {
		case "default-global":
			named.leaf().pass(ruleDefault)
		case "":
			profile = "default-global"
		}
		r.users[f+" "+profile] = append(r.users[f+" "+profile], name)
	}
}
