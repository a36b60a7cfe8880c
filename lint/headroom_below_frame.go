package lint

// pauseWire is a pause frame on the wire, and what precedes any frame there: IEEE 802.3
// 31B.2 and 4.4.2.
const pauseWire = 64 + 20

// headroomBelowFrame finds headroom that would not do for a peer that stops at once: the
// pause waits behind a frame that the port has begun, and as much comes in meanwhile.
func headroomBelowFrame(s *subject) {
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
			if !pg.Lossless || pg.Headroom.Value == 0 || s.computed(pg) || len(s.pauses(k, pg.ID)) == 0 {
				continue
			}
			for _, port := range k.ports {
				if pg.Headroom.Value < port.MTU+pauseWire {
					s.found.Errorf(HeadroomBelowFrame, at(pg.Headroom, port.Range), "the lossless priority group %d of %s has %v of headroom, but a pause waits behind a frame of up to %v, and as much arrives meanwhile", pg.ID, port.Name, pg.Headroom.Value, port.MTU).
						Fixf("check the unit of the number; roceplan calc headroom computes the headroom of the link")
					break
				}
			}
		}
	}
}
