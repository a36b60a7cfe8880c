package junos

import (
	"cmp"
	"math/bits"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// assemble goes from what others refer to, to what refers.
func (r *reader) assemble() {
	r.sw.Names = r.names
	if len(r.names) == 0 {
		r.sw.Names = []string{strings.TrimSuffix(filepath.Base(r.file), filepath.Ext(r.file))}
	}
	r.sw.LoadBalancing = r.balancing
	r.filterStatements()
	r.defaultClasses()
	r.priorities()
	r.numberClasses()
	r.decideRewriting()
	r.planPools()
	ports := r.realPorts()
	used, profiles := r.planPorts(ports)
	r.planClasses(used)
	r.planStops(profiles)
	r.planWatchdog(profiles)
	r.checkPauses(used, profiles)
}

// realPorts returns the physical interfaces, with the channels of one that is split instead of
// itself; channels have the speed of their cage. A cage that several kinds of names are disabled of has one
// kind: that of a port which is not disabled, or else the first.
func (r *reader) realPorts() (all []*port) {
	kinds := map[string]string{} // by cage
	for _, shut := range []bool{false, true} {
		for _, name := range r.portOrder {
			if place, kind := kindOf(name); kinds[place] == "" && r.ports[name].shut == shut {
				kinds[place] = kind
			}
		}
	}
	for _, name := range r.portOrder {
		p := r.ports[name]
		if place, kind := kindOf(name); p.shut && kind != kinds[place] {
			continue
		}
		cage, _, channel := strings.Cut(name, ":")
		if parent := r.ports[cage]; channel && parent != nil && p.speed == 0 {
			p.speed = parent.speed
		}
		if p.split == 0 {
			all = append(all, p)
			continue
		}
		p.splits.modelled()
		if !r.hasChannels(name) {
			all = append(all, p.channels()...)
		}
	}
	return all
}

// kindOf divides a name: et-0/0/4:1 is of the kind "et:" at the place 0/0/4, where xe-0/0/4 is of the kind "xe".
func kindOf(port string) (place, kind string) {
	kind, place, _ = strings.Cut(port, "-")
	place, _, channel := strings.Cut(place, ":")
	if channel {
		kind += ":"
	}
	return place, kind
}

// channels are those of a cage that the file only splits: bindings with wildcards reach them.
func (p *port) channels() (all []*port) {
	for i := range p.split {
		all = append(all, &port{name: p.name + ":" + strconv.FormatInt(i, 10), at: p.splits.s.at, speed: p.speed})
	}
	return all
}

func (r *reader) hasChannels(cage string) bool {
	return slices.ContainsFunc(r.portOrder, func(n string) bool { return strings.HasPrefix(n, cage+":") })
}

// A toldPort is what makes ports equal in the plan.
type toldPort struct{ congestion, schedulers, classifier, rewrite string }

// planPorts puts the ports into the plan, and returns the classifier and the profiles
// that they use.
func (r *reader) planPorts(ports []*port) (*classifier, []*congestion) {
	kinds := map[toldPort]*plan.PortQoS{}
	var profiles []*congestion
	bound := map[*port]binding{}
	for _, p := range ports {
		bound[p] = r.bound(p.name)
	}
	used := r.mainClassifier(ports, bound)
	r.unclassified(ports, bound, used)
	for _, p := range ports {
		b := bound[p]
		profile := r.profile(b.congestion)
		if profile != nil && !slices.Contains(profiles, profile) {
			profiles = append(profiles, profile)
		}
		r.rewriting(b.rewrite, used)
		key := toldPort{b.congestion.text, b.schedulers.text, b.classifier.text, b.rewrite.text}
		if kinds[key] == nil {
			kinds[key] = r.qos(profile, b.schedulers)
			r.trust(kinds[key], used, b, p)
		}
		r.sw.Ports = append(r.sw.Ports, r.planPort(p, kinds[key], profile))
		r.checkMRU(profile, p)
	}
	for key, qos := range kinds {
		if r.sw.Marking == nil {
			qos.Rewritten = r.codePoints(key.rewrite, used)
		}
	}
	sortPorts(r.sw.Ports)
	return used, profiles
}

func (r *reader) profile(name word) *congestion {
	if name.text == "" {
		return nil
	}
	known := r.congestion[name.text]
	if known == nil && !r.reported(Undefined, name.at) {
		r.undefined(name.at, "congestion notification profile", name.text, "congestion-notification-profile")
	}
	if known != nil && known.cable == 0 {
		known.cable = units.Length(row.Of(row.Cable).Default())
	}
	return known
}

// qos returns the QoS of ports with a profile and a scheduler map.
func (r *reader) qos(profile *congestion, schedulers word) *plan.PortQoS {
	qos := &plan.PortQoS{}
	if profile != nil {
		qos.Watchdog, qos.Range = profile.watchdog != nil, profile.at
	}
	for _, c := range r.classes {
		if !c.noLoss {
			continue
		}
		pg := plan.PG{ID: c.priority, Pool: poolName(plan.Ingress, true), Lossless: true, Limit: r.limitOf(true), Range: c.at}
		if profile != nil && r.pauses(profile, c) {
			qos.PFC |= 1 << c.priority
			pg.Range, pg.XOnOffset, pg.MRU = profile.at, r.resume(profile, c), r.largestFrame(profile, c)
		} else {
			pg.Lossless = false // it drops: no peer is paused
		}
		qos.PGs = append(qos.PGs, pg)
	}
	if r.lossyGroup(qos) {
		qos.PGs = append(qos.PGs, plan.PG{ID: freeGroup(r.losslessGroups()), Pool: poolName(plan.Ingress, false), Limit: r.limitOf(false)})
	}
	stable.Sort(qos.PGs, func(a, b plan.PG) int { return int(a.ID) - int(b.ID) })
	if m := r.maps[schedulers.text]; m != nil {
		qos.Queues = r.queues(m)
	} else if schedulers.text != "" && !r.reported(Undefined, schedulers.at) {
		r.undefined(schedulers.at, "scheduler map", schedulers.text, "scheduler-maps")
	}
	stable.Sort(qos.Queues, func(a, b plan.Queue) int { return int(a.ID) - int(b.ID) })
	return qos
}

// lossyGroup reports whether the file says something of a group for all other traffic.
func (r *reader) lossyGroup(qos *plan.PortQoS) bool {
	lossy := r.partitions[plan.Ingress][partLossy]
	return lossy != nil && lossy.alpha != nil && len(qos.PGs) < 8
}

// losslessGroups are those of lossless classes, as bits.
func (r *reader) losslessGroups() (groups uint8) {
	for _, c := range r.classes {
		if c.noLoss {
			groups |= 1 << c.priority
		}
	}
	return groups
}

// freeGroup returns the lowest group that no lossless class has: that of all other traffic.
func freeGroup(lossless uint8) uint8 { return uint8(bits.TrailingZeros8(^lossless)) & 7 }

// pauses reports whether a profile pauses the peer for a class: some code point with PFC is one of
// the class. Of a class without code points, the pauses that it obeys decide.
func (r *reader) pauses(profile *congestion, class *forwardingClass) bool {
	if p := profile.tags[class.priority]; p != nil && p.pfc {
		return true
	}
	if r.isEmpty(class) {
		_, stops := profile.queues[class.priority]
		return stops
	}
	for d, p := range profile.points {
		if p.pfc && r.leadsTo(d, class) {
			return true
		}
	}
	return false
}

// isEmpty reports whether no code point leads to a class.
func (r *reader) isEmpty(class *forwardingClass) bool {
	for d := range uint8(64) {
		if r.leadsTo(d, class) {
			return false
		}
	}
	return true
}

// leadsTo reports whether some classifier puts a code point into a class.
func (r *reader) leadsTo(d uint8, class *forwardingClass) bool {
	for _, c := range r.classifiers {
		if c.class[d] == class.name {
			return true
		}
	}
	return false
}

// resume returns the XON offset of a class: Junos' default where none is set.
func (r *reader) resume(profile *congestion, class *forwardingClass) plan.Derived[units.Bytes] {
	cells, at := row.Of(row.XOn).Absent, diag.Range{}
	for d := range uint8(64) {
		if p := profile.points[d]; p != nil && p.xon > 0 && r.leadsTo(d, class) {
			cells, at = p.xon, p.xonAt
		}
	}
	return of(units.Bytes(cells)*r.cell, "XON offset", at)
}

// planStops maps priorities to the queues that pauses stop. Without an output section,
// priority 3 stops queue 3 and priority 4 queue 4.
func (r *reader) planStops(profiles []*congestion) {
	m, places := &r.sw.Maps, &r.sw.Places
	for _, c := range r.classes {
		if c.noLoss {
			m.PFCToQueue[c.priority] = plan.NoQueue
		}
	}
	for _, profile := range profiles {
		queues := profile.queues
		if len(queues) == 0 {
			queues = map[uint8]stop{}
			for _, c := range r.classes {
				if c.queue == 3 || c.queue == 4 {
					queues[c.queue] = stop{c.queue, profile.at}
				}
			}
		}
		for p := range uint8(8) {
			own, ok := queues[p]
			if !ok {
				continue
			}
			if m.PFCToQueue[p] != own.queue && places.PFCToQueue[p].Filename != "" {
				r.found.Errorf(Differs, own.at, "priority %d stops queue %d here and queue %d elsewhere, but a plan has only one", p, own.queue, m.PFCToQueue[p]).Fixf("map priority %d to one queue in all congestion notification profiles", p).
					Notef(places.PFCToQueue[p], "the other one")
				continue
			}
			m.PFCToQueue[p], places.PFCToQueue[p] = own.queue, own.at
		}
	}
}

// checkPauses checks each lossless class against the profiles: every code point of it has
// to pause, and a pause of the peer has to stop its queue.
func (r *reader) checkPauses(used *classifier, profiles []*congestion) {
	if used == nil {
		return
	}
	for _, profile := range profiles {
		for _, c := range r.classes {
			if c.noLoss && (r.pauses(profile, c) || slices.Contains(used.class[:], c.name)) {
				r.checkPause(used, profile, c)
			}
		}
	}
}

func (r *reader) checkPause(used *classifier, profile *congestion, c *forwardingClass) {
	for d, name := range used.class {
		if name != c.name {
			continue
		}
		if p := profile.points[uint8(d)]; (p == nil || !p.pfc) && profile.tags[c.priority] == nil {
			severity := diag.Error
			if _, own := byDefault[c.name]; own && r.tagged(c, uint8(d/8)) {
				severity = diag.Warning // it may have no traffic
			}
			r.found.Errorf(PauseIncomplete, used.places[d], "DSCP %d belongs to the lossless class %q, but the profile does not pause it", d, c.name).
				Fixf("add code-point %06b { pfc; } under input dscp", d).Notef(profile.at, "the profile").Severity = severity
		}
	}
	for p := range uint8(8) {
		if s, ok := profile.queues[p]; ok && p == c.priority && s.queue != c.queue {
			r.found.Errorf(PauseIncomplete, s.at, "a pause for priority %d stops queue %d, but the class %q is sent from queue %d", p, s.queue, c.name, c.queue).
				Fixf("write flow-control-queue %d", c.queue)
		}
	}
	if _, ok := profile.queues[c.priority]; !ok && (len(profile.queues) > 0 || c.priority != 3 && c.priority != 4 || c.priority != c.queue) {
		r.found.Errorf(PauseIncomplete, profile.at, "a pause of the peer for priority %d stops no queue of the class %q", c.priority, c.name).
			Fixf("add output ieee-802.1 code-point %03b flow-control-queue %d", c.priority, c.queue)
	}
}

// defaultMRU is the largest frame that headroom is computed for where no line says one: Junos
// CLI reference, mru (Congestion Notification).
const defaultMRU = units.Bytes(2500)

// largestFrame returns the frame that the headroom of a class is computed for: the smallest of its
// code points, since Junos has one headroom for them all.
func (r *reader) largestFrame(profile *congestion, class *forwardingClass) (mru units.Bytes) {
	if p := profile.tags[class.priority]; p != nil {
		mru = cmp.Or(p.mru, defaultMRU)
	}
	for d := range uint8(64) {
		if p := profile.points[d]; p != nil && p.pfc && r.leadsTo(d, class) {
			if own := cmp.Or(p.mru, defaultMRU); mru == 0 || own < mru {
				mru = own
			}
		}
	}
	return cmp.Or(mru, defaultMRU)
}

// checkMRU reports headroom that the device computes for smaller frames than a port accepts.
func (r *reader) checkMRU(profile *congestion, p *port) {
	if profile == nil || p.mtu == 0 {
		return
	}
	for d := range uint8(64) {
		point := profile.points[d]
		if point == nil || !point.pfc || r.reported(PauseIncomplete, point.at) {
			continue
		}
		if mru := cmp.Or(point.mru, defaultMRU); mru < p.mtu {
			r.found.Warnf(PauseIncomplete, point.at, "headroom of DSCP %d is computed for frames of %v, and %s takes in frames of %v", d, mru, p.name, p.mtu).
				Fixf("write mru %d", int64(p.mtu)).Notef(p.mtuAt, "its MTU")
		}
	}
}

// filterStatements decides on statements of firewall filters, once it is known which filters are
// before ports that carry traffic.
func (r *reader) filterStatements() {
	passes := r.passing()
	for _, s := range r.statements {
		bound := slices.ContainsFunc(s.words, func(w word) bool { return r.filters[w.text] })
		if s.words[0].text == "firewall" && !bound {
			s.entry.Sort, s.entry.Rule, s.entry.Why = read.Neutral, ruleFilterElsewhere, ""
		} else if i := s.filter(); i > 0 && passes[s.words[i].text] && s.entry.Sort == read.Unmodelled {
			s.entry = read.Statement{At: s.entry.At, Text: s.entry.Text, Sort: read.Neutral, Rule: ruleFilterPasses}
		}
	}
}

// filter returns the word of a statement that is the name of the filter that it is a part of or applies; 0: there is none.
func (s *statement) filter() int {
	for i := 1; i < len(s.words)-1; i++ {
		if s.words[i].text != "filter" {
			continue
		}
		if s.words[0].text == "firewall" {
			return i + 1
		} else if next := s.words[i+1].text; s.words[0].text == "interfaces" && i+2 == len(s.words)-1 && (next == "input" || next == "output") {
			return i + 2
		}
	}
	return 0
}

// passing returns the filters that drop nothing: all terms accept packets or count them, and the last term takes all packets.
// Other filters discard what no term accepts (Routing Policies, Firewall Filters, and Traffic Policers User Guide).
func (r *reader) passing() map[string]bool {
	last, asks, harms := map[string]string{}, map[string]bool{}, map[string]bool{}
	accepts := map[string]bool{}
	for _, s := range r.statements {
		i := s.filter()
		if i == 0 || s.words[0].text != "firewall" || s.unused() {
			continue
		}
		name, rest := s.words[i].text, s.words[i+1:]
		if len(rest) < 3 || rest[0].text != "term" {
			harms[name] = true
			continue
		}
		term := name + " " + rest[1].text
		last[name] = term
		asks[term] = asks[term] || rest[2].text == "from"
		if rest[2].text != "then" || len(rest) < 4 {
			continue
		}
		accepts[term] = accepts[term] || rest[3].text == "accept"
		harms[name] = harms[name] || !slices.Contains([]string{"accept", "count", "log", "syslog"}, rest[3].text)
	}
	passes := map[string]bool{}
	for name, term := range last {
		passes[name] = !harms[name] && accepts[term] && !asks[term]
	}
	return passes
}

func sortClasses(classes []plan.Class) {
	stable.Sort(classes, func(a, b plan.Class) int { return int(a.TrafficClass) - int(b.TrafficClass) })
}
