// Package nvue prints a switch's settings as the configuration of Cumulus Linux, for NVUE: YAML for
// `nv config patch`, or `nv set` commands.
//
// Where a plan has NVIDIA's own numbers, it is RoCE mode, followed by what differs. Elsewhere every
// number is printed: mapping, PFC, marking, scheduling, pools and thresholds
// (advance-buffer-config). Thresholds are those of the whole switch in Cumulus Linux, so ports with
// different ones are not supported.
//
// Sources: Cumulus Linux 5.14 and 5.15 user guide, Quality of Service, RDMA over
// Converged Ethernet, Equal Cost Multipath Load Sharing; NVUE command reference, QoS and
// Adaptive Routing (CumulusNetworks/docs). Between 5.14 and 5.15 words changed, such as
// `enable on` to `state enabled`: what both take is printed where there is a choice, and
// the newer word for adaptive routing.
//
// # Rounding
//
// Marking probabilities are rounded down to a whole per cent, but not to 0; shapers
// down to 1 kb/s, but not to 0; cable lengths up to 1 m; the watchdog's detection time up to whole
// polling intervals; the sizes of pools down to a whole per cent of the buffer. Each
// rounding that changes a value is a warning.
package nvue

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Files below the device's folder.
const (
	File         = "nvue.yaml"
	CommandsFile = "nvue.sh"

	CableLengthFile = "nvue-cable-length.yaml"
)

// Emit prints the YAML of all switches of one shape. Where the list has errors there are
// no files.
func Emit(s *plan.Switch) ([]emit.File, diag.List) {
	return patchOf(&builder{s: s}, File)
}

// EmitCableLength prints the same, but leaves headroom to the switch, which NVIDIA advises: the
// switch gets the length of cables, and computes headroom by figures that are not published.
// Whether they agree with the plan's cannot be known beforehand, so this is not the usual form.
func EmitCableLength(s *plan.Switch) ([]emit.File, diag.List) {
	return patchOf(&builder{s: s, byCable: true}, CableLengthFile)
}

func patchOf(b *builder, file string) ([]emit.File, diag.List) {
	return emit.Print(b.s, file, func(*plan.Switch) (*object, diag.List) { return b.compose() }, func(root *object) []byte {
		head := "# QoS of " + emit.Mark + ". Apply with: nv config patch /path/to/" + file + "; nv config apply\n"
		return append([]byte(head), root.yaml()...)
	})
}

// EmitCommands prints the same as commands.
func EmitCommands(s *plan.Switch) ([]emit.File, diag.List) {
	return emit.Print(s, CommandsFile, compose, func(root *object) []byte {
		var out strings.Builder
		out.WriteString("#!/bin/sh\n# QoS of " + emit.Mark + ". It prints what would change; then: nv config apply\nset -e\n")
		root.commands(&out, "nv set")
		out.WriteString("nv config diff\n")
		return []byte(out.String())
	})
}

func compose(s *plan.Switch) (*object, diag.List) { return (&builder{s: s}).compose() }

// compose builds the tree of a switch, nil where the switch cannot be configured.
func (b *builder) compose() (*object, diag.List) {
	b.s, b.shares = emit.Shares(b.s, row.Shares())
	s := b.s
	b.root = &object{}
	b.checkNames()
	if !strings.HasPrefix(s.Chip, "spectrum") {
		b.list.Errorf(Platform, s.Range, "Cumulus Linux runs on Spectrum, and %s is not a Spectrum", s.Chip).
			Fixf("set os to what the switch runs")
		return nil, b.list
	}
	b.groupPorts()
	b.keepShares()
	b.checkPriorities()
	if s.BufferModel == plan.DynamicModel {
		b.list.Warnf(Calculator, s.Range, "the dynamic buffer model exists on SONiC only: the configuration of Cumulus Linux has the planned sizes").Fixf(`leave buffer_model out`)
	}
	if b.isRoCE() {
		b.roce()
	} else {
		b.manual()
	}
	b.watchdog()
	b.balance()
	b.trimming()
	emit.RemappingLost(&b.list, RemappingLost, b.s, "no command of Cumulus Linux is documented for it")
	b.mtu()
	if b.list.HasErrors() {
		return nil, b.list
	}
	return b.root, b.list
}

