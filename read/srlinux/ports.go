package srlinux

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A port is an interface.
type port struct {
	speed, channels units.BitRate
	frame           units.Bytes
	fec             string
	frameAt, at     diag.Range
	split           *posjson.Node // into how many channels, which are ports of their own
	says            *posjson.Node
	bare            bool // the file has no QoS of any port
}

// speed reads "100G": srl_nokia-interfaces has 10M to 800G, and 1T.
func (r *reader) speed(n *posjson.Node) units.BitRate {
	if n == nil {
		return 0
	}
	text := r.Text(n)
	if text == "1T" {
		return 1000 * units.Gbps
	}
	v, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSuffix(text, "G"), "M"), 10, 16)
	switch {
	case err == nil && v > 0 && strings.HasSuffix(text, "G"):
		return units.BitRate(v) * units.Gbps
	case err == nil && v > 0 && strings.HasSuffix(text, "M"):
		return units.BitRate(v) * units.Mbps
	}
	r.Errorf(Number, r.At(n), "%q is not a speed", posjson.Clip(text)).Fixf("write a speed such as 400G")
	return 0
}

// corrections are the words of srl_nokia-interfaces, and ours.
var corrections = map[string]string{"disabled": "none", "base-r": "fc", "rs-108": "rs", "rs-528": "rs", "rs-544": "rs"}

// correction reads the code that corrects errors: a leaf, or on platforms of later releases a container
// with the leaf fec-option. 100G has rs-528 and 400G rs-544: with another one a port stays down.
func (p *port) correction(r *reader, name string, n *posjson.Node) {
	if option := n.Get("fec-option"); option != nil {
		n = option
	}
	if n == nil || !n.Scalar() {
		return
	}
	word := r.Text(n)
	fec, ok := corrections[word]
	switch {
	case !ok:
		r.Errorf(Number, r.At(n), "%q is not an error correction", posjson.Clip(word)).Fixf("write rs-528 for 100G, rs-544 for 400G")
	case word == "rs-544" && p.speed != 0 && p.speed <= 100*units.Gbps, fec == "rs" && word != "rs-544" && p.speed >= 200*units.Gbps:
		r.Doubt(n, "a port of this speed stays down with it", read.Scope{Ports: []string{name}})
	}
	p.fec = fec
}

// settings decide whether ports are equal in the plan.
type settings struct {
	mapping, ingress, egress, scheduler, classifier, rewrite string
	curves                                                   string
	speed                                                    units.BitRate // caps are per cent of it
}

// A binding is the QoS configuration of a port, and its subinterface.
type binding struct{ port, sub *posjson.Node }

// bind puts the ports into the plan.
func (r *reader) bind(root *posjson.Node) {
	all := map[string]*binding{}
	var order []string
	r.each(row.Bound, root, func(id string, i *posjson.Node) {
		name, number, isSub := strings.Cut(id, ".")
		ref, index := leaf(row.BoundInterface, i), leaf(row.BoundSubinterface, i)
		same := ref != nil && ref.Text == name && (index != nil) == isSub && (index == nil || index.Text == number)
		if ref != nil {
			r.Pass(key(row.Bound, i), ruleKey)
			name = r.Text(ref)
		}
		if index != nil {
			r.number(row.BoundSubinterface, i)
			r.Pass(index, ruleKey)
			isSub, number = true, index.Text
		}
		if same {
			r.Pass(ref, ruleKey)
		}
		b := all[name]
		if b == nil {
			b = &binding{}
			all[name] = b
			order = append(order, name)
		}
		switch {
		case !isSub:
			b.port = i
		case b.sub == nil:
			b.sub = i
			r.otherSubinterfaces(name, number, i)
		default:
			r.Doubt(i, "other subinterfaces of a port are not modelled", read.Scope{Ports: []string{name}})
		}
	})
	for _, name := range order {
		r.bindPort(name, all[name])
	}
	r.unclassified()
	if len(order) == 0 {
		r.bare()
	}
	r.unbound(order)
}

