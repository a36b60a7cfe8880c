package sim

import "strconv"

// portNames are the names of all ports, by link and end.
func (sc *Scenario) portNames() []string {
	if sc.Ports != nil {
		return sc.Ports
	}
	names := make([]string, 0, 2*len(sc.Links))
	interfaces := make([]int, len(sc.Nodes))
	name := func(node int) string {
		interfaces[node]++
		return strconv.Itoa(node) + "." + strconv.Itoa(interfaces[node])
	}
	for _, l := range sc.Links {
		names = append(names, name(l.A), name(l.B))
	}
	return names
}
