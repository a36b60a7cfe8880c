package pattern

import "github.com/roceplan/roceplan/units"

// ring is 2(n-1) steps, in each of which every host sends an n-th of the data to the next
// (Patarasuk and Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations", JPDC 2009). What a host sends in a step is what came to it in the one
// before, so it waits for that and for nothing else.
func (l *laying) ring() {
	n := len(l.hosts)
	came := make([][]int32, n) // flows of the last step, by receiver
	for range 2 * (n - 1) {
		next := make([][]int32, n)
		for src := range n {
			dst := (src + 1) % n
			chunk := l.Message / units.Bytes(n)
			if l.Message == 0 {
				chunk = l.fill(src, dst) / units.Bytes(2*(n-1))
			}
			next[dst] = l.persistent(l.add(src, dst, chunk, 0, came[src]...))
		}
		came = next
	}
}

// tree sends the whole data up a binary tree and down again. A host waits for both of its
// children on the way up, and for its parent on the way down.
func (l *laying) tree() {
	n := len(l.hosts)
	reduced := make([][]int32, n) // flows that bring a host what its children have, by host
	for host := n - 1; host > 0; host-- {
		parent := (host - 1) / 2
		up := l.persistent(l.add(host, parent, l.Message, 0, reduced[host]...))
		reduced[parent] = append(reduced[parent], up...)
	}
	came := make([][]int32, n)
	came[0] = reduced[0]
	for host := 1; host < n; host++ {
		came[host] = l.persistent(l.add((host-1)/2, host, l.Message, 0, came[(host-1)/2]...))
	}
}

// persistent puts the flows of a message on queue pairs that stay, as a library for
// collectives has them: the same ones for all messages between two hosts.
func (l *laying) persistent(message []int32) []int32 {
	for k, i := range message {
		l.flows[i].QueuePair = 1 + l.index*maxQueuePairs + k
	}
	return message
}

// maxQueuePairs is the language's bound on queue pairs of a message.
const maxQueuePairs = 1024
