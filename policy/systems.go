package policy

import (
	"slices"

	"github.com/roceplan/roceplan/format/all"
	"github.com/roceplan/roceplan/units"
)

func systemNames() []string {
	var names []string
	for _, s := range all.Systems() {
		names = append(names, s.OS)
	}
	return names
}

// TargetNames lists what `targets` may hold, in the order of the systems that take them.
func TargetNames() []string {
	var names []string
	for _, s := range all.Systems() {
		names = append(names, s.Name)
	}
	return names
}

// defaultTargets returns the targets of an operating system.
func defaultTargets(os string) []string {
	for _, s := range all.Systems() {
		if s.OS == os {
			return []string{s.Name}
		}
	}
	return nil
}

// sharedPools returns the pools whose shares a target of the switch writes.
func (s *Switch) sharedPools() (names []string) {
	for _, system := range all.Systems() {
		if slices.Contains(s.Targets.Value, system.Name) {
			names = append(names, system.Shares...)
		}
	}
	return names
}

// SharesPool reports whether a system writes the share of a pool in per cent.
func SharesPool(os, pool string) bool {
	for _, s := range all.Systems() {
		if s.OS == os {
			return slices.Contains(s.Shares, pool)
		}
	}
	return false
}

// A DividedBuffer is the shared buffer of a box whose system divides it into parts, each for itself.
type DividedBuffer struct {
	Shared units.Bytes
	Lossy  int64       // default part of lossy traffic, in per cent
	Queue  units.Alpha // the largest threshold of a queue
	Model  string
	Source string // of Shared and Lossy
}

// DividedBuffer returns the least buffer of a chip that a target of the switch divides. ok is false where all targets take
// the buffer of the chip.
func (s *Switch) DividedBuffer(chip string) (least DividedBuffer, ok bool) {
	for _, system := range all.Systems() {
		if box, known := system.Boxes.Of(chip); known && slices.Contains(s.Targets.Value, system.Name) && (!ok || box.Shared < least.Shared) {
			least, ok = DividedBuffer{box.Shared, system.Lossy, system.QueueAlpha, box.Model, system.BoxesBy}, true
		}
	}
	return least, ok
}
