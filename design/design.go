// Package design writes the text of a fabric from a few words: how many GPUs or hosts, their NICs, the chips and the
// system of the switches. It counts leaves and spines, finds boxes and ports for them, and comments what it chose.
// Whether the text compiles, and to which verdict, its caller finds out by compiling it.
package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/units"
)

// A Wish says what a fabric is for. Only Leaf, OS, NIC and one of GPUs and Hosts must be given.
type Wish struct {
	GPUs      int // of a training pod, each with a NIC: leaf k has the NICs of GPU k of its servers (rails)
	Hosts     int // of a plain leaf-spine fabric for storage, each with a NIC
	PerServer int // GPUs of a server; 0: 8

	NIC      units.BitRate // of a port of the NICs
	NICModel string        // of the catalogue; empty: the first ConnectX from ConnectX-5 on that is as fast
	Uplink   units.BitRate // between leaves and spines; 0: the fastest up to [provable] that fits

	Leaf, Spine string // chips, or platforms; an empty Spine: as Leaf, and none where one switch holds all
	OS          string // as fabric files call it

	PerLeaf int // NICs of a leaf at most; 0: half of its bandwidth
	Spines  int // 0: as few as hold all uplinks, two at least where a leaf has two

	ServerCable, SpineCable units.Length // 0: as long as copper reaches, 50 m of fibre

	Alpha string // of the lossless class, such as "1/4"; empty: derived
	// LossyAlpha is that of lossy classes on the switches, such as "1/64"; empty: derived.
	LossyAlpha string
	Source     string // where the design is published

	card *chips.NIC // of NICModel
}

// provable is the fastest port for which IEEE 802.3 bounds how long a paused station may go on
// (31B.3.7): the proof of a faster one is conditional on a time that must be declared.
const provable = 400 * units.Gbps

// spineCable is the assumed length of cables between switches.
const spineCable = 50 * units.Metre

// copper is as long as copper reaches at lanes of a rate, 3 m at most: longer ones are sold, and few racks need them.
func copper(lane units.BitRate) units.Length {
	if r, ok := chips.TwinaxAt(lane); ok {
		return min(r.Length, 3*units.Metre)
	}
	return units.Metre
}

// A Text is a fabric as it was written.
type Text struct {
	HCL  string
	Size Size
}

// Write counts, chooses boxes and ports, and writes the fabric. The error says what does not fit, with the numbers.
func Write(w Wish, catalogue *chips.Catalogue) (*Text, error) {
	if err := w.complete(catalogue); err != nil {
		return nil, err
	}
	size, err := w.fit(catalogue)
	if err != nil {
		return nil, err
	}
	return &Text{w.hcl(size), *size}, nil
}

// complete fills in what was left out and refuses what cannot be meant.
func (w *Wish) complete(catalogue *chips.Catalogue) error {
	if w.PerServer == 0 {
		w.PerServer = 8
	}
	switch {
	case (w.GPUs > 0) == (w.Hosts > 0):
		return fmt.Errorf("a fabric is for GPUs or for hosts: give the number of one of them, at least 1")
	case w.GPUs > 1<<20 || w.Hosts > 1<<20 || w.PerServer < 1 || w.PerServer > 1024:
		return fmt.Errorf("%d GPUs, %d hosts and %d GPUs of a server are out of range: want 1 to 1048576, and 1 to 1024 of a server", w.GPUs, w.Hosts, w.PerServer)
	case w.GPUs%w.PerServer != 0:
		return fmt.Errorf("%d GPUs are not whole servers of %d: the next are %d and %d", w.GPUs, w.PerServer, w.GPUs/w.PerServer*w.PerServer, (w.GPUs/w.PerServer+1)*w.PerServer)
	case w.NIC <= 0:
		return fmt.Errorf("the NICs are missing: give a rate, such as 400G, or a model, such as connectx-7")
	case w.Uplink != 0 && w.Uplink < w.NIC:
		return fmt.Errorf("links of %v between switches are slower than the NICs, which have %v: choose faster links or slower NICs", w.Uplink, w.NIC)
	}
	if w.SpineCable == 0 {
		w.SpineCable = spineCable
	}
	return w.chooseNIC(catalogue)
}

// chooseNIC finds a model that is as fast as the wish.
func (w *Wish) chooseNIC(catalogue *chips.Catalogue) error {
	if w.NICModel != "" {
		n, ok := catalogue.NIC(w.NICModel)
		if !ok || !slices.Contains(n.PortSpeeds.Or(nil), w.NIC) {
			return fmt.Errorf("%s has no port of %v: `roceplan nics show %s` lists its speeds", w.NICModel, w.NIC, w.NICModel)
		}
		w.card = n
		return nil
	}
	models := []string{"connectx-5", "connectx-6", "connectx-7", "connectx-8"}
	for _, model := range models {
		if n, ok := catalogue.NIC(model); ok && slices.Contains(n.PortSpeeds.Or(nil), w.NIC) {
			w.NICModel, w.card = model, n
			return nil
		}
	}
	return fmt.Errorf("none of %s has a port of %v: name another model, `roceplan nics` lists them", strings.Join(models, ", "), w.NIC)
}

// training reports whether the fabric is one of rails.
func (w *Wish) training() bool { return w.GPUs > 0 }

// nics returns the number of NICs.
func (w *Wish) nics() int { return max(w.GPUs, w.Hosts) }

// what names them with their number.
func (w *Wish) what() string {
	if w.training() {
		return natural.Count(w.GPUs, "GPU", "GPUs")
	}
	return natural.Count(w.Hosts, "host", "hosts")
}
