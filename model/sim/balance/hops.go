package balance

// Hops are the ports by which packets leave each node on a shortest path to each destination. Sets of ports
// that many destinations share are kept once.
type Hops struct {
	rows  []row   // by destination
	sets  []int32 // by row and node: index in first
	first []int32 // where a set of ports begins; the next one begins at its end
	ports []int32
	known map[string]int32 // sets by their ports
}

// row holds the next hops of packets to a destination. Destinations that hang on one switch by
// links that are alike share a row, which says nothing of the last hop.
type row struct {
	at   int   // where it begins in sets
	edge int32 // the switch before the destination, or past all nodes if the row is its own
	set  int32 // the next hop from there, an index in first
}

func newHops() Hops { return Hops{first: []int32{0}, known: map[string]int32{}} }

// Row adds a destination, to which next are each node's next hops, and returns its number.
func (h *Hops) Row(nodes int, next func(node int) []int32) int32 {
	number := int32(len(h.rows))
	h.rows = append(h.rows, row{at: len(h.sets), edge: int32(nodes)})
	h.sets = append(h.sets, make([]int32, nodes)...)
	h.Fill(number, nodes, next)
	return number
}

// Twin adds a destination that hangs by a port on the same switch as the one that was added before, and is
// reached alike but for that.
func (h *Hops) Twin(edge, port int32) int32 {
	number := int32(len(h.rows))
	h.rows = append(h.rows, row{h.rows[number-1].at, edge, h.set([]int32{port})})
	return number
}

// Forget drops all sets, before each row that is no twin is filled again.
func (h *Hops) Forget() {
	clear(h.known)
	h.first, h.ports = h.first[:1], h.ports[:0]
}

// Fill writes each node's next hops into a row that is no twin.
func (h *Hops) Fill(number int32, nodes int, next func(node int) []int32) {
	at := h.rows[number].at
	for node := range nodes {
		h.sets[at+node] = h.set(next(node))
	}
}

// set finds or makes the set of some ports.
func (h *Hops) set(ports []int32) int32 {
	key := make([]byte, 0, 4*len(ports))
	for _, p := range ports {
		key = append(key, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
	}
	i, ok := h.known[string(key)]
	if !ok {
		i = int32(len(h.first) - 1)
		h.known[string(key)] = i
		h.ports = append(h.ports, ports...)
		h.first = append(h.first, int32(len(h.ports)))
	}
	return i
}

// At returns the next hops from a node to the destination of a row; none if no way leads there.
func (h *Hops) At(number, node int32) []int32 {
	r := &h.rows[number]
	set := r.set
	if node != r.edge {
		set = h.sets[r.at+int(node)]
	}
	return h.ports[h.first[set]:h.first[set+1]]
}

// Entries returns the total length of the tables of all rows.
func (h *Hops) Entries() int { return len(h.sets) }
