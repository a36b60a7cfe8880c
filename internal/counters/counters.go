// Package counters writes the counters of a simulated network as its devices would: SONiC's
// COUNTERS_DB as sonic-db-dump writes it, the NICs' as ethtool and rdma do.
//
// A recording holds the values that polling reads, not the events: sums at the times of polling, and the
// highest value between two of them.
package counters

import (
	"cmp"
	"slices"
	"time"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// Options say how counters are polled.
type Options struct {
	// Interval between two polls; 0: 60 s, as SONiC polls watermarks (sonic-swss
	// orchagent/portsorch.cpp: PG_WATERMARK_FLEX_STAT_COUNTER_POLL_MSECS).
	Interval units.Time
	// Telemetry is the interval after which the watermarks called periodic begin again; 0: 120 s
	// (sonic-swss orchagent/watermarkorch.cpp: DEFAULT_TELEMETRY_INTERVAL).
	Telemetry units.Time
}

// A Reading is the counters of all devices at a time.
type Reading struct {
	At       units.Time // since the begin of the run
	Switches []Switch
	NICs     []NIC
}

// Begin returns the time of day of the begin of a run: any would do.
func Begin() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// Time returns the time of day of the reading; fractions of a nanosecond are cut off.
func (r *Reading) Time() time.Time {
	return Begin().Add(time.Duration(r.At / units.Nanosecond))
}

// A Recorder takes the readings of one run.
type Recorder struct {
	options  Options
	read     func(*Reading) error
	switches []*switchState
	nics     []nicPort
	last     units.Time // the last reading
}

// NewRecorder makes a recorder of a network that hands each reading to read.
func NewRecorder(net *fabric.Network, o Options, read func(*Reading) error) *Recorder {
	o.Interval = cmp.Or(o.Interval, 60*units.Second)
	o.Telemetry = cmp.Or(o.Telemetry, 120*units.Second)
	r := &Recorder{options: o, read: read}
	for link := range net.Scenario.Links {
		for end := range 2 {
			at := net.End(link, end)
			if at.Switch == "" {
				r.nics = append(r.nics, nicPort{name: net.Hosts[link].Name(), port: 2*link + end, net: net})
				continue
			}
			r.device(net, at.Switch, link, end).add(net, at.Port, 2*link+end)
		}
	}
	return r
}

// device finds or makes the state of a switch.
func (r *Recorder) device(net *fabric.Network, name string, link, end int) *switchState {
	if i := slices.IndexFunc(r.switches, func(s *switchState) bool { return s.name == name }); i >= 0 {
		return r.switches[i]
	}
	node := net.Scenario.Links[link].A
	if end == 1 {
		node = net.Scenario.Links[link].B
	}
	s := newSwitchState(net, name, node)
	r.switches = append(r.switches, s)
	return s
}

// Prepare asks a run for its counters: see [pattern.Job].
func (r *Recorder) Prepare(sc *sim.Scenario, _ int) {
	if sc.Observe == nil {
		sc.Observe = &sim.Observation{}
	}
	sc.Observe.Counters = &sim.Counters{Period: r.options.Interval, Polled: r.polled}
}

// polled makes a reading of what the counters hold.
func (r *Recorder) polled(at units.Time, c *sim.Counted) error {
	// Where a telemetry interval ended since the last reading, the periodic watermarks began again
	// before this poll. A reading at that very time comes first.
	again := at > 0 && (at-1)/r.options.Telemetry > max(0, r.last-1)/r.options.Telemetry
	r.last = at
	reading := &Reading{At: at}
	for _, s := range r.switches {
		reading.Switches = append(reading.Switches, s.reading(c, again))
	}
	for i := range r.nics {
		reading.NICs = append(reading.NICs, r.nics[i].read(c))
	}
	return r.read(reading)
}
