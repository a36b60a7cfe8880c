package fabric

import (
	"errors"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// A device is one switch.
type device struct {
	name   string
	sw     *plan.Switch
	hosts  []int // ports to servers
	cables []cable
	node   int
}

// A cable goes from a port of a device to a peer.
type cable struct {
	port, peerPort int
	peer           *device
}

// connect finds the devices, their cables, and the ports to servers: those that name a NIC,
// or, where the fabric names none, lossless ports that no cable takes.
func (b *builder) connect() {
	index, taken := map[string]*device{}, map[plan.LinkEnd]bool{}
	for _, sw := range b.plan.Switches {
		for _, name := range sw.Names {
			d := &device{name: name, sw: sw}
			index[name], b.devices = d, append(b.devices, d)
		}
	}
	for _, l := range b.plan.Links {
		taken[l.A], taken[l.B] = true, true
		from, to := index[l.A.Switch], index[l.B.Switch]
		if from == nil || to == nil || from == to {
			continue
		}
		p, q := from.port(l.A.Port), to.port(l.B.Port)
		if p >= 0 && q >= 0 {
			from.cables = append(from.cables, cable{p, q, to})
			to.cables = append(to.cables, cable{q, p, from})
		}
	}
	if !b.findHosts(func(_ *device, p *plan.Port) bool {
		return b.plan.Host(p.Peer) != nil
	}) {
		b.findHosts(func(d *device, p *plan.Port) bool { return !taken[plan.LinkEnd{Switch: d.name, Port: p.Name}] })
	}
}

func (b *builder) findHosts(is func(*device, *plan.Port) bool) (some bool) {
	for _, d := range b.devices {
		for i := range d.sw.Ports {
			p := &d.sw.Ports[i]
			if p.QoS != nil && p.QoS.PFC != 0 && p.Speed > 0 && is(d, p) {
				d.hosts, some = append(d.hosts, i), true
			}
		}
	}
	return some
}

func (d *device) end(port int) plan.LinkEnd {
	return plan.LinkEnd{Switch: d.name, Port: d.sw.Ports[port].Name}
}

func (d *device) port(name string) int {
	return slices.IndexFunc(d.sw.Ports, func(p plan.Port) bool { return p.Name == name })
}

// edges returns the devices with servers.
func (b *builder) edges() (list []*device) {
	for _, d := range b.devices {
		if len(d.hosts) > 0 {
			list = append(list, d)
		}
	}
	return list
}

// cut keeps edges that reach each other, hosts of each, and the switches between them. The kept
// ports are spread evenly, so that they are spread over a chip's slices too.
func (b *builder) cut() error {
	all := b.edges()
	if len(all) == 0 {
		return errors.New("no port of the fabric leads to a server: name a NIC as the peer of a port group")
	}
	hosts := 0
	for _, d := range all {
		hosts += len(d.hosts)
	}
	if b.options.Hosts != nil {
		all = b.chosen(all)
	}
	if len(all) == 0 {
		return errors.New("none of the hosts is one of the fabric")
	}
	near := reachable(all[0])
	all = stable.Delete(all, func(d *device) bool { return !near[d] })
	edges := all
	if b.options.Hosts == nil {
		edges = b.sample(all)
	}
	kept, keptHosts := len(edges), 0
	for _, d := range edges {
		keptHosts += len(d.hosts)
	}
	if keptHosts < 2 {
		return errors.New("the fabric has fewer than two servers that reach each other")
	}
	total := len(b.devices)
	b.prune(near, edges)
	if kept < len(b.edges()) || keptHosts < hosts || len(b.devices) < total {
		b.note("cut to %d of %d hosts and %d of %d switches; each keeps the whole buffer of its plan; --size takes more", keptHosts, hosts, len(b.devices), total)
	}
	return nil
}

// chosen keeps the hosts that the options name, and returns the edges that have some.
func (b *builder) chosen(all []*device) []*device {
	for _, d := range all {
		d.hosts = stable.Delete(d.hosts, func(port int) bool { return !slices.Contains(b.options.Hosts, d.end(port)) })
	}
	return stable.Delete(all, func(d *device) bool { return len(d.hosts) == 0 })
}

// sample keeps as many edges and hosts as the size says, and those that must stay.
func (b *builder) sample(all []*device) []*device {
	stays := func(d *device) func(port int) bool {
		return func(port int) bool { return slices.Contains(b.options.Keep, d.end(port)) }
	}
	edges := spread(all, b.options.Size.Edges)
	edges = stable.Delete(slices.Clone(all), func(d *device) bool {
		return !slices.Contains(edges, d) && !slices.ContainsFunc(d.hosts, stays(d))
	})
	for _, d := range edges {
		some := spread(d.hosts, b.options.Size.HostsPerEdge)
		d.hosts = stable.Delete(slices.Clone(d.hosts), func(port int) bool { return !slices.Contains(some, port) && !stays(d)(port) })
	}
	return edges
}

// reachable returns all devices that cables lead to.
func reachable(from *device) map[*device]bool {
	seen := map[*device]bool{from: true}
	for next := []*device{from}; len(next) > 0; next = next[1:] {
		for _, c := range next[0].cables {
			if !seen[c.peer] {
				seen[c.peer] = true
				next = append(next, c.peer)
			}
		}
	}
	return seen
}

// prune keeps the edges, and switches without servers unless they are a dead end.
func (b *builder) prune(near map[*device]bool, edges []*device) {
	keep := func(d *device) bool {
		if len(d.hosts) > 0 {
			return slices.Contains(edges, d)
		}
		return near[d] && slices.ContainsFunc(d.cables, func(c cable) bool { return c.peer != d.cables[0].peer })
	}
	for {
		before := len(b.devices)
		gone := map[*device]bool{}
		b.devices = stable.Delete(b.devices, func(d *device) bool {
			if !keep(d) {
				gone[d] = true
			}
			return gone[d]
		})
		for _, d := range b.devices {
			d.cables = stable.Delete(d.cables, func(c cable) bool { return gone[c.peer] })
		}
		if len(b.devices) == before {
			return
		}
	}
}

// spread takes n of a list at equal distances.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}
