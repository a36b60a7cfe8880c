package way

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// A Builder gathers the states of a rollout and proves them.
type Builder struct {
	before, after *plan.Plan
	rollout       *diff.Rollout
	verifier      *verify.Verifier
	tracks        map[string]*track // by device
	names         []string          // of the steps
	drained       map[int]map[string]string
	cables        map[plan.LinkEnd]int // the step in which the cable of a port changes
	judged        map[[sha256.Size]byte]*judged
	proofs        *verify.Certificates
	files         []File
	raw           []View
	index         map[View]int
	found         diag.List
	ports         map[*plan.Switch]map[string]*plan.Port
	others        map[string][]string           // devices by a port with PFC that neither plan has
	configs       map[[sha256.Size]byte]*[]byte // by what they hold: the configuration of a switch does not hold its name
}

// A File is the configuration of a state, which its certificate names.
type File struct {
	Path string
	Text []byte
}

// A track is the states of one device.
type track struct{ states []*tracked }

// tracked is a state: what it is told, or of SONiC what it runs between two patches.
type tracked struct {
	State
	sw     *plan.Switch // what it is told; between patches, what it is led to
	from   *plan.Switch // what it was told before
	config *[]byte      // between patches; those of one text are one
}

// judged is what came of a state.
type judged struct {
	name   string // of the certificate, once a state has it; empty: nothing is lossless
	faults map[string]bool
	needs  map[string]int64
	read   *plan.Switch
	found  *verify.Switch // nil once it has a name
	file   string
	text   []byte
}

// New begins with what a rollout tells.
func New(catalogue *chips.Catalogue, before, after *plan.Plan, rollout *diff.Rollout) *Builder {
	b := &Builder{
		before: before, after: after, rollout: rollout, verifier: verify.New(verify.Options{Catalogue: catalogue}), tracks: map[string]*track{}, drained: map[int]map[string]string{},
		cables: map[plan.LinkEnd]int{}, judged: map[[sha256.Size]byte]*judged{}, proofs: &verify.Certificates{Schema: verify.CertificatesSchema, Devices: []string{}, Shapes: []*proof.Certificate{}}, index: map[View]int{}, ports: map[*plan.Switch]map[string]*plan.Port{}, configs: map[[sha256.Size]byte]*[]byte{}, others: map[string][]string{},
	}
	for _, sw := range before.Switches {
		for _, name := range sw.Names {
			b.tracks[name] = &track{[]*tracked{{sw: sw}}}
		}
	}
	for i, step := range rollout.Steps {
		b.names = append(b.names, fmt.Sprintf("%02d-%s", i+1, step.Action))
		for _, told := range step.Told {
			for _, device := range told.Devices {
				t := b.tracks[device]
				if t == nil {
					t = &track{}
					b.tracks[device] = t
				}
				next := &tracked{State: State{Step: i + 1, Gone: told.Switch == nil}, sw: told.Switch}
				if n := len(t.states); n > 0 {
					next.from = t.states[n-1].sw
				}
				t.states = append(t.states, next)
			}
		}
		if step.Action == diff.Cable {
			for _, c := range step.Changes {
				for _, w := range c.Where {
					for _, device := range w.Switches {
						for _, port := range w.Ports {
							b.cables[plan.LinkEnd{Switch: device, Port: port}] = i + 1
						}
					}
				}
			}
		}
	}
	return b
}

// Passes says which configurations a device has between the patches of a step.
func (b *Builder) Passes(step int, device string, between []patch.Passed) {
	t := b.tracks[device]
	at := slices.IndexFunc(t.states, func(s *tracked) bool { return s.Step == step && s.Phase == "" })
	if at < 0 {
		return
	}
	var phases []*tracked
	for i, p := range between {
		key := sha256.Sum256(p.Config)
		if b.configs[key] == nil {
			b.configs[key] = &p.Config
		}
		phases = append(phases, &tracked{State{Step: step, Phase: fmt.Sprintf("%02d after %s", i+1, p.After)}, t.states[at].sw, t.states[at].from, b.configs[key]})
	}
	t.states = slices.Insert(t.states, at, phases...)
}

// Drain says that a device carries no traffic while a step changes it.
func (b *Builder) Drain(step int, device, because string) {
	if b.drained[step] == nil {
		b.drained[step] = map[string]string{}
	}
	b.drained[step][device] = because
}

