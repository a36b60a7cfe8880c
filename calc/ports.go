package calc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Ports are the last stage: the settings of each port.
type ports struct {
	*budget
	marks      curves
	alphas     alphas
	schedulers schedulers
}

// all lists the ports in natural order; those of one kind share their QoS.
func (p *ports) all() []plan.Port {
	list := make([]plan.Port, 0, p.ports)
	for _, k := range p.kinds {
		qos := p.portQoS(k)
		for _, i := range k.ports {
			list = append(list, p.port(k, i, qos))
		}
	}
	stable.Sort(list, func(a, b plan.Port) int { return natural.Compare(a.Name, b.Name) })
	return list
}

// isolationInequalities check each alpha that works against what stuck PGs do to others,
// and against senders that have not heard of a mark yet.
func (p *ports) isolationInequalities() []inequality {
	var list []inequality
	for _, class := range p.lossless {
		if alpha, ok := p.alphas[class]; ok && p.brokenMust(class, p.marks, alpha.limit) == nil {
			list = append(list, p.wishes(class, p.marks, alpha.limit, alpha.stuck)...)
			list = append(list, p.overshoots(class, p.marks, alpha.limit, alpha.stuck)...)
		}
	}
	return list
}

// thresholdInequalities check PGs against queues, and marking against both.
func (p *ports) thresholdInequalities(k *kind) []inequality {
	var list []inequality
	if k.lossless() {
		for _, class := range p.lossless {
			if alpha, ok := p.alphas[class]; ok && k.carries(class) {
				list = append(list, p.pgBeforeQueue(class, k, alpha.limit), p.xonBelowXoff(class, k, alpha.limit))
			}
		}
	}
	for _, class := range p.classes {
		curve := p.marks[k.index][class]
		if curve == nil {
			continue
		}
		list = append(list, p.curveInequalities(class, k, curve)...)
		if alpha, ok := p.alphas[class]; ok && k.carries(class) {
			list = append(list, p.markBeforePause(class, k, alpha.limit, curve)...)
		}
	}
	return list
}

func (p *ports) port(k *kind, i int, qos *plan.PortQoS) plan.Port {
	group := k.group
	port := plan.Port{
		Name: group.Ports[i], Speed: group.Speed.Value, Cable: k.cable.Value, Medium: group.Medium.Value,
		Peer: peerName(group), Group: group.Name, MTU: p.fabric.MTU.Value, Routed: group.Routed.Value, QoS: qos, Range: group.Range, NameRange: group.At, Gearbox: k.group.Gearbox.Value, Assumed: p.declared(k), Server: p.sw.Tunnel.Set && !group.SentBack.Value,
	}
	if len(group.Aliases) > i {
		port.Alias = group.Aliases[i]
	}
	if len(group.Places) > i {
		p.place(&port, &group.Places[i])
	}
	if len(group.Indices) > i {
		number(&port, group, i)
	}
	port.Lanes = k.lanes(i)
	k.pinPort(&port)
	p.addUp(&port)
	return port
}

// pam4 is the rate per lane from which on a lane is coded in PAM4, whose errors only
// RS-FEC takes to what IEEE 802.3 demands (clauses 119 and 134).
const pam4 = 50 * units.Gbps

// place says where a port sits in the box. SONiC sets RS-FEC by the rate of the lanes,
// but leaves it to the driver on NVIDIA's switches (sonic-config-engine portconfig.py,
// BreakoutCfg.get_config).
func (p *ports) place(port *plan.Port, at *chips.Place) {
	port.Index, port.Numbered = at.Index, true
	if port.Alias == "" {
		port.Alias = at.Alias
	}
	if at.Mode != "" {
		port.Cage = plan.Cage{Port: at.Parent, Mode: at.Mode, Subport: at.Subport}
	}
	if p.chip.Family != chips.Spectrum && port.Speed >= pam4*units.BitRate(len(at.Lanes)) {
		port.FEC = "rs"
	}
}

// number gives a port its number in a box that is not known, or that has others. Ports of a split cage have the same number, and SONiC
// calls the cage by its first port (sonic-config-engine portconfig.py).
func number(port *plan.Port, group *policy.PortGroup, i int) {
	port.Index, port.Numbered = group.Indices[i], true
	if port.Cage.Mode != "" || !group.Breakout.Set {
		return
	}
	port.Cage = plan.Cage{Mode: group.Breakout.Value}
	for at, index := range group.Indices[:i+1] {
		if index == port.Index {
			port.Cage.Port = cmp.Or(port.Cage.Port, group.Ports[at])
			port.Cage.Subport++
		}
	}
}

func peerName(group *policy.PortGroup) string {
	switch {
	case group.PeerNIC != nil:
		return group.PeerNIC.Name
	case group.PeerSwitch != nil:
		// Without ranges: the fabric's text decides which switches of a kind share a block, and that must
		// not change a port's settings.
		kind, _, _ := strings.Cut(group.PeerSwitch.Label, "[")
		return cmp.Or(strings.TrimRight(kind, "-_."), group.PeerSwitch.Label)
	}
	return ""
}