// keepShares keeps the pools of shares that something is in: they are numbered as their names are.
func (b *builder) keepShares() {
	for _, name := range row.Shares() {
		if p, ok := b.shares[name]; ok && len(b.limitsIn(name)) > 0 {
			b.s.Pools = append(b.s.Pools, p)
		}
	}
}

type builder struct {
	s     *plan.Switch
	root  *object
	kinds []*emit.Kind
	list  diag.List
	// byCable is set where headroom is left to the switch.
	byCable bool
	shares  map[string]plan.Pool // that the fabric states
}

// groupPorts puts ports with one profile in each feature that has profiles together.
func (b *builder) groupPorts() {
	same := func(p, q *plan.Port) bool { return p.QoS == q.QoS && p.Cable == q.Cable }
	b.kinds = emit.Kinds(b.s, same, func(group string) bool { return group != "" })
}

var (
	hostName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,62}[A-Za-z0-9])?$`) })
	portName = regexp.MustCompile(`^swp[1-9][0-9]{0,3}(s[0-9]{1,2})?$`)
	profile  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,62}$`) })
)

// checkNames refuses what would not stay one word of a command.
func (b *builder) checkNames() {
	for _, n := range b.s.Names {
		if !hostName().MatchString(n) {
			b.list.Errorf(Name, b.s.Range, "%q is not a host name that Cumulus Linux takes", n).Fixf("use letters, digits and dashes, at most 64")
		}
	}
	groups := make(map[string]bool)
	for _, p := range b.s.Ports {
		if !portName.MatchString(p.Name) {
			b.list.Errorf(Name, p.NamedAt(), "%q is not a port of Cumulus Linux", p.Name).Fixf("name ports like swp1 or swp1s0")
		}
		if p.Group != "" && !groups[p.Group] && !profile().MatchString(p.Group) {
			b.list.Errorf(Name, p.Range, "%q cannot be the name of a profile", p.Group).Fixf("use letters, digits, dashes and underscores, a letter first")
		}
		groups[p.Group] = true
	}
}

// checkPriorities demands that each lossless class has one number on all counts.
func (b *builder) checkPriorities() {
	m := &b.s.Maps
	lossless := b.s.Paused()
	for p := range uint8(8) {
		if lossless&(1<<p) == 0 {
			continue
		}
		at := b.s.ClassAt(p)
		tc := slices.IndexFunc(b.s.Classes, func(c plan.Class) bool { return c.Lossless && c.PFC == p })
		if tc >= 0 && b.s.Classes[tc].TrafficClass != p {
			b.list.Errorf(Priority, at, "priority %d pauses traffic class %d, and Cumulus Linux has one number for both", p, b.s.Classes[tc].TrafficClass).
				Fixf("give the class the same traffic class and pfc")
		}
		if m.PFCToQueue[p] != m.TCToQueue[p] {
			b.list.Errorf(Priority, at, "priority %d pauses queue %d, but its traffic is sent from queue %d", p, m.PFCToQueue[p], m.TCToQueue[p]).
				Fixf("let priority and traffic class name the same queue")
		}
	}
}

// each calls f with the path of every port of a kind.
func (b *builder) each(k *emit.Kind, f func(port *object)) {
	for _, p := range k.Ports {
		f(b.root.at("interface", p.Name))
	}
}

