package adopt_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	diffs "github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/verify"
)

func catalogue(t testing.TB) *chips.Catalogue {
	t.Helper()
	c := must.Sound(chips.Load())(t)
	return c
}

// files lists the configuration below a folder.
// files are those of all devices of an example, as compile writes them.
func files(t testing.TB, example string) []verify.File {
	t.Helper()
	whole := must.Get(goldentest.Whole(filepath.Join("..", "golden", example)))(t)
	fsys := fstest.MapFS{}
	for name, text := range whole {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	below := must.Get(verify.Below(fsys, ".", "model.json"))(t)
	return below
}

func gather(t testing.TB, files []verify.File) []*adopt.Shape {
	t.Helper()
	shapes := must.Get(adopt.Gather(files, 0, catalogue(t)))(t)
	return shapes
}

// compile compiles a result as its users do, once speeds that no file tells are filled in.
func compile(t testing.TB, c *chips.Catalogue, fsys fs.FS, sources []policy.Source, holes ...adopt.Hole) (*policy.Fabric, *plan.Plan, diag.List) {
	t.Helper()
	vars := map[string]string{}
	for _, h := range holes {
		if strings.HasPrefix(h.About, "speed") {
			vars[h.Variable] = "10Gbps"
		}
	}
	f, found := policy.Load(policy.Options{Files: sources, Root: fsys, Catalogue: c, Vars: vars})
	if f == nil || found.HasErrors() {
		return f, nil, found
	}
	p, more := calc.Compute(f)
	return f, p, append(found, more...)
}

// example compiles a fabric of examples/.
func example(t testing.TB, c *chips.Catalogue, name string) (*policy.Fabric, *plan.Plan, int) {
	t.Helper()
	folder := filepath.Join("..", "examples", name)
	text := must.Get(os.ReadFile(filepath.Join(folder, "fabric.hcl")))(t)
	f, p, found := compile(t, c, os.DirFS(folder), []policy.Source{{Name: "fabric.hcl", Text: text}})
	if found.HasErrors() {
		t.Fatal(found)
	}
	return f, p, bytes.Count(text, []byte("\n"))
}

// inventory is a table of all cables of a plan, as somebody who knows them has it.
func inventory(t testing.TB, p *plan.Plan) []cabling.Sighting {
	t.Helper()
	far := map[plan.LinkEnd]string{}
	for _, l := range p.Links {
		far[l.A] = l.B.Switch + ":" + l.B.Port
	}
	var b strings.Builder
	b.WriteString("switch,port,far,metres,speed\n")
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			for _, port := range sw.Ports {
				fmt.Fprintf(&b, "%s,%s,%s,%s,%s\n", name, port.Name, far[plan.LinkEnd{Switch: name, Port: port.Name}], port.Cable, port.Speed)
			}
		}
	}
	seen, found := cabling.Read("cables.csv", []byte(b.String()))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return seen
}

// What is imported of each golden and of each public configuration, in one table: how long the
// fabric is, and what compiling it gives otherwise than was read, each value with its reason. Cables, speeds, chips and the
// largest lossless frame of the examples are declared as their fabrics say them, since the
// files of most targets do not hold them.
func TestTable(t *testing.T) {
	var table strings.Builder
	table.WriteString("# lines of the fabric that import writes, those of the original, and what compiling it gives otherwise\n")
	c := catalogue(t)
	golden := must.Get(filepath.Glob("../golden/*/*"))(t)
	var examples []string
	for _, path := range golden {
		name := filepath.Base(filepath.Dir(path))
		if _, err := os.Stat(filepath.Join("..", "examples", name, "fabric.hcl")); err == nil && !slices.Contains(examples, name) {
			examples = append(examples, name)
		}
	}
	if len(examples) < 7 {
		t.Fatalf("%d examples, want 7 at least", len(examples))
	}
	for _, name := range examples {
		t.Run(name, func(t *testing.T) { fmt.Fprintln(&table, importExample(t, c, name)) })
	}
	public := publicFiles(t)
	lines := make([]string, len(public))
	holes := make([]bool, len(public))
	sums := map[string]*setFigures{}
	for _, f := range public {
		sums[path.Dir(f.Name)] = new(setFigures)
	}
	must.Do(t, parallel.Each(t.Context(), 2, len(public), func(i int) error {
		lines[i], holes[i] = importPublic(t, c, public[i], sums[path.Dir(public[i].Name)])
		return nil
	}))
	sonic, open := 0, 0
	for i, f := range public {
		fmt.Fprintln(&table, lines[i])
		if strings.HasPrefix(f.Name, "shipped_sonic/") {
			sonic++
			if holes[i] {
				open++
			}
		}
	}
	if 20*open > sonic { // the goal is 95 %
		t.Errorf("%d of %d configurations of SONiC have a hole beside cables", open, sonic)
	}
	fmt.Fprintf(&table, "# %d configurations of SONiC; %d have a hole beside cables: the chip of their box is not in the catalogue\n", sonic, open)
	for _, set := range slices.Sorted(maps.Keys(sums)) {
		s := sums[set]
		fmt.Fprintf(&table, "# %s: %d of %d name ports and compile, once speeds that no file tells are filled in; %s of %d values of QoS come out as they were read; %s of the lines are of pinned blocks, %s with rows of tables of headroom\n",
			set, s.compiled, s.files, share(s.equal, s.values), s.values, share(s.pinned, s.lines), share(s.pinned+s.rows, s.lines+s.rows))
		if s.files > 1 && 10*s.pinned > s.lines {
			t.Errorf("%s: more than a tenth of the lines are pins", set)
		}
	}
	compareGolden(t, "../golden/import.txt", table.String())
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *diagtest.Update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	must.NoDiffIn(t, diffs.Diff(string(want), got), "%s (-want +got), -update rewrites it:", path)
}

