package main

import (
	"fmt"
	"slices"
	"strings"
)

// complete checks that every obligation is there that groups and model demand. The page, "Obligations": demanded.
func (c *certificate) complete() (wrong problems) {
	kinds := map[[2]string]map[string]bool{} // of ports, by ID and place; "" is a place that is whole
	demand := func(id, kind, format string, args ...any) {
		place := [2]string{id, fmt.Sprintf(format, args...)}
		if kinds[place] == nil {
			kinds[place] = map[string]bool{}
		}
		kinds[place][kind] = true
	}
	m, b := c.Model, c.Model.Config
	for _, a := range m.accounts(func(a account) bool { return a.pg.Lossless }) {
		in := func(g group) bool { return g.PG == a.number && slices.Contains(g.Ports, m.Ports[a.port].Name) }
		i := slices.IndexFunc(c.Groups, in)
		if i < 0 {
			wrong.addf("group %d of %s is lossless, and no group has it", a.number, m.Ports[a.port].Name)
			continue
		}
		demand("pause-reaches-peer", "", "%s", c.Groups[i].Where)
		demand("headroom", "", "%s", c.Groups[i].Where)
		if a.pg.Xon > 0 && m.Ports[a.port].Link.known() {
			demand("xon-below-xoff", "", "%s", c.Groups[i].Where)
		}
		demand("memory", "", "slice %d", a.slice)
		if a.pg.Pooled {
			demand("headroom-pool", "", "slice %d, pool %s", a.slice, b.Ingress[a.pg.Pool].Name)
		}
		for out, to := range b.Ports {
			if out == a.port && len(b.Ports) > 1 {
				continue // a port does not send to itself
			}
			m.feeds(a, out, func(number int, q queue) bool {
				pool, queues := b.Egress[q.Pool].Name, m.Ports[out].Map
				demand("egress-pool-holds", "", "slice %d, pool %s", a.slice, pool)
				demand("pfc-before-drop", fmt.Sprint(queues, q), "slice %d, queue %d of ", a.slice, number)
				if whole, bounded := boundIn(to.Egress, q.Pool); bounded {
					demand("egress-port-holds", fmt.Sprint(queues, to.Queues, whole), "slice %d, pool %s of ", a.slice, pool)
				}
				return false // and the next queue
			})
		}
	}
	for place, of := range kinds {
		n := 0
		for _, o := range c.Obligations {
			if o.ID == place[0] && (o.Where == place[1] || !of[""] && strings.HasPrefix(o.Where, place[1])) {
				n++
			}
		}
		if n < len(of) && (n == 0 || !of[""]) {
			wrong.addf("%s, %s: %d are demanded, and %d are there", place[0], place[1], len(of), n)
		}
	}
	return append(wrong, c.once()...)
}

// once checks that no priority group is in two groups, that no obligation on lossless packets is evaluated twice, and that a
// memory that fails has another obligation on them.
func (c *certificate) once() (wrong problems) {
	grouped, evaluated := map[string]bool{}, map[[2]string]bool{}
	for _, g := range c.Groups {
		for _, name := range g.Ports {
			if of := fmt.Sprint(g.PG, " of ", name); grouped[of] {
				wrong.addf("priority group %s is in two groups", of)
			} else {
				grouped[of] = true
			}
		}
	}
	for _, o := range c.Obligations {
		says := func(other obligation) bool {
			return other.ID == "memory" && other.Lossless && (other.Where == o.Where || other.Where == o.Where+atOnce)
		}
		if o.ID == "memory" && o.Verdict == fails && !slices.ContainsFunc(c.Obligations, says) {
			wrong.addf("memory, %s: it fails, and no obligation says whether packets are lost by that", o.Where)
		}
		if place := [2]string{o.ID, o.Where}; o.Lossless && o.Left.Expr != "" {
			if evaluated[place] {
				wrong.addf("%s, %s: it is there twice", o.ID, o.Where)
			}
			evaluated[place] = true
		}
	}
	return wrong
}

// withoutModel checks that no obligation on the buffer is judged, and that each is there.
func (c *certificate) withoutModel() (wrong problems) {
	for _, id := range strings.Fields("pause-reaches-peer headroom xon-below-xoff headroom-pool pfc-before-drop egress-pool-holds memory lossy-leaves-lossless kmax-below-queue-limit ecn-before-pfc") {
		if !slices.ContainsFunc(c.Obligations, func(o obligation) bool { return o.ID == id && o.Verdict == unjudged }) {
			wrong.addf("there is no buffer, and no obligation says that %s is not judged", id)
		}
	}
	return wrong
}
