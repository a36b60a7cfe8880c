package adopt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// differences returns the values to pin so that compiling gives what was read, and not what was made of what is
// planned.
func differences(planned, made, said *plan.Switch) pinned {
	p := pinned{}
	var whole []pin
	for _, table := range plan.MapTables() {
		if value := entries(table.At(&made.Maps), table.At(&said.Maps)); value != "" {
			whole = append(whole, pin{of: policy.PinnedMaps, attribute: table.Pin, value: value})
		}
	}
	whole = append(whole, unlike(made.Pools, said.Pools, func(p *plan.Pool) pin { return pin{of: policy.PinnedPool, name: p.Name} }, plan.PoolAttributes())...)
	nameAsPlanned(whole, planned, made, said)
	whole = shares(whole, planned, said)
	whole = append(whole, unlike(listed(made.Watchdog), listed(said.Watchdog), func(*plan.Watchdog) pin { return pin{of: policy.PinnedWatchdog} }, plan.WatchdogAttributes())...)
	if len(whole) > 0 {
		p[ofSwitch] = whole
	}
	known := map[[2]*plan.PortQoS][]pin{}
	of, plannedOf := map[string]*plan.Port{}, map[string]*plan.PortQoS{}
	for i := range made.Ports {
		of[made.Ports[i].Name] = &made.Ports[i]
	}
	for i := range planned.Ports {
		plannedOf[planned.Ports[i].Name] = planned.Ports[i].QoS
	}
	for i := range said.Ports {
		port := &said.Ports[i]
		own := of[port.Name]
		if own == nil {
			continue
		}
		pair := [2]*plan.PortQoS{own.QoS, port.QoS}
		pins, seen := known[pair]
		if !seen {
			pins = boundsAsPlanned(portDifferences(pair[0], pair[1]), plannedOf[port.Name], own.QoS)
			known[pair] = pins
		}
		carries := *port
		carries.MTU = carried(said.OS, port.MTU)
		if made.OS == "sonic" || carries.MTU > 0 { // others leave what they do not say to the device
			pins = append(slices.Clip(pins), attributes(pin{of: policy.PinnedPort}, own, &carries, plan.PhysicalAttributes())...)
		}
		if len(pins) > 0 {
			p[port.Name] = pins
		}
	}
	return p
}

// nameAsPlanned gives pins of pools that only the target's files have the names of those of which they were made.
func nameAsPlanned(whole []pin, planned, made, said *plan.Switch) {
	for i, pin := range whole {
		ofTarget := !slices.ContainsFunc(planned.Pools, func(own plan.Pool) bool { return own.Name == pin.name })
		if pin.of == policy.PinnedPool && pin.attribute == policy.PinConfigured && ofTarget { // made of the headroom of another pool
			at := slices.IndexFunc(planned.Pools, func(own plan.Pool) bool { return own.Headroom.Value > 0 })
			of := slices.IndexFunc(made.Pools, func(own plan.Pool) bool { return own.Name == pin.name })
			switch {
			case at >= 0:
				whole[i].name, whole[i].attribute, whole[i].value = planned.Pools[at].Name, "headroom", expression(units.Bytes(0))
			case of >= 0 && !slices.ContainsFunc(said.Classes, func(c plan.Class) bool { return c.Lossless }): // it is that of lossless classes, under the system's name
				whole[i].name = plan.LosslessPool
				if made.Pools[of].Direction == plan.Egress {
					whole[i].name = plan.LosslessQueues
				}
			}
		}
	}
}

// boundsAsPlanned gives pins of a whole port the names of the planned pools that a pool of the target's files is made of.
func boundsAsPlanned(pins []pin, planned, made *plan.PortQoS) (all []pin) {
	if planned == nil || made == nil {
		return pins
	}
	names := map[string][]string{}
	add := func(made, planned string) {
		if !slices.Contains(names[made], planned) {
			names[made] = append(names[made], planned)
		}
	}
	for i := range planned.PGs {
		if g := made.PG(planned.PGs[i].ID); g != nil {
			add(g.Pool, planned.PGs[i].Pool)
		}
	}
	for _, q := range planned.Queues {
		if at := slices.IndexFunc(made.Queues, func(own plan.Queue) bool { return own.ID == q.ID }); at >= 0 {
			add(made.Queues[at].Pool, q.Pool)
		}
	}
	for _, p := range pins {
		of := names[p.name]
		if p.of != policy.PinnedPortPool || len(of) == 0 {
			of = []string{p.name}
		}
		for _, name := range of {
			p.name = name
			all = append(all, p)
		}
	}
	return all
}

// shares leaves the shares of pools that the system writes, all of them where one is unlike: they are of a whole. Headroom that a
// system has as a share of the buffer, and the language in bytes, is so many bytes of what is planned.
func shares(pins []pin, planned, said *plan.Switch) []pin {
	if !slices.ContainsFunc(pins, pin.shares) {
		return pins
	}
	unlike := func(name string) bool {
		return slices.ContainsFunc(pins, func(p pin) bool { return p.shares() && strings.HasPrefix(p.name, name) })
	}
	follows := func(p plan.Pool) bool { // Junos writes shares of egress by those of ingress
		return said.OS == "junos" && p.Direction == plan.Egress && (unlike(plan.Ingress.String()) || !unlike(p.Name))
	}
	all := stable.Delete(slices.Clone(said.Pools), follows)
	pins = stable.Delete(pins, pin.shares)
	for _, p := range all {
		if !policy.SharesPool(said.OS, p.Name) || p.Infinite {
			at := slices.IndexFunc(planned.Pools, func(own plan.Pool) bool { return own.Name == plan.LosslessPool })
			if p.Direction == plan.Ingress && (p.HeadroomPercent > 0 || p.Range.Filename != "") && at >= 0 {
				headroom := units.Bytes(units.FloorMulDiv(int64(planned.Pools[at].Size.Value), p.HeadroomPercent, 100))
				pins = append(pins, pin{of: policy.PinnedPool, name: plan.LosslessPool, attribute: "headroom", value: expression(headroom)})
			}
			continue
		}
		pins = append(pins, pin{of: policy.PinnedPool, name: p.Name, attribute: "share", value: expression(plan.PerCent(p.Percent))})
		if p.HeadroomPercent > 0 || p.HeadroomRange.Filename != "" {
			pins = append(pins, pin{of: policy.PinnedPool, name: p.Name, attribute: "headroom_share", value: expression(plan.PerCent(p.HeadroomPercent))})
		}
	}
	return pins
}