// A Result is a way, the certificates of its states and their files, and what is not proved.
type Result struct {
	Way    *Way
	Proofs *verify.Certificates
	Files  []File // beside the certificates of the states
	Found  diag.List
}

// Prove proves all states and all pairs of them. Code points that no order keeps lossless are added to those that the rollout stops.
func (b *Builder) Prove() (*Result, error) {
	w := &Way{Schema: Schema, Chains: []Chain{}, Views: []View{}, Links: []Link{}, Pairs: []Pairs{}, Moments: []Moment{}}
	b.drainedOf(w)
	classes := b.classes()
	for _, c := range classes {
		if err := b.switches(c); err != nil {
			return nil, err
		}
	}
	nics := b.nics()
	b.moments(w, nics, classes)
	b.chains(w, classes, nics)
	b.links(w, classes, nics)
	of := named(b.proofs)
	for moving := w.moving(); len(moving) > 0; moving = w.moving() {
		for _, d := range slices.Sorted(maps.Keys(moving)) {
			b.rollout.Stop(uint8(d), moving[d])
		}
		b.moments(w, nics, classes)
	}
	for i := range w.Links {
		w.Links[i].Lossy = w.lossy(&w.Links[i], of)
	}
	w.Pairs = append(w.Pairs, w.Evaluate()...)
	w.Verdict = b.verdict(w)
	b.failures(w)
	return &Result{w, b.proofs, b.files, b.found.Sorted()}, nil
}

func (b *Builder) drainedOf(w *Way) {
	for step := 1; step <= len(b.names); step++ {
		by := map[string][]string{}
		for device, because := range b.drained[step] {
			by[because] = append(by[because], device)
		}
		for _, because := range slices.Sorted(maps.Keys(by)) {
			slices.SortFunc(by[because], natural.Compare)
			w.Drained = append(w.Drained, Drained{step, by[because], because})
		}
	}
}

// A class is devices with the same states and the same facts of their links.
type class struct {
	devices []string
	states  []*tracked
	facts   []map[string]fact  // by state and port
	ends    [2]map[string]fact // of the first state before all steps, and of the last one after them
	views   []map[string]int   // likewise, of raw views
	chain   int
	kinds   map[string]int // by port
	proofs  []*judged
}

// A fact is what a port can meet while a state lasts.
type fact struct {
	cable   units.Length
	assumed plan.Assumed
}

// classes groups the devices.
func (b *Builder) classes() (all []*class) {
	of := map[string]*class{}
	ends := b.peers()
	for _, name := range slices.SortedFunc(maps.Keys(b.tracks), natural.Compare) {
		t := b.tracks[name]
		var key strings.Builder
		for _, s := range t.states {
			fmt.Fprintf(&key, "%d %s %p %p %p %t", s.Step, s.Phase, s.sw, s.from, s.config, b.drained[s.Step][name] != "")
		}
		c := of[key.String()]
		if c == nil {
			c = &class{states: t.states, ends: [2]map[string]fact{{}, {}}}
			for range t.states {
				c.facts = append(c.facts, map[string]fact{})
			}
			of[key.String()] = c
			all = append(all, c)
		}
		c.devices = append(c.devices, name)
		b.meet(c, name, ends)
		b.meetEnds(c, name, ends)
	}
	return all
}

// peers are the other ends of all cables of both plans.
func (b *Builder) peers() map[plan.LinkEnd]plan.LinkEnd {
	ends := map[plan.LinkEnd]plan.LinkEnd{}
	for _, p := range []*plan.Plan{b.before, b.after} {
		for _, l := range p.Links {
			if l.B.Switch != "" {
				ends[l.A], ends[l.B] = l.B, l.A
			}
		}
	}
	return ends
}

