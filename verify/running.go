package verify

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// withoutDumps separates dumps of what runs from the configurations of the same devices, which keep them. A dump without
// a configuration stays.
func withoutDumps(shapes []*Shape) (files []*Shape) {
	configured, dumps := map[string]bool{}, map[string]*dump{}
	for _, s := range shapes {
		for _, f := range s.seen {
			configured[f.device] = configured[f.device] || !s.Running
			configured[f.folder] = configured[f.folder] || !s.Running
			if s.Running {
				dumps[f.device] = &dump{s, f}
			}
		}
	}
	for _, s := range shapes {
		alone := !s.Running
		for _, f := range s.seen {
			if !s.Running {
				f.dump = cmp.Or(dumps[f.device], dumps[f.folder])
			}
			alone = alone || !configured[f.device]
		}
		if alone {
			files = append(files, s)
		}
	}
	return files
}

// A dump is a file of what runs on a device, and the shape that it is of.
type dump struct {
	*Shape
	file *sighting
}

// running returns the shape of the dump; nil where there is none.
func (s *sighting) running() *Shape {
	if s.dump == nil {
		return nil
	}
	return s.dump.Shape
}

// asRunning lists what the shape is with the dumps of its devices, each once.
func (s *Shape) asRunning() (all []*Shape) {
	done := map[*Shape]bool{}
	for _, f := range s.seen {
		dump := f.running()
		if done[dump] {
			continue
		}
		done[dump] = true
		if dump == nil {
			all = append(all, s)
		} else {
			all = append(all, s.running(dump))
		}
	}
	return all
}

// running returns the shape with the buffers of a dump in place of what the configuration has, or leaves to
// the device.
func (s *Shape) running(dump *Shape) *Shape {
	own := *s
	for _, d := range dump.Found {
		if d.Code != dump.RunningAlone {
			own.Found = append(slices.Clip(own.Found), d)
		}
	}
	own.Ledger.Statements = append(slices.Clip(s.Ledger.Statements), dump.Ledger.Statements...)
	own.Switch = withBuffers(s.Switch, dump.Switch)
	return &own
}

// withBuffers is a switch with the buffers of another reading of it.
func withBuffers(sw, runs *plan.Switch) *plan.Switch {
	own := cloneSwitch(sw)
	own.BufferModel, own.Calculator = plan.Traditional, nil
	if len(runs.Pools) > 0 {
		own.Pools = slices.Clone(runs.Pools)
	}
	ports := runs.PortsByName()
	done := map[[2]*plan.PortQoS]*plan.PortQoS{}
	for i := range own.Ports {
		port := &own.Ports[i]
		is := ports[port.Name]
		if is == nil {
			continue
		}
		if is.Speed > 0 {
			port.Speed = is.Speed
		}
		if port.QoS == nil || is.QoS == nil {
			continue
		}
		pair := [2]*plan.PortQoS{port.QoS, is.QoS}
		if done[pair] == nil {
			qos := *port.QoS
			qos.PGs = slices.Clone(is.QoS.PGs)
			if len(is.QoS.Pools) > 0 {
				qos.Pools = slices.Clone(is.QoS.Pools)
			}
			qos.Queues = slices.Clone(qos.Queues)
			for k := range qos.Queues {
				q := &qos.Queues[k]
				if runs := is.QoS.Queue(q.ID); runs != nil {
					q.Pool, q.Reserved, q.Limit = runs.Pool, runs.Reserved, runs.Limit
				}
			}
			done[pair] = &qos
		}
		port.QoS = done[pair]
	}
	return own
}
