package lint

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// Hosts checks NICs against the ports that they are attached to: those whose peer has the
// name of the host.
func Hosts(sw *plan.Switch, hosts []*plan.Host) diag.List {
	if len(sw.Names) == 0 {
		return nil
	}
	byName := make(map[string]*plan.Host, len(hosts))
	for _, h := range hosts {
		byName[h.Name] = h
	}
	type key struct {
		host *plan.Host
		port port
	}
	seen := map[key]bool{}
	n := &attached{}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		host := byName[p.Peer]
		if host == nil || p.QoS == nil || seen[key{host, portKey(sw, p)}] {
			continue
		}
		seen[key{host, portKey(sw, p)}] = true
		n.host, n.end = host, &end{device: sw.Names[0], sw: sw, port: p}
		nicClassDiffers(n)
		nicMTUDiffers(n)
		nicCNPDiffers(n)
	}
	return once(n.found)
}

// attached is a NIC with its port.
type attached struct {
	host  *plan.Host
	end   *end
	found diag.List
}

func (n *attached) errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	return n.found.Errorf(code, at, format, args...).Notef(n.host.Range, "the NIC")
}

// marked reports whether the port does not believe the DSCPs of the NIC: then rules decide.
func (n *attached) marked() bool { return n.end.port.QoS.Trust == plan.TrustNone }

// nicClassDiffers checks the classes of a NIC against its port.
func nicClassDiffers(n *attached) {
	if n.end.silent() {
		return
	}
	for _, c := range n.host.Classes {
		want := lossy
		if c.Lossless {
			want = priority(c.Priority)
		}
		for _, dscp := range c.DSCPs {
			if has := n.end.priority(dscp); c.Used && has != want && (!n.marked() || c.Lossless) {
				n.errorf(NICClassDiffers, n.end.dscpAt(dscp), "class %s of the NIC %q sends DSCP %d, %s, but at %v it is %s", c.Name, n.host.Name, dscp, want, n.end, has).Fixf("map DSCP %d at %v so that it is %s, or send the class with another DSCP", dscp, n.end, want)
				return
			}
		}
	}
}

// nicCNPDiffers follows a NIC's CNPs into the port.
func nicCNPDiffers(n *attached) {
	if n.host.CNPDSCP == 0 || n.marked() {
		return
	}
	queue := n.end.sw.QueuesOf(n.end.port.QoS)[n.end.class(n.host.CNPDSCP)]
	q := n.end.port.QoS.Queue(queue)
	if q != nil && q.Scheduler.Strict {
		return
	}
	for _, other := range n.end.port.QoS.Queues {
		if other.Scheduler.Strict {
			n.errorf(NICCNPDiffers, n.end.dscpAt(n.host.CNPDSCP), "the NIC %q sends CNPs with DSCP %d, 802.1p priority %d, but %v sends them from queue %d, which shares by weight, although queue %d is strict", n.host.Name, n.host.CNPDSCP, n.host.CNPPFC, n.end, queue, other.ID).Fixf("map DSCP %d to queue %d", n.host.CNPDSCP, other.ID)
			return
		}
	}
}

// nicMTUDiffers compares the frames.
func nicMTUDiffers(n *attached) {
	if mtu := n.end.port.MTU; mtu != 0 && n.host.MTU > mtu {
		n.errorf(NICMTUDiffers, n.end.port.Range, "the NIC %q sends frames of up to %v, but %v accepts only %v", n.host.Name, n.host.MTU, n.end, mtu).Fixf("let the port accept %v, or the NIC send at most %v", n.host.MTU, mtu)
	}
}