// bare puts the ports of a file without any QoS into the plan.
func (r *reader) bare() {
	for name, p := range r.ports {
		if p.bare = strings.HasPrefix(name, "ethernet-") && p.split == nil; p.bare {
			r.Pass(leaf(row.ChannelSpeed, p.says), ruleNoQoS)
			r.sw.Ports = append(r.sw.Ports, plan.Port{Name: name, Speed: p.speed, FEC: p.fec, MTU: p.frame, MTURange: p.frameAt, Routed: true, Range: p.at})
		}
	}
	stable.Sort(r.sw.Ports, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
}

// otherSubinterfaces doubts the QoS of a subinterface where the port has others in the file, or not that
// one: packets come in by those, which have the system's own classifier.
func (r *reader) otherSubinterfaces(name, number string, i *posjson.Node) {
	p := r.ports[name]
	if p == nil {
		return
	}
	of := leaf(row.Subinterface, p.says)
	if of == nil {
		return
	}
	there, others := false, false
	for i := range of.Items {
		index := key(row.Subinterface, &of.Items[i])
		same := index != nil && index.Text == number
		there, others = there || same, others || !same
	}
	switch scope := (read.Scope{Ports: []string{name}}); {
	case others:
		r.Doubt(i, fmt.Sprintf("the port has other subinterfaces than %s, whose packets the system's own classifier classifies", posjson.Clip(number)), scope)
	case !there:
		r.Doubt(i, fmt.Sprintf("the port has no subinterface %s", posjson.Clip(number)), scope)
	}
}

// unbound says of interfaces without QoS that the plan does not have them: they are no ports of its.
func (r *reader) unbound(bound []string) {
	for name, p := range r.ports {
		if p.bare || slices.ContainsFunc(bound, func(port string) bool { return port == name || strings.HasPrefix(port, name+"/") }) {
			continue
		}
		if mtu := leaf(row.MTU, p.says); mtu != nil && strings.HasPrefix(name, "lag") && harmOfMTU(mtu, row.Of(row.MTU).Name()) != "" {
			r.Doubt(mtu, read.SmallMTU, read.Scope{}) // of all its members
		} else {
			r.Pass(mtu, ruleNoQoS)
		}
		r.Pass(leaf(row.PortSpeed, p.says), ruleNoQoS)
		r.Pass(leaf(row.ChannelSpeed, p.says), ruleNoQoS)
	}
}

func (r *reader) bindPort(name string, b *binding) {
	p := r.ports[name]
	if p == nil {
		p = &port{}
	}
	if cage := r.ports[name[:max(0, strings.LastIndexByte(name, '/'))]]; p.speed == 0 && cage != nil {
		p.speed = cage.channels
	}
	out := plan.Port{Name: name, Speed: p.speed, FEC: p.fec, MTU: p.frame, MTURange: p.frameAt, Routed: true, Range: r.At(b.port)}
	if b.port == nil {
		out.Range = r.At(b.sub)
	}
	if p.split != nil && r.text(p.split) != "1" {
		r.Doubt(p.split, "the port is split, and its channels are ports of their own", read.Scope{Ports: []string{name}})
	}
	same := settings{speed: p.speed}
	for text, n := range map[*string]*posjson.Node{
		&same.mapping: leaf(row.BoundMapping, b.port), &same.ingress: leaf(row.BoundPause, b.port),
		&same.egress: leaf(row.BoundAllocation, b.port), &same.scheduler: leaf(row.BoundPolicy, b.port),
		&same.classifier: r.classifierRef(b.sub), &same.rewrite: leaf(row.BoundRewriting, b.sub),
	} {
		if n != nil {
			*text = r.Text(n)
		}
	}
	if !r.Yes(leaf(row.BoundPFC, b.port)) {
		same.mapping = ""
	}
	curves := leaf(row.BoundQueue, b.port)
	if curves != nil {
		for i := range curves.Items {
			q := &curves.Items[i]
			same.curves += r.text(key(row.BoundQueue, q)) + "=" + r.text(leaf(row.BoundCurve, q)) + ";"
		}
	}
	if r.qos[same] == nil {
		r.qos[same] = r.portQoS(same, b)
	}
	out.QoS = r.qos[same]
	r.sw.Ports = append(r.sw.Ports, out)
}

func (r *reader) text(n *posjson.Node) string {
	if n == nil {
		return ""
	}
	n.Used = true
	return n.Text
}

// classifierRef returns the leaf that binds a classifier of DSCP.
func (r *reader) classifierRef(sub *posjson.Node) *posjson.Node {
	return cmp.Or(leaf(row.BoundClassifier, sub), container(row.BoundClassifier, sub).Get("ipv4-dscp-policy"))
}

// portQoS returns the QoS of ports with these profiles.
func (r *reader) portQoS(same settings, b *binding) *plan.PortQoS {
	qos := &plan.PortQoS{}
	r.trust(qos, b)
	ingress, _ := lookup(r, r.allocations, leaf(row.BoundPause, b.port), row.Allocation)
	m, ok := lookup(r, r.mappings, leaf(row.BoundMapping, b.port), row.Mapping)
	switch {
	case ok && same.mapping != "":
		r.use(m)
		qos.Watchdog, qos.Range = m.watchdog != nil, m.at
		for p, raised := range m.raises {
			qos.PFC |= 1 << p
			pg := plan.PG{ID: raised.group, Pool: ingressPool, Lossless: true, Limit: limitOf(row.Of(row.PFCBurstSize).Absent, raised.at), Range: raised.at}
			if ingress != nil {
				if raisedPG, ok := ingress.groups[raised.group]; ok {
					pg = raisedPG
				}
			}
			qos.PGs = append(qos.PGs, pg)
		}
	case ok && ingress != nil: // the buffer of a PFC queue that sends no pause
		for _, pg := range ingress.groups {
			qos.PGs = append(qos.PGs, plan.PG{ID: pg.ID, Pool: ingressPool, Limit: pg.Limit, Range: pg.Range})
		}
	}
	stable.Sort(qos.PGs, func(a, b plan.PG) int { return int(a.ID) - int(b.ID) })
	r.portQueues(qos, same, b)
	return qos
}

// portQueues collects the settings of a port's queues from four profiles.
func (r *reader) portQueues(qos *plan.PortQoS, same settings, b *binding) {
	all := map[uint8]*plan.Queue{}
	at := func(id uint8) *plan.Queue {
		if all[id] == nil {
			all[id] = &plan.Queue{ID: id, Pool: egressPool}
		}
		return all[id]
	}
	policy, _ := lookup(r, r.schedulers, leaf(row.BoundPolicy, b.port), row.Policy)
	for id, s := range policy {
		if cap, ok := r.peaks[peak{same.scheduler, id}]; ok {
			s.MaxRate = read.From(same.speed/100*units.BitRate(cap.value), "peak rate", cap.at)
		}
		at(id).Scheduler = s
	}
	if a, ok := lookup(r, r.allocations, leaf(row.BoundAllocation, b.port), row.Allocation); ok {
		for id, limit := range a.queues {
			at(id).Limit = limit
		}
	}
	r.each(row.BoundQueue, b.port, func(_ string, q *posjson.Node) {
		id, ok := lookup(r, r.queues, key(row.BoundQueue, q), row.Queue)
		curve, known := lookup(r, r.curves, leaf(row.BoundCurve, q), row.Curve)
		switch {
		case ok && known && curve != nil:
			curve.of(at(id))
		case known:
			r.Doubt(q, "the curve of the queue is not modelled", read.Scope{})
		}
	})
	for id, q := range all {
		if id <= 7 {
			qos.Queues = append(qos.Queues, *q)
		}
	}
	stable.Sort(qos.Queues, func(a, b plan.Queue) int { return int(a.ID) - int(b.ID) })
}

// otherwise doubts the entries of a classifier that is not the switch's.
func (r *reader) otherwise(c *classifier) {
	for _, n := range c.nodes {
		r.Doubt(n, "it classifies some packets differently from the plan", read.Scope{})
	}
}

// unclassified decides what classifies the packets of ports without a policy. Where no port has one, and one pauses, it is
// the system's policy "default": eight code points in a row have the class of their first three bits, fc0 to fc7
// (Nokia SR Linux 20.6, Configuration Basics, Quality of Service). A plan has one policy for all ports.
func (r *reader) unclassified() {
	maps := &r.sw.Maps
	pauses := slices.ContainsFunc(r.byDefault, func(p plan.Port) bool { return p.QoS.PFC != 0 })
	for i := range uint8(8) {
		if r.trusted == nil && pauses {
			r.used[row.Of(row.Class).Entry+" "+row.OwnClass(i)] = true
		}
	}
	for _, p := range r.byDefault {
		if r.trusted == nil && pauses {
			for d := range maps.DSCPToTC {
				maps.DSCPToTC[d], r.sw.Places.DSCPToTC[d] = uint8(d/8), p.Range
			}
			continue
		}
		p.QoS.Trust = plan.TrustNone
		r.Found.Warnf(Unclassified, p.Range, "the port has no DSCP policy, so the system's policy classifies its packets").Fixf("bind a dscp-policy to its subinterface")
	}
}

// trust resolves the classifier of a port. The first that a port refers to is the switch's;
// a port with another one classifies otherwise, which the plan does not hold.
func (r *reader) trust(qos *plan.PortQoS, b *binding) {
	ref := r.classifierRef(b.sub)
	c, ok := lookup(r, r.classifiers, ref, row.Classifier)
	if rewrite, ok := lookup(r, r.rewrites, leaf(row.BoundRewriting, b.sub), row.Rewriting); ok {
		qos.Rewritten = rewrite
	}
	switch {
	case ref == nil:
		r.byDefault = append(r.byDefault, plan.Port{QoS: qos, Range: r.At(b.port)})
	case !ok:
	case r.trusted == nil:
		r.trusted = c
	case r.trusted.class != c.class:
		r.otherwise(c)
		qos.Trust = plan.TrustNone
		var dscps uint64
		for d := range c.class {
			if c.class[d] != r.trusted.class[d] {
				dscps |= 1 << d
			}
		}
		r.Doubt(ref, "the port classifies packets differently from the first port, by which the switch is read", read.Scope{DSCPs: dscps})
	}
	v6 := container(row.BoundClassifier, b.sub).Get("ipv6-dscp-policy")
	if other, ok := lookup(r, r.classifiers, v6, row.Classifier); ok && c != nil && other.class != c.class {
		r.otherwise(other)
		r.Doubt(v6, "IPv6 packets are classified differently from the plan", read.Scope{})
	}
}
