package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// Receiver is a host that takes packets out of its NIC more slowly than they come: its PCIe bus or
// its memory is busy. Guo et al. (SIGCOMM 2016, section 4.4) call it the slow-receiver symptom. The
// NIC pauses Classes when more than XOFF bytes wait in it and resumes them when at most XON do;
// packets that do not fit in Buffer are lost.
type Receiver struct {
	Host     int           // node number
	Rate     units.BitRate // above 0, of bytes on the wire
	From, To units.Time    // as in [Storm]; before and after, packets are taken as they come

	Buffer, XOFF, XON units.Bytes // 0 ≤ XON < XOFF < Buffer
	Classes           uint8       // a bit per class that it pauses
}

// receiver is the buffer of a slow host's NIC in a run. The foremost packet is being taken in.
type receiver struct {
	*Receiver
	port  int32
	list  list
	bytes int64
	late  bool // From has come and To has not
}

func (s *builder) buildReceivers() {
	for i := range s.sc.Receivers {
		r := &s.sc.Receivers[i]
		pi, p := s.portOf(r.Host)
		s.nics[p.nic].receiver = int32(i)
		s.receivers = append(s.receivers, receiver{Receiver: r, port: pi})
		s.plan(taskSlow, int32(i), int64(r.From))
		if r.To > 0 {
			s.plan(taskFast, int32(i), int64(r.To))
		}
	}
}

func (s *engine) slowBegins(i int32) {
	r := &s.receivers[i]
	r.late = true
	s.ports[r.port].trouble |= slow
}

// slowEnds lets the host take what waits as fast as it can; the port is slow until the last
// of that is gone, to keep the order.
func (s *engine) slowEnds(i int32) {
	r := &s.receivers[i]
	r.late = false
	if r.list.head == 0 {
		s.ports[r.port].trouble &^= slow
	}
}

// takeLater puts a packet that has arrived behind those that wait.
func (s *engine) takeLater(p *port, id packetID, pk *packet) {
	i := s.nics[p.nic].receiver
	r := &s.receivers[i]
	if r.bytes+int64(pk.size) > int64(r.Buffer) {
		s.overrunNIC(r.port, id, pk)
		return
	}
	idle := r.list.head == 0
	r.list.push(s.packets, id)
	if s.waited != nil {
		s.waited[id] -= s.now
	}
	r.bytes += int64(pk.size)
	if idle {
		s.takeNext(i, r)
	}
	if r.bytes > int64(r.XOFF) {
		for class := range uint8(classes) {
			if (r.Classes&^p.pausing)>>class&1 != 0 {
				s.room(packetsPerEvent)
				s.pause(r.port, p, class)
			}
		}
	}
}

// takeNext plans when the foremost packet has been taken in.
func (s *engine) takeNext(i int32, r *receiver) {
	at := s.now
	if r.late {
		at += s.clock.duration(int32(s.packets[r.list.head].size), uint64(r.Rate))
	}
	s.plan(taskTaken, i, at)
}

// taken hands the foremost packet to the host.
func (s *engine) taken(i int32) {
	r := &s.receivers[i]
	p := &s.ports[r.port]
	id := r.list.pop(s.packets)
	pk := &s.packets[id]
	r.bytes -= int64(pk.size)
	if s.waited != nil {
		s.waited[id] += s.now
	}
	if r.list.head != 0 {
		s.takeNext(i, r)
	} else if !r.late {
		p.trouble &^= slow
	}
	s.hostReceive(r.port, p, id, pk)
	if r.bytes > int64(r.XON) {
		return
	}
	for class := range uint8(classes) {
		if (r.Classes&p.pausing&^s.nics[p.nic].stuck)>>class&1 != 0 {
			s.room(packetsPerEvent)
			s.resume(r.port, p, class)
		}
	}
}

func (r *Receiver) check(sc *Scenario) error {
	switch {
	case !sc.hasPort(r.Host) || !sc.during(r.From, r.To):
		return fmt.Errorf("node %d is slow from %d to %d ps: want a host with a link, and an end after the begin", r.Host, r.From, r.To)
	case r.Rate < units.Mbps:
		return fmt.Errorf("node %d takes %d bit/s: want at least 1 Mb/s", r.Host, r.Rate)
	case r.XON < 0 || r.XOFF <= r.XON || r.Buffer <= r.XOFF:
		return fmt.Errorf("node %d pauses at %d B, resumes at %d B and holds %d B: want 0 ≤ XON < XOFF < Buffer", r.Host, r.XOFF, r.XON, r.Buffer)
	case r.Classes&1 != 0:
		return fmt.Errorf("node %d cannot pause class 0, which holds the pauses", r.Host)
	}
	return nil
}
