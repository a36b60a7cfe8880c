package way

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
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
	patched       bool                 // a device gets a patch of SONiC
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

// tracked is a state: the plan of a device, or on SONiC the configuration that it runs between two parts of a patch.
type tracked struct {
	State
	sw     *plan.Switch // its plan; within a patch, the plan after it
	from   *plan.Switch // its plan before
	config *[]byte      // within a patch; those of one text are one
}

// New begins with the steps of a rollout.
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

// Passes says which patch of SONiC a device gets in a step. It has the configurations between the parts of the patch meanwhile.
func (b *Builder) Passes(step int, device string, p *patch.Patch) {
	b.patched = b.patched || len(p.Steps) > 0
	t := b.tracks[device]
	at := slices.IndexFunc(t.states, func(s *tracked) bool { return s.Step == step && s.Phase == "" })
	if at < 0 {
		return
	}
	var phases []*tracked
	for i, between := range p.Between {
		key := sha256.Sum256(between.Config)
		if b.configs[key] == nil {
			b.configs[key] = &between.Config
		}
		phases = append(phases, &tracked{State{Step: step, Phase: fmt.Sprintf("%02d after %s", i+1, between.After)}, t.states[at].sw, t.states[at].from, b.configs[key]})
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
	Files  []File // of the states that have certificates
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
	for moving := w.moving(); len(moving) > 0; moving = w.moving() {
		for _, d := range slices.Sorted(maps.Keys(moving)) {
			b.rollout.Stop(uint8(d), moving[d])
		}
		b.moments(w, nics, classes)
	}
	if err := b.settle(w, nics, classes); err != nil {
		return nil, err
	}
	for _, c := range classes {
		b.unsettled(c)
		for i, j := range c.proofs {
			if j != nil {
				b.keep(j, c, c.states[i])
			}
		}
	}
	b.chains(w, classes, nics) // with the names of what is settled
	b.links(w, classes, nics)
	of := named(b.proofs)
	for i := range w.Links {
		w.Links[i].Lossy = w.lossy(&w.Links[i], of)
	}
	w.Pairs = append(w.Pairs, w.Evaluate()...)
	w.Verdict = b.verdict(w)
	b.failures(w)
	for _, err := range w.bound(b.proofs) {
		b.found.Errorf(Unproved, diag.Range{}, "what the files of a state say is not what the plans say: %v", err).
			Fixf("change the fabric in two parts, or drain the switch")
		break // those after it are of the same kind
	}
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
	wrong   []string // likewise, what is wrong with a state alone
	tolerated
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

// sortedPorts returns the ports of a class by their kind, in natural order.
func sortedPorts(views []map[string]int) []string {
	all := map[string]bool{}
	for _, v := range views {
		for port := range v {
			all[port] = true
		}
	}
	return stable.Sorted(maps.Keys(all), natural.Compare)
}