// meet adds the cables of a device to what its class can meet.
func (b *Builder) meet(c *class, device string, ends map[plan.LinkEnd]plan.LinkEnd) {
	chain := Chain{}
	for _, s := range c.states {
		chain.States = append(chain.States, s.State)
	}
	for i, s := range c.states {
		if s.sw == nil {
			continue
		}
		first, last := max(1, s.Step), chain.until(i, len(b.names))
		for _, sw := range []*plan.Switch{s.sw, s.from} {
			if sw == nil {
				continue
			}
			for p := range sw.Ports {
				port := &sw.Ports[p]
				f, was := c.facts[i][port.Name]
				end := plan.LinkEnd{Switch: device, Port: port.Name}
				for step := first; step <= max(first, last); step++ {
					f.cable = max(f.cable, b.cable(end, ends[end], step))
				}
				if !was {
					f.assumed = b.assumed(device, port, first, last)
				}
				c.facts[i][port.Name] = f
			}
		}
	}
}

// meetEnds adds the cables of a device to what its class meets before all steps, or after them.
func (b *Builder) meetEnds(c *class, device string, ends map[plan.LinkEnd]plan.LinkEnd) {
	for i, step := range []int{0, len(b.names) + 1} {
		sw := c.states[0].sw
		if i == 1 {
			sw = c.states[len(c.states)-1].sw
		}
		if sw == nil {
			continue
		}
		for p := range sw.Ports {
			port := &sw.Ports[p]
			f, end := c.ends[i][port.Name], plan.LinkEnd{Switch: device, Port: port.Name}
			f.cable = max(f.cable, b.cable(end, ends[end], step))
			if port.Assumed != nil {
				f.assumed = *port.Assumed
			}
			c.ends[i][port.Name] = f
		}
	}
}

// cable is the longest that a port can have during a step.
func (b *Builder) cable(end, other plan.LinkEnd, step int) units.Length {
	var was, is units.Length
	at, changes := b.cables[end]
	for _, e := range []plan.LinkEnd{end, other} {
		if e.Switch == "" {
			continue
		}
		x, y := b.portOf(e)
		was, is = max(was, x), max(is, y)
	}
	if other.Switch != "" && !changes {
		at, changes = b.cables[other]
	}
	switch { // a port to which nothing is connected is taken as it will be, or was
	case changes && step < at && was > 0:
		return was
	case changes && step > at && is > 0:
		return is
	}
	return max(was, is)
}

// portOf is the cable of a port before and after the change.
func (b *Builder) portOf(e plan.LinkEnd) (was, is units.Length) {
	t := b.tracks[e.Switch]
	if t == nil {
		return 0, 0
	}
	find := func(s *tracked) units.Length {
		if s.sw == nil {
			return 0
		}
		if p := b.portNamed(s.sw, e.Port); p != nil {
			return p.Cable
		}
		return 0
	}
	if t.states[0].Step == 0 {
		was = find(t.states[0])
	}
	return was, find(t.states[len(t.states)-1])
}

// portNamed is a port of a switch, nil where it has none of the name.
func (b *Builder) portNamed(sw *plan.Switch, name string) *plan.Port {
	if b.ports[sw] == nil {
		b.ports[sw] = sw.PortsByName()
	}
	return b.ports[sw][name]
}

// assumed is what is declared of the peer of a port, at its worst between two steps: that of NICs changes with them.
func (b *Builder) assumed(device string, port *plan.Port, first, last int) plan.Assumed {
	var both [2]*plan.Assumed
	for i, s := range []*tracked{b.tracks[device].states[0], b.tracks[device].states[len(b.tracks[device].states)-1]} {
		if s.sw != nil {
			if p := b.portNamed(s.sw, port.Name); p != nil {
				both[i] = p.Assumed
			}
		}
	}
	at := 0
	for i, step := range b.rollout.Steps {
		for _, n := range step.NICs {
			if n.Is != nil && n.Is.Name == port.Peer && step.Action == diff.Host {
				at = i + 1
			}
		}
	}
	switch {
	case both[0] == nil && both[1] == nil:
		return plan.Assumed{}
	case both[0] == nil || at > 0 && first > at:
		return *or(both[1], both[0])
	case both[1] == nil || at > 0 && last < at:
		return *or(both[0], both[1])
	}
	return worse(*both[0], *both[1])
}

func or(a, b *plan.Assumed) *plan.Assumed {
	if a != nil {
		return a
	}
	return b
}

