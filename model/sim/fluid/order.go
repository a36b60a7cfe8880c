package fluid

import "github.com/roceplan/roceplan/model/sim"

// order has the messages and work that wait for others.
type order struct {
	waits    []int32 // by flow: how many that it waits for are not over
	earliest []int64 // by flow, ps
	first    []int32 // those that wait for flow i are behind[first[i]:first[i+1]]
	behind   []int32
	stack    []over
}

// over is a flow that is over, at its receiver and at its sender.
type over struct {
	flow             int32
	delivered, acked int64
}

func newOrder(flows []sim.Flow) order {
	o := order{waits: make([]int32, len(flows)), earliest: make([]int64, len(flows)), first: make([]int32, len(flows)+2)}
	for i := range flows {
		f := &flows[i]
		o.waits[i], o.earliest[i] = int32(len(f.After)), int64(f.Start)
		for _, before := range f.After {
			o.first[before+2]++
		}
	}
	for i := 2; i < len(o.first); i++ {
		o.first[i] += o.first[i-1]
	}
	o.behind = make([]int32, o.first[len(o.first)-1])
	for i := range flows {
		for _, before := range flows[i].After {
			o.behind[o.first[before+1]] = int32(i)
			o.first[before+1]++
		}
	}
	return o
}

// over releases the flows that wait for nothing else. Senders know of a message what a host can know: see [sim.Flow].
func (e *engine) over(flow int32, delivered, acked int64) {
	e.stack = append(e.stack, over{flow, delivered, acked})
	for len(e.stack) > 0 {
		last := e.stack[len(e.stack)-1]
		e.stack = e.stack[:len(e.stack)-1]
		e.release(&last)
	}
}

func (e *engine) release(before *over) {
	from := &e.sc.Flows[before.flow]
	if from.Ends {
		e.work = append(e.work, sim.Work{Index: int(before.flow), EndUS: micros(before.acked)})
	}
	for _, i := range e.behind[e.first[before.flow]:e.first[before.flow+1]] {
		f := &e.sc.Flows[i]
		at := before.acked
		if from.Dst == f.Src {
			at = before.delivered
		}
		e.earliest[i] = max(e.earliest[i], at+int64(f.Delay))
		if e.waits[i]--; e.waits[i] > 0 {
			continue
		}
		if e.of[i] == none {
			e.stack = append(e.stack, over{i, e.earliest[i], e.earliest[i]})
		} else {
			e.ready(i, e.earliest[i])
		}
	}
}
