// Package mmu is the shared-buffer accounting of a switch: which counter a packet's cells enter,
// when a priority group pauses its sender, when it lets go, and when a packet is dropped. The
// threshold calculator, the simulator and the prover use it. It knows configurations and packets,
// and no formula of the calculator that it is checked against.
//
// # What is counted
//
// Memory is counted in cells. A packet of L bytes takes ⌈(L + metadata)/cell⌉ of them,
// and every cell is counted twice: at the priority group (PG) through which it came in
// and at the queue through which it will leave. Both sides must take the packet, or
// none does. A chip whose buffer is cut into slices (ITMs) keeps every pool, and every
// queue's counter, once per slice; a port's slice is that of its ingress pipe.
//
// # Where a packet goes
//
// At the PG its cells fill, one by one, what is left of
//
//  1. the PG's reserve, which no other PG may use;
//  2. the shared part of its pool, while the PG stays under its threshold, a fixed
//     number of cells or alpha times the cells of the pool that are still free;
//  3. if the PG is lossless, its headroom: up to its own limit and, where headroom is
//     pooled, what the slice's headroom pool has left.
//
// A packet whose last cell finds no place is dropped whole. At the queue it is the same
// with reserve and shared part alone.
//
// # Where it leaves from
//
// A departing packet empties the headroom first, then the shared part, then the reserve. So no
// place need be remembered per packet: the counters alone are the state of a PG, as in silicon, and
// headroom is free again as early as possible.
//
// # Whole ports
//
// A chip may bound what a whole port takes of the shared part of a pool, as ingress or as
// egress. A cell enters only where the port's bound admits it as well as the threshold of
// its group or queue, and the comparison is the same. So a lossless group is full, pauses
// and turns to its headroom when its port is at its bound; a queue drops.
//
// # Pause and resume
//
// A lossless PG asserts XOFF when it is full: no further cell would find room below the
// threshold. It asserts XON when all its cells, headroom included, have fallen to the
// resume level: the larger of xon and the level at which it paused less the xon offset.
//
// Chips differ in how they compare, by a single cell each; [Rules] names those differences.
//
// A PG is looked at when one of its own packets arrives or leaves. The free space that a
// dynamic threshold depends on also moves with the packets of others.
//
// # Speed
//
// Everything of one PG that a packet needs is in one record, and likewise for a queue and a pool: a
// packet touches four records. A structure of arrays would touch some twenty cache lines for the
// same packet, so it is not used here. No map, no interface, no allocation per packet.
package mmu