// worse is what is no better than either.
func worse(a, b plan.Assumed) plan.Assumed {
	if !b.Declared || a.Declared && b.Response.Value > a.Response.Value {
		a.Response, a.Declared = b.Response, b.Declared && a.Declared
	}
	if b.LosslessFrame.Value == 0 || a.LosslessFrame.Value != 0 && b.LosslessFrame.Value > a.LosslessFrame.Value {
		a.LosslessFrame = b.LosslessFrame
	}
	if b.SmallPackets.Value == 0 || a.SmallPackets.Value != 0 && b.SmallPackets.Value > a.SmallPackets.Value {
		a.SmallPackets = b.SmallPackets
	}
	return a
}

// switches proves the states of a class, and looks at their ports.
func (b *Builder) switches(c *class) error {
	for i, s := range c.states {
		views := map[string]int{}
		c.views = append(c.views, views)
		c.proofs = append(c.proofs, nil)
		if s.sw == nil || s.Phase != "" && b.drained[s.Step][c.devices[0]] != "" {
			continue
		}
		j, err := b.judge(c, s, c.facts[i])
		if err != nil {
			return err
		}
		b.keep(j, c, s)
		c.proofs[i] = j
		sw := s.sw
		if s.config != nil {
			sw = j.read
		}
		v := newViewer(sw)
		for p := range sw.Ports {
			port := &sw.Ports[p]
			view := v.view(port)
			if s.config != nil {
				b.fill(s, port.Name, &view)
			}
			views[port.Name] = b.intern(view)
		}
	}
	return b.faults(c)
}

// fill gives the view of a configuration what it leaves out.
func (b *Builder) fill(s *tracked, name string, v *View) {
	for _, sw := range []*plan.Switch{s.from, s.sw} {
		if sw == nil {
			continue
		}
		if p := b.portNamed(sw, name); p != nil {
			if v.Speed == 0 {
				v.Speed = p.Speed
			}
			if v.Frame == 0 {
				v.Frame = p.MTU
			}
			if v.FEC == "" {
				v.FEC = p.FEC
			}
		}
	}
}

func (b *Builder) intern(v View) int {
	i, ok := b.index[v]
	if !ok {
		i = len(b.raw)
		b.index[v] = i
		b.raw = append(b.raw, v)
	}
	return i
}

// judge proves a state with what it can meet. States of one text and the same facts are one.
func (b *Builder) judge(c *class, s *tracked, facts map[string]fact) (*judged, error) {
	system, file, text, generic := rendered(s, c.devices[0])
	planned := b.met(s, facts)
	digest := sha256.New()
	fmt.Fprintf(digest, "%s %s %s %s %s %v", s.sw.Chip, s.sw.Platform, s.sw.HwSKU, system, generic, s.sw.PausedPGs)
	for i := range planned.Ports {
		p := &planned.Ports[i]
		a := p.Assumed
		fmt.Fprintf(digest, "%s %v %v %v %v %v %v %v %v %v\n", p.Name, p.Cable, p.Gearbox, p.Speed, p.MTU, p.Group, a.Declared, a.Response.Value, a.LosslessFrame.Value, a.SmallPackets.Value)
	}
	key := [sha256.Size]byte(digest.Sum(nil))
	if j := b.judged[key]; j != nil {
		return j, nil
	}
	j := &judged{file: file, text: text}
	b.judged[key] = j
	if text == nil {
		j.faults = map[string]bool{unwritten: true}
		return j, nil
	}
	sw, err := b.verifier.State(planned, system, c.devices[0], text, func(sw *plan.Switch) {
		sw.Ports = slices.DeleteFunc(sw.Ports, func(p plan.Port) bool {
			other := !slices.ContainsFunc(planned.Ports, func(o plan.Port) bool { return o.Name == p.Name })
			if other && p.QoS != nil && p.QoS.PFC != 0 {
				b.others[p.Name] = append(b.others[p.Name], c.devices...)
			}
			return other
		})
		unused(sw)
	})
	if err != nil {
		return nil, err
	}
	j.faults, j.needs, j.read, j.found = sw.Faults(), sw.Needs(), sw.Plan, sw
	return j, nil
}

const (
	sonicFile = "config_db.json"
	unwritten = "its configuration cannot be written"
)

