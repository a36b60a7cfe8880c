package eos

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// A range counts in the last number of a port, and the items of a list are ports or ranges that
// have as many numbers: "5-7,13", "3/1-8", "1/1,1/5" (EOS user manual, Ethernet Ports, e_range;
// prompts that EOS shows for them, such as "config-if-Et1/1,1/5").
var item = regexp.MustCompile(`^((?:[0-9]{1,4}/){0,2})([0-9]{1,4})(?:-([0-9]{1,4}))?$`)

// mostInRange bounds the ports of one line: a chassis has 1,152 lanes of 16 cards.
const mostInRange = 4096

// mostInRanges bounds the settings of ports by ranges: a hundred lines for each of a chassis,
// several times.
const mostInRanges = 1 << 21

const tooManyRanges = "the ranges and profiles of the file give its ports more lines than are read: give the output of `show running-config`"

const otherRange = "the ports of such a range are not documented: write ranges only of the last number, such as Ethernet3/1-8"

// portsOf lists the ports of a range; nil where it is not understood.
func portsOf(rest string) (places []string) {
	numbers := -1
	for _, part := range strings.Split(rest, ",") {
		m := item.FindStringSubmatch(part)
		if m == nil || numbers >= 0 && strings.Count(m[1], "/") != numbers {
			return nil
		}
		numbers = strings.Count(m[1], "/")
		first, _ := strconv.Atoi(m[2])
		last := first
		if m[3] != "" {
			last, _ = strconv.Atoi(m[3])
		}
		if last < first || len(places)+last-first >= mostInRange {
			return nil
		}
		for n := first; n <= last; n++ {
			places = append(places, m[1]+strconv.Itoa(n))
		}
	}
	return places
}

// rangeLine opens several ports at once.
func (r *reader) rangeLine(rest string, l cli.Line) verdict {
	places := portsOf(rest)
	if places == nil {
		return unmodelled(otherRange)
	}
	if r.inRanges += len(places); r.inRanges > mostInRanges {
		return unmodelled(tooManyRanges)
	}
	var modes []*mode
	var v verdict
	for _, at := range places {
		if v = r.portOpened("Ethernet"+at, l); v.child != nil {
			modes = append(modes, v.child)
		}
	}
	if modes != nil {
		v.child = r.each(modes)
	}
	return v.of(owner{})
}

// each offers a line to the modes of several ports. If one of them does not model the line, it is
// modelled for none, and its scope is the whole switch.
func (r *reader) each(modes []*mode) *mode {
	return &mode{name: modes[0].name, section: modes[0].section, read: func(l cli.Line) (all verdict) {
		if r.inRanges += len(modes); r.inRanges > mostInRanges {
			return unmodelled(tooManyRanges)
		}
		var below []*mode
		for i, m := range modes {
			v := m.ask(l)
			if i == 0 || v.sort == read.Unmodelled {
				all = v
			}
			if v.child != nil {
				below = append(below, v.child)
			}
		}
		all.owner = owner{part: all.owner.part}
		if all.child = nil; len(below) > 0 {
			all.child = r.each(below)
		}
		return all
	}}
}
