// Package sim sends packets through a lossless fabric: hosts with congestion
// control, switches with a shared buffer, PFC and ECN, links with a constant delay.
//
// A [Scenario] goes in, a [Result] comes out of [Run]. Time is in picoseconds, a run
// is one goroutine, and equal scenarios give equal results to the last byte: events
// of the same instant happen in the order in which they were scheduled.
//
// # How few events a hop needs
//
// A packet's hop is two things: the transmitter becomes free, and the packet arrives.
//
//   - Arrivals on a link keep their order, because its delay is constant. So a link
//     is a first-in-first-out list of packets, and only the foremost has an event.
//   - The end of a transmission matters only if something waits behind it. Where
//     nothing does, the transmitter just remembers until when it is busy, and the
//     event is made by whoever comes to wait.
//   - The timers of DCQCN are no events at all. They change a rate that is read when
//     a packet is sent or a congestion notification comes, so they are caught up then.
//
// An event is therefore known by its port and its kind, there are at most three per
// port, and the queue of events ([eventQueue]) is arrays of fixed size.
//
// An end of transmission has its place in the order of events from the start of the
// transmission, whether the event is made then, later or never. That is why the results
// are those of a simulator that makes all events, to the last nanosecond.
//
// # Memory
//
// Packets lie in one array and are chained by index through the queues and links that
// hold them; a hop moves no packet and allocates nothing. The acknowledgement takes
// the place of the packet it acknowledges. A packet is half a cache line, a port one.
// What is near in time is made near in memory: see [engine.glance], and [packet] for why a
// packet knows when the one behind it arrives.
//
// # Models
//
// A switch's buffer is the HPCC simulator's ([HPCCBuffer]) or what model/mmu makes of a
// chip ([SiliconBuffer]), which counts a packet from its first byte on and costs an event
// more per hop. Frames are as large as [Wire] says. Each congestion control is one file: [DCQCN], [TIMELY], [HPCC],
// [DCTCP], [Swift], [RTTCC]. [Balancing] chooses among ways, [Scheduler] among classes, [ECN] marks
// by the queue as it is or as software polls it; an [Egress] gives a port's classes queues of
// their own. [TCP] carries what is not RDMA. model/sim/hpcc reads the HPCC simulator's files.
//
// # What goes wrong
//
// An [Outage] takes a link down, a [Storm] is a NIC that pauses without end, a [Receiver] a
// host that is slow; a [Watchdog] frees queues that are stopped. None of them costs anything
// where it is not: what is not as it should be at a port is one byte of it ([trouble]), which is
// looked at together with the others that keep a packet from going straight through.
package sim
