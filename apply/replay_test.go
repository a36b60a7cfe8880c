package apply_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/testing/crash"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// A passing is a moment of a rollout.
type passing struct {
	device string
	text   []byte  // what a switch runs from now on
	sends  []uint8 // the code points of a server's RDMA traffic from now on
	cables string  // a step by hand that changes cables or switches: "cable", or "undo-cable" for its way back
}

func (l *lab) pass(p passing) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.passed = append(l.passed, p)
}

// A replay is a fabric whose switches run what devices ran.
type replay struct {
	t     *testing.T
	l     *lab
	s     sample
	texts map[string][]byte
	sends map[string][]uint8
	base  *plan.Plan // with the cables of the moment
	runs  *int       // of the simulator
	most  int        // runs; 0: all
	wrong []string
	used  *int // of these, runs in which headroom was used
}

// readings are switches with what a device runs, by their block of the fabric and the text without the name
// of the device.
var readings sync.Map

// replayed are the fabrics that were simulated: the same states are met again and again.
var replayed sync.Map

// replay simulates every fabric that the devices passed through: each with what its devices held at that moment, read
// by the readers of their systems. On all links of the switch that has just changed an incast needs
// headroom. No lossless packet is lost. With most, the simulator runs the first so many fabrics that no other
// rollout has met.
func (l *lab) replay(t *testing.T, s sample, most int) (runs, used int, wrong []string) {
	t.Helper()
	r := &replay{t: t, l: l, s: s, texts: map[string][]byte{}, sends: map[string][]uint8{}, base: s.before, most: most, runs: &runs, used: &used}
	for name, text := range l.before {
		if l.servers[name] == nil {
			r.texts[name] = text
		}
	}
	for _, p := range l.passed {
		switch {
		case p.text != nil:
			r.texts[p.device] = p.text
		case p.sends != nil:
			r.sends[p.device] = p.sends
		default:
			r.base = map[bool]*plan.Plan{true: s.before, false: s.after}[strings.HasPrefix(p.cables, "undo-")]
		}
		r.check(p.device)
	}
	return runs, used, r.wrong
}

func (r *replay) fail(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

// check simulates a moment, after a change of a device.
func (r *replay) check(device string) {
	now, key := *r.base, fmt.Sprintf("%s %p", r.s.name, r.base)
	now.Switches = nil
	var kinds []string
	for _, block := range r.base.Switches {
		for _, name := range block.Names {
			sw, kind := r.running(block, name)
			if name == device {
				kind += " changed"
			}
			now.Switches, kinds = append(now.Switches, sw), append(kinds, kind)
		}
	}
	slices.Sort(kinds) // devices of a block have the same neighbours
	if _, known := replayed.LoadOrStore(key+strings.Join(kinds, ",")+fmt.Sprint(r.codes()), true); known {
		return
	}
	for _, code := range r.codes() {
		for _, sw := range now.Switches {
			tc := sw.Maps.DSCPToTC[code]
			if !slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.TrafficClass == tc && c.Lossless }) {
				r.fail("after a change of %s: servers send DSCP %d, which is not lossless on %s", device, code, sw.Names[0])
			}
		}
	}
	if r.most == 0 || *r.runs < r.most {
		r.simulate(&now, device)
	}
}

