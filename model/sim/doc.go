// Package sim sends packets through a lossless fabric: hosts with congestion
// control, switches with a shared buffer, PFC and ECN, links with a constant delay.
//
// A [Scenario] goes in, a [Result] comes out of [Run]. Time is in picoseconds, a run
// is one goroutine for each of [Scenario.Cores], and equal scenarios give equal results to the last
// byte, on any number of cores.
//
// # The event loop
//
// [engine.step] takes the next event and hands it to the room that it is for. An event is known by
// its port and its kind; this is all there is:
//
//   - arrival: the foremost packet on a link is there. A PFC frame goes to pfc.go, a packet at a host
//     to nic.go, one at a switch to switch.go, or by its first byte to intake.go where a chip's
//     buffer counts it from then on. A fault of a port intercepts it (trouble.go).
//   - frame in, packet in: the last byte of what intake.go has begun to take in, or of what quiet.go has
//     taken off the link before, where the first byte would have decided nothing.
//   - transmitted: a port is free and something waits: its node sends what is next.
//   - wake: a queue pair's pace lets it send again.
//   - task: the first of the agenda, which holds rare events: messages are posted,
//     timers run out, links fail.
//
// A host's receiving half is inbound.go, its sending half flow.go with message.go above. A switch
// asks scheduler.go for the turn, and for the way one of three packages that know nothing of the
// engine. A file for each gives it its inputs and carries out its decisions:
//
//   - balance.go asks package balance which next hop a packet takes, when it comes in, and reports waits to it when
//     their task has come (taskSignal).
//   - conweave.go asks package conweave for a path where a packet comes in at its source's leaf, shows it each data packet
//     at its destination's leaf, brings it replies and notices that have come back, and asks it about what is held
//     when that is due (taskFlush).
//   - cells.go reports packets that enter and leave a fabric of cells to package cells, and asks it for a port's
//     credit when that is due (taskCredit).
//
// Failing links are reported to them in outage.go, conweave_outage.go and cells_outage.go.
//
// All of this state is in dense lists by port, node, queue pair or message, in the rooms of
// [engine]: timekeeper, packetStore, network, hosts, paths, mishaps, sight. A room that a scenario
// does not need is a nil list or pointer, and costs a comparison. A [builder] sets all of it up
// before the first event.
//
// Events of one instant have their places by kind and port, so that what happens at a node depends on
// what comes to it alone ([engine.place]). In what ns-3 has run, they happen in the order in which they
// were scheduled.
//
// # Several cores, many hosts
//
// domain.go divides the switches with their hosts among engines that share all state, each of which belongs to one
// node. parallel.go lets them go on for as long as nothing that one sends can reach another: side by side on
// several cores, and one after the other where there are thousands of hosts, because the data of a domain stay in a
// core's own cache meanwhile.
//
// # How few events a hop needs
//
// A packet's hop is two things: the transmitter becomes free, and the packet arrives.
//
//   - Arrivals on a link keep their order, because its delay is constant. So a link
//     is a first-in-first-out list of packets, and only the foremost has an event.
//   - The end of a transmission matters only if something waits behind it. Where
//     nothing does, the transmitter just remembers until when it is busy, and the
//     event is made by the packet that comes to wait.
//   - A host that will have to wait for its pace at the end of a transmission is woken
//     by its pace alone ([engine.sleeps]).
//   - The timers of DCQCN are not events at all. They change a rate that is read when
//     a packet is sent or a congestion notification comes, so they are caught up then.
//
// An event is therefore known by its port and its kind, there are at most three per
// port, and nothing is made for one ([eventQueue]).
//
// An end of transmission has its place in the order of events from the start of the
// transmission, whether the event is made then, later or never. That is why the results
// are those of a simulator that makes all events, to the last nanosecond.
//
// # Time that is left out
//
// skip.go leaves out what is steady, if [Scenario.SkipSteady] asks for it.
//
// # Memory
//
// It depends on the messages and packets under way. A message that is sent many times, as in
// collectives, is one ([Flow.Repeat]). Pending events are in bunches that are used again. A
// receiver's record of packets that came out of order begins at the first missing one.
//
// Packets are in one array and are chained by index through the queues and links that hold them; a
// hop moves no packet and allocates nothing. The acknowledgement takes the place of the packet it
// acknowledges. A packet is half a cache line, a port one. An event in the queue is a number of 8 B
// ([entry]). Accesses that are near in time are near in memory: see [engine.glance], for which an
// event names its packet, and [packet] for why a packet knows when the one behind it arrives. State
// by class is stored by class ([engine.cell]).
//
// # Models
//
// A switch's buffer is the HPCC simulator's ([HPCCBuffer]) or what model/mmu makes of a
// chip ([SiliconBuffer]), which counts a packet from its first byte on: an event more per hop, but where the
// buffer holds so little that it makes no difference (quiet.go). Frames are as large as [Wire] says. Each congestion control is one file behind [control], which is all that a new one needs: [DCQCN], [TIMELY], [HPCC],
// [DCTCP], [Swift], [RTTCC]. Package balance chooses among ways, [Scheduler] among classes, [ECN] marks
// by the queue as it is or as software polls it; an [Egress] gives a port's classes queues of
// their own. [TCP] carries what is not RDMA. model/sim/hpcc reads the HPCC simulator's files.
//
// # What goes wrong
//
// An [Outage] takes a link down, a [Storm] is a NIC that pauses without end, a [Receiver] a host
// that is slow; a [Watchdog] frees queues that are stopped. Ports without them pay nothing: one
// byte of a port ([trouble]) has all its faults, and is checked together with the others that keep
// a packet from going straight through.
package sim
