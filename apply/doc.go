// Package apply carries a rollout out on devices that run.
//
// A [Rollout] is the steps of package diff: for each device the states that it passes through,
// and in which order. [Survey] reads what each device runs and says which of these states it is
// in. [Run] goes on from there, step by step, first one device of a step alone, then the others.
// On each device:
//
//  1. What runs is read, and must be the state before the step.
//  2. The change and the way back are made from it, and are in the journal, on disk, before
//     anything is sent.
//  3. What runs is read again, and must be the same text: nobody changed the device meanwhile.
//  4. The change is sent in the system's own safest way. Where the system has a timed confirm,
//     it takes the change back by itself unless that is confirmed.
//  5. What runs is read back, and must be the state after the step, by the readers of package
//     verify. The caller has proved that state; so what was read back is proved.
//
// When all devices of a wave are there and the soak time is over, the changes are confirmed and
// saved. If one is not, all of the wave are taken back, and the rollout stops with a [Stop] that
// says where and what to do. A run that ends anywhere else, also by a kill, is gone on with by the
// next run from the journal: see [Journal].
//
// How each system is told is data: see the table of systems.
package apply