// codes returns the code points that servers send RDMA traffic with.
func (r *replay) codes() (all []uint8) {
	for _, sends := range r.sends {
		all = append(all, sends...)
	}
	if all == nil {
		for _, c := range r.s.before.Switches[0].Classes {
			if c.Lossless {
				all = append(all, c.DSCPs...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// running is a switch of a block with what a device of it runs. A switch that is new runs what the fabric
// has: it is no device of the lab.
func (r *replay) running(block *plan.Switch, name string) (sw *plan.Switch, kind string) {
	text := r.texts[name]
	key := fmt.Sprintf("%p %s", block, strings.ReplaceAll(string(text), name, "DEVICE"))
	found, known := readings.Load(key)
	if !known {
		made := block
		if text != nil {
			made = r.nearest(block, name, text)
		}
		found, _ = readings.LoadOrStore(key, made)
	}
	own := *found.(*plan.Switch)
	own.Names = []string{name}
	return &own, fmt.Sprintf("%p %p", block, found)
}

// nearest gives a switch what a device runs: of the block, or of a state of the rollout that differs less from
// it. The rest is what no file says, such as cables, and names of pools where the format has none.
func (r *replay) nearest(block *plan.Switch, name string, text []byte) (made *plan.Switch) {
	format, _ := verify.FormatOf(block.Targets[0])
	o := read.Options{Cell: block.Cell}
	have := format.Read(format.Files[0], text, o).Switch
	if have == nil {
		r.t.Fatalf("%s is not read", name)
	}
	fewest := -1
	for _, state := range append([]*plan.Switch{block}, r.l.rollout.States[name]...) {
		want := format.Read(format.Files[0], written(r.t, state, name), o).Switch
		changes := len(diff.Compare(&plan.Plan{Switches: []*plan.Switch{want}}, &plan.Plan{Switches: []*plan.Switch{have}}).Changes)
		if fewest < 0 || changes < fewest {
			fewest, made = changes, diff.Running(state, want, have)
			if made.Watchdog != nil && made.Watchdog.Poll.Value == 0 { // the format has none
				w := *made.Watchdog
				w.Poll = w.Detection
				made.Watchdog = &w
			}
		}
		if fewest == 0 {
			break
		}
	}
	return r.computed(made, block, name, have)
}

// computed gives pools whose sizes no file has the smallest of all states: the switch computes them from its
// priority groups, and every state on the way has at most those of an end.
func (r *replay) computed(made, block *plan.Switch, name string, have *plan.Switch) *plan.Switch {
	own := *made
	own.Pools = slices.Clone(made.Pools)
	for i := range own.Pools {
		pool := &own.Pools[i]
		same := func(p plan.Pool) bool { return p.Name == pool.Name }
		if at := slices.IndexFunc(have.Pools, same); at < 0 || have.Pools[at].Size.Value > 0 || have.Pools[at].Percent > 0 {
			continue
		}
		for _, state := range append([]*plan.Switch{block}, r.l.rollout.States[name]...) {
			if at := slices.IndexFunc(state.Pools, same); at >= 0 && state.Pools[at].Size.Value < pool.Size.Value {
				pool.Size = state.Pools[at].Size
			}
		}
	}
	return &own
}

// simulate lets hosts of other switches send to hosts behind a switch, and its hosts to one of another, until
// every buffer on the way has to pause.
func (r *replay) simulate(now *plan.Plan, device string) {
	catalogue, _ := chips.Load()
	net, err := fabric.New(now, catalogue.Find, fabric.Options{Hosts: r.hosts(now, device), CongestionControl: "none"})
	if err != nil {
		r.fail("after a change of %s: %v", device, err)
		return
	}
	s := pattern.Scenario{Name: "incast", Time: 60 * units.Microsecond, Seeds: 1, CongestionControl: "none"}
	first, last := net.Hosts[0].End(), net.Hosts[len(net.Hosts)-1].End()
	for _, h := range net.Hosts {
		for _, to := range []plan.LinkEnd{first, last} {
			if h.End() != to {
				s.Traffic = append(s.Traffic, pattern.Traffic{Kind: "flow", QueuePairs: 4, Src: h.End(), Dst: to, Message: 4 << 20, Repeat: 1, Copies: 1})
			}
		}
	}
	out, err := pattern.Run(r.t.Context(), []pattern.Job{{Scenario: &s, Network: net, Seed: 1}}, nil)
	switch {
	case err != nil:
		r.fail("after a change of %s: %v", device, err)
	case out[0].Skipped != "":
		r.fail("after a change of %s: %s", device, out[0].Skipped)
	case out[0].LosslessDrops+out[0].LosslessLost > 0:
		r.fail("after a change of %s %d lossless packets are lost", device, out[0].LosslessDrops+out[0].LosslessLost)
	}
	if *r.runs++; err == nil && out[0].PeakHeadroom > 0 {
		*r.used++
	}
}

// hosts are four hosts of a switch, if it has some, and four of each of three other edge switches.
func (r *replay) hosts(now *plan.Plan, device string) (all []plan.LinkEnd) {
	of := map[string][]plan.LinkEnd{}
	var edges []string
	linked := map[plan.LinkEnd]bool{}
	for _, l := range now.Links {
		linked[l.A], linked[l.B] = true, true
	}
	for _, sw := range now.Switches {
		for _, p := range sw.Ports {
			// A new port to a switch has no cable yet, and no host.
			toSwitch := len(now.Hosts) > 0 && !slices.ContainsFunc(now.Hosts, func(h *plan.Host) bool { return h.Name == p.Peer })
			if name := sw.Names[0]; !toSwitch && !linked[plan.LinkEnd{Switch: name, Port: p.Name}] && len(of[name]) < 4 {
				of[name] = append(of[name], plan.LinkEnd{Switch: name, Port: p.Name})
				if len(of[name]) == 1 {
					edges = append(edges, name)
				}
			}
		}
	}
	from := max(0, slices.Index(edges, device))
	for i := range min(4, len(edges)) {
		all = append(all, of[edges[(from+i)%len(edges)]]...)
	}
	return all
}

// A fabric in which a switch has no headroom loses packets, and so does one that does not know what servers
// send. What a rollout leads through does not.
func TestReplay(t *testing.T) {
	s := sonicSample(t, "longer cables")
	l := newLab(t, s)
	check(t, l.carry(t, crash.New(), false, -1, fakedevice.None))
	if runs, used, wrong := l.replay(t, s, 6); runs != 6 || used != runs || len(wrong) > 0 {
		t.Errorf("%d fabrics of states, %d use headroom: %v", runs, used, wrong)
	}
	for want, edit := range map[string][2]string{
		"lossless packets are lost":                      {`("xoff": )"\d+"`, `$1"2048"`},
		"servers send DSCP 26, which is not lossless on": {`("26": )"\d+"`, `$1"0"`},
	} {
		device := "tor-1"
		text := regexp.MustCompile(edit[0]).ReplaceAll(l.before[device], []byte(edit[1]))
		l.passed = []passing{{device: device, text: text}}
		if _, _, wrong := l.replay(t, s, 0); !strings.Contains(strings.Join(wrong, "; "), want) {
			t.Errorf("%q, not %q", wrong, want)
		}
	}
}
