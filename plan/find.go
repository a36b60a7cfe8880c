package plan

// Pool returns the pool of a name, nil where the switch has none.
func (s *Switch) Pool(name string) *Pool {
	for i := range s.Pools {
		if s.Pools[i].Name == name {
			return &s.Pools[i]
		}
	}
	return nil
}

// Class returns the class of a number, nil where the switch has none.
func (s *Switch) Class(tc uint8) *Class {
	for i := range s.Classes {
		if s.Classes[i].TrafficClass == tc {
			return &s.Classes[i]
		}
	}
	return nil
}

// Port returns the port of a name, nil where the switch has none.
func (s *Switch) Port(name string) *Port {
	for i := range s.Ports {
		if s.Ports[i].Name == name {
			return &s.Ports[i]
		}
	}
	return nil
}

// PG returns the priority group of a number, nil where the port has none.
func (q *PortQoS) PG(id uint8) *PG {
	if q == nil {
		return nil
	}
	for i := range q.PGs {
		if q.PGs[i].ID == id {
			return &q.PGs[i]
		}
	}
	return nil
}

// Queue returns the queue of a number, nil where the port has none.
func (q *PortQoS) Queue(id uint8) *Queue {
	if q == nil {
		return nil
	}
	for i := range q.Queues {
		if q.Queues[i].ID == id {
			return &q.Queues[i]
		}
	}
	return nil
}

// Host returns the host of a name, nil where the plan has none.
func (p *Plan) Host(name string) *Host {
	for _, h := range p.Hosts {
		if h.Name == name {
			return h
		}
	}
	return nil
}
