package apply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/verify"
)

// A Start describes the configurations of a fabric's devices before the first step, whatever they run.
type Start struct {
	// Plan has the switches of the fabric as they run, and its cables between ports that they have.
	// Switches that are new or unknown are not in it.
	Plan    *plan.Plan
	Devices []*Standing // of all switches, in natural order
	// Others are devices that run and that the fabric does not have.
	Others []string
	// Leftovers are ports that carry lossless traffic and that the fabric does not have, by device.
	Leftovers map[string][]string
	// Read has what the readers made of the configurations behind the switches of Plan, where that is
	// not a state of a fabric.
	Read map[*plan.Switch]*plan.Switch

	shapes map[string]*verify.Shape // by device
	of     map[string]*plan.Switch
}

// A starter works out a start.
type starter struct {
	*Start
	reader
	after  *plan.Plan
	old    *Rollout // nil: the fabric as it was is not known
	before *plan.Plan
	done   map[startKey]*begun
}

// A startKey has the common properties of devices that begin alike: their shapes in the fabrics,
// and their running configuration.
type startKey struct {
	was, is *plan.Switch
	shape   *verify.Shape
}

// begun describes the devices of a shape before the first step.
type begun struct {
	sw       *plan.Switch
	standing Standing
}

// From finds where the devices of a fabric begin, by what they run. before is the fabric as it was
// before the change; with it, devices are found in the states of that rollout. It may be nil. New
// devices are those that fresh lists, and those that before does not have.
func From(before, after *plan.Plan, shapes []*verify.Shape, fresh []string) *Start {
	s := starter{Start: &Start{Read: map[*plan.Switch]*plan.Switch{}, Leftovers: map[string][]string{}, shapes: map[string]*verify.Shape{}, of: map[string]*plan.Switch{}},
		reader: newReader(), before: before, after: after, done: map[startKey]*begun{}}
	if before != nil {
		s.old = Plan(before, after, diff.Compare(before, after))
	}
	devices := s.devices()
	s.take(shapes, devices)
	s.Plan = &plan.Plan{Fabric: after.Fabric, Hosts: after.Hosts, Reaction: after.Reaction, Path: after.Path, Servers: after.Servers, Routing: after.Routing}
	in := map[*plan.Switch]*plan.Switch{}
	for _, d := range devices {
		standing, sw := s.start(d.name, d.was, d.is, slices.Contains(fresh, d.name))
		s.Devices = append(s.Devices, standing)
		if sw == nil {
			continue
		}
		if in[sw] == nil {
			own := *sw
			own.Names = nil
			in[sw] = &own
			s.Plan.Switches = append(s.Plan.Switches, &own)
			if have := s.Read[sw]; have != nil {
				s.Read[&own] = have
			}
		}
		in[sw].Names = append(in[sw].Names, d.name)
		s.of[d.name] = in[sw]
	}
	s.links()
	return s.Start
}

// take gives each device its most detailed file, and lists devices that no fabric has.
func (s *starter) take(shapes []*verify.Shape, devices []planned) {
	known := map[string]bool{}
	for _, d := range devices {
		known[d.name] = true
	}
	shapes = slices.Clone(shapes)
	stable.Sort(shapes, func(a, b *verify.Shape) int { return cmp.Compare(verify.Telling(a.Format), verify.Telling(b.Format)) })
	for _, shape := range shapes {
		for _, name := range shape.Devices {
			if !known[name] {
				s.Others = append(s.Others, name)
			} else if s.shapes[name] == nil {
				s.shapes[name] = shape
			}
		}
	}
	slices.SortFunc(s.Others, natural.Compare)
	s.Others = slices.Compact(s.Others)
}

// A planned device is a switch in the fabric as it was and as it will be; either may be nil.
type planned struct {
	name    string
	was, is *plan.Switch
}

func (s *starter) devices() (all []planned) {
	at := map[string]int{}
	for side, p := range []*plan.Plan{s.before, s.after} {
		if p == nil {
			continue
		}
		for _, sw := range p.Switches {
			for _, name := range sw.Names {
				i, ok := at[name]
				if !ok {
					i = len(all)
					at[name] = i
					all = append(all, planned{name: name})
				}
				if side == 0 {
					all[i].was = sw
				} else {
					all[i].is = sw
				}
			}
		}
	}
	stable.Sort(all, func(a, b planned) int { return natural.Compare(a.name, b.name) })
	return all
}

// start finds where a device begins. The switch is nil where it is new or unknown.
func (s *starter) start(name string, was, is *plan.Switch, fresh bool) (*Standing, *plan.Switch) {
	states := []*plan.Switch{was, is}
	if s.old != nil && s.old.States[name] != nil {
		states = s.old.States[name]
	}
	states = stable.Delete(slices.Clone(states), func(sw *plan.Switch) bool { return sw == nil })
	shape := s.shapes[name]
	standing := &Standing{Device: name, At: -1, States: len(states), Class: Unknown}
	switch {
	case shape == nil && (fresh || s.old != nil && was == nil):
		standing.Class = Fresh
		return standing, nil
	case shape == nil:
		standing.Why = "its configuration is missing"
		return standing, nil
	case is == nil: // it leaves the fabric
		standing.Class = Old
		return standing, was
	}
	key := startKey{was, is, shape}
	b := s.done[key]
	if b == nil {
		b = s.begin(shape.Devices[0], states, is, shape)
		s.done[key] = b
	}
	own := b.standing
	own.Device = name
	if b.sw != nil {
		if left := leftovers(is, was, shape.Switch); len(left) > 0 {
			s.Leftovers[name] = left
		}
	}
	return &own, b.sw
}