func importExample(t *testing.T, c *chips.Catalogue, name string) string {
	f, p, original := example(t, c, name)
	o := adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Sightings: inventory(t, p), LosslessFrame: f.LosslessFrame.Value}
	for _, sw := range f.Switches {
		for _, device := range sw.Names {
			o.Chips = append(o.Chips, adopt.Choice{Devices: device, Chip: sw.Chip})
		}
	}
	shapes := gather(t, files(t, name))
	r := adopt.Import(shapes, o)
	if len(r.Holes) > 0 || r.OpenCables > 0 {
		t.Errorf("%v, %d lengths are open", r.Holes, r.OpenCables)
	}
	lines := bytes.Count(r.HCL, []byte("\n"))
	if lines > 2*original {
		t.Errorf("%d lines, more than twice those of the original", lines)
	}
	differences := recompiled(t, c, r, shapes)
	if r.Equal != (differences == "") {
		t.Errorf("import says equal %v, and compiling what it wrote differs by %q", r.Equal, differences)
	}
	must.Equalf(t, relinked(t, c, r), len(p.Links), "links:")
	return fmt.Sprintf("%-22s %2d devices %4d lines of %3d  %s", name, devices(shapes), lines, original, verdict(r, differences))
}

func devices(shapes []*adopt.Shape) (n int) {
	for _, s := range shapes {
		n += len(s.Names)
	}
	return n
}

func loaded(t testing.TB, c *chips.Catalogue, r *adopt.Result) (*plan.Plan, diag.List) {
	fsys := fstest.MapFS{adopt.CablesFile: {Data: r.Cables}, adopt.TableFile: {Data: r.Table}}
	_, p, found := compile(t, c, fsys, []policy.Source{{Name: "fabric.hcl", Text: r.HCL}}, r.Holes...)
	return p, found
}

func relinked(t testing.TB, c *chips.Catalogue, r *adopt.Result) int {
	p, _ := loaded(t, c, r)
	if p == nil {
		return -1
	}
	n := 0
	for _, l := range p.Links {
		if l.B.Switch != "" {
			n++
		}
	}
	return n
}

// recompiled compiles a result again and lists the quantities in which a device's file differs
// from what was read; empty where nothing does.
func recompiled(t testing.TB, c *chips.Catalogue, r *adopt.Result, shapes []*adopt.Shape) string {
	t.Helper()
	p, found := loaded(t, c, r)
	if found.HasErrors() {
		return found.Sorted()[0].Message
	}
	quantities := map[string]bool{}
	for _, s := range shapes {
		for _, name := range s.Names {
			planned := p.Switches[slices.IndexFunc(p.Switches, func(sw *plan.Switch) bool { return slices.Contains(sw.Names, name) })]
			made, _ := target.Find(s.As.Name)
			out, wrong := made.Forms[0].Emit(planned)
			if len(out) == 0 {
				return wrong.Sorted()[0].Message
			}
			back := s.As.Read(s.File, out[0].Body.AppendFor(nil, name), read.Options{Cell: s.Said.Cell}).Switch
			back.Names = []string{name}
			said := *s.Said
			said.Names = []string{name}
			for _, change := range diff.Compare(&plan.Plan{Switches: []*plan.Switch{back}}, &plan.Plan{Switches: []*plan.Switch{&said}}).Changes {
				if change.Quantity != "name" && (change.Of != "" || change.Quantity != "peer") {
					quantities[change.Quantity] = true
				}
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(quantities)), ", ")
}

// publicFiles are configurations by others that name ports.
func publicFiles(t *testing.T) (all []verify.File) {
	for _, folder := range []string{"shipped_sonic", "junos", "eos_configs", "nxos", "nxos_azure", "srlinux_labs"} {
		path := oracle.Data(t, folder)
		entries := must.Get(os.ReadDir(path))(t)
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); slices.Contains([]string{".json", ".conf", ".cfg", ".cli", ".config"}, ext) {
				f := verify.In(os.DirFS(path), e.Name())
				f.Name = folder + "/" + e.Name()
				all = append(all, f)
			}
		}
	}
	if len(all) < 145 {
		t.Fatalf("%d public configurations", len(all))
	}
	sample := oracle.Data(t, "roce_sample_config_db.json")
	return append(all, verify.File{Name: filepath.Base(sample), Read: func() ([]byte, error) { return os.ReadFile(sample) }})
}

