package cabling_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
)

func compile(t testing.TB, text string) *plan.Plan {
	t.Helper()
	catalogue, _ := chips.Load()
	_, p := plantest.Text(t, catalogue, text)
	return p
}

// The tables of bad inputs are checked against the fabric that lies beside them.
func TestFindings(t *testing.T) {
	diagtest.Run(t, "../golden/diag/cabling", 6, func(t *testing.T, archive *txtar.Archive) diag.List {
		var fabric string
		var seen []cabling.Sighting
		var found diag.List
		for _, f := range archive.Files {
			switch {
			case f.Name == "fabric.hcl":
				fabric = string(f.Data)
			case f.Name != "want.txt":
				more, wrong := cabling.Read(f.Name, f.Data)
				seen, found = append(seen, more...), append(found, wrong...)
			}
		}
		if fabric == "" {
			return found
		}
		return append(found, cabling.Check(compile(t, fabric), seen).Found...).Sorted()
	})
}

// pod has 20 links: two leaves with four to each spine, two with one.
const pod = `
fabric "pod" {
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
nic "cx7" { model = "connectx-7" }
switch "leaf-[1..2]" {
  chip = "tomahawk5"
  os   = eos
  port_group "gpus" {
    ports = "Ethernet[1..4]/1"
    speed = "400Gbps"
    cable = "3m"
    peer  = nic.cx7
  }
  port_group "up" {
    ports = "Ethernet[9..16]/1"
    speed = "400Gbps"
    cable = "30m"
  }
}
switch "edge-[1..2]" {
  chip = "tomahawk5"
  os   = eos
  port_group "up" {
    ports = "Ethernet[1..2]/1"
    speed = "400Gbps"
    cable = "30m"
  }
}
switch "spine-[1..2]" {
  chip = "tomahawk5"
  os   = eos
  port_group "down" {
    ports = "Ethernet[1..8]/1"
    speed = "400Gbps"
    cable = "30m"
  }
  port_group "edges" {
    ports = "Ethernet[9..10]/1"
    speed = "400Gbps"
    cable = "30m"
  }
  port_group "free" {
    ports = "Ethernet[11..12]/1"
    speed = "400Gbps"
    cable = "30m"
  }
}
clos "leaves" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "up"
  upper_ports    = "down"
  links_per_pair = 4
}
clos "edges" {
  lower       = switch.edge
  upper       = switch.spine
  lower_ports = "up"
  upper_ports = "edges"
}
`

// A wiring is which port is joined to which, both ways.
type wiring map[plan.LinkEnd]plan.LinkEnd

func (w wiring) join(a, b plan.LinkEnd) { w[a], w[b] = b, a }

func planned(p *plan.Plan) wiring {
	w := wiring{}
	for _, l := range p.Links {
		w.join(l.A, l.B)
	}
	return w
}

// tables returns the tables that the devices would show, as EOS does, each with its own ports: spine-2 is not
// asked.
func (w wiring) tables(t testing.TB) []cabling.Sighting {
	t.Helper()
	rows := map[string][]string{}
	for _, at := range slices.SortedFunc(maps.Keys(w), func(a, b plan.LinkEnd) int { return strings.Compare(a.Switch+a.Port, b.Switch+b.Port) }) {
		far := w[at]
		rows[at.Switch] = append(rows[at.Switch], fmt.Sprintf(`%q: {"lldpNeighborInfo": [{"systemName": %q, "neighborInterfaceInfo": {"interfaceId_v2": %q}}]}`, at.Port, far.Switch, far.Port))
	}
	var seen []cabling.Sighting
	for _, device := range slices.Sorted(maps.Keys(rows)) {
		if device == "spine-2" {
			continue
		}
		more, found := cabling.Read(device+".json", []byte(`{"lldpNeighbors": {`+strings.Join(rows[device], ",")+`}}`))
		if len(found) > 0 {
			t.Fatal(found)
		}
		seen = append(seen, more...)
	}
	return seen
}

func texts(found diag.List) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintf(&b, "%s: %s\n", d.Code, d.Message)
	}
	return b.String()
}

