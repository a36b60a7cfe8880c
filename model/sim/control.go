package sim

// A control is a congestion control: one file, with its parameters, the state of a queue pair and
// the rule. The states are in a list by queue pair. It changes a queue pair's rate and window, and
// nothing else.
type control interface {
	// start lets a queue pair begin at line rate, as if it had never sent.
	start(s *engine, i int32, f *flow)
	// acknowledged takes an acknowledgement.
	acknowledged(s *engine, i int32, f *flow, e echo)
}

// echo is the content of an acknowledgement.
type echo struct {
	seq       int64 // next byte expected
	marked    bool  // a congestion notification
	nack      bool  // a packet is missing
	left      int64 // when it began its way over the last link, ps
	sent      int64 // when its data packet left the sender, ps, if a control asks for that
	held      int64 // the time that it and its data packet waited in NICs of slow hosts, ps, likewise
	telemetry *telemetry
}

// law is the congestion control of a class's queue pairs.
type law struct {
	ClassControl
	control               // nil: none
	dcqcn   *dcqcnControl // the same, if it is that: its rates change between acknowledgements
	prober  prober        // the same, if it is one
	notices bool          // packets report congestion, and not echoes
}

// newLaws reads how the classes are controlled. Classes that are not listed share the scenario's.
func newLaws(sc *Scenario) (laws [classes]*law) {
	common := &law{ClassControl: ClassControl{sc.Congestion, sc.Transport.Window, sc.Transport.VariableWindow}}
	for class := range laws {
		if laws[class] = common; sc.Classes[class] != nil {
			laws[class] = &law{ClassControl: *sc.Classes[class]}
		}
		laws[class].notices = sc.Transport.CNPPackets && laws[class].Algorithm == UseDCQCN
	}
	return laws
}

// startControls makes the states of all queue pairs.
func (s *engine) startControls() {
	for _, l := range s.laws {
		if l.control == nil {
			l.make(s, len(s.flows))
		}
	}
	for i := range s.flows {
		s.startControl(int32(i))
	}
}

// make makes a control for so many queue pairs, and asks for what it wants acknowledgements to bring.
func (l *law) make(s *engine, n int) {
	timed := false
	switch l.Algorithm {
	case UseDCQCN:
		l.dcqcn = &dcqcnControl{states: make([]dcqcnState, n), decay: newDecay(l.DCQCN.Gain)}
		l.control, s.repaces = l.dcqcn, s.repaces || l.DCQCN.Repace
	case UseTIMELY:
		l.control, timed = timelyControl(make([]timelyState, n)), true
	case UseSwift:
		l.control, timed = swiftControl(make([]swiftState, n)), true
		if l.Swift.Endpoint > 0 && s.waited == nil {
			s.waited = make([]int64, 0)
		}
	case UseRTTCC:
		l.prober, timed = rttccControl(make([]rttccState, n)), true
		l.control = l.prober
	case UseRTTTemplate:
		l.prober, timed = rttTemplateControl(make([]rttTemplateState, n)), true
		l.control = l.prober
	case UseDCTCP:
		l.control = dctcpControl(make([]dctcpState, n))
	case UseHPCC:
		l.control, s.int = hpccControl(make([]hpccState, n)), make([]telemetry, 0)
	}
	if timed && s.sent == nil {
		s.sent = make([]int64, 0)
	}
}

// startControl lets a queue pair begin at line rate.
func (s *engine) startControl(i int32) {
	f := &s.flows[i]
	if f.rate = f.lineRate; f.law.control != nil {
		f.law.start(s, i, f)
	}
}

// control passes an acknowledgement up to seq to the sender's congestion control.
func (s *engine) control(in int32, f *flow, id packetID, ack *packet, seq int64) {
	if f.law.control == nil {
		return
	}
	e := echo{seq: seq, marked: ack.label&ce != 0, nack: ack.kind == nackPacket}
	if e.marked {
		e.left = s.departure(&s.ports[in], ack)
	}
	if s.sent != nil {
		e.sent = s.sent[id]
	}
	if s.waited != nil {
		e.held = s.waited[id]
	}
	if s.int != nil {
		e.telemetry = &s.int[id]
	}
	f.law.acknowledged(s, ack.flow, f, e)
}

// currentRate returns the flow's rate now. Only DCQCN changes it between acknowledgements.
func (s *engine) currentRate(i int32, f *flow) uint64 {
	if d := f.law.dcqcn; d != nil {
		d.states[i].catchUp(s, f)
	}
	return f.rate
}

// scale multiplies a rate and cuts it to whole bits per second.
func scale(rate uint64, by float64) uint64 { return uint64(float64(rate) * by) }
