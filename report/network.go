package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A network is the shapes of a fabric with what joins them.
type network struct {
	plan  *plan.Plan
	level []int // of each shape: 0 at the hosts
	edges map[[2]int]*edge
	down  []units.BitRate // of each shape, of one switch: to hosts and to lower levels
	up    []units.BitRate // to higher ones
	hosts []int           // ports of one switch that leave the fabric
}

// An edge is all cables between two shapes.
type edge struct {
	cables      int
	rate        units.BitRate // of all of them
	least, most units.Length
	speeds      map[units.BitRate]bool
}

func newNetwork(p *plan.Plan) *network {
	n := &network{plan: p, edges: map[[2]int]*edge{}}
	shapeOf := map[string]int{}
	ports := map[plan.LinkEnd]plan.Port{}
	for i, sw := range p.Switches {
		for _, name := range sw.Names {
			shapeOf[name] = i
			for _, port := range sw.Ports {
				ports[plan.LinkEnd{Switch: name, Port: port.Name}] = port
			}
		}
	}
	linked := map[plan.LinkEnd]bool{}
	near := make([]map[int]bool, len(p.Switches))
	for _, l := range p.Links {
		a, known := shapeOf[l.A.Switch]
		b, both := shapeOf[l.B.Switch]
		if !known || !both {
			continue
		}
		linked[l.A], linked[l.B] = true, true
		for _, pair := range [][2]int{{a, b}, {b, a}} {
			if near[pair[0]] == nil {
				near[pair[0]] = map[int]bool{}
			}
			near[pair[0]][pair[1]] = true
		}
		n.addCable(min(a, b), max(a, b), ports[l.A])
	}
	n.levels(near, linked)
	n.loads(shapeOf, ports, linked)
	return n
}

func (n *network) addCable(a, b int, port plan.Port) {
	e := n.edges[[2]int{a, b}]
	if e == nil {
		e = &edge{least: port.Cable, speeds: map[units.BitRate]bool{}}
		n.edges[[2]int{a, b}] = e
	}
	e.cables++
	e.rate += port.Speed
	e.least, e.most = min(e.least, port.Cable), max(e.most, port.Cable)
	e.speeds[port.Speed] = true
}

// levels counts how far each shape is from one that has hosts. Where cabling is unknown, each is by
// itself.
func (n *network) levels(near []map[int]bool, linked map[plan.LinkEnd]bool) {
	n.level, n.hosts = make([]int, len(n.plan.Switches)), make([]int, len(n.plan.Switches))
	var next []int
	for i, sw := range n.plan.Switches {
		for _, port := range sw.Ports {
			if !linked[plan.LinkEnd{Switch: sw.Names[0], Port: port.Name}] {
				n.hosts[i]++
			}
		}
		n.level[i] = -1
		if n.hosts[i] > 0 {
			n.level[i] = 0
			next = append(next, i)
		}
	}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		for _, to := range slices.Sorted(maps.Keys(near[at])) {
			if n.level[to] < 0 {
				n.level[to] = n.level[at] + 1
				next = append(next, to)
			}
		}
	}
	for i := range n.level {
		n.level[i] = max(n.level[i], 0)
	}
}

// loads adds up what one switch of a shape can carry downwards and upwards.
func (n *network) loads(shapeOf map[string]int, ports map[plan.LinkEnd]plan.Port, linked map[plan.LinkEnd]bool) {
	n.down, n.up = make([]units.BitRate, len(n.plan.Switches)), make([]units.BitRate, len(n.plan.Switches))
	for i, sw := range n.plan.Switches {
		for _, port := range sw.Ports {
			if !linked[plan.LinkEnd{Switch: sw.Names[0], Port: port.Name}] {
				n.down[i] += port.Speed
			}
		}
	}
	for _, l := range n.plan.Links {
		for _, ends := range [][2]plan.LinkEnd{{l.A, l.B}, {l.B, l.A}} {
			from, known := shapeOf[ends[0].Switch]
			to, both := shapeOf[ends[1].Switch]
			if !known || !both || n.plan.Switches[from].Names[0] != ends[0].Switch {
				continue
			}
			if n.level[to] > n.level[from] {
				n.up[from] += ports[ends[0]].Speed
			} else {
				n.down[from] += ports[ends[0]].Speed
			}
		}
	}
}

// A tier is a line of the table of loads.
type tier struct {
	Shape, Down, Up, Ratio string
}

func (n *network) tiers() (rows []tier) {
	for i, sw := range n.plan.Switches {
		t := tier{Shape: plan.Abbreviate(sw.Names), Down: n.down[i].String(), Up: n.up[i].String(), Ratio: "top"}
		if n.up[i] > 0 {
			t.Ratio = fmt.Sprintf("%.2f : 1", float64(n.down[i])/float64(n.up[i]))
		}
		rows = append(rows, t)
	}
	return rows
}

// Sizes of the picture, in pixels.
const (
	boxWidth, boxHeight = 200, 52
	levelHeight         = 130
	drawnShapes         = 24  // a level with more is drawn as one box
	leastWidth          = 360 // the width of a telephone
)