func listed[T any](one *T) []T {
	if one == nil {
		return nil
	}
	return []T{*one}
}

func portDifferences(made, said *plan.PortQoS) []pin {
	if made == nil || said == nil {
		if made == said {
			return nil
		}
		return []pin{{of: policy.PinnedPort, attribute: policy.PinQoS, value: strconv.FormatBool(said != nil)}}
	}
	all := attributes(pin{of: policy.PinnedPort}, made, said, plan.PortAttributes())
	all = append(all, unlike(made.PGs, said.PGs, func(g *plan.PG) pin { return pin{of: policy.PinnedPG, id: g.ID} }, plan.PGAttributes())...)
	all = append(all, unlike(made.Queues, said.Queues, func(q *plan.Queue) pin { return pin{of: policy.PinnedQueue, id: q.ID} }, plan.QueueAttributes())...)
	for i := range said.Queues {
		q := &said.Queues[i]
		marks := func(own plan.Queue) bool { return own.ID == q.ID && own.ECN != nil }
		if q.ECN == nil && slices.ContainsFunc(made.Queues, marks) {
			all = append(all, pin{of: policy.PinnedQueue, id: q.ID, attribute: policy.PinECN, value: "off"})
		}
	}
	return append(all, unlike(made.Pools, said.Pools, func(p *plan.PortPool) pin { return pin{of: policy.PinnedPortPool, name: p.Pool} }, plan.PortPoolAttributes())...)
}

// unlike compares parts of the same name. One that was not read is pinned away; one that was not made gets all
// that was read.
func unlike[T any](made, said []T, called func(*T) pin, all []plan.Attribute) (pins []pin) {
	find := func(list []T, name pin) *T {
		for i := range list {
			if called(&list[i]) == name {
				return &list[i]
			}
		}
		return nil
	}
	for i := range said {
		name := called(&said[i])
		if own := find(made, name); own != nil {
			pins = append(pins, attributes(name, own, &said[i], all)...)
			continue
		}
		added := attributes(name, new(T), &said[i], all)
		if len(added) == 0 {
			name.attribute, name.value = policy.PinConfigured, "true"
			added = []pin{name}
		}
		pins = append(pins, added...)
	}
	for i := range made {
		if name := called(&made[i]); find(said, name) == nil {
			name.attribute, name.value = policy.PinConfigured, "false"
			pins = append(pins, name)
		}
	}
	return pins
}

// attributes are those in which two parts differ.
func attributes(of pin, made, said any, all []plan.Attribute) (pins []pin) {
	for i := range all {
		a := &all[i]
		if a.Pin == "" || a.Without != nil && a.Without(said) {
			continue
		}
		want, _ := a.Get(said)
		got, _ := a.Get(made)
		if want == got && (a.Without == nil || !a.Without(made)) {
			continue
		}
		of.attribute, of.value = a.Pin, expression(want)
		if limit, ok := want.(plan.Limit); ok && limit.Dynamic {
			of.attribute, of.value = "alpha", expression(limit.Alpha)
		}
		pins = append(pins, of)
	}
	return pins
}

// expression is how a value is written.
func expression(value any) string {
	switch v := value.(type) {
	case plan.Limit:
		if v.Static >= plan.NoLimit {
			return `"unlimited"`
		}
		return expression(v.Static)
	case plan.Priorities:
		if v == 0 {
			return "[]"
		}
		return "[" + strings.ReplaceAll(v.String(), " ", ", ") + "]"
	case plan.Rewrite:
		e := v.Entries()
		return object(e.From, e.To)
	case plan.FEC:
		return cmp.Or(string(v), "device")
	case plan.WatchdogAction:
		return cmp.Or(string(v), "device")
	case plan.Direction, bool, int64, plan.PerCent:
		return fmt.Sprint(v)
	case plan.Levels:
		return fmt.Sprintf("%q", string(v))
	case string:
		if v == "" {
			v = "none"
		}
		return fmt.Sprintf("%q", v)
	case units.BitRate:
		if v == 0 {
			return `"0bps"`
		}
	}
	return fmt.Sprintf("%q", fmt.Sprint(value))
}

// entries are those in which a table that was read is not the one that was made: `{ "0-2,5" = 1 }`.
func entries(made, said []uint8) string {
	var e plan.Entries
	for i := range said {
		if said[i] != made[i] {
			e.From, e.To = append(e.From, uint8(i)), append(e.To, said[i])
		}
	}
	if e.From == nil {
		return ""
	}
	return object(e.From, e.To)
}

// object writes entries by what they are mapped to.
func object(from, of []uint8) string {
	to := map[uint8][]uint8{}
	for i, value := range of {
		to[value] = append(to[value], from[i])
	}
	var all []string
	for _, value := range slices.Sorted(maps.Keys(to)) {
		all = append(all, fmt.Sprintf("%q = %d", plan.Ranges(to[value]), value))
	}
	if all == nil {
		return "{}"
	}
	return "{ " + strings.Join(all, ", ") + " }"
}
