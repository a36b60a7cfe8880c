package lint

// nicClassDiffers checks the classes of a NIC against its port.
func nicClassDiffers(n *attached) {
	if n.end.silent() {
		return
	}
	for _, c := range n.host.Classes {
		want := lossy
		if c.Lossless {
			want = priority(c.Priority)
		}
		for _, dscp := range c.DSCPs {
			if has := n.end.priority(dscp); c.Used && has != want && (!n.marked() || c.Lossless) {
				n.errorf(NICClassDiffers, n.end.dscpAt(dscp), "class %s of the NIC %q sends DSCP %d, %s, but at %v it is %s", c.Name, n.host.Name, dscp, want, n.end, has).Fixf("map DSCP %d at %v so that it is %s, or send the class with another DSCP", dscp, n.end, want)
				return
			}
		}
	}
}
