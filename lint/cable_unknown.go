package lint

// cableUnknown warns of lossless ports without a length. Only SONiC has lengths.
func cableUnknown(s *subject) {
	if s.sw.OS != "sonic" {
		return
	}
	for _, k := range s.kinds {
		for _, port := range k.ports {
			if port.Cable == 0 && k.lossless() {
				s.found.Warnf(CableUnknown, first(port.CableRange, port.Range), "%s is lossless, but CABLE_LENGTH has no length for it", port.Name).
					Fixf("give it the length of its cable; 0m means that the switch computes no headroom")
			}
		}
	}
}
