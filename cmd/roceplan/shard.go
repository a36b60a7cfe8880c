package main

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
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
		return fmt.Errorf("%q is no part: write I/N with 0 ≤ I < N ≤ %d, such as 0/8", text, maxShards)
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
