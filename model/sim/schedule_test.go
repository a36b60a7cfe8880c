package sim

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// attacked is a switch of a compiled fabric, and one of its lossless groups.
type attacked struct {
	*model.Switch
	port, pg int
	needed   units.Cells // by the prover
	slack    units.Cells // see schedule
}

// with returns the switch with another headroom of the group.
func (a *attacked) with(cells units.Cells) *model.Switch {
	config := *a.Config
	config.SliceCells = 0
	config.Ports = slices.Clone(config.Ports)
	pgs := slices.Clone(config.Ports[a.port].PGs)
	pgs[a.pg].HeadroomCells = cells
	config.IngressPools = slices.Clone(config.IngressPools)
	for i := range config.IngressPools {
		if pool := &config.IngressPools[i]; pool.HeadroomCells > 0 {
			pool.HeadroomCells = 1 << 24 // so that the group's own headroom decides
		}
	}
	config.Ports[a.port].PGs = pgs
	return &model.Switch{Config: &config, Ports: a.Ports}
}

// schedule returns the adversary's way of making the group lose a packet whose headroom is a
// cell less than is needed. In rare mixes of packets it does not get at the last cells that
// the prover demands: slack is how many.
func (a *attacked) schedule() (*adversary.Counterexample, error) {
	most := units.Cells(mostSlack)
	if *hunting { // among a thousand there are rarer mixes; what has to be filled is nine tenths
		most = max(most, a.needed/10)
	}
	for a.slack = range most + 1 {
		result, err := adversary.Search(a.with(a.needed-a.slack-1), adversary.Options{Seed: 1, Random: 1})
		if err != nil {
			return nil, err
		}
		if result.Found != nil && apart(result.Found) == nil {
			return result.Found, nil
		}
	}
	return nil, fmt.Errorf("the prover demands %d cells of headroom, and the adversary breaks nothing with %d: %+v",
		a.needed, a.needed-a.slack-1, a.Ports[a.port].Link)
}

const mostSlack = 8

// apart moves the packets of different ports apart, which the adversary has come in at the
// same instant one after the other. Whether that still loses a packet in a run in which all
// senders keep the rules, the adversary's own replay tells.
func apart(c *adversary.Counterexample) error {
	own := *c
	own.Events, own.Loss = slices.Clone(c.Events), nil
	late := int64(0)
	for i := 1; i < len(own.Events); i++ {
		if own.Events[i].In != own.Events[i-1].In {
			late += int64(units.Nanosecond)
		}
		late++ // what followed without a gap may begin a fraction of a picosecond earlier now
		own.Events[i].At += late
	}
	text, err := own.Marshal()
	if err != nil {
		return err
	}
	if _, err := adversary.Replay(text); err != nil {
		return err
	}
	c.Events = own.Events
	return nil
}

// replay is a scenario in which hosts send what the counterexample has come in at each port,
// when it has it come in, and more of the largest frames behind: only PFC stops them. No
// frame leaves the switch, except for one to each port that pauses its host: the largest, which
// the switch begins in the instant of the decision.
type replay struct {
	sc      Scenario
	sw      *model.Switch
	ports   int
	longest units.Time       // delay of a cable
	class   map[[2]int]uint8 // by group and queue
	start   units.Time
	frames  [][]Frame             // by host
	decided map[[2]int]units.Time // by port and group: when it paused last
}

func newReplay(sw *model.Switch, c *adversary.Counterexample) (*replay, error) {
	r := &replay{sw: sw, ports: len(sw.Ports), class: map[[2]int]uint8{}, decided: map[[2]int]units.Time{}, frames: make([][]Frame, 2*len(sw.Ports))}
	largest := units.Bytes(0)
	for i := range sw.Ports {
		l := &sw.Ports[i].Link
		r.longest, largest = max(r.longest, delayOf(l)), max(largest, l.PortFrame)
	}
	r.start = r.longest + units.Millisecond
	r.sc.Wire = Ethernet()
	r.sc.Transport = Transport{Payload: largest, AckInterval: 1}
	r.build()
	if err := r.send(c.Events); err != nil {
		return nil, err
	}
	r.begin(c.Events)
	return r, nil
}