// draw puts the levels above one another, hosts at the bottom. Of a level with too many shapes
// one box is drawn for all.
func (n *network) draw() template.HTML {
	top := slices.Max(n.level)
	width := leastWidth
	for level := range top + 1 {
		width = max(width, 20+min(n.count(level), drawnShapes)*(boxWidth+16))
	}
	height := top*levelHeight + boxHeight + 70
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg viewBox="0 0 %d %d" width="%d" role="img"><title>topology</title>`, width, height, width)
	box := n.boxes(top, width)
	lines := n.lines(box)
	for _, pair := range stable.Sorted(maps.Keys(lines), func(a, b [4]int) int { return slices.Compare(a[:], b[:]) }) {
		n.drawEdge(&out, lines[pair], [2]int{pair[0], pair[1]}, [2]int{pair[2], pair[3]})
	}
	drawn := map[[2]int]bool{}
	for i, sw := range n.plan.Switches {
		if drawn[box[i]] {
			continue
		}
		drawn[box[i]] = true
		name, what := plan.Abbreviate(sw.Names), fmt.Sprintf("%d × %s", len(sw.Names), sw.Chip)
		if c := n.count(n.level[i]); c > drawnShapes {
			name, what = fmt.Sprintf("%s and others", name), fmt.Sprintf("%d shapes", c)
		}
		x, y := box[i][0], box[i][1]
		fmt.Fprintf(&out, `<rect class="box" x="%d" y="%d" width="%d" height="%d" rx="4"/><text x="%d" y="%d" text-anchor="middle">%s</text><text class="dim" x="%d" y="%d" text-anchor="middle">%s</text>`,
			x, y, boxWidth, boxHeight, x+boxWidth/2, y+21, template.HTMLEscapeString(name), x+boxWidth/2, y+41, template.HTMLEscapeString(what))
		if n.hosts[i] > 0 {
			fmt.Fprintf(&out, `<path class="cable" d="M%d %dv30"/><text class="dim" x="%d" y="%d" text-anchor="middle">%d ports to hosts each</text>`,
				x+boxWidth/2, y+boxHeight, x+boxWidth/2, y+boxHeight+44, n.hosts[i])
		}
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

// lines returns the edges by the boxes that they join: shapes that share a box share its lines.
func (n *network) lines(box [][2]int) map[[4]int]*edge {
	lines := map[[4]int]*edge{}
	for _, pair := range stable.Sorted(maps.Keys(n.edges), comparePairs) {
		a, b := box[pair[0]], box[pair[1]]
		if a == b {
			continue
		}
		if a[1] > b[1] { // a is the upper one
			a, b = b, a
		}
		at := [4]int{a[0], a[1], b[0], b[1]}
		if lines[at] == nil {
			lines[at] = &edge{least: n.edges[pair].least, speeds: map[units.BitRate]bool{}}
		}
		lines[at].join(n.edges[pair])
	}
	return lines
}

// join adds the cables of another edge.
func (e *edge) join(other *edge) {
	e.cables += other.cables
	e.rate += other.rate
	e.least, e.most = min(e.least, other.least), max(e.most, other.most)
	maps.Copy(e.speeds, other.speeds)
}

func (n *network) drawEdge(out *bytes.Buffer, e *edge, a, b [2]int) {
	x1, y1, x2, y2 := a[0]+boxWidth/2, a[1]+boxHeight, b[0]+boxWidth/2, b[1]
	length := e.most.String()
	if e.least != e.most {
		length = fmt.Sprintf("%v–%v", e.least, e.most)
	}
	var speeds []string
	for _, s := range stable.Sorted(maps.Keys(e.speeds), cmp.Compare) {
		speeds = append(speeds, s.String())
	}
	label := fmt.Sprintf("%d × %s, %s", e.cables, speeds[0], length)
	if len(speeds) > 1 {
		label = fmt.Sprintf("%d cables, %s to %s, %s", e.cables, speeds[0], speeds[len(speeds)-1], length)
	}
	fmt.Fprintf(out, `<path class="cable" d="M%d %dL%d %d"><title>%s</title></path><text class="dim halo" x="%d" y="%d" text-anchor="middle">%s</text>`,
		x1, y1, x2, y2, template.HTMLEscapeString(label), (x1+x2)/2, (y1+y2)/2+4, template.HTMLEscapeString(label))
}

// count returns the number of shapes of a level.
func (n *network) count(level int) (count int) {
	for _, l := range n.level {
		if l == level {
			count++
		}
	}
	return count
}

// boxes places the shapes; those of a crowded level share one box.
func (n *network) boxes(top, width int) [][2]int {
	out := make([][2]int, len(n.level))
	for level := range top + 1 {
		count := n.count(level)
		at := 0
		for i, l := range n.level {
			if l != level {
				continue
			}
			cells := count
			if count > drawnShapes {
				cells, at = 1, 0
			}
			out[i] = [2]int{width*(2*at+1)/(2*cells) - boxWidth/2, 10 + (top-level)*levelHeight}
			at++
		}
	}
	return out
}

func comparePairs(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