// chipOfModel is the silicon of Juniper's switches by the model that the public files have in
// their names: Juniper, data sheets of QFX5120, QFX5130, QFX5210, QFX5220, QFX5230, QFX5240.
var chipOfModel = map[string]string{
	"qfx5240": "tomahawk5", "qfx5230": "tomahawk4", "qfx5220": "tomahawk3", "qfx5210": "tomahawk2", "qfx5130": "trident4-x11", "qfx5120": "trident3",
}

func importPublic(t *testing.T, c *chips.Catalogue, f verify.File, sums *setFigures) (line string, hole bool) {
	o := adopt.Options{Name: "imported", Catalogue: c, Targets: target.All()}
	for model, name := range chipOfModel {
		if strings.Contains(f.Name, model) {
			if chip, ok := c.Find(name); ok {
				o.Chips = []adopt.Choice{{Chip: chip}}
			}
		}
	}
	// The files of EOS, NX-OS and SR Linux name no chip, and SONiC-VM, which has the tables of Force10-S6000, is virtual.
	// They get one here.
	for part, name := range map[string]string{"eos_configs/": "trident3", "nxos/": "trident3", "nxos_azure/": "trident3", "srlinux_labs/": "tomahawk4", "/SONiC-VM": "trident2"} {
		if chip, ok := c.Find(name); ok && strings.Contains(f.Name, part) {
			o.Chips = append(o.Chips, adopt.Choice{Chip: chip})
		}
	}
	shapes := gather(t, []verify.File{f})
	r := adopt.Import(shapes, o)
	for _, d := range r.Found {
		if d.Code == adopt.Differs && (d.Subject.Filename != f.Name || d.Subject.Start.Line < 1) {
			t.Errorf("%s: a difference has no line of the file: %v", f.Name, d)
		}
	}
	name, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(f.Name, "shipped_sonic/"), ".json"), "@")
	own := count(t, c, r, shapes)
	sums.add(own)
	line = fmt.Sprintf("%-42s %s  %s", name, own, verdict(r, ""))
	for _, d := range r.Found {
		if d.Code == adopt.Differs {
			line += fmt.Sprintf("\n    %s: %s", d.Message, d.Fix)
		}
	}
	return line, len(r.Holes) > 0
}

// Figures of an import: lines of the fabric, those of pinned blocks, values of QoS that were read, and how many of them
// compiling gives again; all is whether it compiles.
// rows are those of its table of headroom.
type figures struct{ files, compiled, lines, pinned, rows, values, equal int }

func (f figures) String() string {
	return fmt.Sprintf("%4d lines, %3d pinned, %6d of %6d values", f.lines, f.pinned, f.equal, f.values)
}

type setFigures struct {
	lock sync.Mutex
	figures
}

func (s *setFigures) add(f figures) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.files, s.compiled, s.lines, s.pinned, s.rows, s.values, s.equal = s.files+f.files, s.compiled+f.compiled, s.lines+f.lines, s.pinned+f.pinned, s.rows+f.rows, s.values+f.values, s.equal+f.equal
}

// share is a part in per cent, with two decimals, never rounded up.
func share(part, of int) string {
	if of == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%d.%02d %%", 100*part/of, 10000*part/of%100)
}

