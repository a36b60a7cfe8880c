package lint

// watchdogMissing warns of lossless ports that nobody watches. EOS watches by default.
func watchdogMissing(s *subject) {
	if s.sw.OS == "eos" {
		return
	}
	for _, k := range s.kinds {
		if k.qos.PFC != 0 && !k.qos.Watchdog {
			s.found.Warnf(WatchdogMissing, k.pfcAt(), "%v has PFC and no PFC watchdog: one NIC that pauses without end stops the fabric", k).
				Fixf("add it to PFC_WD")
		}
	}
}
