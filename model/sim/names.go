package sim

import "strconv"

// portNames returns the names of all ports, by link and end.
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

// Marking returns the curve of a queue at a port, which is 2i at A and 2i+1 at B of link i; false if
// the queue is not marked.
func (sc *Scenario) Marking(port int, queue uint8) (ECN, bool) {
	l := &sc.Links[port/2]
	node := [2]int{l.A, l.B}[port%2]
	for class := range uint8(classes) {
		number := class
		if node < len(sc.Silicon) && sc.Silicon[node] != nil {
			number = sc.Silicon[node].Queue[class]
		}
		if number != queue {
			continue
		}
		if own := l.Egress[port%2]; own != nil {
			if own.ECN[class].KMax > 0 {
				return own.ECN[class], true
			}
			continue
		}
		for _, e := range sc.ECN {
			if e.Rate == l.Rate {
				return e, true
			}
		}
	}
	return ECN{}, false
}
