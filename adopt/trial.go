package adopt

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// fabricFile is what findings call the text.
const fabricFile = "fabric.hcl"

// A trial is what became of a text.
type trial struct {
	source  string     // the text, the table of cables and that of headroom
	skipped bool       // nothing was there to compile
	plan    *plan.Plan // nil where it could not be understood
	refused diag.List  // errors
	changes []change
	forms   map[*Shape]string       // of shapes that are written in another form than the usual one
	back    map[*Shape]*plan.Switch // what is read of what the text compiles to
}

// A change is a value that comes out otherwise than it was read.
type change struct {
	shape *Shape
	diff.Change
}

// score is worse the higher it is. A refused fabric cannot be deployed at all; values that are
// nearly right are better than others; descriptions are not configuration.
func (t trial) score() int {
	score := 0
	for _, c := range t.changes {
		switch {
		case c.cosmetic():
		case c.near():
			score++
		default:
			score += 4
		}
	}
	if t.plan == nil {
		score += 1_000_000
	}
	return score + 1000*len(t.refused)
}

// near reports whether both values are amounts that differ by a part in fifty at the most, as
// by rounding to cells.
func (c *change) near() bool {
	a, errA := units.ParseBytes(c.Old)
	b, errB := units.ParseBytes(c.New)
	return errA == nil && errB == nil && max(a, b)-min(a, b) <= max(a, b)/50
}

// cosmetic reports whether a difference is one that no packet feels: a description, or the
// name of a class.
func (c *change) cosmetic() bool {
	return c.Of == "" && c.Quantity == "peer" || c.Quantity == "name" && strings.HasPrefix(c.Of, "class ")
}

// any reports whether a difference is of a quantity, or a refusal names it.
func (t trial) any(words ...string) bool {
	about := func(text string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(text), w) })
	}
	return slices.ContainsFunc(t.changes, func(c change) bool { return about(c.Quantity) }) ||
		slices.ContainsFunc(t.refused, func(d diag.Diagnostic) bool { return about(string(d.Code)) || about(d.Message) })
}

// try compiles the sketch and compares. Blocks whose chip is not known are left out; unknown values
// get one for the trial. The text of the last trial is not compiled again.
func (im *importer) try() trial {
	s := im.compilable()
	if len(s.blocks) == 0 {
		return trial{skipped: true}
	}
	text, files := s.text(), memory{CablesFile: s.csv(true), TableFile: s.table}
	source := fmt.Sprintf("%s\n%s\n%s", text, files[CablesFile], files[TableFile])
	if source == im.last.source {
		return im.last
	}
	vars := map[string]string{}
	for _, b := range s.blocks {
		usual := b.usualSpeed()
		for _, g := range b.groups {
			if g.speedHole != "" {
				vars[g.speedHole] = g.trialSpeed(usual).String()
			}
		}
	}
	f, found := policy.Load(policy.Options{
		Files: []policy.Source{{Name: fabricFile, Text: text}}, Root: files, Vars: vars, Catalogue: im.Catalogue,
	})
	t := trial{source: source, refused: errorsOf(found), forms: map[*Shape]string{}, back: map[*Shape]*plan.Switch{}}
	if f == nil || len(t.refused) > 0 {
		return t
	}
	t.plan, found = calc.Compute(f)
	t.refused = errorsOf(found)
	if len(t.refused) == 0 { // else calc may have left a switch out
		t.lose(s.blocks)
	}
	for _, b := range s.blocks {
		for _, shape := range b.shapes {
			im.compare(&t, shape)
		}
	}
	return t
}

// usualSpeed returns the largest usual speed with which the ports of the switch are not faster than its chip,
// where no file has theirs.
func (b *block) usualSpeed() units.BitRate {
	capacity, unknown := b.chip.Capacity.Get()
	usual := []units.BitRate{100 * units.Gbps, 50 * units.Gbps, 25 * units.Gbps, 10 * units.Gbps, units.Gbps}
	for _, speed := range usual {
		var sum units.BitRate
		for _, g := range b.groups {
			own := g.speed
			if g.speedHole != "" {
				own = g.trialSpeed(speed)
			}
			sum += own * units.BitRate(len(g.ports))
		}
		if unknown != nil || sum <= capacity {
			return speed
		}
	}
	return usual[len(usual)-1]
}

// trialSpeed returns the speed with which a text is tried: a usual one, but no more than lanes of 25 Gb/s
// give, which a port of 100 Gb/s has four of (IEEE 802.3 clause 92).
func (g *group) trialSpeed(usual units.BitRate) units.BitRate {
	if g.lanes == 0 {
		return usual
	}
	return min(usual, units.BitRate(g.lanes)*25*units.Gbps)
}

