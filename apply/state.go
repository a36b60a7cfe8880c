package apply

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/verify"
)

// systemOf returns the system by which a switch is changed: the first of its targets that apply supports,
// else the first, which is refused.
func systemOf(sw *plan.Switch) string {
	for _, name := range sw.Targets {
		if _, ok := systems[name]; ok {
			return name
		}
	}
	if len(sw.Targets) == 0 {
		return ""
	}
	return sw.Targets[0]
}

// rendered returns the whole configuration of a switch, as its system reads it.
func rendered(sw *plan.Switch, system string) ([]emit.File, error) {
	if sw == nil || system == "" {
		return nil, nil
	}
	files, found := target.Render(sw, target.Forms(system, nil))
	if d := found.FirstError(); d != nil {
		return nil, errors.New(d.Message)
	}
	return files, nil
}

// A reader finds which states devices are in. The file of a state is read once, and so is the
// configuration of a device, as long as it stays the same.
type reader struct {
	large sync.Mutex // held while a large text is read
	lock  sync.Mutex
	want  map[*plan.Switch]*plan.Switch
	have  map[string]ran
	read  map[*plan.Switch]*plan.Switch // readings of states that were read from devices
}

func newReader() reader { return reader{want: map[*plan.Switch]*plan.Switch{}, have: map[string]ran{}} }

// ran is the last running configuration of a device.
type ran struct {
	text []byte
	is   *plan.Switch
}

// mostSmall is the largest number of bytes of a text that is read at the same time as others, and
// kept: one of 16 MB, the most that readers take, may need 50 times the memory. A file of roceplan
// for SONiC takes 2.4 kB a port.
const mostSmall = 2 << 20

// differences lists where the configuration of a device differs from one of its states; none where
// it is that state. Ports that no state has are not compared.
func (r *reader) differences(states []*plan.Switch, state int, device string, text []byte) ([]string, error) {
	if len(text) > mostSmall {
		r.large.Lock()
		defer r.large.Unlock()
	}
	return r.differencesIn(systemOf(states[state]), states, state, device, text)
}

// differencesIn is differences of a configuration of a system. A state that was read from a device is
// compared as it was read, and another one of SONiC as package patch would change it.
func (r *reader) differencesIn(system string, states []*plan.Switch, state int, device string, text []byte) ([]string, error) {
	to := states[state]
	if system == "sonic" && r.read[to] == nil {
		running, found := patch.Read(device, text)
		if running == nil {
			return nil, errors.New(found[0].Message)
		}
		return patch.On(running, withPorts(to, states), device).Differences(to), nil
	}
	format, ok := verify.FormatOf(system)
	if !ok {
		return nil, fmt.Errorf("roceplan does not read configurations of %s", system)
	}
	return r.byReader(format, states, state, device, text)
}

// byReader lists where the reading of a configuration differs from that of a state.
func (r *reader) byReader(format read.Format, states []*plan.Switch, state int, device string, text []byte) ([]string, error) {
	to := states[state]
	if name, _ := format.Device(text); name != "" && name != device {
		return []string{fmt.Sprintf("the device has the name %s, not %s", name, device)}, nil
	}
	want, err := r.wanted(format, to, device)
	if err != nil {
		return nil, err
	}
	have, err := r.running(format, to, device, text)
	if err != nil {
		return nil, err
	}
	ours, wanted := withPorts(to, states).PortsByName(), want.PortsByName()
	have.Ports = stable.Delete(slices.Clone(have.Ports), func(p plan.Port) bool {
		return ours[p.Name] == nil || wanted[p.Name] == nil && ordinary(p.QoS) && !r.left(format, states, device, p)
	})
	want.Ports = stable.Delete(slices.Clone(want.Ports), func(p plan.Port) bool { return ours[p.Name] == nil })
	if format.Name == "sonic" { // others write what ports are called
		for _, ports := range [][]plan.Port{want.Ports, have.Ports} {
			for i := range ports {
				ports[i].Alias, ports[i].Peer = "", ""
			}
		}
	}
	var all []string
	for _, c := range diff.Compare(&plan.Plan{Switches: []*plan.Switch{want}}, &plan.Plan{Switches: []*plan.Switch{have}}).Changes {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s: want %q, have %q", c.Of, c.Quantity, c.Old, c.New)))
	}
	return all, nil
}

// left reports whether a port has what a state of the device gives it.
func (r *reader) left(format read.Format, states []*plan.Switch, device string, p plan.Port) bool {
	if p.QoS == nil {
		return false
	}
	alone := func(p plan.Port) *plan.Plan {
		return &plan.Plan{Switches: []*plan.Switch{{Names: []string{device}, Ports: []plan.Port{p}}}}
	}
	return slices.ContainsFunc(states, func(state *plan.Switch) bool {
		sw, err := r.wanted(format, state, device)
		if err != nil {
			return false
		}
		told := sw.PortsByName()[p.Name]
		return told != nil && told.QoS != nil && len(diff.Compare(alone(*told), alone(p)).Changes) == 0
	})
}

// wanted returns the plan that the files of a state configure on a device, by their reader, or the plan that the device
// ran.
func (r *reader) wanted(format read.Format, to *plan.Switch, device string) (*plan.Switch, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if have := r.read[to]; have != nil {
		r.want[to] = have
	}
	if r.want[to] == nil {
		files, err := rendered(to, format.Name)
		if err != nil {
			return nil, err
		}
		made := format.Read(files[0].Path, files[0].Body.AppendFor(nil, device), read.Options{Cell: to.Cell}).Switch
		if made == nil {
			return nil, fmt.Errorf("the configuration that roceplan writes for %s cannot be read back", device)
		}
		r.want[to] = made
	}
	want := *r.want[to]
	want.Names = []string{device}
	return &want, nil
}

// running returns the plan that a text configures on a device.
func (r *reader) running(format read.Format, to *plan.Switch, device string, text []byte) (*plan.Switch, error) {
	r.lock.Lock()
	last, ok := r.have[device]
	r.lock.Unlock()
	if !ok || !bytes.Equal(last.text, text) {
		last = ran{text, format.Read(device, text, read.Options{Cell: to.Cell}).Switch}
		if last.is == nil {
			return nil, fmt.Errorf("the running configuration of %s is not one of %s", device, format.Title)
		}
		if len(text) <= mostSmall {
			r.lock.Lock()
			r.have[device] = last
			r.lock.Unlock()
		}
	}
	have := *last.is
	have.Names = []string{device}
	return &have, nil
}

// withPorts returns a switch with all ports that a device has in any of its states.
func withPorts(sw *plan.Switch, states []*plan.Switch) *plan.Switch {
	all := *sw
	all.Ports = slices.Clone(sw.Ports)
	seen := sw.PortsByName()
	for _, other := range states {
		for i := range other.Ports {
			if port := &other.Ports[i]; seen[port.Name] == nil {
				seen[port.Name] = port
				all.Ports = append(all.Ports, *port)
			}
		}
	}
	return &all
}

// ordinary reports whether nothing of a port is lossless. An ordinary port that the state does not have may
// be there: others have configured it.
func ordinary(qos *plan.PortQoS) bool {
	return qos == nil || qos.PFC == 0 && !slices.ContainsFunc(qos.PGs, func(g plan.PG) bool { return g.Lossless })
}
