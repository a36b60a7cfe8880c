package read

import (
	"slices"
	"strconv"
)

// Filters are the access lists of a running-config by family and name, "ip CP".
type Filters map[string]*Filter

// A Filter is what an access list does with packets, by the first of its entries that takes them.
type Filter struct {
	Drops    bool     // an entry that takes some packets drops them
	Passes   bool     // an entry takes all packets that are left, and passes them
	BGP, BFD Decision // what becomes of packets of these protocols
}

// controls are the names and numbers of ports of two protocols, and under which protocol of IP they are.
var controls = [2]struct {
	protocol string
	ports    []string
}{{"tcp", []string{"bgp", "179"}}, {"udp", []string{"bfd", "3784"}}}

// Lead notes an entry of a list: "ip access-list CP 10 permit tcp any any eq bgp". What an entry says of addresses and other
// fields is not compared: it passes packets of a protocol if it passes some, and drops them if it drops all.
func (all *Filters) Lead(words []string) {
	if len(words) < 5 || words[1] != "access-list" {
		return
	}
	name, entry := words[0]+" "+words[2], words[3:]
	if words[2] == "standard" {
		name, entry = words[0]+" "+words[3], words[4:]
	}
	i := slices.IndexFunc(entry, func(w string) bool { return Decisions[w] != Next })
	if i < 0 || i > 1 || len(entry) < i+2 {
		return
	}
	entry = entry[i:]
	if *all == nil {
		*all = Filters{}
	}
	f := (*all)[name]
	if f == nil {
		f = &Filter{}
		(*all)[name] = f
	}
	result, protocol := Decisions[entry[0]], entry[1]
	any := slices.Equal(entry[1:min(len(entry), 4)], []string{words[0], "any", "any"}) && len(entry) <= 5 || protocol == "any"
	if !f.Passes {
		f.Drops, f.Passes = f.Drops || result == Reject, any && result == Accept
	}
	for i, own := range []*Decision{&f.BGP, &f.BFD} {
		of, ported := &controls[i], slices.ContainsFunc(entry, func(w string) bool { return slices.Contains([]string{"eq", "range", "gt", "lt", "neq"}, w) })
		takes := protocol == words[0] && (any || result == Accept) || protocol == "any" ||
			protocol == of.protocol && (slices.ContainsFunc(entry[2:], func(w string) bool { return slices.Contains(of.ports, w) }) || inRange(entry, of.ports[1]) || !ported && (result == Accept || slices.Equal(entry[2:], []string{"any", "any"})))
		if *own == Next && takes {
			*own = result
		}
	}
}

// inRange reports whether an entry takes a range of ports that has one.
func inRange(entry []string, port string) bool {
	i := slices.Index(entry, "range")
	if i < 0 || i+2 >= len(entry) {
		return false
	}
	n, _ := strconv.Atoi(port)
	low, errA := strconv.Atoi(entry[i+1])
	high, errB := strconv.Atoi(entry[i+2])
	return errA == nil && errB == nil && low <= n && n <= high
}
