// Package nvue has the rows of Cumulus Linux: the leaves of NVUE that are numbers, with their bounds
// and defaults. Objects by name, buffer pools and mappings are in emit/nvue and read/nvue.
package nvue

import (
	"fmt"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// Rows by their numbers.
const (
	Interface format.ID = iota + 1
	MTU
	PFC
	Cable
	PortBuffer
	XOff
	XOn
	RoCECable
	Poll
	Robustness
	Curve
	MarkFrom
	MarkTo
	Probability
	Scheduler
	Weight
	Shaper
	MaxRate
	Remark
	RemarkDSCP
	TrimSize
	TrimPriority
	TrimDSCP
)

// Bytes is the number of leaves that count bytes of the buffer. That they have 32 bits is assumed.
var Bytes = format.Number{Unit: format.Bytes, Most: 1<<32 - 1}

// Numbers of several leaves.
var (
	// cable-length 1-100000: NVUE command reference, nv set qos roce cable-length
	metres   = format.Number{Unit: format.Unit{Name: "whole metres", Is: int64(units.Metre)}, Round: format.Up, Least: 1, Most: 100_000, Clamps: true}
	dscp     = format.Number{Unit: format.Ones, Most: 63}
	priority = format.Number{Unit: format.Ones, Most: 7}
)

const (
	byQoS  = "Cumulus Linux 5.14, Quality of Service"
	byTrim = "Cumulus Linux 5.15 user guide, Packet Trimming"
)

// Pool returns the name of a service pool in a plan: "ingress-1".
func Pool(side string, id int64) string { return fmt.Sprintf("%s-%d", side, id) }

// Shares returns the pools whose shares are written: all that a direction may have.
func Shares() (names []string) {
	for _, side := range []string{"ingress", "egress"} {
		for id := range int64(8) {
			names = append(names, Pool(side, id))
		}
	}
	return names
}

// TrimStep divides the size of cut packets.
const TrimStep = 4 * units.Byte

// Rows are the rows by their numbers.
var Rows = format.New([]format.Row{
	Interface: {Path: "interface[name]", List: format.Ports},
	// A frame has 22 B around the packet that is counted: header 14, VLAN tag 4, FCS 4, as SONiC counts it too.
	MTU: {In: Interface, Path: "link/mtu", Says: format.FrameSize, Absent: 9216, Reads: [2]int64{68, 9216}, Source: "NVUE command reference, nv set interface link mtu",
		Number: format.Number{Unit: format.Bytes, Less: 22, Least: 552, Most: 9216}},

	PFC:        {Path: "qos/pfc[profile]"},
	Cable:      {In: PFC, Path: "cable-length", Says: format.Cable, Number: metres},
	PortBuffer: {In: PFC, Path: "port-buffer", Says: format.GroupReserve, Number: Bytes},
	XOff:       {In: PFC, Path: "xoff-threshold", Says: format.Headroom, Number: Bytes},
	XOn:        {In: PFC, Path: "xon-threshold", Says: format.ResumeDistance, Number: Bytes},
	RoCECable:  {Path: "qos/roce/cable-length", Says: format.Cable, Absent: 100, Number: metres, Source: byQoS + ", PFC"},

	Poll: {Path: "qos/pfc-watchdog/polling-interval", Says: format.Polling, Absent: 100, Source: byQoS + ", PFC Watchdog",
		Number: format.Number{Unit: format.Milliseconds, Least: 1, Most: 65535}},
	Robustness: {Path: "qos/pfc-watchdog/robustness", Says: format.Detection, Absent: 3, Source: byQoS + ", PFC Watchdog: 3 by default; the bounds are assumed",
		Number: format.Number{Unit: format.Unit{Name: "whole polling intervals"}, Round: format.Up, Least: 1, Most: 1000, Clamps: true}},

	Curve:       {Path: "qos/congestion-control[profile]/traffic-class[id]"},
	MarkFrom:    {In: Curve, Path: "min-threshold", Says: format.KMin, Absent: 150_000, Number: Bytes, Source: byQoS + ", Congestion Control"},
	MarkTo:      {In: Curve, Path: "max-threshold", Says: format.KMax, Absent: 1_500_000, Number: Bytes, Source: byQoS + ", Congestion Control"},
	Probability: {In: Curve, Path: "probability", Says: format.PMax, Absent: 100, Reads: [2]int64{0, 100}, Number: format.WholePerCent},

	Scheduler: {Path: "qos/egress-scheduler[profile]/traffic-class[id]"},
	Weight:    {In: Scheduler, Path: "bw-percent", Says: format.Weight, Number: format.Number{Unit: format.Ones, Most: 100}},
	Shaper:    {Path: "qos/egress-shaper[profile]/traffic-class[id]"},
	MaxRate: {In: Shaper, Path: "max-rate", Says: format.RateCap, Reads: [2]int64{0, 1<<31 - 1}, Source: "openapi of NVUE, max-rate",
		Number: format.Number{Unit: format.KilobitsPerS, Least: 1, Most: 1<<31 - 1, Clamps: true}},

	Remark:       {Path: "qos/remark[profile]/switch-priority[id]"},
	RemarkDSCP:   {In: Remark, Path: "dscp", Number: dscp},
	TrimSize:     {Path: "system/forwarding/packet-trim/size", Says: format.TrimSize, Number: format.Number{Unit: format.Bytes, Least: 256, Most: 1024}, Source: byTrim},
	TrimPriority: {Path: "system/forwarding/packet-trim/switch-priority", Says: format.TrimClass, Number: priority},
	TrimDSCP:     {Path: "system/forwarding/packet-trim/remark/dscp", Says: format.TrimDSCP, Number: dscp},
})

// Of returns the row with a number.
func Of(id format.ID) *format.Row { return Rows.Of(id) }
