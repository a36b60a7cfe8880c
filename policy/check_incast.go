package policy

// checkIncasts refuses patterns of more ports than a switch of the fabric has.
func checkIncasts(d *decoder, f *Fabric) {
	var largest *Switch
	most := 0
	for _, s := range f.Switches {
		ports := 0
		for _, g := range s.Groups {
			ports += len(g.Ports)
		}
		if ports > most {
			largest, most = s, ports
		}
	}
	if largest == nil {
		return
	}
	for _, pattern := range f.FanIn {
		if n := max(pattern.From, pattern.To); n > most {
			d.errorf(OutOfRange, pattern.Range, "an incast of %d ports: the largest switch, %s, has %d", n, largest.Label, most).
				Fixf("write at most %d", most)
		}
	}
}
