// Package apply carries out a rollout on running devices.
//
// A [Rollout] has the steps of package diff, and for each device the states that it passes through
// in their order. [Survey] reads what each device runs and reports which of these states that is.
// [Run] continues from there, step by step: first one device of a step alone, then the others. On
// each device:
//
//  1. The running configuration is read, and must be the state before the step.
//  2. The change and the way back are made from it, and are in the journal, on disk, before
//     anything is sent.
//  3. The configuration is read again, and must be the same text: the device was not changed meanwhile.
//  4. The change is sent in the system's own safest way. Where the system has a timed confirm,
//     it takes the change back by itself unless that is confirmed.
//  5. The configuration is read back, and must be the state after the step, by the readers of package
//     verify. The caller has proved that state, so what was read back is proved.
//
// When all devices of a wave are in that state and the soak time is over, the changes are confirmed
// and saved. If one device is not, all changes of the wave are taken back, and the rollout stops
// with a [Stop] that says where it stopped and what to do. After any other end, also a kill, the
// next run continues from the [Journal].
//
// The commands of each system are data: see the table of systems.
package apply
