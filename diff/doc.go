// Package diff says what is different between two plans, why, and in which order the
// devices can be changed.
//
// # The difference
//
// [Compare] puts the switches of two plans side by side by name, and their ports, priority groups
// and queues by name and number. Changes are reported per quantity, in the terms of package plan,
// and equal changes of many ports and switches are one [Change]. The reason of a number's change is
// found in its two derivations: they are walked together, and the leaves whose values differ are
// its [Cause]s. A branch whose value is the same on both sides is not a reason, whatever differs
// below it. Plans that were read from configuration files have no derivations, so their changes
// have no causes.
//
// # The order
//
// A change of many devices passes through states that neither plan describes: some devices have the
// new settings, others still the old. Three rules keep lossless traffic lossless in all of them.
//
// A receiver can lose a frame of a lossless class where less headroom is left than may
// arrive after its pause frame (IEEE 802.1Q-2018, clause 36 and annex N: what arrives
// grows with speed, cable, frame size and the peer's response). So headroom grows before
// a cable, a port or a frame needs more, and shrinks after they need less.
//
// A pause frame names a priority, and the peer stops the queue that its own map gives
// for it (IEEE 802.1Q-2018, clause 36). Lossless holds on a link only where the priority
// that the receiver sends stops the queue that the sender uses (Juniper, "Configuring
// CoS PFC with Congestion Notification Profiles", traffic-mgmt-qfx: output queues have
// to respond to the priorities that are enabled at input). So PFC, priority groups and
// queues of a class are there on both ends before traffic relies on them, the old and
// the new side by side where a class moves, and what is no longer used goes last.
//
// Congestion control has to act before PFC does (Zhu et al., "Congestion Control for Large-Scale
// RDMA Deployments", SIGCOMM 2015, section 4: the marking threshold is below the one that pauses).
// So a curve that marks earlier, or for the first time, comes before traffic; one that marks later
// or goes comes after.
//
// The change of a device is therefore cut in up to three parts:
//
//   - grow: more headroom, PFC and groups of new classes, maps of code points that
//     become lossless, marking that begins earlier; and what makes less arrive, such as
//     smaller frames. Nothing is taken away.
//   - move: what makes more arrive, and classification at the edge: faster ports, larger
//     frames, trust and marking rules.
//   - shrink: less headroom, PFC off, groups, queues and ports that are not used any
//     more, marking that begins later.
//
// Cables and hosts change between: smaller frames of hosts before all, longer cables
// after growing, shorter ones before the move, all else of hosts after it. A port's
// speed counts when both ends have it, because a link whose ends disagree is down.
//
// A code point or a priority that becomes lossless is taken in by all NICs before one of them
// sends it, and what is no longer sent is dropped last. A queue pair keeps the ToS that it was
// opened with (ibv_modify_qp(3): the traffic class is part of ah_attr, which is set on the way to
// the state RTR).
// So what is dropped waits for queue pairs from before.
//
// Every dependence goes from an earlier part of one device to a later part of another
// at the far end of a cable, or, for classes, anywhere in the fabric:
//
//	hosts' frames and what they take in → grow → cables → move → hosts → shrink
//
// so there is always an order. Nothing that makes more arrive is done before all that makes less
// arrive is done at the same cable, so what is needed on the way is never more than the larger of
// what the two plans need. Parts of one device that no other device waits between are joined again
// and become one step, beginning with the tier that has most devices. Where nothing depends on the
// order, growing goes from the core to the edge, so that everything behind the edge is lossless
// before the edge says so, and shrinking from the edge to the core.
//
// One thing no order can do. A code point that moves between traffic classes while
// packets carry it is in one queue at one end of a cable and in another priority group
// at the other: pausing that group does not stop that queue, and the group overflows,
// also for other code points in it. [Rollout.Quiet] lists such code points: their
// traffic must be stopped, or moved to another code point, until the last step.
// Cumulus Linux has one lossless priority on a port, and SR Linux sends one priority for a group
// (packages emit/nvue and emit/srlinux), so a class cannot have two places there. Where a step
// would lead to such a state, the class has its new place at once, and its old code points are
// in [Rollout.Quiet] too.
// [Compare] finds those on cables between switches; package way adds those on the links of
// NICs and between the patches of a step.
package diff
