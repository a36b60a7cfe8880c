// Package completion judges settings of a fabric by when what people run on it ends: requests, large
// transfers, reads of blocks, collective operations, incasts. Each kind is one figure of a few scenarios of
// the library, over the whole run, its start included. Figures of two settings are compared seed by seed, as
// both had the same messages.
package completion

import (
	"math"
	"slices"
)

// A Kind is a kind of traffic whose completion is measured.
type Kind string

// Kinds of figures. Those of messages are the geometric mean of mean and 99th percentile of the
// slowdown, which is the completion time over that of the message alone.
const (
	Small      Kind = "small"      // messages below 100 KB of web search and Hadoop
	Large      Kind = "large"      // messages from 1 MB on of these
	Storage    Kind = "storage"    // reads of 1 MB
	Collective Kind = "collective" // us until an all-reduce and an all-to-all have ended
	Incast     Kind = "incast"     // us until a message of eight to one host has ended, the mean; of four where there are fewer than nine hosts
)

// Kinds returns all of them, in the order in which they are shown.
func Kinds() []Kind { return []Kind{Small, Large, Storage, Collective, Incast} }

// Scenarios of the library.
const (
	websearch = "websearch-50"
	hadoop    = "hadoop-50"
	reads     = "storage-read-1mb"
	allReduce = "gpu-all-reduce"
	allToAll  = "all-to-all-256kb"
	incast    = "incast-8"
	incastOf4 = "incast-4" // instead of it where there are fewer than nine hosts
)

// Scenarios returns the scenarios of the library in which a kind is measured.
func (k Kind) Scenarios() []string {
	switch k {
	case Small, Large:
		return []string{websearch, hadoop}
	case Storage:
		return []string{reads}
	case Collective:
		return []string{allReduce, allToAll}
	case Incast:
		return []string{incast}
	}
	return nil
}

// A Purpose is the purpose of a fabric.
type Purpose string

// Purposes.
const (
	Training Purpose = "training"
	ForReads Purpose = "storage"
	Requests Purpose = "requests"
	Mixed    Purpose = "mixed"
)

// Purposes returns all of them, the default last.
func Purposes() []Purpose { return []Purpose{Training, ForReads, Requests, Mixed} }

// Kinds returns the kinds that count for a purpose, by the geometric mean of them.
func (p Purpose) Kinds() []Kind {
	switch p {
	case Training:
		return []Kind{Collective}
	case ForReads:
		return []Kind{Storage}
	case Requests:
		return []Kind{Small}
	}
	return Kinds()
}

// A Figure is a kind in the runs of one seed: smaller is better.
type Figure struct {
	Value    float64 `json:"value,omitempty"`
	Unusable string  `json:"unusable,omitempty"` // why there is no value: flows did not finish, packets were lost, a scenario does not fit
}

// Figures are the figures of one seed by kind.
type Figures map[Kind]Figure

// A Set is the figures of settings, by seed.
type Set map[uint64]Figures

// Seeds returns the seeds of a set, ascending.
func (s Set) Seeds() (list []uint64) {
	for seed := range s {
		list = append(list, seed)
	}
	slices.Sort(list)
	return list
}

// Mean returns the geometric mean of a kind over all seeds; one that is unusable makes it so.
func (s Set) Mean(k Kind) Figure {
	sum := 0.0
	for _, seed := range s.Seeds() {
		f := s[seed][k]
		if f.Unusable != "" {
			return f
		}
		sum += math.Log(f.Value)
	}
	return Figure{Value: math.Exp(sum / float64(len(s)))}
}

// Of makes figures of runs. If a run that a kind needs is missing for a seed, its figure is
// unusable.
func Of(runs []Run) Set {
	set := Set{}
	for i := range runs {
		set[runs[i].Seed] = nil
	}
	for seed := range set {
		of := map[string]*Run{}
		for i := range runs {
			if runs[i].Seed == seed {
				of[runs[i].Scenario] = &runs[i]
			}
		}
		set[seed] = Figures{}
		for _, k := range Kinds() {
			set[seed][k] = k.of(of)
		}
	}
	return set
}

// of returns a kind in runs by scenario.
func (k Kind) of(runs map[string]*Run) Figure {
	sum, n := 0.0, 0
	for _, name := range k.Scenarios() {
		r := runs[name]
		if r == nil && name == incast {
			r = runs[incastOf4]
		}
		if r == nil {
			return Figure{Unusable: name + " was not run"}
		}
		if r.Unusable != "" {
			return Figure{Unusable: name + " " + r.Unusable}
		}
		values := r.Values(k)
		if len(values) == 0 {
			return Figure{Unusable: name + " has no message of this kind"}
		}
		for _, v := range values {
			sum += math.Log(v)
		}
		n += len(values)
	}
	return Figure{Value: math.Exp(sum / float64(n))}
}