func errorsOf(found diag.List) diag.List {
	return stable.Delete(found.Sorted(), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// compilable returns the sketch without blocks whose chip is not known.
func (im *importer) compilable() *sketch {
	s := im.sketch
	s.blocks = stable.Delete(slices.Clone(s.blocks), func(b *block) bool { return b.chip == nil })
	if len(s.blocks) == len(im.blocks) {
		return &s
	}
	known := func(b *block) bool { return slices.Contains(s.blocks, b) }
	s.clos = stable.Delete(slices.Clone(s.clos), func(c clos) bool { return !known(c.lower.block) || !known(c.upper.block) })
	s.rows = stable.Delete(slices.Clone(s.rows), func(c cable) bool {
		b := im.blockOf[c.b.Switch]
		return !known(im.blockOf[c.a.Switch]) || b != nil && !known(b)
	})
	for i, b := range s.blocks {
		own := *b
		own.groups = nil
		for _, g := range b.groups {
			group := *g
			if group.to != nil && !known(group.to) {
				group.to = nil
			}
			own.groups = append(own.groups, &group)
		}
		s.blocks[i] = &own
	}
	return &s
}

// compare emits what was compiled for a shape, reads it back and lists the differences.
func (im *importer) compare(t *trial, shape *Shape) {
	planned := t.planned(shape)
	i := slices.IndexFunc(im.Targets, func(target emit.Target) bool { return target.Name == shape.As.Name })
	if planned == nil || i < 0 {
		return
	}
	back, refused := readBack(im.Targets[i].Forms[0], planned, shape)
	t.refused = append(t.refused, refused...)
	if back == nil {
		return
	}
	if left := verify.LeavesHeadroom(shape.Said); shape.Format.OwnHeadroom != "" && left != verify.LeavesHeadroom(back) {
		for _, form := range im.Targets[i].Forms { // one that leaves headroom to the device as well
			if other, _ := readBack(form, planned, shape); other != nil && verify.LeavesHeadroom(other) == left {
				back, t.forms[shape] = other, form.Name
				break
			}
		}
	}
	t.back[shape] = back
	for _, c := range diff.Compare(alone(back, shape.Names[0]), alone(shape.Said, shape.Names[0])).Changes {
		t.changes = append(t.changes, change{shape, c})
	}
	if shape.Said.OS == "sonic" && back.OS == "sonic" {
		t.changes = append(t.changes, unplaced(back, shape)...)
	}
}

// unplaced lists ports whose number in the box, or whose part of a cage, comes out otherwise. Plans are compared without them, since
// a fabric without boxes has none.
func unplaced(back *plan.Switch, shape *Shape) (all []change) {
	type both struct{ quantity, old, new string }
	ports := map[both][]string{}
	var order []both
	for i := range shape.Said.Ports {
		said := &shape.Said.Ports[i]
		made := back.Port(said.Name)
		if made == nil {
			continue
		}
		for _, d := range []both{{"index", indexText(made), indexText(said)}, {"cage", cageText(made), cageText(said)}} {
			if d.old != d.new && (d.quantity != "cage" || said.Cage.Mode != "") { // a row for a cage that is not split changes nothing
				if ports[d] == nil {
					order = append(order, d)
				}
				ports[d] = append(ports[d], said.Name)
			}
		}
	}
	for _, d := range order {
		all = append(all, change{shape, diff.Change{Kind: diff.Changed, Quantity: d.quantity, Old: d.old, New: d.new, Where: []diff.Where{{Switches: shape.Names[:1], Ports: ports[d]}}}})
	}
	return all
}

func indexText(p *plan.Port) string {
	if !p.Numbered {
		return "none"
	}
	return strconv.Itoa(p.Index)
}

func cageText(p *plan.Port) string {
	if p.Cage.Mode == "" {
		return "none"
	}
	return fmt.Sprintf("%s %s %d", p.Cage.Port, p.Cage.Mode, p.Cage.Subport)
}

// readBack returns the switch read from a form that is written for a shape, nil where nothing is written.
func readBack(form emit.Form, planned *plan.Switch, shape *Shape) (back *plan.Switch, refused diag.List) {
	files, found := form.Emit(planned)
	if len(files) == 0 {
		return nil, errorsOf(found)
	}
	text := files[0].Body.AppendFor(nil, shape.Names[0])
	return shape.As.Read(fabricFile, text, read.Options{Cell: shape.Said.Cell}).Switch, errorsOf(found)
}

// lose notes devices that the text does not make, since their names mean something else there.
func (t *trial) lose(blocks []*block) {
	made := map[string]bool{}
	for _, sw := range t.plan.Switches {
		for _, name := range sw.Names {
			made[name] = true
		}
	}
	for _, b := range blocks {
		for _, shape := range b.shapes {
			for _, name := range shape.Names {
				if !made[name] {
					t.changes = append(t.changes, change{shape, diff.Change{Kind: diff.Added, Quantity: "switch", New: name}})
				}
			}
		}
	}
}

// planned returns the switch that the text compiles to for the first device of a shape; nil where there is
// none, or the text could not be understood.
func (t *trial) planned(shape *Shape) *plan.Switch {
	if t.plan == nil {
		return nil
	}
	i := slices.IndexFunc(t.plan.Switches, func(sw *plan.Switch) bool { return slices.Contains(sw.Names, shape.Names[0]) })
	if i < 0 {
		return nil
	}
	return t.plan.Switches[i]
}

// alone is a plan of one switch.
func alone(sw *plan.Switch, name string) *plan.Plan {
	own := *sw
	own.Names = []string{name}
	return &plan.Plan{Switches: []*plan.Switch{&own}}
}

// memory is the folder of a fabric that is not on disk.
type memory map[string][]byte

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	text, ok := m[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{bytes.NewReader(text), name}, nil
}

type memoryFile struct {
	*bytes.Reader
	name string
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Name() string               { return f.name }
func (f *memoryFile) Mode() fs.FileMode          { return 0o444 }
func (f *memoryFile) ModTime() time.Time         { return time.Time{} }
func (f *memoryFile) IsDir() bool                { return false }
func (f *memoryFile) Sys() any                   { return nil }
