// Package exampletarget is a system that does not exist. It shows all that a system needs whose
// configuration nests as a plan does: this file, and a line in package format/all. Programs that
// are built with the tag exampletarget have it.
package exampletarget

import (
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// numbered returns a number from 0 to count - 1.
func numbered(count int64) format.Number {
	return format.Number{Unit: format.Ones, Most: count - 1}
}

// System describes the configuration of ExampleOS.
func System() format.System {
	bytes := format.Number{Unit: format.Bytes, Least: 1, Most: int64(256 * units.MiB)}
	timer := format.Number{Unit: format.Milliseconds, Round: format.Up, Least: 10, Most: 5000}
	alpha := format.Number{Unit: format.Ones, Least: -7, Most: 3}
	return format.System{
		OS: "exampleos", Name: "exampleos", Title: "ExampleOS",
		File: "exampleos.json", Help: "JSON, for `load FILE`", Load: "replace what runs: `load FILE`",
		Root: "exampleos", Chips: []string{"tomahawk4", "tomahawk5"}, Port: "eth%d", Subjects: []string{"tomahawk5", "tomahawk4"},
		Source: "ExampleOS configuration guide 1.0",
		Rows: format.New([]format.Row{
			{Path: "exampleos/management", Neutral: "names, users and clocks: no packet of data feels them"},
			{Path: "exampleos/routing", Neutral: "which way packets go, not how they wait"},
			{Path: "exampleos/balancing", Says: format.LoadBalancing, Words: [][2]string{{"flowlets", "flowlet"}, {"packets", "spray"}}},

			{Path: "exampleos/watchdog/action", Says: format.WatchdogAction, Words: [][2]string{{"discard", "drop"}, {"release", "forward"}}},
			{Path: "exampleos/watchdog/detect", Says: format.Detection, Number: timer},
			{Path: "exampleos/watchdog/restore", Says: format.Restoration, Number: timer},
			{Path: "exampleos/watchdog/poll", Says: format.Polling, Number: timer},

			{Path: "exampleos/class[name]", List: format.Classes, Whole: true},
			{Path: "exampleos/class[name]/number", Says: format.ClassNumber, Number: numbered(8)},
			{Path: "exampleos/dscp[value]", List: format.DSCPs, Whole: true},
			{Path: "exampleos/dscp[value]/class", Says: format.DSCPClass, Number: numbered(8)},
			{Path: "exampleos/traffic[class]", List: format.TCs, Whole: true},
			{Path: "exampleos/traffic[class]/queue", Says: format.ClassQueue, Number: numbered(8)},
			{Path: "exampleos/traffic[class]/group", Says: format.ClassGroup, Number: numbered(8)},
			{Path: "exampleos/pause[priority]", List: format.Priorities, Whole: true},
			{Path: "exampleos/pause[priority]/stops", Says: format.PriorityQueue, Number: format.Number{Unit: format.Ones, Most: 15}},
			{Path: "exampleos/pause[priority]/group", Says: format.PriorityGroup, Number: numbered(8)},

			{Path: "exampleos/pool[name]", List: format.Pools, Whole: true},
			{Path: "exampleos/pool[name]/side", Says: format.PoolDirection, Words: [][2]string{{"in", "ingress"}, {"out", "egress"}}},
			{Path: "exampleos/pool[name]/size", Says: format.PoolSize, Number: bytes},
			{Path: "exampleos/pool[name]/headroom", Says: format.PoolHeadroom, Number: bytes},

			{Path: "exampleos/port[name]", List: format.Ports},
			{Path: "exampleos/port[name]/description", Neutral: "it names the port"},
			{Path: "exampleos/port[name]/speed", Says: format.Speed, Number: format.Number{Unit: format.Unit{Name: "whole Gb/s", Is: int64(units.Gbps)}, Least: 1, Most: 800}},
			{Path: "exampleos/port[name]/mtu", Says: format.FrameSize, Number: format.Number{Unit: format.Bytes, Less: 18, Least: 1500, Most: 9398}},
			{Path: "exampleos/port[name]/watched", Says: format.Watched},
			{Path: "exampleos/port[name]/pfc[priority]", List: format.Paused, Says: format.Pause, Whole: true},

			{Path: "exampleos/port[name]/group[id]", List: format.Groups, Whole: true},
			{Path: "exampleos/port[name]/group[id]/pool", Says: format.GroupPool},
			{Path: "exampleos/port[name]/group[id]/reserve", Says: format.GroupReserve, Number: bytes},
			{Path: "exampleos/port[name]/group[id]/alpha", Says: format.GroupThreshold, Number: alpha, Part: "alpha from 1/128 to 8"},
			{Path: "exampleos/port[name]/group[id]/limit", Says: format.GroupLimit, Number: bytes},
			{Path: "exampleos/port[name]/group[id]/headroom", Says: format.Headroom, Number: bytes},
			{Path: "exampleos/port[name]/group[id]/resume", Says: format.ResumeLevel, Number: bytes},
			{Path: "exampleos/port[name]/group[id]/below", Says: format.ResumeDistance, Number: bytes},

			{Path: "exampleos/port[name]/queue[id]", List: format.Queues, Whole: true},
			{Path: "exampleos/port[name]/queue[id]/pool", Says: format.QueuePool},
			{Path: "exampleos/port[name]/queue[id]/reserve", Says: format.QueueReserve, Number: bytes},
			{Path: "exampleos/port[name]/queue[id]/alpha", Says: format.QueueThreshold, Number: alpha, Part: "alpha from 1/128 to 8"},
			{Path: "exampleos/port[name]/queue[id]/limit", Says: format.QueueLimit, Number: bytes},
			{Path: "exampleos/port[name]/queue[id]/strict", Says: format.Strict},
			{Path: "exampleos/port[name]/queue[id]/weight", Says: format.Weight, Number: format.Number{Unit: format.Ones, Least: 1, Most: 255}},
			{Path: "exampleos/port[name]/queue[id]/cap", Says: format.RateCap, Number: format.Number{Unit: format.KilobitsPerS, Round: format.Up, Least: 1, Most: 800_000_000}},
			{Path: "exampleos/port[name]/queue[id]/mark/from", Says: format.KMin, Number: bytes},
			{Path: "exampleos/port[name]/queue[id]/mark/to", Says: format.KMax, Number: bytes},
			{Path: "exampleos/port[name]/queue[id]/mark/probability", Says: format.PMax, Number: format.WholePerCent, Part: "Pmax in whole per cent"},
		}),
	}
}
