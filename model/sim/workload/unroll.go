package workload

import "github.com/roceplan/roceplan/model/sim"

// Unroll makes a message of each time of a train, on a queue pair of the train's own from a number on, for transports
// that cannot repeat messages. The first times come first, then the second ones.
func Unroll(flows []sim.Flow, queuePair int) (out []sim.Flow) {
	at := make([][]int32, len(flows)) // the messages of a flow
	of := []int32{}
	for time, some := 0, true; some; time++ {
		some = false
		for i := range flows {
			if time < max(1, flows[i].Repeat) {
				some = true
				at[i], of = append(at[i], int32(len(of))), append(of, int32(i))
			}
		}
	}
	out = make([]sim.Flow, len(of))
	for i := range flows {
		train := &flows[i]
		var first []int32 // the dependencies of the first time, before which there is none
		for _, before := range train.After {
			first = append(first, at[before][len(at[before])-1])
		}
		each := train.Each
		if len(each) == 0 {
			each = []int32{int32(i)}
		}
		for time, k := range at[i] {
			f := &out[k]
			*f = *train
			f.Each, f.Repeat, f.Ahead = nil, 0, 0
			if train.Repeat > 1 {
				f.QueuePair = queuePair + i
			}
			earlier := time - 1 - train.Ahead
			if f.After = nil; time == 0 || earlier < 0 {
				f.After = first
			}
			for _, before := range each {
				if train.Repeat > 1 && earlier >= 0 {
					f.After = append(f.After[:len(f.After):len(f.After)], at[before][earlier])
				}
			}
		}
	}
	return out
}
