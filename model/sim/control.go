package sim

// control tells the sender's congestion control of an acknowledgement up to seq.
func (s *engine) control(in int32, f *flow, id packetID, ack *packet, seq int64) {
	i, marked := ack.flow, ack.label&ce != 0
	switch s.congestion.Algorithm {
	case UseDCQCN:
		if marked && !f.done() {
			s.dcqcn[i].congestion(s, f, s.departure(&s.ports[in], ack))
		}
	case UseTIMELY:
		s.timely[i].acknowledged(s, f, seq, s.sent[id])
	case UseHPCC:
		s.hpcc[i].acknowledged(s, f, seq, &s.int[id])
	case UseDCTCP:
		s.dctcp[i].acknowledged(s, f, seq, marked)
	case UseSwift:
		s.swift[i].acknowledged(s, f, seq, s.sent[id])
	case UseRTTCC:
		s.rttcc[i].acknowledged(s, f, s.sent[id])
	}
}

// currentRate is the flow's rate now. Only DCQCN changes it between acknowledgements.
func (s *engine) currentRate(i int32, f *flow) uint64 {
	if s.congestion.Algorithm == UseDCQCN {
		s.dcqcn[i].catchUp(s, f)
	}
	return f.rate
}

// scale multiplies a rate and cuts it to whole bits per second.
func scale(rate uint64, by float64) uint64 { return uint64(float64(rate) * by) }