// rendered is the first file of a switch that holds all of it, for its system: with the name of a device, and with one for all.
// text is nil where none can be written.
func rendered(s *tracked, device string) (system, file string, text, generic []byte) {
	if s.config != nil {
		return "sonic", sonicFile, *s.config, *s.config
	}
	sw := s.sw
	for _, name := range sw.Targets {
		files, found := target.Render(sw, target.Forms(name, []string{"overlay"}))
		if found.HasErrors() {
			continue
		}
		for _, f := range files {
			if t, whole := target.Whole(f); t != name && (whole || name != "sonic") {
				continue
			}
			if file = path.Base(f.Path); name == "sonic" {
				file = sonicFile
			}
			return name, file, f.Body.AppendFor(nil, device), f.Body.AppendFor(nil, "DEVICE")
		}
	}
	return "", "", nil, nil
}

// keep gives what was judged a name and a certificate, those of the first state that needs it.
func (b *Builder) keep(j *judged, c *class, s *tracked) {
	switch {
	case j.name != "":
	case j.faults[unwritten]:
		j.name = b.lack(c, s, unwritten)
	case j.found == nil || len(j.found.Groups) == 0 && len(j.faults) == 0: // nothing is lossless
	default:
		j.name = b.name(c, s)
		name := path.Join(j.name, j.file)
		if cert := j.found.Certificate(j.name, name, j.text); cert != nil {
			b.proofs.Devices, b.proofs.Shapes = append(b.proofs.Devices, j.name), append(b.proofs.Shapes, cert)
			b.files = append(b.files, File{name, j.text})
		} else {
			b.lack(c, s, j.found.Unproved())
		}
	}
	j.found = nil
}

// lack notes a state without a certificate.
func (b *Builder) lack(c *class, s *tracked, because string) string {
	name := b.name(c, s)
	b.proofs.Devices = append(b.proofs.Devices, name)
	b.proofs.Lacks = append(b.proofs.Lacks, verify.Lack{Device: name, Because: because})
	return name
}

// name is that of a state.
func (b *Builder) name(c *class, s *tracked) string {
	when := "00-before"
	if s.Step > 0 {
		when = b.names[s.Step-1]
	}
	number, _, _ := strings.Cut(s.Phase, " ")
	if number != "" {
		when += "." + number
	}
	return c.devices[0] + "-" + when
}

// met is a switch whose ports have what they can meet. Between patches it has the ports of both sides.
func (b *Builder) met(s *tracked, facts map[string]fact) *plan.Switch {
	own := *s.sw
	own.Ports = slices.Clone(s.sw.Ports)
	if s.config != nil && s.from != nil {
		for _, p := range s.from.Ports {
			if b.portNamed(s.sw, p.Name) == nil {
				own.Ports = append(own.Ports, p)
			}
		}
	}
	for i := range own.Ports {
		p := &own.Ports[i]
		f := facts[p.Name]
		p.Cable, p.Assumed = f.cable, &f.assumed
	}
	return &own
}

// unused takes away the priority groups that no packet enters: they are there before the class is.
func unused(sw *plan.Switch) {
	v := newViewer(sw)
	var used [8]bool
	for _, q := range v.kinds {
		for d := range uint8(64) {
			tc, _ := v.classed(q, d)
			used[sw.Maps.TCToPG[tc&7]&7] = true
		}
	}
	if t := sw.Tunnel; t != nil {
		for _, pg := range t.TCToPG {
			used[pg&7] = true
		}
	}
	for _, q := range v.kinds {
		q.PGs = slices.DeleteFunc(slices.Clone(q.PGs), func(g plan.PG) bool { return !used[g.ID&7] })
	}
}