func (p *ports) portQoS(k *kind) *plan.PortQoS {
	qos := &plan.PortQoS{}
	if k.group.Trust.Value == "marking" {
		qos.Trust = plan.TrustNone
	}
	qos.DSCPToTC, qos.TCToQueue = classifierOf(p.classes, k.group), queuesOf(p.classes, k.group)
	var lossyPGs []uint8
	for _, class := range p.classes {
		if k.carries(class) {
			qos.PFC |= 1 << class.PFC.Value
			qos.PGs = append(qos.PGs, p.losslessPG(class, k))
		} else {
			lossyPGs = append(lossyPGs, lossyPGOf(class))
		}
		qos.Queues = append(qos.Queues, p.queue(class, k))
	}
	slices.Sort(lossyPGs)
	for _, id := range slices.Compact(lossyPGs) {
		qos.PGs = append(qos.PGs, p.lossyPG(id))
	}
	qos.Unwatched = unwatched(p.classes, qos.PFC)
	qos.Watchdog = qos.PFC != qos.Unwatched && (p.fabric.Watchdog == nil || !p.fabric.Watchdog.Off)
	qos.Pools = p.portPools()
	k.pin(qos)
	stable.Sort(qos.PGs, func(a, b plan.PG) int { return int(a.ID) - int(b.ID) })
	stable.Sort(qos.Queues, func(a, b plan.Queue) int { return int(a.ID) - int(b.ID) })
	return qos
}

func (p *ports) losslessPG(class *policy.Class, k *kind) plan.PG {
	own := p.rooms[k.index]
	pg := plan.PG{
		ID: class.PriorityGroup.Value, Pool: IngressPool, Lossless: true,
		Reserved: p.profileSize(k), Limit: p.alphas[class].limit, Headroom: own.headroom, Override: p.overridesCalculator(k),
	}
	if own.xon.Value > 0 {
		pg.XOn = own.xon
		pg.XOnOffset = decided("xon offset", units.Bytes(0), "the PG resumes at a fixed level")
		return pg
	}
	pg.XOn = decided("xon", units.Bytes(0), "resume depends on the offset below a dynamic threshold alone")
	pg.XOnOffset = p.xonOffset()
	return pg
}

// lossyPGOf returns the PG that a class uses where it is not lossless: its own, or 0 where
// a lossless class runs on lossy ports and must not be given headroom by accident.
func lossyPGOf(class *policy.Class) uint8 {
	if class.Lossless.Value {
		return 0
	}
	return class.PriorityGroup.Value
}

// lossyPG never limits, because the egress queues do, and a drop at ingress would not distinguish
// queues.
func (p *ports) lossyPG(id uint8) plan.PG {
	return plan.PG{
		ID: id, Pool: IngressPool,
		Reserved: decided("reserve of a lossy PG", units.Bytes(0), "its queues have reserves"),
		Limit:    plan.Of(plan.Limit{Static: p.usable.Value}, p.usable.Why),
	}
}

// queue gives a lossless queue the whole buffer, so that it is the PG that acts, and a
// lossy queue its alpha of the lossy pool.
func (p *ports) queue(class *policy.Class, k *kind) plan.Queue {
	queue := plan.Queue{ID: class.Queue.Value, Scheduler: p.schedulers[k.index][class], ECN: p.marks[k.index][class]}
	losslessPool, lossyPool := p.queuePools()
	left := k.group.QueueOf(class) != class // by its class: nothing waits there
	if left {
		queue.ECN = nil
	}
	if class.Lossless.Value && k.lossless() && !left {
		queue.Pool = losslessPool
		queue.Reserved = decided("reserve of a lossless queue", units.Bytes(0), "its limit is the whole buffer")
		queue.Limit = p.losslessQueueLimit()
		return queue
	}
	queue.Pool, queue.Reserved = lossyPool, p.queueReserve
	queue.Limit = p.lossyLimit(lossyAlpha, lossyAlphaSource)
	if class.Strict.Value {
		queue.Limit = p.lossyLimit(strictAlpha, strictAlphaSource)
	}
	queue.Trims = class.Trimming != nil
	return queue
}

// losslessQueueLimit is not a limit: the whole buffer, or the alpha that Spectrum takes
// for it.
func (p *ports) losslessQueueLimit() plan.Derived[plan.Limit] {
	if p.chip.Family == chips.Spectrum {
		return dynamic(unlimited, chosen("limit of a lossless queue", unlimited, unlimitedSource))
	}
	return plan.Of(plan.Limit{Static: p.usable.Value},
		chosen("limit of a lossless queue", p.usable.Value, "UCloud, RoCE network design: lossless Queue-Share is static at the maximum"))
}

// lossyAlpha lets one lossy queue take eight ninths of the lossy pool: the pool bounds what
// lossy traffic takes of the buffer, so that the queue need not. A strict queue has little
// to hold, and who sends too much in it must not take the pool from the others.
const (
	lossyAlpha       units.Alpha = 3
	lossyAlphaSource             = "sonic-buildimage, egress_lossy_profile where lossy queues have a pool of their own (Tomahawk, Tomahawk 2, Trident 3, Spectrum): dynamic_th 3"

	strictAlpha       units.Alpha = 0
	strictAlphaSource             = "sonic-buildimage, egress_lossy_profile of Tomahawk 5: dynamic_th 0; rule cnp-buffer-wide"
)
