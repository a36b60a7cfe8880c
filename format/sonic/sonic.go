// Package sonic has the rows of SONiC's ConfigDB: the fields that are numbers, with their bounds, and the
// names of tables, rows and words on which emitter, reader and patches agree. Tables of maps and of
// references are in emit/sonic and read/sonic.
//
// Sources, where a row has none: the YANG models in sonic-buildimage src/sonic-yang-models, the buffer
// managers in sonic-swss cfgmgr, and its orchagent.
package sonic

import (
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// Rows by their numbers.
const (
	PoolSize format.ID = iota + 1
	PoolXOff
	ProfileAlpha
	ProfileSize
	ProfileStatic
	ProfileXOff
	ProfileXOn
	ProfileXOnOffset
	DefaultAlpha
	Oversubscribe
	PatternMTU
	SmallPackets
	Detection
	Restoration
	Poll
	PortIndex
	PortMTU
	PortSpeed
	PortSubport
	Guarantee
	MaxRate
	Weight
	TrimDSCP
	TrimQueue
	TrimSize
	Probability
	MarkTo
	MarkFrom
)

// Numbers of several fields. Amounts are read up to a PB, which no chip has.
var (
	amounts = [2]int64{0, 1 << 50}
	memory  = format.Number{Unit: format.Bytes}
	alpha   = format.Number{Unit: format.Ones, Least: -8, Most: 7}
	rate    = format.Number{Unit: format.Unit{Name: "whole bytes per second", Is: 8}, Round: format.Up}
	// Thresholds are read by orchagent with stoi, which throws above what 32 bits hold (sonic-swss
	// orchagent/qosorch.cpp, WredMapHandler::convertFieldValuesToAttributes).
	threshold = format.Number{Unit: format.Bytes, Most: 1<<31 - 1}
)

func upTo(most int64) format.Number { return format.Number{Unit: format.Ones, Most: most} }

func timer(round format.Rounding, most int64) format.Number {
	return format.Number{Unit: format.Milliseconds, Round: round, Least: 100, Most: most}
}

// Rows are the rows by their numbers. Those of WRED_PROFILE are of green packets.
var Rows = format.New([]format.Row{
	PoolSize: {Path: "BUFFER_POOL[name]/size", Says: format.PoolSize, Reads: amounts, Number: memory},
	PoolXOff: {Path: "BUFFER_POOL[name]/xoff", Says: format.PoolHeadroom, Reads: amounts, Number: memory},

	ProfileAlpha:     {Path: "BUFFER_PROFILE[name]/dynamic_th", Says: "dynamic threshold", Number: alpha},
	ProfileSize:      {Path: "BUFFER_PROFILE[name]/size", Says: format.GroupReserve, Reads: amounts, Number: memory},
	ProfileStatic:    {Path: "BUFFER_PROFILE[name]/static_th", Says: format.GroupLimit, Reads: amounts, Number: memory},
	ProfileXOff:      {Path: "BUFFER_PROFILE[name]/xoff", Says: format.Headroom, Reads: amounts, Number: memory},
	ProfileXOn:       {Path: "BUFFER_PROFILE[name]/xon", Says: format.ResumeLevel, Reads: amounts, Number: memory},
	ProfileXOnOffset: {Path: "BUFFER_PROFILE[name]/xon_offset", Says: format.ResumeDistance, Reads: amounts, Number: memory},

	DefaultAlpha:  {Path: "DEFAULT_LOSSLESS_BUFFER_PARAMETER[name]/default_dynamic_th", Says: "default alpha", Number: alpha},
	Oversubscribe: {Path: "DEFAULT_LOSSLESS_BUFFER_PARAMETER[name]/over_subscribe_ratio", Says: "ratio of oversubscription", Number: upTo(65535)},
	PatternMTU:    {Path: "LOSSLESS_TRAFFIC_PATTERN[name]/mtu", Says: "largest lossless frame", Number: format.Number{Unit: format.Bytes, Least: 1, Most: 9216}},
	SmallPackets: {Path: "LOSSLESS_TRAFFIC_PATTERN[name]/small_packet_percentage", Says: "share of small packets",
		Number: format.Number{Unit: format.PerCent, Round: format.Up, Most: 100}},

	Detection:   {Path: "PFC_WD[name]/detection_time", Says: format.Detection, Number: timer(format.Up, 5000)},
	Restoration: {Path: "PFC_WD[name]/restoration_time", Says: format.Restoration, Number: timer(format.Up, 60000)},
	Poll:        {Path: "PFC_WD[name]/POLL_INTERVAL", Says: format.Polling, Number: timer(format.Down, 1000)},

	PortIndex: {Path: "PORT[name]/index", Says: "port index", Number: upTo(65535)},
	// A frame has 22 B around the packet that is counted: header 14, one VLAN tag 4, FCS 4. orchagent adds
	// them before it programs the chip (sonic-swss orchagent/portsorch.cpp, setPortMtu). Without the field a
	// port has 9100 (sonic-swss cfgmgr/portmgr.h, DEFAULT_MTU_STR).
	PortMTU:     {Path: "PORT[name]/mtu", Says: format.FrameSize, Absent: 9100, Number: format.Number{Unit: format.Bytes, Less: 22, Least: 68, Most: 9216}},
	PortSpeed:   {Path: "PORT[name]/speed", Says: format.Speed, Number: format.Number{Unit: format.Unit{Name: "whole Mb/s", Is: int64(units.Mbps)}, Least: 1, Most: 1_600_000}},
	PortSubport: {Path: "PORT[name]/subport", Says: "subport", Number: upTo(8)},

	Guarantee: {Path: "SCHEDULER[name]/cir", Reads: amounts, Number: rate},
	MaxRate:   {Path: "SCHEDULER[name]/pir", Says: format.RateCap, Reads: amounts, Number: rate},
	Weight:    {Path: "SCHEDULER[name]/weight", Says: format.Weight, Absent: 1, Number: format.Number{Unit: format.Ones, Least: 1, Most: 100}},

	TrimDSCP:  {Path: "SWITCH_TRIMMING[name]/dscp_value", Says: format.TrimDSCP, Number: upTo(63)},
	TrimQueue: {Path: "SWITCH_TRIMMING[name]/queue_index", Number: upTo(15)},
	TrimSize:  {Path: "SWITCH_TRIMMING[name]/size", Says: format.TrimSize, Number: format.Number{Unit: format.Bytes, Least: 1, Most: 1<<32 - 1}},

	Probability: {Path: "WRED_PROFILE[name]/green_drop_probability", Says: format.PMax, Absent: 100, Reads: [2]int64{0, 100}, Number: format.WholePerCent},
	MarkTo:      {Path: "WRED_PROFILE[name]/green_max_threshold", Says: format.KMax, Number: threshold},
	MarkFrom:    {Path: "WRED_PROFILE[name]/green_min_threshold", Says: format.KMin, Number: threshold},
})

// Of returns the row with a number.
func Of(id format.ID) *format.Row { return Rows.Of(id) }
