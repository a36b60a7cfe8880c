package pattern

import (
	"math"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Figures are of a run or of a part of it.
type Figures struct {
	Throughput        float64 `json:"throughput,omitempty"`
	LatencyMax        float64 `json:"latency_max_us"`
	LatencyBelowUsual float64 `json:"latency_below_usual"`
	PauseWindows      int     `json:"pfc_windows"`
	WindowsOver       int     `json:"pfc_windows_over"`
}

// Steady is a run after its warm-up: the later end of those of the bytes that arrive and of the
// latency of packets, which is the time that they are in queues. Nil where a run has no steady
// state to look for: a single burst, or an event.
type Steady struct {
	// Settled says that the run has a steady state. Where it has none, its throughput is judged by the
	// whole run, for nothing else is there to judge by.
	Settled bool    `json:"settled"`
	WarmUp  float64 `json:"warm_up_us,omitempty"`
	Until   float64 `json:"until_us"` // when the traffic is no longer what the scenario says
	Figures         // of the time between; zero unless settled

	// Slowdowns of the messages that began between, so many; those that begin with the run are not among them.
	Messages     int     `json:"messages,omitempty"`
	SlowdownMean float64 `json:"slowdown_mean,omitempty"`
	SlowdownP99  float64 `json:"slowdown_p99,omitempty"`
}

// figures returns the figures by which the goals are judged: the whole run, its start included. Throughput alone is a
// goal of the steady state: that of a whole run depends on its length, and the cost of the start is in completion times
// and latencies.
func (o *Outcome) figures() Figures {
	f := Figures{o.Throughput, o.LatencyMax, o.LatencyBelowUsual, o.PauseWindows, o.WindowsOver}
	if o.Steady != nil && o.Steady.Settled {
		f.Throughput = o.Steady.Throughput
	}
	return f
}

// lasting reports whether a scenario's traffic goes on, and nothing befalls it, so that it can
// have a steady state.
func (s *Scenario) lasting() bool {
	for i := range s.Traffic {
		t := &s.Traffic[i]
		if t.Start > 0 || t.Every == 0 && t.Load == 0 && !(kinds[t.Kind].fills && t.Message == 0) {
			return false
		}
	}
	return len(s.Events) == 0
}

// steady looks for the steady state of a run. filled is set for traffic that fills ports: it is as the
// scenario says until the first sender or receiver is done. Other traffic is so until the end of the
// scenario's time.
func (m *measured) steady(s *Scenario, filled bool) *Steady {
	if !s.lasting() {
		return nil
	}
	until := s.Time
	if filled {
		until = m.firstDone()
	}
	st := &Steady{Until: float64(until) / 1e6}
	step := m.step(s)
	bytes, latency := m.batches(step, until)
	carried, ok1 := mser(bytes)
	stood, ok2 := mser(latency)
	if st.Settled = ok1 && ok2; !st.Settled {
		return st
	}
	from := step * units.Time(max(carried, stood))
	st.WarmUp = float64(from) / 1e6
	st.measure(m, from, until)
	late := m.after(st.WarmUp, st.Until)
	st.Messages, st.SlowdownMean, st.SlowdownP99 = late.Messages, late.SlowdownMean, late.SlowdownP99
	if filled {
		st.Throughput = m.steadyThroughput(from, until)
	}
	return st
}

// firstDone returns the time at which the first sender or the first receiver had all its messages
// acknowledged. Of receivers of two speeds the faster ones may be done long before: their ports are
// idle from then on.
func (m *measured) firstDone() units.Time {
	type end struct {
		host     int
		receives bool
	}
	done := map[end]float64{}
	for i := range m.r.Flows {
		if f := &m.r.Flows[i]; f.Index < m.messages {
			for _, e := range []end{{f.Src, false}, {f.Dst, true}} {
				done[e] = max(done[e], f.StartUS+f.FCTUS)
			}
		}
	}
	first := math.Inf(1)
	for _, at := range done {
		first = min(first, at)
	}
	return units.Time(first * 1e6)
}

// step returns the length of a batch: mserBatch windows or, where traffic is periodic, its period,
// since no series settles that is cut within it.
func (m *measured) step(s *Scenario) units.Time {
	windows := units.Time(mserBatch)
	for i := range s.Traffic {
		windows = max(windows, (s.Traffic[i].Every+m.r.ArrivalWidth()-1)/m.r.ArrivalWidth())
	}
	return windows * m.r.ArrivalWidth()
}

// batches returns the bytes that arrived and the mean latency of packets, per step. Where nothing
// arrived, latency is as before.
func (m *measured) batches(step, until units.Time) (bytes, latency []float64) {
	before := 0.0
	for from := units.Time(0); from+step <= until; from += step {
		var all sim.Arrivals
		for class := range uint8(8) {
			one := m.r.Arrived(class, from, from+step)
			all.Join(&one)
		}
		if all.Packets > 0 {
			before = float64(all.Latency) / float64(all.Packets)
		}
		bytes, latency = append(bytes, float64(all.Bytes)), append(latency, before)
	}
	return bytes, latency
}

// measure takes the figures from one time to another.
func (st *Steady) measure(m *measured, from, until units.Time) {
	tcp := m.tcp()
	st.LatencyBelowUsual = 1
	for class := range uint8(8) {
		if one := m.r.Arrived(class, from, until); one.Packets > 0 && !tcp[class] {
			st.LatencyMax = max(st.LatencyMax, float64(one.Longest)/1e6)
			st.LatencyBelowUsual = min(st.LatencyBelowUsual, float64(one.Usual)/float64(one.Packets))
		}
	}
	st.WindowsOver, st.PauseWindows = m.r.WindowsOver(m.goals.PausesPerSecond, from, until)
}

// steadyThroughput returns the arrivals in the whole windows between two times, with as much for
// headers as in the whole run, as a share of the capacity of links for flows that are fair.
func (m *measured) steadyThroughput(from, until units.Time) float64 {
	arrived, payload := int64(0), int64(0)
	for class := range uint8(8) {
		one := m.r.Arrived(class, from, until)
		arrived += one.Bytes
	}
	for i := range m.sc.Flows[:m.messages] {
		payload += int64(m.sc.Flows[i].Bytes)
	}
	span := until/m.r.ArrivalWidth()*m.r.ArrivalWidth() - from
	return float64(arrived) * float64(m.even.Wire) / float64(payload) * 8e12 / float64(span) / m.even.Rate
}
