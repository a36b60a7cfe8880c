package fakedevice

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
)

// Run lets devices run the configuration of a plan and what others configure. It returns them by
// name, with a line for each that says where it is reached. From the later plans it takes what boxes
// can do.
func (f *Fleet) Run(before *plan.Plan, later ...*plan.Plan) (devices map[string]Device, lines []string) {
	f.t.Helper()
	devices = map[string]Device{}
	plans := append(later, before)
	for _, sw := range before.Switches {
		for _, name := range sw.Names {
			d := New(f.t, sw, name, plans)
			devices[name] = d
			if target, ok := d.(*GNMI); ok {
				lines = append(lines, fmt.Sprintf("%s=gnmi+plaintext://admin:secret@%s", name, f.ServeGNMI(name, target)))
				continue
			}
			host := f.Serve(name, d)
			lines = append(lines, fmt.Sprintf("%s=ssh://admin@%s?key_file=%s&known_hosts=%s", name, host, f.Key, f.KnownHosts))
		}
	}
	return devices, lines
}

// New is a device that runs the configuration of a switch and what others configure. From the plans it
// takes what its box can do.
func New(t testing.TB, sw *plan.Switch, name string, plans []*plan.Plan) Device {
	switch system := sw.Targets[0]; system {
	case "sonic":
		d := NewSonic(t, withForeign(t, text(t, sw, name, emit.Full), name), sw.Release)
		d.Cages = cages(plans, name)
		return d
	case "eos":
		return NewEOS(append([]byte("ip routing\nrouter bgp 65001\n   neighbor 192.0.2.1 remote-as 65000\n"), text(t, sw, name, emit.Full)...))
	case "junos":
		return NewJunos(append([]byte("set system login user admin class super-user\nset routing-options autonomous-system 65001\n"), text(t, sw, name, "set")...))
	case "nvue":
		var others [][]byte
		for _, p := range plans {
			for _, other := range p.Switches {
				if other.Targets[0] != "nvue" {
					continue
				}
				others = append(others, text(t, other, name, emit.Full))
			}
		}
		return NewNVUE(t, text(t, sw, name, emit.Full), others...)
	case "srlinux":
		return NewSRLinux(t, text(t, sw, name, emit.Full))
	case "openconfig":
		return NewOpenConfig(t, text(t, sw, name, emit.Full))
	default:
		t.Fatalf("there is no device with %s", system)
	}
	return nil
}

// text returns the configuration of a switch in a form.
func text(t testing.TB, sw *plan.Switch, name, form string) []byte {
	t.Helper()
	files, found := target.Render(sw, target.Forms(sw.Targets[0], []string{form}))
	if found.HasErrors() {
		t.Fatal(found)
	}
	return files[0].Body.AppendFor(nil, name)
}

// cages returns the breakout modes that plans have for the cages of a switch.
func cages(plans []*plan.Plan, name string) map[string]map[string]map[string]any {
	all := map[string]map[string]map[string]any{}
	for _, p := range plans {
		for _, sw := range p.Switches {
			for i := range sw.Ports {
				port := &sw.Ports[i]
				way := port.Cage.Port + " " + port.Cage.Mode
				if !slices.Contains(sw.Names, name) || port.Cage.Mode == "" {
					continue
				}
				if all[way] == nil {
					all[way] = map[string]map[string]any{}
				}
				row := map[string]any{}
				for _, f := range sonic.PortRow(sw, port) {
					if slices.Contains([]string{"alias", "index", "lanes", "speed"}, f.Name) && f.Value != "" {
						row[f.Name] = f.Value
					}
				}
				all[way][port.Name] = row
			}
		}
	}
	return all
}

// withForeign adds what others configure on a switch, in their own tables and in rows of ours.
func withForeign(t testing.TB, text []byte, name string) []byte {
	t.Helper()
	var db map[string]map[string]map[string]any
	check(t, json.Unmarshal(text, &db))
	db["BGP_NEIGHBOR"] = map[string]map[string]any{"10.0.0.1": {"asn": "65001", "name": "peer"}}
	db["MGMT_INTERFACE"] = map[string]map[string]any{"eth0|192.0.2.1/24": {"gwaddr": "192.0.2.254"}}
	db["DEVICE_METADATA"]["localhost"]["hostname"] = name
	if db["DEVICE_METADATA"]["localhost"]["hwsku"] == nil { // a device has one
		db["DEVICE_METADATA"]["localhost"]["hwsku"] = "DellEMC-S5232f-C32"
	}
	db["DEVICE_METADATA"]["localhost"]["mac"] = "00:00:5e:00:53:01"
	if ports := slices.SortedFunc(maps.Keys(db["PORT"]), natural.Compare); len(ports) > 0 {
		db["PORT"][ports[0]]["description"] = "of others"
	}
	out, err := json.Marshal(db)
	check(t, err)
	return out
}
