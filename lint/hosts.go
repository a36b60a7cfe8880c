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