// faults reports what is wrong with a state, or what it takes for granted, and is so at neither end of the rollout: what is wrong with
// the first state before all steps, or with the last one after them, no order of the steps can help.
func (b *Builder) faults(c *class) error {
	tolerated, needs := map[string]bool{}, map[string]int64{}
	for i, s := range []*tracked{c.states[0], c.states[len(c.states)-1]} {
		if s.sw == nil {
			continue
		}
		facts := c.ends[i]
		if i == 0 && s.Step > 0 { // it is new: it meets what it has at the end
			facts = c.facts[0]
		}
		j, err := b.judge(c, s, facts)
		if err != nil {
			return err
		}
		for fault := range j.faults {
			tolerated[fault], tolerated[strings.Replace(fault, patch.Certain, patch.Open, 1)] = true, true
		}
		for need, bound := range j.needs {
			if least, ok := needs[need]; !ok || bound < least {
				needs[need] = bound
			}
		}
	}
	for i, j := range c.proofs {
		if j == nil {
			continue
		}
		at, wrong := c.states[i].sw.Range, ""
		for _, fault := range slices.Sorted(maps.Keys(j.faults)) {
			if wrong == "" && !tolerated[fault] && fault != unwritten { // which its emitter says
				wrong = fault
			}
		}
		for _, need := range slices.Sorted(maps.Keys(j.needs)) {
			if least, ok := needs[need]; wrong == "" && (!ok || j.needs[need] < least) {
				wrong = fmt.Sprintf("a condition on %s would have to be stricter than both plans need it", need)
			}
		}
		if wrong != "" {
			b.found.Errorf(Unproved, at, "%s of %s is not proved with the cables and peers that it can have by then: %s", b.when(&c.states[i].State), diff.Fold(c.devices), wrong).
				Fixf("change the fabric in two parts, or drain the switch")
			break // those after it have it too
		}
	}
	return nil
}

// when says a state in words.
func (b *Builder) when(s *State) string {
	switch {
	case s.Step == 0:
		return "the state before the rollout"
	case s.Phase != "":
		_, after, _ := strings.Cut(s.Phase, " ")
		return fmt.Sprintf("the state %q within step %s", after, b.names[s.Step-1])
	}
	return "the state after step " + b.names[s.Step-1]
}

// verdict is the worst of all pairs and states.
func (b *Builder) verdict(w *Way) proof.Verdict {
	all := []proof.Verdict{proof.Holds}
	for _, p := range w.Pairs {
		all = append(all, p.Verdict)
	}
	for _, c := range b.proofs.Shapes {
		all = append(all, c.Due())
	}
	if len(b.proofs.Lacks) > 0 {
		all = append(all, proof.Unjudged)
	}
	return Worst(all)
}

// Worst is the worst of verdicts.
func Worst(all []proof.Verdict) proof.Verdict {
	order := []proof.Verdict{proof.Holds, proof.Conditional, proof.Unjudged, proof.Fails}
	worst := 0
	for _, v := range all {
		worst = max(worst, slices.Index(order, v))
	}
	return order[worst]
}

// failures tells the pairs of states that lose packets, one for each link and step.
func (b *Builder) failures(w *Way) {
	for _, p := range w.Pairs {
		if len(p.Fails) == 0 {
			continue
		}
		l, f := &w.Links[p.Link], p.Fails[0]
		x, y := &w.Chains[l.A[0]].States[f.A], &w.Chains[l.B[0]].States[f.B]
		b.found.Errorf(Unproved, b.placeOf(l), "during step %s, with %s in %s and %s in %s, packets with DSCP %d can be lost: %s", b.names[p.Step-1], l.Ends[0], b.when(x), l.Ends[1], b.when(y), f.DSCP, f.Because).
			Fixf("change the fabric in two parts, or stop traffic with DSCP %d until the last step", f.DSCP)
	}
	down := map[int]string{}
	for _, p := range w.Pairs {
		if l := &w.Links[p.Link]; p.Down > 0 && down[p.Step] == "" {
			down[p.Step] = fmt.Sprintf("%s and %s", l.Ends[0], l.Ends[1])
			b.found.Warnf(Down, b.placeOf(l), "during step %s, links such as that of %s are down until both ends have the same speed and FEC", b.names[p.Step-1], down[p.Step]).
				Fixf("drain them before the step")
		}
	}
}

// placeOf is where the fabric describes an end of a link.
func (b *Builder) placeOf(l *Link) diag.Range {
	for _, e := range l.Ends {
		device, port, _ := strings.Cut(e, " ")
		for _, p := range []*plan.Plan{b.after, b.before} {
			if sw := end(p, device); sw != nil {
				if at := b.portNamed(sw, port); at != nil && at.NamedAt().Filename != "" {
					return at.NamedAt()
				}
				return sw.Range
			}
		}
	}
	return diag.Range{}
}

// sortedKinds are the ports of a class by their kind, in natural order.
func sortedPorts(views []map[string]int) []string {
	all := map[string]bool{}
	for _, v := range views {
		for port := range v {
			all[port] = true
		}
	}
	list := slices.Collect(maps.Keys(all))
	stable.Sort(list, natural.Compare)
	return list
}
