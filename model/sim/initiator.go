package sim

// initiator is a DC initiator: a queue of messages, and a connection to one destination at a time.
// To each destination it has a queue pair of its own in [engine.flows], and only the one that it is
// connected to sends.
type initiator struct {
	state       initiatorState
	port        int32 // of its host
	pair        int32 // that it is connected to, or that it tries
	first, last int32 // messages that are not posted, chained; or none
	askAt       int64 // when it asks for the connection, or asks again, ps
	idleSince   int64 // when its last message was completed, ps
	retries     int   // requests in a row that were not answered
}

type initiatorState uint8

const (
	free       initiatorState = iota
	connecting                // sets up its half, waits for the answer, or was refused
	connected
	leaving // takes down its half
)

// submit gives a message to its initiator.
func (s *engine) submit(i int32) {
	m := &s.messages[i]
	at := s.flows[m.pair].initiator
	d := &s.initiators[at]
	if d.first == none {
		d.first = i
	} else {
		s.messages[d.last].next = i
	}
	d.last = i
	s.advance(at)
}

// advance lets an initiator do what comes next.
func (s *engine) advance(at int32) {
	d := &s.initiators[at]
	for d.state == connected && d.first != none && s.messages[d.first].pair == d.pair {
		i := d.first
		d.first = s.messages[i].next
		s.post(i)
	}
	idle := d.state == connected && s.flows[d.pair].done()
	switch {
	case d.state == free && d.first != none:
		d.state, d.pair, d.retries = connecting, s.messages[d.first].pair, 0
		s.askAt(at, s.now+s.host.connect)
	case idle && d.first != none, idle && s.now-d.idleSince >= s.host.linger:
		d.state = leaving
		s.sendControl(d.port, d.pair, disconnectPacket)
		s.plan(taskFree, at, s.now+s.host.disconnect)
	}
}

// emptied notifies an initiator that a queue pair's messages are all completed.
func (s *engine) emptied(f *flow) {
	if s.initiators == nil {
		return
	}
	d := &s.initiators[f.initiator]
	d.idleSince = s.now
	if d.first != none {
		s.plan(taskAdvance, f.initiator, s.now)
	} else {
		s.plan(taskAdvance, f.initiator, s.now+s.host.linger)
	}
}

func (s *engine) askAt(at int32, when int64) {
	s.initiators[at].askAt = when
	s.plan(taskConnect, at, when)
}

// ask sends a request for a connection, and another one if it is not answered in time.
func (s *engine) ask(at int32) {
	d := &s.initiators[at]
	if d.state != connecting || d.askAt != s.now {
		return // it has been answered since
	}
	if s.transport.ackTimeout > 0 {
		if d.retries > s.transport.retries {
			s.fail(d.pair)
			d.state = connected // to no host: its messages fail as they are posted
			s.advance(at)
			return
		}
		d.retries++
		s.askAt(at, s.now+s.transport.ackTimeout)
	}
	s.sendControl(d.port, d.pair, connectPacket)
}

// freed ends the time that an initiator takes to disconnect.
func (s *engine) freed(at int32) {
	s.initiators[at].state = free
	s.advance(at)
}

// sendControl sends a packet of a connection from a host: there, or back to its initiator.
func (s *engine) sendControl(pi, pair int32, kind packetKind) {
	f := &s.flows[pair]
	id := s.take()
	s.packets[id] = packet{
		flow: pair, route: f.dataRoute, kind: kind, label: label(f.class), size: uint16(s.transport.ackSize),
	}
	if pi != f.port {
		s.packets[id].route = s.inbound[pair].ackRoute
	}
	s.created++
	s.pushAck(s.ports[pi].nic, id)
	s.kick(pi, &s.ports[pi])
}

// receiveControl takes a packet of a connection.
func (s *engine) receiveControl(in int32, n *nic, id packetID, pk *packet) {
	pair, kind := pk.flow, pk.kind
	f := &s.flows[pair]
	s.put(id)
	switch kind {
	case connectPacket:
		s.grant(in, n, pair, f)
	case disconnectPacket:
		if f.connected {
			f.connected = false
			n.connected--
		}
	case connectedPacket:
		if d := &s.initiators[f.initiator]; d.state == connecting && d.pair == pair {
			d.state = connected
			if !s.host.keepRate {
				s.startControl(pair)
			}
			s.advance(f.initiator)
		}
	case refusedPacket:
		s.refused++
		if d := &s.initiators[f.initiator]; d.state == connecting && d.pair == pair {
			d.retries = 0
			s.askAt(f.initiator, s.now+s.host.busy)
		}
	}
}

// grant sends the target's answer to a request. Setting up its half takes it time.
func (s *engine) grant(in int32, n *nic, pair int32, f *flow) {
	if !f.connected && s.host.targets > 0 && n.connected >= s.host.targets {
		s.forget(in, n)
	}
	if !f.connected && s.host.targets > 0 && n.connected >= s.host.targets {
		s.sendControl(in, pair, refusedPacket)
		return
	}
	if !f.connected {
		f.connected = true
		n.connected++
	}
	s.plan(taskGrant, pair, s.now+s.host.connect)
}

// forget frees what a host's targets hold for initiators that have gone. Where the packet was
// lost that said so, a target notices by a time that is not published; here it does when it
// needs the place.
func (s *engine) forget(in int32, n *nic) {
	if s.lost+s.lostFrames+s.dropped == 0 {
		return
	}
	for pair := range s.flows {
		f := &s.flows[pair]
		d := &s.initiators[f.initiator]
		if f.connected && f.receiver == in && (int(d.pair) != pair || d.state == free || d.state == leaving) {
			f.connected = false
			n.connected--
		}
	}
}

// granted sends the answer to the initiator.
func (s *engine) granted(pair int32) {
	s.sendControl(s.flows[pair].receiver, pair, connectedPacket)
}
