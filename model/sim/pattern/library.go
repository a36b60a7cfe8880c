// Package pattern lays traffic over a fabric, runs it and judges what comes of it.
//
// The library is data: library.hcl. A pattern with no message size fills the time of the
// run: its messages are as large as the busiest port can carry in it.
package pattern

import (
	_ "embed"
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsimple"

	"github.com/roceplan/roceplan/units"
)

//go:embed library.hcl
var libraryFile []byte

// A Pattern says which hosts send how much to which ones, and when.
type Pattern struct {
	Name, Doc, Kind string

	Senders, Receivers int // of an incast
	QueuePairs         int // that a message is divided over
	Copies             int // hosts that each message goes to
	Message            units.Bytes
	Every              units.Time  // between messages; 0: there is one
	Load               units.Ratio // of each host's line rate
	Sizes              *Sizes      // that messages are drawn from

	BurstSenders int // that send BurstMessage to one host, Every so often
	BurstMessage units.Bytes
}

// Sizes is a cumulative distribution, linear between its points.
type Sizes struct {
	Name   string    `hcl:"name,label"`
	Doc    string    `hcl:"doc"`
	Source string    `hcl:"source"`
	Bytes  []int64   `hcl:"bytes"`
	CDF    []float64 `hcl:"cdf"` // percent
}

type patternBlock struct {
	Name         string `hcl:"name,label"`
	Doc          string `hcl:"doc"`
	Kind         string `hcl:"kind"`
	Senders      int    `hcl:"senders,optional"`
	Receivers    int    `hcl:"receivers,optional"`
	QueuePairs   int    `hcl:"queue_pairs,optional"`
	Copies       int    `hcl:"copies,optional"`
	Message      string `hcl:"message,optional"`
	Every        string `hcl:"every,optional"`
	Load         string `hcl:"load,optional"`
	Sizes        string `hcl:"sizes,optional"`
	BurstSenders int    `hcl:"burst_senders,optional"`
	BurstMessage string `hcl:"burst_message,optional"`
}

// Library returns all patterns in the order of the file. The file is part of the program: a
// fault in it is a panic.
func Library() []Pattern {
	var file struct {
		Sizes    []*Sizes       `hcl:"sizes,block"`
		Patterns []patternBlock `hcl:"pattern,block"`
	}
	if err := hclsimple.Decode("library.hcl", libraryFile, nil, &file); err != nil {
		panic(err)
	}
	sizes := map[string]*Sizes{}
	for _, s := range file.Sizes {
		sizes[s.Name] = s
	}
	all := make([]Pattern, len(file.Patterns))
	for i := range file.Patterns {
		all[i] = file.Patterns[i].pattern(sizes)
	}
	return all
}

func (b *patternBlock) pattern(sizes map[string]*Sizes) Pattern {
	if _, ok := kinds[b.Kind]; !ok || b.Sizes != "" && sizes[b.Sizes] == nil {
		panic(fmt.Sprintf("library.hcl: pattern %s is of kind %q with sizes %q", b.Name, b.Kind, b.Sizes))
	}
	return Pattern{
		Name: b.Name, Doc: b.Doc, Kind: b.Kind,
		Senders: b.Senders, Receivers: max(1, b.Receivers), QueuePairs: max(1, b.QueuePairs), Copies: max(1, b.Copies),
		Message: quantity(b.Message, units.ParseBytes), Every: quantity(b.Every, units.ParseTime),
		Load: quantity(b.Load, units.ParseRatio), Sizes: sizes[b.Sizes],
		BurstSenders: b.BurstSenders, BurstMessage: quantity(b.BurstMessage, units.ParseBytes),
	}
}

func quantity[T any](text string, parse func(string) (T, error)) (v T) {
	if text == "" {
		return v
	}
	v, err := parse(text)
	if err != nil {
		panic(err)
	}
	return v
}

// Hosts is how many hosts the pattern needs at least.
func (p *Pattern) Hosts() int {
	switch p.Kind {
	case "incast":
		return p.Senders + p.Receivers
	case "random":
		return max(p.Copies+1, p.BurstSenders+1, 2)
	case "ring", "tree":
		return 3
	}
	return 2
}

// smallest is the size that no message of a pattern is below; probes are smaller.
const smallest = 100

// at is the size below which the given percentage of messages is.
func (s *Sizes) at(percent float64) units.Bytes {
	for i := 1; i < len(s.CDF); i++ {
		if percent <= s.CDF[i] {
			share := (percent - s.CDF[i-1]) / (s.CDF[i] - s.CDF[i-1])
			return max(smallest, units.Bytes(float64(s.Bytes[i-1])+share*float64(s.Bytes[i]-s.Bytes[i-1])))
		}
	}
	return units.Bytes(s.Bytes[len(s.Bytes)-1])
}

// mean is the mean size in bytes.
func (s *Sizes) mean() float64 {
	sum := 0.0
	for i := 1; i < len(s.CDF); i++ {
		sum += (s.CDF[i] - s.CDF[i-1]) / 100 * float64(s.Bytes[i]+s.Bytes[i-1]) / 2
	}
	return sum
}