// watchdog enables the PFC watchdog where the plan has it. It acts after `robustness`
// polling intervals, and stops after one without pauses.
func (b *builder) watchdog() {
	w := b.s.Watchdog
	if w == nil {
		return
	}
	if w.Action != plan.WatchdogDrop {
		b.list.Errorf(Watchdog, b.s.Range, "the PFC watchdog of Cumulus Linux drops the packets of a stuck queue and cannot %s them", w.Action).
			Fixf(`set action to "drop"`)
	}
	poll := write(b, row.Poll, Watchdog, w.Poll, b.s.Range)
	if !row.Of(row.Poll).Fits(int64(w.Poll.Value)) {
		return // write has refused it
	}
	interval := units.Time(row.Of(row.Poll).Means(poll))
	times := write(b, row.Robustness, Watchdog, w.Detection, b.s.Range, format.Unit{Name: row.Of(row.Robustness).Unit.Name, Is: int64(interval)})
	if w.Restoration.Value != w.Poll.Value {
		b.list.WarnOnceAtf(Watchdog, w.Restoration.Why.RangeOr(b.s.Range), "the plan has a PFC watchdog that restores after %v, and that of Cumulus Linux restores after one polling interval without pauses, %d ms", w.Restoration.Value, poll).Fixf("declare a restoration of %dms in the fabric, so that plan and switch agree", poll)
	}
	b.root.leaf(row.Poll, poll)
	b.root.leaf(row.Robustness, times)
	for _, k := range b.kinds {
		if k.QoS().Watchdog && k.QoS().PFC != 0 {
			b.each(k, func(port *object) { port.word("enable", "qos", "pfc-watchdog", "state") })
		}
	}
}

// balance enables adaptive routing. Traffic has to leave by ports that have it, so all
// ports get it that can; the switch uses it where a route has several.
func (b *builder) balance() {
	switch b.s.LoadBalancing {
	case "", "ecmp":
		return
	case "adaptive":
	default:
		b.list.Warnf(LoadBalancing, b.s.LoadBalancingAt, "Cumulus Linux has no load balancing %q; the switch hashes flows over equal paths (ecmp)", b.s.LoadBalancing).
			Fixf(`set load_balancing to "ecmp" or "adaptive"`)
		return
	}
	if beforeSpectrum4(b.s) {
		b.list.Warnf(LoadBalancing, b.s.LoadBalancingAt, "Cumulus Linux has adaptive routing on Spectrum-4 and later, so %s hashes flows over equal paths (ecmp)", b.s.Chip).
			Fixf(`set load_balancing to "ecmp"`)
		return
	}
	b.root.word("enabled", "router", "adaptive-routing", "state")
	for i := range b.s.Ports {
		p := &b.s.Ports[i]
		if b.s.Chip == "spectrum4" && p.Speed > 400*units.Gbps {
			b.list.WarnOnceAtf(LoadBalancing, p.Range, "Spectrum-4 has no adaptive routing on ports of %v, so ports of %s hash flows", p.Speed, p.Group)
			continue
		}
		b.root.word("enabled", "interface", p.Name, "router", "adaptive-routing", "state")
	}
}

// beforeSpectrum4 reports whether the chip is too old for adaptive routing and packet trimming.
func beforeSpectrum4(sw *plan.Switch) bool {
	return slices.Contains([]string{"spectrum1", "spectrum2", "spectrum3"}, sw.Chip)
}

// write converts a quantity of the plan for the leaf of a row, as [emit.Write] does; refused is the code of the error
// where it is out of bounds.
func write[Q format.Quantity](b *builder, id format.ID, refused diag.Code, d plan.Derived[Q], otherwise diag.Range, unit ...format.Unit) int64 {
	return emit.Write(format.Voice{List: &b.list, System: "Cumulus Linux", Rounded: Rounded, Range: refused}, row.Of(id), d, otherwise, unit...)
}

func (b *builder) mtu() {
	for i := range b.s.Ports {
		p := &b.s.Ports[i]
		if frame := b.s.Frame(p); frame.Value > 0 {
			b.root.at("interface", p.Name).leaf(row.MTU, write(b, row.MTU, Threshold, frame, p.Range))
		}
	}
}
