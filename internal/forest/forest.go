// Package forest finds the parts of a graph, such as switches that cables join.
package forest

// A Forest has for each node another node of its part, or the node itself at the root. The root of a part is its first node.
type Forest []int32

// New returns nodes none of which are joined.
func New(nodes int) Forest {
	f := make(Forest, nodes)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

// Root returns the first node of the part of a node.
func (f Forest) Root(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// Join makes the parts of two nodes one.
func (f Forest) Join(a, b int32) {
	a, b = f.Root(a), f.Root(b)
	f[max(a, b)] = min(a, b)
}

// Parts returns the nodes of each part in their order, and the parts in the order of their first nodes.
func (f Forest) Parts() [][]int32 {
	at := map[int32]int{}
	var all [][]int32
	for i := range f {
		root := f.Root(int32(i))
		k, ok := at[root]
		if !ok {
			k = len(all)
			at[root] = k
			all = append(all, nil)
		}
		all[k] = append(all[k], int32(i))
	}
	return all
}
