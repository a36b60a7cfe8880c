package apply

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

func compareNames(a, b string) int { return natural.Compare(a, b) }

// systemOf is the system by which a switch is changed: of the targets that it is told by, the
// first that apply knows; else the first, which is refused.
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

// rendered is the whole configuration of a switch, as its system reads it.
func rendered(sw *plan.Switch, system string) ([]emit.File, error) {
	if sw == nil || system == "" {
		return nil, nil
	}
	files, found := target.Render(sw, target.Forms(system, nil))
	if found.HasErrors() {
		return nil, errors.New(found[0].Message)
	}
	return files, nil
}

// differences lists what the configuration of a device says otherwise than one of its states;
// none where it is that state. Ports that no state names are not looked at.
func differences(states []*plan.Switch, state int, device string, text []byte) ([]string, error) {
	to := states[state]
	if systemOf(to) == "sonic" {
		running, found := patch.Read(device, text)
		if running == nil {
			return nil, errors.New(found[0].Message)
		}
		return patch.On(running, withPorts(to, states), device).Differences(to), nil
	}
	files, err := rendered(to, systemOf(to))
	if err != nil {
		return nil, err
	}
	want, err := told(device, files[0].Path, files[0].Body.AppendFor(nil, device), to)
	if err != nil {
		return nil, err
	}
	have, err := told(device, files[0].Path, text, to)
	if err != nil {
		return nil, err
	}
	ours := portNames(withPorts(to, states))
	have.Ports = slices.DeleteFunc(have.Ports, func(p plan.Port) bool { return !ours[p.Name] })
	var all []string
	for _, c := range diff.Compare(&plan.Plan{Switches: []*plan.Switch{want}}, &plan.Plan{Switches: []*plan.Switch{have}}).Changes {
		all = append(all, fmt.Sprintf("%s %s: %q is wanted, %q is there", c.Of, c.Quantity, c.Old, c.New))
	}
	return all, nil
}

// told is what the text of a configuration tells a device, by the reader of its format.
func told(device, path string, text []byte, as *plan.Switch) (*plan.Switch, error) {
	shapes, err := verify.Read([]verify.File{verify.Text(device+"/"+path, bytes.Clone(text))}, as.Cell)
	switch {
	case err != nil:
		return nil, err
	case len(shapes) != 1 || shapes[0].Switch == nil:
		return nil, fmt.Errorf("what %s runs is not a configuration of %s", device, systemOf(as))
	}
	sw := *shapes[0].Switch
	sw.Names = []string{device}
	sw.Ports = slices.Clone(sw.Ports)
	return &sw, nil
}

// withPorts is a switch with all ports that a device has in any of its states.
func withPorts(sw *plan.Switch, states []*plan.Switch) *plan.Switch {
	all := *sw
	all.Ports = slices.Clone(sw.Ports)
	seen := portNames(sw)
	for _, other := range states {
		for i := range other.Ports {
			if !seen[other.Ports[i].Name] {
				seen[other.Ports[i].Name] = true
				all.Ports = append(all.Ports, other.Ports[i])
			}
		}
	}
	return &all
}

func portNames(sw *plan.Switch) map[string]bool {
	names := map[string]bool{}
	for i := range sw.Ports {
		names[sw.Ports[i].Name] = true
	}
	return names
}
