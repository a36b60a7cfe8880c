package lint

// pfcOffOnPort warns of ports that were forgotten.
func pfcOffOnPort(s *subject) {
	with, ports := 0, 0
	for _, k := range s.kinds {
		ports += len(k.ports)
		if k.qos.PFC != 0 {
			with += len(k.ports)
		}
	}
	if 2*with <= ports {
		return
	}
	for _, k := range s.kinds {
		if k.qos.PFC == 0 && (len(k.qos.Queues) > 0 || len(k.qos.PGs) > 0) {
			s.found.Warnf(PFCOffOnPort, k.pfcAt(), "%v %s no PFC, but %d of %d ports have it", k, k.verb("has", "have"), with, ports).
				Fixf("enable PFC there too, or remove QoS from the port")
		}
	}
}
