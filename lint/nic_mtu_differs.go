package lint

// nicMTUDiffers compares the frames.
func nicMTUDiffers(n *attached) {
	if mtu := n.end.port.MTU; mtu != 0 && n.host.MTU > mtu {
		n.errorf(NICMTUDiffers, n.end.port.Range, "the NIC %q sends frames of up to %v, but %v accepts only %v", n.host.Name, n.host.MTU, n.end, mtu).Fixf("let the port accept %v, or the NIC send at most %v", n.host.MTU, mtu)
	}
}
