package hpcc

import (
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// firstPort is the first source port between two hosts; each flow takes the next one
// (scratch/third.cc). ECMP hashes it.
const firstPort = 10000

// readFlows reads the number of flows, and for each one "source destination class
// destination-port bytes start-seconds".
func readFlows(w *words, sc *sim.Scenario) {
	count, _ := w.integer("the number of flows", 0, 1<<30)
	ports, islands := map[[2]int]uint16{}, newIslands(sc)
	w.each(count, "a flow", func() {
		f := readFlow(w, sc, islands)
		pair := [2]int{f.Src, f.Dst}
		f.SrcPort = firstPort + ports[pair]
		ports[pair]++
		sc.Flows = append(sc.Flows, f)
	})
}

func readFlow(w *words, sc *sim.Scenario, islands *islands) sim.Flow {
	src := readHost(w, "a flow's source", sc)
	dst := readHost(w, "a flow's destination", sc)
	class, _ := w.integer("a flow's priority group", 0, 7)
	port, _ := w.integer("a flow's destination port", 0, 65535)
	bytes, _ := w.integer("a flow's size", 1, 1<<32-1)
	start, startAt := w.number("a flow's start", 0, 1e6)
	at := startAt.at
	if src == dst {
		w.found.Errorf(Inconsistent, at, "a flow goes from node %d to itself", src).Fixf("name two different hosts")
	}
	if src != dst && !islands.connect(src, dst) {
		w.found.Errorf(Inconsistent, at, "a flow goes from node %d to node %d, to which there is no way", src, dst).Fixf("add the links that join them, or remove the flow")
	}
	if n := len(sc.Flows); n > 0 && sc.Times.Seconds(start) < sc.Flows[n-1].Start {
		w.found.Errorf(Inconsistent, at, "a flow starts before the one on the line above; starts must not go back").Fixf("sort the flows by their starts")
	}
	return sim.Flow{
		Src: src, Dst: dst, DstPort: uint16(port), Class: uint8(class),
		Bytes: units.Bytes(bytes), Start: sc.Times.Seconds(start),
	}
}

func readHost(w *words, what string, sc *sim.Scenario) int {
	v, at := w.integer(what, 0, int64(len(sc.Nodes)-1))
	if int(v) < len(sc.Nodes) && sc.Nodes[v] != sim.Host {
		w.found.Errorf(Inconsistent, at.at, "%s is node %d, which is a switch", what, v).Fixf("name a host: switches neither send nor receive")
	}
	return int(v)
}
