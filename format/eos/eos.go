// Package eos has the rows of Arista EOS: the lines of a running-config that have a number, with its
// bounds, and those that take the place of one another. A path is the words before the value of a line,
// in which N is a number. Maps, names and access lists are in emit/eos and read/eos.
package eos

import (
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// HeadroomPoolName is the name that a headroom pool has after reading; EOS has no names for pools.
const HeadroomPoolName = "headroom_pool"

// Rows by their numbers.
const (
	MTU format.ID = iota + 1
	Weight
	Guarantee
	Rate
	MarkFrom
	MarkTo
	Probability
	Averaging
	Headroom
	Resume
	HeadroomPool
	Threshold
	Detection
	Restoration
	Poll
)

const (
	byManual = "EOS user manual, "
	byAVD    = "aristanetworks/avd, eos_cli_config_gen, schema of "
)

// Numbers of several lines. Amounts are read up to a TiB of buffer, which no switch has.
var (
	most   = [2]int64{0, 1 << 40}
	memory = format.Number{Unit: format.Bytes}
	times  = format.Number{Unit: format.Unit{Name: "multiples of 10ms", Is: int64(10 * units.Millisecond)}, Round: format.Up, Least: 1, Most: 6000}
)

// Rows are the rows by their numbers, and behind them those of lines without numbers.
var Rows = format.New([]format.Row{
	// A frame has 18 B around the packet that is counted: header 14, FCS 4.
	MTU: {Path: "mtu", Says: format.FrameSize, Absent: 1500, Reads: [2]int64{68, 65535}, Source: byManual + "Ethernet Ports, mtu",
		Number: format.Number{Unit: format.Bytes, Less: 18, Least: 68, Most: 9214}},
	Weight:    {Path: "bandwidth percent", Says: format.Weight, Number: format.Number{Unit: format.Ones, Least: 1, Most: 100}, Source: byAVD + "qos_profiles"},
	Guarantee: {Path: "bandwidth guaranteed percent", Number: format.Number{Unit: format.Ones, Least: 1, Most: 100}, Source: byAVD + "qos_profiles"},
	Rate:      {Path: "shape rate", Says: format.RateCap, Reads: [2]int64{1, 1 << 40}, Number: format.Number{Unit: format.KilobitsPerS, Round: format.Up}},

	MarkFrom:    {Path: "random-detect ecn minimum-threshold", Says: format.KMin, Reads: most, Number: memory},
	MarkTo:      {Path: "random-detect ecn minimum-threshold N bytes maximum-threshold", Says: format.KMax, Reads: most, Number: memory},
	Probability: {Path: "random-detect ecn minimum-threshold N bytes maximum-threshold N bytes max-mark-probability", Says: format.PMax, Absent: 100, Number: format.WholePerCent},
	Averaging:   {Path: "random-detect ecn minimum-threshold N bytes maximum-threshold N bytes max-mark-probability N weight", Number: format.Number{Unit: format.Ones, Most: 15}, Source: byAVD + "qos_profiles"},

	Headroom:     {Path: "ingress headroom", Says: format.Headroom, Reads: most, Number: memory},
	Resume:       {Path: "ingress resume", Says: format.ResumeDistance, Reads: most, Number: memory},
	HeadroomPool: {Path: "platform trident mmu headroom-pool limit", Says: format.PoolHeadroom, Reads: most, Number: memory},
	Threshold:    {Path: "ingress priority-group N threshold", Says: "dynamic threshold", Number: format.Number{Unit: format.Ones, Least: -7, Most: 3}, Source: byAVD + "platform: 1/128 to 8"},

	Detection:   {Path: "priority-flow-control pause watchdog default timeout", Says: format.Detection, Number: times, Source: byAVD + "priority_flow_control; " + byManual + "PFC watchdog"},
	Restoration: {Path: "priority-flow-control pause watchdog default recovery-time", Says: format.Restoration, Number: times, Source: byAVD + "priority_flow_control"},
	Poll: {Path: "priority-flow-control pause watchdog default polling-interval", Says: format.Polling, Source: byAVD + "priority_flow_control",
		Number: format.Number{Unit: format.Milliseconds, Least: 5, Most: 30_000}},

	Poll + 1: {Path: "ingress priority-group N reserved"}, {Path: "egress unicast queue N reserved"}, {Path: "egress unicast queue N threshold"},
	{Path: "qos trust"}, {Path: "priority"}, {Path: "priority-flow-control priority N"}, {Path: "dcbx mode"}, {Path: "service-profile"},
	{Path: "ip hardware fib load-balance distribution dynamic flow-set-size"}, {Path: "qos map traffic-class N to tx-queue"},
	{Path: "qos tx-queue N name"}, {Path: "qos uc-tx-queue N name"}, {Path: "qos traffic-class N name"}, {Path: "priority-flow-control pause watchdog action"},
	{Path: "set dscp"}, {Path: "set traffic-class"}, {Path: "match"}, {Path: "10"},
	{Path: "forwarding type"}, {Path: "destination grouping"}, {Path: "aging timeout"}, {Path: "flow limit"},
})

// Of returns the row with a number.
func Of(id format.ID) *format.Row { return Rows.Of(id) }
