package sim

import "github.com/roceplan/roceplan/units"

// Outage takes a link down and brings it back.
//
// When a link goes down, what is on the wire in either direction is lost, and what is queued
// for it is discarded, with the pauses that held it. A switch drops what its routes send there
// until Convergence is over and the routes have changed; adaptive routing and flowlets know
// their own ports and choose among those that are up at once, for they read the port's state
// for each choice. When it comes back, its queues are empty and nobody is paused.
type Outage struct {
	Link     int        // index in Scenario.Links
	Down, Up units.Time // 0 ≤ Down; Down < Up, or Up is 0: never
}

// Storm is a NIC that pauses a class without end, because its receiving half is stuck: Guo et
// al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016, section 4.3. What still comes
// to it in the class finds no place and is lost.
type Storm struct {
	Host     int        // node number
	Class    uint8      // 1 to 7
	From, To units.Time // 0 ≤ From; From < To, or To is 0: to the end of the run
}

// Receiver is a host that takes packets out of its NIC more slowly than they come. The NIC
// pauses the classes in PFC when more than XOFF bytes wait in it and resumes them when at most
// XON do; what does not fit in Buffer is lost.
type Receiver struct {
	Host     int           // node number
	Rate     units.BitRate // above 0, of bytes on the wire
	From, To units.Time    // as in [Storm]; before and after, packets are taken as they come

	Buffer, XOFF, XON units.Bytes // 0 ≤ XON < XOFF < Buffer
	Classes           uint8       // a bit per class that it pauses
}
