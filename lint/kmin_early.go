package lint

import "github.com/roceplan/roceplan/units"

// shortestKmin is how long the shortest queue that publications let mark takes to leave its
// port: 5 KB at 40 Gb/s, Zhu et al., SIGCOMM 2015. Others begin later: 100 KB at 25 Gb/s,
// Li et al., SIGCOMM 2019, section 5.1.
const shortestKmin = units.Microsecond

// kminEarly warns of curves that begin while the queue holds less than any published one.
func kminEarly(s *subject) {
	for _, k := range s.kinds {
		for _, q := range k.qos.Queues {
			e := q.ECN
			if e == nil || e.KMin.Why == nil || e.KMin.Value < k.ports[0].MTU || e.KMin.Value > e.KMax.Value || e.KMin.Value == e.KMax.Value {
				continue // below a frame, and above Kmax, other rules say what is wrong
			}
			for _, port := range k.ports {
				if port.Speed > 0 && e.KMin.Value < port.Speed.FloorBytes(shortestKmin) {
					s.found.Warnf(KminEarly, at(e.KMin, k.ports[0].Range), "Kmin of queue %d of %s is %v, which leaves at %v in less than %v: it is marked where two packets meet by chance", q.ID, port.Name, e.KMin.Value, port.Speed, shortestKmin).
						Fixf("begin where the expected delay ends; published curves begin after 1 us or later")
					break
				}
			}
		}
	}
}