// begin finds where devices of a shape begin, by one of them.
func (s *starter) begin(device string, states []*plan.Switch, is *plan.Switch, shape *verify.Shape) *begun {
	b := &begun{standing: Standing{At: -1, States: len(states), Class: Unknown}}
	if why := unreadable(is, shape); why != "" {
		b.standing.Why = why
		return b
	}
	system, text := shape.Format.Name, shape.Text
	var nearest []string
	for i := len(states) - 1; i >= 0; i-- { // a later state leaves less to do
		lines, err := s.differencesIn(system, states, i, device, text)
		if err != nil {
			b.standing.Why = err.Error()
			return b
		}
		if len(lines) == 0 {
			b.sw, b.standing.At, b.standing.Class = states[i], i, classOf(i, len(states))
			if b.standing.Class == PartWay {
				b.standing.Step = s.old.last(device, i)
			}
			return b
		}
		if nearest == nil || len(lines) < len(nearest) {
			nearest = lines
		}
	}
	b.standing.Class, b.standing.Lines = Drifted, nearest
	if s.old == nil { // it begins a rollout of its own
		b.standing.Class, b.standing.At, b.standing.States = Old, 0, 2
	}
	format, have := shape.Format, shape.In(is.Cell).Switch
	want, err := s.wanted(format, is, device)
	if err != nil {
		b.standing.Why, b.standing.Class = err.Error(), Unknown
		return b
	}
	b.sw = diff.Running(is, want, have)
	b.standing.Lost = s.lost(format, b.sw, is, device, text)
	s.Read[b.sw] = have
	return b
}

// lost lists what the device runs that roceplan does not write.
func (s *starter) lost(format read.Format, sw, is *plan.Switch, device string, text []byte) []string {
	lines, err := s.byReader(format, []*plan.Switch{sw, is}, 0, device, text)
	if err != nil {
		return []string{err.Error()}
	}
	return lines
}

// unreadable gives the reason why no change can begin at the configuration in a file; empty where one can.
func unreadable(is *plan.Switch, shape *verify.Shape) string {
	switch {
	case shape.Format.Name == "":
		return shape.First() + " is of no format that roceplan reads"
	case !slices.Contains(is.Targets, shape.Format.Name):
		return fmt.Sprintf("it runs %s, but the fabric has %s for it: that is another system, which has to be installed", shape.Format.Title, strings.Join(is.Targets, " and "))
	}
	if d := shape.Found.FirstError(); d != nil {
		return fmt.Sprintf("%s:%d: %s", d.Subject.Filename, d.Subject.Start.Line, d.Message)
	}
	return ""
}

// leftovers are ports that carry lossless traffic and that no fabric has.
func leftovers(is, was, have *plan.Switch) (ports []string) {
	ours := is.PortsByName()
	if was != nil {
		maps.Copy(ours, was.PortsByName())
	}
	for i := range have.Ports {
		if p := &have.Ports[i]; ours[p.Name] == nil && !ordinary(p.QoS) {
			ports = append(ports, p.Name)
		}
	}
	return ports
}

// links sets the cables: as they were where that is known, else those of the fabric between ports that
// devices have.
func (s *starter) links() {
	if s.before != nil {
		s.Plan.Links, s.Plan.Hosts = s.before.Links, s.before.Hosts
		return
	}
	ports := map[string]map[string]*plan.Port{}
	for name, sw := range s.of {
		ports[name] = sw.PortsByName()
	}
	has := func(end plan.LinkEnd) bool { return end.Switch == "" || ports[end.Switch][end.Port] != nil }
	for _, l := range s.after.Links {
		if has(l.A) && has(l.B) {
			s.Plan.Links = append(s.Plan.Links, l)
		}
	}
}

// Patched returns a switch with SONiC as it runs, nil for another system or for a device that was not read.
func (s *Start) Patched(device string) *patch.Device {
	shape, sw := s.shapes[device], s.of[device]
	if shape == nil || sw == nil || shape.Format.Name != "sonic" {
		return nil
	}
	running, _ := patch.Read(shape.First(), shape.Text)
	if running == nil {
		return nil
	}
	return patch.On(running, sw, device)
}

// Fetch reads what the switches of a fabric run, but for those that fresh lists. Each file is in a
// folder that is called like its device. If one device cannot be read, it is an error.
func Fetch(ctx context.Context, p *plan.Plan, fresh []string, o Options) ([]File, error) {
	r := &Rollout{States: map[string][]*plan.Switch{}}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			if !slices.Contains(fresh, name) {
				r.States[name] = []*plan.Switch{sw}
			}
		}
	}
	if refused := Refused(r, o.Addresses); len(refused) > 0 {
		return nil, errors.New(strings.Join(refused, "; "))
	}
	x, devices := newRun(r, o), r.Devices()
	files, failed := make([]File, len(devices)), make([]error, len(devices))
	err := parallel.Each(ctx, atOnce, len(devices), func(i int) error {
		text, err := x.read(ctx, devices[i])
		if failed[i] = err; err == nil {
			format, _ := verify.FormatOf(systemOf(r.States[devices[i]][0]))
			files[i] = File{devices[i] + "/" + format.Files[0], string(text)}
		} else {
			failed[i] = fmt.Errorf("%s cannot be read: %w", devices[i], err)
		}
		return nil
	})
	return files, errors.Join(err, cmp.Or(failed...))
}
