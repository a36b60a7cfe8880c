package lint

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// Agree compares what a file says with what it should say by the fabric file: want is the
// same file as it would be compiled now, read back, so that both know as much. Larger
// headroom and reserves are no difference: whether they fit is for the model to prove.
func Agree(got, want *plan.Switch) diag.List {
	c := &comparison{got: got, want: want}
	fabricClassDiffers(c)
	fabricPools(c)
	fabricWatchdogDiffers(c)
	ports := portsOf(got)
	fabricPorts(c, ports)
	type pair struct{ got, want *plan.PortQoS }
	seen := map[pair]bool{}
	for i := range want.Ports {
		p := ports[want.Ports[i].Name]
		if p == nil {
			continue
		}
		fabricPortDiffers(c, p, &want.Ports[i])
		if key := (pair{p.QoS, want.Ports[i].QoS}); !seen[key] {
			seen[key] = true
			c.qos(p, key.got, key.want)
		}
	}
	return once(c.found)
}

type comparison struct {
	got, want *plan.Switch
	found     diag.List
}

func (c *comparison) errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	return c.found.Errorf(code, first(at, c.got.Range), format, args...)
}

func (c *comparison) pool(name string) *plan.Pool {
	for i := range c.got.Pools {
		if c.got.Pools[i].Name == name {
			return &c.got.Pools[i]
		}
	}
	return nil
}

// qos compares what a port is told.
func (c *comparison) qos(port *plan.Port, got, want *plan.PortQoS) {
	if got == nil || want == nil {
		if got != want {
			c.errorf(FabricPFCDiffers, port.Range, "%s has QoS in one of file and fabric, and not in the other", port.Name)
		}
		return
	}
	fabricPFCDiffers(c, port, got, want)
	for i := range want.PGs {
		w := &want.PGs[i]
		g := pgOf(got, w.ID)
		if g == nil {
			c.errorf(FabricThresholdDiffers, first(got.Range, port.Range), "the file gives %s no priority group %d", port.Name, w.ID)
			continue
		}
		fabricHeadroomLess(c, port, g, w)
		fabricPG(c, port, g, w)
	}
	for i := range want.Queues {
		w := &want.Queues[i]
		g := queueOf(got, w.ID)
		if g == nil {
			c.errorf(FabricThresholdDiffers, first(got.Range, port.Range), "the file gives %s no queue %d", port.Name, w.ID)
			continue
		}
		fabricQueue(c, port, g, w)
		fabricECNDiffers(c, port, g, w)
		fabricSchedulingDiffers(c, port, g, w)
	}
}
