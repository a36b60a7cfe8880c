package main

import (
	"encoding"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
)

// A shard is one of several equal parts of a sweep, which machines share without talking to
// each other: what job I of N runs. The zero value is all of it.
type shard struct{ index, of int }

var _ encoding.TextUnmarshaler = (*shard)(nil)

// maxShards bounds the parts of a sweep.
const maxShards = 1_000_000

// UnmarshalText reads I/N, with I from 0.
func (s *shard) UnmarshalText(text []byte) error {
	i, n, ok := strings.Cut(string(text), "/")
	index, errIndex := strconv.Atoi(i)
	of, errOf := strconv.Atoi(n)
	if !ok || errIndex != nil || errOf != nil || index < 0 || of < 1 || of > maxShards || index >= of {
		return fmt.Errorf("%q is not a part: write I/N with 0 ≤ I < N ≤ %d, such as 0/8", text, maxShards)
	}
	*s = shard{index, of}
	return nil
}

// part deals out the elements of a list, so that each is in one part and neighbours, which
// take about as long, are in different ones.
func part[T any](s shard, all []T) []T {
	if s.of <= 1 {
		return all
	}
	var own []T
	for i := s.index; i < len(all); i += s.of {
		own = append(own, all[i])
	}
	return own
}

// header returns the header of the part of a sweep that a command runs.
func (c patternFlags) header(command, fabric string) record.Header {
	return record.Header{
		Program: programText(), Command: command, Fabric: fabric,
		Shard: c.Shard.index, Of: max(1, c.Shard.of), Notes: []string{},
	}
}

// sweep returns the digest of what the results of all parts depend on.
func (c patternFlags) sweep(l *loaded, command string, numbers ...int) string {
	var texts [][]byte
	for _, text := range l.Sources {
		texts = append(texts, text)
	}
	words := append([]string{programText(), command, fmt.Sprint(max(1, c.Shard.of))}, c.Pattern...)
	if c.Size != (cutSize{}) {
		words = append(words, fmt.Sprint(c.Size))
	}
	if c.Control != "" {
		words = append(words, "--congestion-control="+c.Control)
	}
	if c.Time != nil {
		words = append(words, c.Time.String())
	}
	for _, n := range numbers {
		words = append(words, strconv.Itoa(n))
	}
	for _, name := range slices.Sorted(maps.Keys(l.vars)) {
		words = append(words, name+"="+l.vars[name])
	}
	words = append(words, l.traces()...)
	return record.Sweep(texts, words...)
}

// programText returns the version in one line.
func programText() string {
	v := stampedVersion()
	return strings.TrimSpace(v.Version + " " + v.Revision)
}