// A healthy pod has no finding, and all of its links are where they belong.
func TestHealthy(t *testing.T) {
	p := compile(t, pod)
	r := cabling.Check(p, planned(p).tables(t))
	if len(r.Found) > 0 || r.Right != 20 || r.Planned != 20 || r.Unheard != 0 {
		t.Errorf("%+v", r)
	}
}

// Every pair of cables is swapped in both ways that there are: each time there is one finding,
// of a swap, which names all four ends.
func TestEverySwapIsNamed(t *testing.T) {
	p := compile(t, pod)
	pairs := 0
	for i, one := range p.Links {
		for _, two := range p.Links[i+1:] {
			for _, ends := range [][4]plan.LinkEnd{{one.A, two.B, two.A, one.B}, {one.A, two.A, one.B, two.B}} {
				pairs++
				w := planned(p)
				w.join(ends[0], ends[1])
				w.join(ends[2], ends[3])
				r := cabling.Check(p, w.tables(t))
				if len(r.Found) != 1 || r.Found[0].Code != cabling.Swapped {
					t.Fatalf("%v and %v exchanged as %v: %s", one, two, ends, texts(r.Found))
				}
				for _, end := range ends {
					if !strings.Contains(r.Found[0].Message, end.Switch+":"+end.Port) {
						t.Errorf("%v is not named: %s", end, r.Found[0].Message)
					}
				}
				must.Equalf(t, r.Right, 18, "links are right:")
			}
		}
	}
	must.Equalf(t, pairs, 2*190, "swaps were tried:")
}

// Every cable is moved, at either end, to every port that is free, and taken away: each time
// there is one finding that names the cable.
func TestEveryMoveIsNamed(t *testing.T) {
	p := compile(t, pod)
	free := []plan.LinkEnd{{Switch: "spine-1", Port: "Ethernet11/1"}, {Switch: "spine-1", Port: "Ethernet12/1"}, {Switch: "spine-2", Port: "Ethernet11/1"}}
	for _, l := range p.Links {
		for _, stays := range []plan.LinkEnd{l.A, l.B} {
			for _, to := range free {
				if to.Switch == stays.Switch {
					continue
				}
				w := planned(p)
				gone := w[stays]
				delete(w, gone)
				w.join(stays, to)
				r := cabling.Check(p, w.tables(t))
				want := cabling.WrongPeer
				if to.Switch == gone.Switch {
					want = cabling.WrongPort
				}
				if len(r.Found) != 1 || r.Found[0].Code != want || !strings.Contains(r.Found[0].Message, stays.Switch+":"+stays.Port) || !strings.Contains(r.Found[0].Message, gone.Switch+":"+gone.Port) {
					t.Fatalf("%v from %v to %v: %s", stays, gone, to, texts(r.Found))
				}
			}
		}
		w := planned(p)
		delete(w, l.A)
		delete(w, l.B)
		r := cabling.Check(p, w.tables(t))
		if len(r.Found) != 1 || r.Found[0].Code != cabling.Missing || !strings.Contains(r.Found[0].Message, l.A.Switch+":"+l.A.Port+" and "+l.B.Switch+":"+l.B.Port) {
			t.Fatalf("%v taken away: %s", l, texts(r.Found))
		}
	}
}

// Rings of three cables are not pairs; each is reported by itself.
func TestRingOfThree(t *testing.T) {
	p := compile(t, pod)
	w := planned(p)
	a, b, c := p.Links[0], p.Links[5], p.Links[10]
	w.join(a.A, b.B)
	w.join(b.A, c.B)
	w.join(c.A, a.B)
	r := cabling.Check(p, w.tables(t))
	for _, l := range []plan.Link{a, b, c} {
		if !strings.Contains(texts(r.Found), l.A.Switch+":"+l.A.Port) {
			t.Errorf("%v is not named: %s", l, texts(r.Found))
		}
	}
	must.Equalf(t, r.Right, 17, "links are right:")
}

// Where nobody was asked, nothing is said but that.
func TestNobodyAsked(t *testing.T) {
	p := compile(t, pod)
	r := cabling.Check(p, nil)
	if len(r.Found) != 1 || r.Found[0].Code != cabling.Unheard || r.Unheard != 20 {
		t.Errorf("%s", texts(r.Found))
	}
}
