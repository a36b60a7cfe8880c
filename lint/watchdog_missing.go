package lint

// watchdogMissing warns of lossless ports that nobody watches. Whether EOS watches where a file
// says nothing of timers is not published.
func watchdogMissing(s *subject) {
	if s.sw.OS == "eos" && s.sw.Watchdog == nil {
		return
	}
	for _, k := range s.kinds {
		if k.qos.PFC != 0 && !k.qos.Watchdog {
			s.found.Warnf(WatchdogMissing, k.pfcAt(), "%v %s PFC but no PFC watchdog: one NIC that pauses without end stops the fabric", k, k.verb("has", "have")).
				Fixf("enable the watchdog there too: PFC_WD of SONiC, priority-flow-control pause watchdog of EOS, priority-flow-control watch-dog-interval of NX-OS")
		}
	}
}