// moveLast lets the last frame be sent so long after the last instant at which its group may
// still begin one. It must not be the frame that decides.
func (r *replay) moveLast(c *adversary.Counterexample, by units.Time) {
	e := &c.Events[len(c.Events)-1]
	end := r.start + r.decided[[2]int{e.In, e.PG}] + peers(r.sw.Ports[e.In].Link.Window()) - r.sc.Links[e.In].Delay
	frames := r.frames[e.In]
	last := frames[len(frames)-1]
	frames[len(frames)-1].Count--
	if last.Count == 1 {
		frames = frames[:len(frames)-1]
	}
	last.At, last.Count = end+by, 1
	r.frames[e.In] = append(frames, last)
}

func delayOf(l *model.Link) units.Time { return l.RoundTrip() / 2 }

// The simulator has one clock. Here it is that of the peers, which IEEE 802.3 allows to be
// 100 ppm fast: a frame then takes the nominal time, and whatever else lasts is longer by as
// much.
func peers(t units.Time) units.Time {
	return units.Time(units.FloorMulDiv(int64(t), 1_000_100, 1_000_000))
}

// rounding is what whole picoseconds of the one clock may lack in those of the other.
const rounding = 3 * units.Picosecond

// responseOf returns the rest of a window for the response of a peer: the switch's own frames
// and layers are as slow as they may be, and the simulator's are neither.
func responseOf(l *model.Link) units.Time {
	return rounding + peers(l.Window()) - l.Rate.CeilTime(l.PortFrame+model.InterFrame+model.PauseWire) - 2*delayOf(l)
}

// The frames that the switch itself has to send come in by ports of their own, with buffer
// of their own, from hosts behind those of the schedule.
const (
	otherClass = classes - 1
	otherPG    = mmu.MaxPGs - 1
	otherQueue = mmu.MaxQueues - 1
)

func (r *replay) build() {
	config := *r.sw.Config
	config.SliceCells = 0
	pool := len(config.IngressPools)
	config.IngressPools = append(slices.Clone(config.IngressPools), mmu.Pool{Name: "others", SharedCells: 1 << 30})
	config.EgressPools = append(slices.Clone(config.EgressPools), mmu.Pool{Name: "others", SharedCells: 1 << 30})
	other := mmu.Port{PGs: make([]mmu.PG, mmu.MaxPGs), Queues: make([]mmu.Queue, mmu.MaxQueues)}
	other.PGs[otherPG] = mmu.PG{Pool: pool, Limit: mmu.StaticLimit(1 << 30)}
	buffer := &SiliconBuffer{Config: &config}
	buffer.PG[otherClass], buffer.Queue[otherClass] = otherPG, otherQueue
	config.Ports = slices.Clone(config.Ports)
	for i := range config.Ports {
		queues := make([]mmu.Queue, mmu.MaxQueues)
		copy(queues, config.Ports[i].Queues)
		queues[otherQueue] = mmu.Queue{Pool: len(config.EgressPools) - 1, Limit: mmu.StaticLimit(1 << 30)}
		config.Ports[i].Queues = queues
	}
	for range r.ports {
		config.Ports = append(config.Ports, other)
	}
	r.sc.Nodes = append(make([]Node, 2*r.ports), Switch)
	for i := range 2 * r.ports {
		l, delay := &r.sw.Ports[i%r.ports].Link, r.longest
		if i < r.ports {
			delay = delayOf(l)
		}
		r.sc.Links = append(r.sc.Links, Link{A: i, B: 2 * r.ports, Rate: l.Rate, Delay: delay, Response: [2]units.Time{responseOf(l), 0}})
		buffer.Ports = append(buffer.Ports, i)
	}
	r.sc.Silicon = make([]*SiliconBuffer, 2*r.ports+1)
	r.sc.Silicon[2*r.ports] = buffer
}

// classOf numbers the ways from group to queue.
func (r *replay) classOf(e *adversary.Event) (uint8, error) {
	way := [2]int{e.PG, e.Queue}
	class, ok := r.class[way]
	if !ok {
		class = uint8(len(r.class) + 1)
		if class == otherClass {
			return 0, fmt.Errorf("the schedule uses more than %d ways", otherClass-1)
		}
		r.class[way] = class
		b := r.sc.Silicon[2*r.ports]
		b.PG[class], b.Queue[class] = uint8(e.PG), uint8(e.Queue)
	}
	return class, nil
}

// send lets each host send what comes in by its port.
func (r *replay) send(events []adversary.Event) error {
	for i := range events {
		e := &events[i]
		if e.Kind != adversary.Arrive {
			return fmt.Errorf("the schedule has packets leave")
		}
		class, err := r.classOf(e)
		if err != nil {
			return err
		}
		r.frames[e.In] = append(r.frames[e.In], Frame{
			At: r.start + peers(units.Time(e.At)) - r.sc.Links[e.In].Delay, Dst: e.Out, Class: class, Bytes: units.Bytes(e.Bytes), Count: e.Count,
		})
	}
	return nil
}