// count compiles what was written, reads it back, and counts the values that both have.
func count(t testing.TB, c *chips.Catalogue, r *adopt.Result, shapes []*adopt.Shape) (f figures) {
	if r.HCL == nil {
		return f
	}
	f = figures{files: 1, lines: bytes.Count(r.HCL, []byte("\n")), rows: max(0, bytes.Count(r.Table, []byte("\n"))-1)}
	depth, at := 0, -1
	for line := range strings.Lines(string(r.HCL)) {
		if strings.HasPrefix(strings.TrimSpace(line), "pinned {") && at < 0 {
			at = depth
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
		if at >= 0 {
			f.pinned++
		}
		if depth == at {
			at = -1
		}
	}
	p, found := loaded(t, c, r)
	compiles := p != nil && !found.HasErrors()
	for _, s := range shapes {
		back := &plan.Switch{}
		if compiles {
			planned := p.Switches[slices.IndexFunc(p.Switches, func(sw *plan.Switch) bool { return slices.Contains(sw.Names, s.Names[0]) })]
			made, _ := target.Find(s.As.Name)
			if out, _ := made.Forms[0].Emit(planned); len(out) > 0 {
				back = s.As.Read(s.File, out[0].Body.AppendFor(nil, s.Names[0]), read.Options{Cell: s.Said.Cell}).Switch
			} else {
				compiles = false
			}
		}
		values, equal := valuesOf(s.Said, back)
		f.values, f.equal = f.values+values*len(s.Names), f.equal+equal*len(s.Names)
	}
	if compiles {
		f.compiled = 1
	}
	return f
}

// valuesOf counts the values of QoS, buffers, PFC, ECN and watchdog that a switch has, and those that another has too.
func valuesOf(said, back *plan.Switch) (values, equal int) {
	same := func(is bool) {
		values++
		if is {
			equal++
		}
	}
	part := func(all []plan.Attribute, a, b any) {
		for i := range all {
			if all[i].Without != nil && all[i].Without(a) {
				continue
			}
			was, _ := all[i].Get(a)
			if was == plan.PerCent(0) { // its size is in bytes
				continue
			}
			is, _ := all[i].Get(b)
			same(was == is && (all[i].Without == nil || !all[i].Without(b)))
		}
	}
	for _, table := range plan.MapTables() {
		for i, to := range table.At(&said.Maps) {
			same(table.At(&back.Maps)[i] == to && len(back.Ports) > 0)
		}
	}
	for i := range said.Pools {
		part(plan.PoolAttributes(), &said.Pools[i], or(back.Pools, func(p plan.Pool) bool { return p.Name == said.Pools[i].Name }))
	}
	if said.Watchdog != nil {
		part(plan.WatchdogAttributes(), said.Watchdog, cmp.Or(back.Watchdog, &plan.Watchdog{}))
	}
	for i := range said.Ports {
		own := or(back.Ports, func(p plan.Port) bool { return p.Name == said.Ports[i].Name })
		a, b := said.Ports[i].QoS, cmp.Or(own.QoS, &plan.PortQoS{})
		if a == nil {
			same(own.QoS == nil)
			continue
		}
		part(plan.PortAttributes(), a, b)
		for i := range a.PGs {
			part(plan.PGAttributes(), &a.PGs[i], or(b.PGs, func(g plan.PG) bool { return g.ID == a.PGs[i].ID }))
		}
		for i := range a.Queues {
			part(plan.QueueAttributes(), &a.Queues[i], or(b.Queues, func(q plan.Queue) bool { return q.ID == a.Queues[i].ID }))
		}
		for i := range a.Pools {
			part(plan.PortPoolAttributes(), &a.Pools[i], or(b.Pools, func(p plan.PortPool) bool { return p.Pool == a.Pools[i].Pool }))
		}
	}
	return values, equal
}

// or returns the element that fits, or one without anything.
func or[T any](list []T, fits func(T) bool) *T {
	if i := slices.IndexFunc(list, fits); i >= 0 {
		return &list[i]
	}
	return new(T)
}

var refusedCode = regexp.MustCompile(`error\[([a-z0-9-]+)\]`)

// verdict says what became of an import, from its findings; differences name the quantities
// where these were compared.
func verdict(r *adopt.Result, differences string) string {
	var parts []string
	if r.HCL == nil {
		return "names no port"
	}
	if r.Equal {
		return "equal"
	}
	codes, differs := map[string]bool{}, 0
	for _, d := range r.Found {
		switch d.Code {
		case adopt.Refused:
			if m := refusedCode.FindStringSubmatch(d.Message); m != nil {
				codes[m[1]] = true
			}
		case adopt.Differs:
			differs++
		}
	}
	for _, h := range r.Holes {
		what, _, _ := strings.Cut(h.About, " of ")
		parts = append(parts, "hole: "+what)
	}
	parts = slices.Compact(parts)
	if r.OpenCables > 0 {
		parts = append(parts, "cables to fill in")
	}
	if len(codes) > 0 {
		parts = append(parts, "refused: "+strings.Join(slices.Sorted(maps.Keys(codes)), ", "))
	}
	if differences != "" {
		parts = append(parts, "differs: "+differences)
	} else if differs > 0 {
		parts = append(parts, fmt.Sprintf("%d differences named", differs))
	}
	return strings.Join(parts, "; ")
}
