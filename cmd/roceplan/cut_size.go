package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/model/sim/fabric"
)

// cutSize is a flag that says what a fabric is cut to for simulation; zero where it is not given.
type cutSize fabric.Size

// UnmarshalText reads "8x16", "8", or "all".
func (c *cutSize) UnmarshalText(text []byte) error {
	if string(text) == "all" {
		*c = cutSize{math.MaxInt32, math.MaxInt32}
		return nil
	}
	edges, hosts, both := strings.Cut(string(text), "x")
	n, err := strconv.Atoi(edges)
	m := math.MaxInt32
	if both && err == nil {
		m, err = strconv.Atoi(hosts)
	}
	if err != nil || n < 1 || m < 1 {
		return fmt.Errorf("%q is not a number of edge switches, such as 8, with a number of hosts of each, such as 8x16, nor all", text)
	}
	*c = cutSize{n, m}
	return nil
}

// String returns the size as the flag takes it.
func (c cutSize) String() string {
	if c.HostsPerEdge == math.MaxInt32 {
		return strconv.Itoa(c.Edges)
	}
	return fmt.Sprintf("%dx%d", c.Edges, c.HostsPerEdge)
}
