package junos

import (
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// tagsByDefault are the classes of the priorities of VLAN tags, which a classifier takes over by `import default`: Juniper,
// Understanding Default CoS Scheduling and Classification (QFX), ports in trunk mode.
var tagsByDefault = [8]string{"best-effort", "best-effort", "best-effort", "fcoe", "no-loss", "best-effort", "network-control", "network-control"}

// byTag begins the names of classifiers of VLAN tags, among those of DSCPs.
const byTag = "ieee-802.1 "

// tagClassifier reads `ieee-802.1 NAME forwarding-class FC loss-priority LP code-points P`. A plan has classes by DSCP: the
// class of priority p gets the class selector of p, under the condition that the ledger has.
func (r *reader) tagClassifier(c *cursor) {
	name := byTag + c.next().text
	known := r.classifierOf(name, c.s.at)
	c.touches(read.Scope{}, "it classifies packets by the priority of their VLAN tag, but a plan has a map of DSCPs")
	c.s.entry.Harmless = read.TagAsDSCP("a classifier of DSCPs: class-of-service classifiers dscp")
	switch {
	case c.is("import", "default"):
		r.defaultTags(name, c.s.at)
	case c.is("forwarding-class"):
		class := c.next()
		if !c.is("loss-priority") {
			return
		}
		if c.next(); !c.is("code-points") {
			return
		}
		w := c.next()
		p, err := strconv.ParseUint(w.text, 2, 3)
		if err != nil || len(w.text) != 3 {
			r.found.Errorf(Number, w.at, "%q is not an 802.1p code point of three bits", clip(w.text)).Fixf("write three bits such as 011")
			return
		}
		known.class[8*p], known.places[8*p] = class.text, w.at
	}
}

// defaultTags fills what a classifier leaves out with Junos' default.
func (r *reader) defaultTags(name string, at diag.Range) {
	known := r.classifierOf(name, at)
	for p, class := range tagsByDefault {
		if known.class[8*p] == "" {
			known.class[8*p], known.places[8*p] = class, at
		}
	}
}

func (r *reader) classifierOf(name string, at diag.Range) *classifier {
	if r.classifiers[name] == nil {
		r.classifiers[name] = &classifier{at: at}
	}
	return r.classifiers[name]
}

// tagged reports whether a classifier of VLAN tags leads a priority to a class.
func (r *reader) tagged(class *forwardingClass, priority uint8) bool {
	for name, c := range r.classifiers {
		if strings.HasPrefix(name, byTag) && c.class[8*priority] == class.name {
			return true
		}
	}
	return false
}

// priorities finds the PFC priorities of classes without pfc-priority: that of the VLAN tags which lead to the class, else that
// whose pauses stop its queue.
func (r *reader) priorities() {
	for _, class := range r.classes {
		if !class.noLoss || class.hasPriority {
			continue
		}
		for p := uint8(7); p < 8; p-- {
			stops := slices.ContainsFunc(r.profiles(), func(profile *congestion) bool {
				own, said := profile.queues[p]
				return profile.tags[p] != nil && (said && own.queue == class.queue || len(profile.queues) == 0 && p == class.queue)
			})
			if r.tagged(class, p) {
				class.priority = p
				break
			} else if stops {
				class.priority = p
			}
		}
	}
}

func (r *reader) profiles() (all []*congestion) {
	for _, p := range r.congestion {
		all = append(all, p)
	}
	return all
}

// groupProfile reads `traffic-control-profiles NAME scheduler-map MAP`: how a group of classes is sent, of hierarchical
// scheduling (ETS).
func (r *reader) groupProfile(c *cursor) {
	name := c.next()
	if !c.is("scheduler-map") {
		c.touches(read.Scope{}, "a rate of a group of queues, which is not modelled")
		r.groupRates = append(r.groupRates, c)
		return
	}
	r.groups[name.text] = c.next()
	c.modelled()
}

// groupsUnbound passes what is said of profiles that no interface has.
func (r *reader) groupsUnbound() {
	for _, c := range r.groupRates {
		if s := c.s; len(s.words) > 2 && !r.groupBound[s.words[2].text] {
			s.entry.Sort, s.entry.Rule, s.entry.Why = read.Neutral, ruleGroupUnbound, ""
		}
	}
}

// ofGroups returns the scheduler map of a port that has one for each group of classes: all their classes
// together.
func (r *reader) ofGroups(profiles []word) word {
	if len(profiles) == 0 {
		return word{}
	}
	together := &schedulerMap{scheduler: map[string]word{}}
	out := word{at: profiles[0].at}
	for _, p := range profiles {
		own := r.groups[p.text]
		out.text += "/" + own.text
		m := r.maps[own.text]
		if m == nil {
			return own // which is reported as missing
		}
		for _, class := range m.order {
			if _, again := together.scheduler[class.text]; !again {
				together.order = append(together.order, class)
			}
			together.scheduler[class.text] = m.scheduler[class.text]
		}
	}
	r.maps[out.text] = together
	return out
}
