package tune

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
)

// A Score is what a point is judged by: more runs that meet their goals, more throughput, less
// latency, fewer pauses.
type Score struct {
	Met    int `json:"goals_met"`    // runs that meet all goals
	Judged int `json:"goals_judged"` // runs but those whose goals lie beyond a bound

	// Throughput is that of the steady state or, where there is none, bytes over the time until
	// the last message is done, as a share of what the compiled settings reach in the same run;
	// the mean over runs.
	Throughput float64 `json:"throughput"`
	LatencyP99 float64 `json:"latency_p99_us"` // one-way, of packets; the mean over runs
	Pauses     int64   `json:"pfc_pauses"`     // of all runs

	// Room is how much of what the goals ask is left, 0 to 1, of the goal that is closest to being missed; 0 of a run that
	// misses one; the mean over the runs that are judged. It decides among points that meet as many, and is no aim of its own.
	Room float64 `json:"room"`
}

// aims are what points are compared by.
func (a Score) aims() Score {
	a.Room = 0
	return a
}

// Dominates reports whether a is nowhere worse than b, and somewhere better.
func (a Score) Dominates(b Score) bool {
	return a.aims() != b.aims() && a.Met >= b.Met && a.Throughput >= b.Throughput && a.LatencyP99 <= b.LatencyP99 && a.Pauses <= b.Pauses
}

// rank sorts by fronts: those that no other dominates, those that only the first ones
// dominate, and so on (Deb et al., NSGA-II, IEEE Transactions on Evolutionary Computation
// 2002, section III-A). In a front the order stays.
func rank[T any](list []T, score func(T) Score) []T {
	front := make([]int, len(list))
	for level := 1; ; level++ {
		var now []int
		for i := range list {
			dominated := func(j int) bool {
				return front[j] == 0 && score(list[j]).Dominates(score(list[i]))
			}
			if front[i] == 0 && !slices.ContainsFunc(indices(len(list)), dominated) {
				now = append(now, i)
			}
		}
		if len(now) == 0 {
			break
		}
		for _, i := range now {
			front[i] = level
		}
	}
	order := indices(len(list))
	stable.Sort(order, func(a, b int) int { return cmp.Compare(front[a], front[b]) })
	out := make([]T, len(list))
	for k, i := range order {
		out[k] = list[i]
	}
	return out
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Pareto keeps those that no other dominates, of equal ones the first, by falling latency.
func Pareto[T any](list []T, score func(T) Score) []T {
	var out []T
	for i, t := range list {
		beaten := slices.ContainsFunc(list, func(o T) bool { return score(o).Dominates(score(t)) })
		again := slices.ContainsFunc(list[:i], func(o T) bool { return score(o).aims() == score(t).aims() })
		if !beaten && !again {
			out = append(out, t)
		}
	}
	stable.Sort(out, func(a, b T) int { return cmp.Compare(score(a).LatencyP99, score(b).LatencyP99) })
	return out
}
