package deadlock

// valleyFreeCut counts the pairs of edge devices that no path joins which goes up, over one link
// within a tier at the most, and down.
func (g *graph) valleyFreeCut() (cut int) {
	for _, destination := range g.edges {
		reached := g.climb(destination)
		for _, source := range g.edges {
			if source < destination && !reached[source] {
				cut++
			}
		}
	}
	return cut
}

// climb marks the devices from which such a path leads to a device. Read backwards, it goes up from
// there, perhaps along, and down.
func (g *graph) climb(from int32) []bool {
	above := g.spread(map[int32]bool{from: true}, func(l int32) bool { return g.tier[g.to(l)] > g.tier[g.from(l)] })
	along := map[int32]bool{}
	for device, is := range above {
		if !is {
			continue
		}
		along[int32(device)] = true
		for _, l := range g.out[device] {
			if !g.down[l>>1] && g.tier[g.to(l)] == g.tier[device] {
				along[g.to(l)] = true
			}
		}
	}
	return g.spread(along, func(l int32) bool { return g.tier[g.to(l)] < g.tier[g.from(l)] })
}

// spread marks what links of a kind lead to from some devices, and these.
func (g *graph) spread(from map[int32]bool, kind func(l int32) bool) []bool {
	marked := make([]bool, len(g.out))
	var stack []int32
	for device := range from {
		marked[device] = true
		stack = append(stack, device)
	}
	for len(stack) > 0 {
		device := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, l := range g.out[device] {
			if to := g.to(l); !g.down[l>>1] && kind(l) && !marked[to] {
				marked[to] = true
				stack = append(stack, to)
			}
		}
	}
	return marked
}
