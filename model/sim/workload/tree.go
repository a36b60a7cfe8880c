package workload

import (
	"math/bits"

	"github.com/roceplan/roceplan/units"
)

// doubleTree lays an all-reduce in two binary trees, each of which takes half of the data: up to the root, and down
// again, chunk by chunk. A leaf of one tree is an inner node of the other (Sanders, Speck and Träff, "Two-tree
// algorithms for full bandwidth broadcast, reduction and scan", Parallel Computing 2009, as in NCCL's
// src/graph/trees.cc).
func (o *operation) doubleTree(segments []*segment, channel int, data units.Bytes) {
	n := len(segments)
	for _, place := range []func(int) int{func(i int) int { return i }, second(n)} {
		tree := make([]*segment, n)
		for i := range tree {
			tree[i] = segments[place(i)]
		}
		o.tree(tree, channel, ceil(data, 2))
	}
}

// second maps each place of the first tree to its place in the second one: mirrored or, of an odd number, one further
// on.
func second(n int) func(int) int {
	if n%2 == 1 {
		return func(i int) int { return (i + 1) % n }
	}
	return func(i int) int { return n - 1 - i }
}

// tree sends data up to the first segment and down again.
func (o *operation) tree(segments []*segment, channel int, data units.Bytes) {
	n := len(segments)
	count, size := treeSteps(data, bits.Len(uint(n)))
	switch {
	case o.count > 0:
		count, size = o.count, o.size
	case o.protocol == LL128:
		count, size = ll128Steps(data, n, len(segments[0].nodes))
	}
	children := make([][]int, n)
	for i := 1; i < n; i++ {
		p := Parent(i, n)
		children[p] = append(children[p], i)
	}
	reduced := make([][]int32, n) // the trains that bring a place what its children have
	var up func(i int)
	up = func(i int) {
		for _, child := range children[i] {
			up(child)
			reduced[i] = append(reduced[i], o.pass(segments[child], segments[i], channel, count, size, reduced[child])...)
		}
	}
	up(0)
	var down func(i int, before []int32)
	down = func(i int, before []int32) {
		for _, child := range children[i] {
			down(child, o.pass(segments[i], segments[child], channel, count, size, before))
		}
	}
	down(0, reduced[0])
}

// Parent returns the parent of a place in a binary tree of n whose root is place 0, as in NCCL's
// src/graph/trees.cc: the lowest bit that is set moves up by one, or falls away where that is
// beyond the end. Odd places are the leaves, each next to its parent.
func Parent(i, n int) int {
	bit := i & -i
	if up := i ^ bit | bit<<1; up < n {
		return up
	}
	return i ^ bit
}
