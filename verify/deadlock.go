package verify

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/deadlock"
	"github.com/roceplan/roceplan/plan"
)

// topologyOf returns the switches and the cables between them. Packets start and end at
// switches with a port to a NIC or to a device outside; where none is named, at those with
// a lossless port that no cable takes, and where all are taken, at all of them.
func topologyOf(p *plan.Plan) *deadlock.Topology {
	t := &deadlock.Topology{ValleyFree: p.Routing == valleyFree}
	index := map[string]int32{}
	free := map[string]int{}
	hosts := map[string]bool{}
	for _, sw := range p.Switches {
		lossless, attached := losslessPorts(sw, p)
		for _, name := range sw.Names {
			index[name], free[name], hosts[name] = int32(len(t.Devices)), lossless, attached
			t.Devices = append(t.Devices, deadlock.Device{Name: name})
		}
	}
	for _, link := range p.Links {
		a, okA := index[link.A.Switch]
		b, okB := index[link.B.Switch]
		if okA && okB && a != b {
			t.Links = append(t.Links, deadlock.Link{A: a, B: b})
			free[link.A.Switch]--
			free[link.B.Switch]--
		} else if okA {
			hosts[link.A.Switch] = true
		}
	}
	for _, edge := range []func(string) bool{
		func(name string) bool { return hosts[name] },
		func(name string) bool { return free[name] > 0 },
		func(string) bool { return true },
	} {
		some := false
		for i := range t.Devices {
			t.Devices[i].Edge = edge(t.Devices[i].Name)
			some = some || t.Devices[i].Edge
		}
		if some {
			break
		}
	}
	return t
}

// losslessPorts counts them, and reports whether one is attached to a NIC of the fabric.
func losslessPorts(sw *plan.Switch, fabric *plan.Plan) (count int, attached bool) {
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.QoS == nil || port.QoS.PFC == 0 {
			continue
		}
		count++
		attached = attached || fabric.Host(port.Peer) != nil
	}
	return count, attached
}

// Words of a fabric for its routing.
const (
	shortestPaths = "shortest_paths"
	valleyFree    = "valley_free"
)

// A Deadlock is what was found of the topology.
type Deadlock struct {
	// Routing says in words which ways packets take, and who says so.
	Routing string `json:"routing"`
	// NotJudged are statements of switches that may lead packets elsewhere than Routing says. The
	// findings do not hold for these switches.
	NotJudged       []Reason       `json:"not_judged,omitempty"`
	Devices         int            `json:"devices"`
	Links           int            `json:"links"`
	Free            bool           `json:"free"` // as it is, and with one or two links failed
	Singles         int            `json:"single_failures"`
	SinglesExamined int            `json:"single_failures_examined"`
	Pairs           int            `json:"pairs_of_failures"`
	PairsExamined   int            `json:"pairs_of_failures_examined"`
	AfterFailure    []DeadlockCase `json:"after_failure,omitempty"`
	Converging      []DeadlockCase `json:"converging,omitempty"`
}

// A DeadlockCase is failures of links that look alike, and what follows from them.
type DeadlockCase struct {
	Failed []string `json:"failed"`
	Alike  int      `json:"alike"`
	Cycle  []string `json:"cycle,omitempty"`
	Cut    int      `json:"cut,omitempty"`
}

// checkDeadlock surveys the fabric; nil where it has no cabling.
func checkDeadlock(p *plan.Plan, surveyed func(done, all int)) (*Deadlock, diag.List, error) {
	topology := topologyOf(p)
	if len(topology.Links) == 0 {
		return nil, nil, nil
	}
	survey, err := deadlock.Examine(topology, surveyed)
	if err != nil {
		return nil, nil, err
	}
	r := &Deadlock{Routing: routingText(p.Routing), Devices: len(topology.Devices), Links: len(topology.Links), Free: survey.AsIs.Free(),
		Singles: survey.SingleCases, SinglesExamined: survey.SinglesExamined, Pairs: survey.PairCases, PairsExamined: survey.PairsExamined}
	var found diag.List
	if !survey.AsIs.Free() {
		found.Errorf(DeadlockCycle, diag.Range{}, "without failures, if packets take shortest paths: %s", circle(survey.AsIs.Cycle)).Fixf("forbid paths that go down and up again")
	}
	if cut := survey.AsIs.Cut; cut > 0 {
		found.Warnf(PathCut, diag.Range{}, "as the fabric is cabled, no path joins %s of switches with hosts", natural.Count(cut, "pair", "pairs")).Fixf("add links between its parts")
	}
	for _, c := range append(survey.Singles, survey.Pairs...) {
		own := newCase(c)
		r.AfterFailure = append(r.AfterFailure, own)
		if !c.Verdict.Free() {
			r.Free = false
			told := found.Warnf
			if p.Routing == shortestPaths {
				told = found.Errorf
			}
			told(DeadlockCycle, diag.Range{}, "with %s failed%s, if packets take the shortest remaining paths: %s", strings.Join(own.Failed, " and "), others(c.Alike), circle(c.Verdict.Cycle)).
				Fixf("forbid paths that go down and up again, even after failures: withdraw routes instead, and declare routing = valley_free in the fabric block")
		} else if len(c.Failed) == 1 {
			found.Warnf(PathCut, diag.Range{}, "with %s failed%s, no path joins %s of switches with hosts", own.Failed[0], others(c.Alike), natural.Count(c.Verdict.Cut, "pair", "pairs")).Fixf("add links, or expect those hosts to be cut off when it fails")
		}
	}
	for i, c := range survey.Converging {
		r.Converging = append(r.Converging, newCase(c))
		if i == 0 {
			found.Warnf(DeadlockConverging, diag.Range{}, "while routing converges after %s failed%s: %s", c.Failed[0], others(c.Alike), circle(c.Verdict.Cycle)).
				Fixf("order the convergence, or let the watchdog break the deadlock; %s can cause it", natural.Count(len(survey.Converging), "class of failures", "classes of failures"))
		}
	}
	return r, found, nil
}

// routingText says which ways the search lets packets take.
func routingText(declared string) string {
	switch declared {
	case valleyFree:
		return "no packet goes up after it went down, as the fabric declares (routing = valley_free)"
	case shortestPaths:
		return "packets take all shortest paths, as the fabric declares (routing = shortest_paths)"
	}
	return "packets are assumed to take all shortest paths, as the fabric declares no routing"
}

func newCase(c deadlock.Case) DeadlockCase {
	own := DeadlockCase{Alike: c.Alike, Cut: c.Verdict.Cut, Failed: hops(c.Failed)}
	own.Cycle = hops(c.Verdict.Cycle)
	return own
}

func hops(list []deadlock.Hop) (texts []string) {
	for _, h := range list {
		texts = append(texts, h.String())
	}
	return texts
}

func others(alike int) string {
	switch alike {
	case 1:
		return ""
	case 2:
		return " (or a similar one)"
	}
	return fmt.Sprintf(" (or one of %d similar ones)", alike-1)
}

// circle writes a witness hop by hop.
func circle(cycle []deadlock.Hop) string {
	return fmt.Sprintf("each of these %d links waits for the next, and the last for the first: %s", len(cycle), strings.Join(hops(cycle), ", "))
}
