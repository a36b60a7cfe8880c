// Package threshold answers what a hardware test of a switch's buffer would measure:
// which packet makes the first pause, the first drop, the resume.
//
// Every answer is given twice. [Setup.Run] builds the switch in [mmu] and sends it
// packet after packet; [Setup.Formula] has the closed form. Tests check one against the
// other, and both against what was measured on hardware.
//
// The two share how configured bytes become cells of a slice ([Setup.Slice]), because that is a
// matter of what the vendor's `size` means, not of accounting. The differences between chips are in
// [Behaviour]: nothing here depends on a topology, a speed or a single published figure.
package threshold