// begin has a frame of each port that pauses come in so that the switch begins to send it
// when it decides.
func (r *replay) begin(events []adversary.Event) {
	buffer, err := mmu.New(r.sw.Config)
	if err != nil {
		panic(err) // the adversary has played with it
	}
	for _, e := range events {
		for n := range e.Count {
			link := &r.sw.Ports[e.In].Link
			slot := func(bytes units.Bytes) units.Time { return link.Rate.CeilTime(bytes + model.InterFrame) }
			v := buffer.Enqueue(&mmu.Packet{InPort: e.In, PG: e.PG, OutPort: e.Out, Queue: e.Queue, Bytes: e.Bytes})
			if v.PFC == mmu.XOFF {
				decided := peers(units.Time(e.At)) + units.Time(n)*slot(units.Bytes(e.Bytes))
				r.decided[[2]int{e.In, e.PG}] = decided
				at := r.start + decided - slot(link.PortFrame) - r.longest
				r.frames[r.ports+e.In] = append(r.frames[r.ports+e.In], Frame{At: at, Dst: e.In, Class: otherClass, Bytes: link.PortFrame, Count: 1})
			}
		}
	}
}

// insist lets the sender of the last packet go on, unless the traffic is assumed to be of a mix
// that more of them would break.
func (r *replay) insist(c *adversary.Counterexample) {
	last := &c.Events[len(c.Events)-1]
	if l := &r.sw.Ports[last.In].Link; l.SmallPackets > 0 {
		return
	}
	frames := r.frames[last.In]
	again := frames[len(frames)-1]
	again.Bytes, again.Count = r.sw.Ports[last.In].Link.LosslessFrame, 20
	r.frames[last.In] = append(frames, again)
}

// run plays it to its end and returns how many packets the switch refused.
func (r *replay) run() (int64, error) {
	for host, frames := range r.frames {
		if len(frames) > 0 {
			r.sc.Generators = append(r.sc.Generators, Generator{host, frames})
		}
	}
	s, err := newEngine(&r.sc)
	if err != nil {
		return 0, err
	}
	for i := range r.ports {
		s.ports[2*i+1].paused = 1<<otherClass - 2 // the switch's end
	}
	for s.step(never) {
	}
	return s.dropped, nil
}

// A trial is a run of the schedule with another headroom, or another last frame.
type trial struct {
	what   string
	cells  units.Cells
	change func(*replay, *adversary.Counterexample)
	loses  bool
}

// trials: what is needed is that to the cell, even if the sender insists, and the last frame
// counts up to the last picosecondss of the window.
func (a *attacked) trials() []trial {
	tight := a.needed - a.slack
	move := func(by units.Time) func(*replay, *adversary.Counterexample) {
		return func(r *replay, c *adversary.Counterexample) { r.moveLast(c, by) }
	}
	list := []trial{
		{"a cell too few", tight - 1, (*replay).insist, true},
		{"enough", a.needed, (*replay).insist, false}, // where the adversary misses cells, fewer may be too few in another order
	}
	// With one cell the frame that decides is lost itself; and without any response what the
	// same instant brings depends on the order of events, as in the HPCC simulator.
	if tight > 1 && a.Ports[a.port].Link.Response > 0 {
		list = append(list,
			trial{"a cell too few, the last frame in the last instant", tight - 1, move(0), true},
			trial{"a cell too few, the last frame picoseconds too late", tight - 1, move(2 * rounding), false})
	}
	return list
}

func (a *attacked) judge() error {
	if a.needed < 1 {
		return nil
	}
	c, err := a.schedule()
	if err != nil {
		return err
	}
	for _, trial := range a.trials() {
		r, err := newReplay(a.with(trial.cells), c)
		if err != nil {
			return err
		}
		trial.change(r, c)
		lost, err := r.run()
		if err != nil {
			return err
		}
		if (lost > 0) != trial.loses {
			return fmt.Errorf("%s: %d packets lost with %d cells of headroom, of which %d are needed; attack %q: %v; %+v",
				trial.what, lost, trial.cells, a.needed, c.Attack, c.Loss, a.Ports[a.port].Link)
		}
	}
	return nil
}
