package lint

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// Agree compares what a file says with what it should say by the fabric file: want is the
// same file as it would be compiled now, read back, so that both know as much. Larger
// headroom and reserves are not a difference: whether they fit is for the model to prove.
func Agree(got, want *plan.Switch) diag.List { return agree(got, want, false) }

// AgreeExactly is Agree for a file that the model cannot prove by itself: larger reserves are a
// difference too.
func AgreeExactly(got, want *plan.Switch) diag.List { return agree(got, want, true) }

func agree(got, want *plan.Switch, exact bool) diag.List {
	c := &comparison{got: got, want: want, pools: samePools(got, want), exact: exact}
	fabricClassDiffers(c)
	fabricPools(c)
	fabricWatchdogDiffers(c)
	fabricBalancingDiffers(c)
	ports := got.PortsByName()
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
	pools     map[string]string // names that the file has, by those of the fabric
	exact     bool              // no model judges larger reserves
	found     diag.List
}

// errorf adds a finding. Only the reader knows which of the two is right.
func (c *comparison) errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	return c.found.Errorf(code, first(at, c.got.Range), format, args...).
		Fixf("change the switch to the fabric (roceplan patch writes the steps), or describe in the fabric what the switch has")
}

// pool finds the pool of the file that is the one of this name by the fabric.
func (c *comparison) pool(name string) *plan.Pool { return c.got.Pool(c.pools[name]) }

// inPool reports whether a pool of the file is the one of the fabric.
func (c *comparison) inPool(got, want string) bool { return got == want || got == c.pools[want] }

// samePools pairs pools by name, and those that have no namesake with the only one left of
// their side and size: a name says nothing to the chip.
func samePools(got, want *plan.Switch) map[string]string {
	names := map[string]string{}
	for _, w := range want.Pools {
		if got.Pool(w.Name) != nil {
			names[w.Name] = w.Name
			continue
		}
		var like []string
		for _, g := range got.Pools {
			if want.Pool(g.Name) == nil && g.Direction == w.Direction && g.Size.Value == w.Size.Value && g.Percent == w.Percent {
				like = append(like, g.Name)
			}
		}
		if len(like) == 1 {
			names[w.Name] = like[0]
		}
	}
	return names
}

// qos compares the QoS of a port.
func (c *comparison) qos(port *plan.Port, got, want *plan.PortQoS) {
	if got == nil || want == nil {
		if got != want {
			c.errorf(FabricPFCDiffers, port.Range, "%s has QoS in only one of file and fabric", port.Name)
		}
		return
	}
	fabricPFCDiffers(c, port, got, want)
	fabricRewriting(c, port, got, want)
	fabricClassifier(c, port, got, want)
	fabricQueueMap(c, port, got, want)
	fabricPortPools(c, port, got, want)
	equal := equalShares(got, want)
	for i := range want.PGs {
		w := &want.PGs[i]
		g := got.PG(w.ID)
		if g == nil {
			c.errorf(FabricThresholdDiffers, first(got.Range, port.Range), "the file gives %s no priority group %d", port.Name, w.ID)
			continue
		}
		fabricHeadroomLess(c, port, g, w)
		fabricPG(c, port, g, w)
	}
	for i := range want.Queues {
		w := &want.Queues[i]
		g := got.Queue(w.ID)
		if g == nil {
			c.errorf(FabricThresholdDiffers, first(got.Range, port.Range), "the file gives %s no queue %d", port.Name, w.ID)
			continue
		}
		fabricQueue(c, port, g, w)
		fabricECNDiffers(c, port, g, w)
		fabricSchedulingDiffers(c, port, g, w, equal)
	}
}
