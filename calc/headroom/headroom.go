// Package headroom computes how much buffer a priority group needs beyond the
// threshold at which it sends PFC pause, so that nothing is lost until the peer falls
// silent.
//
// From the decision to pause to the last byte that still arrives pass: the frame that the switch is
// sending (the pause frame waits behind it), the pause frame, the cable there, the peer's response,
// the frame that the peer has started, and the cable back. The methods of this package differ in
// what they take for these terms and in how they turn wire bytes into cells. Each is one file that
// names its source.
//
// A method is bound to a chip once, by [For]; [Method.Compute] then takes no memory,
// and [Method.Explain] gives the same figures with their derivation.
package headroom

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Input holds the quantities besides the chip on which headroom depends. The zero value of a field
// that a method does not use is fine; [Defaults] fills those that SONiC has defaults for.
type Input struct {
	Speed units.BitRate // of the port, 1 Mb/s to 10 Tb/s
	Cable units.Length  // one way, 0 to 1000 km

	PortMTU     units.Bytes // largest frame that the port sends, 64 to 65,536 B
	LosslessMTU units.Bytes // largest frame of the lossless class, 64 to 65,536 B

	// Frame is the largest lossless frame with header and FCS, 64 to 65,536 B; 0: what
	// the method itself assumes. Only methods that count frames on the wire read it.
	Frame units.Bytes

	// SmallPackets is the share of packets, by count, that are of the smallest size;
	// 0 to 100 % in steps of 0.001 %.
	SmallPackets units.Ratio
	// MixDeclared is set where SmallPackets of the traffic is declared. Methods that are not a
	// vendor's calculator assume the worst packets unless it is.
	MixDeclared bool

	Gearbox units.Time // one passage through an external gearbox, whole ns, 0 to 1 ms
	Lanes   int        // serdes lanes of the port, 1 to 16

	// FirstByte has an unpublished chip decide to pause with a packet's first byte, as the verdict then says.
	// Else headroom pays for the last byte.
	FirstByte bool

	// OverSubscribe is the ratio by which PGs share a headroom pool; 0: they do not.
	OverSubscribe int

	// PeerResponse is the time that the peer takes from the last bit of a pause frame to silence,
	// where it is known better than by the method; 0 to 1 ms, 0: unknown.
	PeerResponse units.Time
}

// Defaults returns a port with only speed and cable known: MTU 9100 B as SONiC configures ports,
// lossless frames of 1024 B and half of all packets small, as sonic-buildimage
// files/build_templates/buffers_config.j2 configures LOSSLESS_TRAFFIC_PATTERN, four lanes, no
// gearbox, no shared headroom pool.
func Defaults() Input {
	return Input{PortMTU: 9100, LosslessMTU: 1024, SmallPackets: 50 * units.Percent, Lanes: 4}
}

// Result is the result of a method. XOff is the headroom proper; the other two are the other
// figures of a buffer profile.
type Result struct {
	XOff units.Bytes // headroom: bytes that are absorbed after the pause threshold
	XOn  units.Bytes // resume threshold that the profile states; 0: by offset alone
	Size units.Bytes // reserved for the PG alone, headroom included where it is not pooled

	Cells units.Cells // XOff in cells
}

// Derivation is the reason of each figure of a Result.
type Derivation struct{ XOff, XOn, Size *plan.Why }

// A Method is one formula with the constants of one chip.
type Method interface {
	// Name is the name in policies and flags: "ucloud".
	Name() string
	// Source says who published the formula.
	Source() string
	// Compute returns the headroom. The error is an *OutOfRange or a *NoRow of a
	// table.
	Compute(in Input) (Result, error)
	// Explain returns what Compute returns, with derivation.
	Explain(in Input) (Result, Derivation, error)
}

// Names of the methods that need nothing but chip and port, in the order of Compare.
// "table" needs a vendor's table besides: see [ParseTable].
var methods = [...]struct {
	name string
	bind func(*chips.Chip) (Method, error)
}{
	{"worst-case", newWorstCase},
	{"ucloud", newUCloud},
	{"spectrum", newSpectrum},
	{"tofino", newTofino},
	{"xgs", newXGS},
	{"ieee8021q", newIEEE},
	{"cisco", newCisco},
	{"hpcc", newHPCC},
}

// Names returns the names that For knows.
func Names() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// For binds a method to a chip. The empty name is the chip's own method; "xgs:NAME" is
// xgs with the constants of a platform's table, see [Platforms], and "spectrum:RELEASE"
// is an earlier state of NVIDIA's calculator: 202405, static-2021, static-2020. The error
// is an *UnknownMethod, a *WrongFamily, or a *chips.Unknown naming the constant that
// the catalogue does not have for the chip.
func For(chip *chips.Chip, name string) (Method, error) {
	if name == "" {
		own, err := chip.HeadroomMethod.Get()
		if err != nil {
			return nil, err
		}
		name = own
	}
	if platform, ok := strings.CutPrefix(name, "xgs:"); ok {
		return newPlatform(chip, platform)
	}
	if release, ok := strings.CutPrefix(name, "spectrum:"); ok {
		return newSpectrumRelease(chip, release)
	}
	for _, m := range methods {
		if m.name == name {
			return m.bind(chip)
		}
	}
	return nil, &UnknownMethod{name}
}

// UnknownMethod is the error of asking for a method that does not exist.
type UnknownMethod struct{ Name string }

func (e *UnknownMethod) Error() string {
	return fmt.Sprintf("there is no headroom method %q; methods are %s", e.Name, list(Names()))
}

// WrongFamily is the error of a vendor's calculator for another vendor's chip.
type WrongFamily struct {
	Method string
	Chip   *chips.Chip
}

func (e *WrongFamily) Error() string {
	return fmt.Sprintf("method %s is for chips of another family than %s, which is %s", e.Method, e.Chip.Name, e.Chip.Family)
}

// OutOfRange is the error of an input outside the bounds that a method holds for.
type OutOfRange struct {
	Input string // "cable"
	Value fmt.Stringer
	Bound string // "at most 1000km"
}

func (e *OutOfRange) Error() string {
	return fmt.Sprintf("%s is %s, it must be %s", e.Input, e.Value, e.Bound)
}

// Bounds of inputs. Inside them no product of this package leaves 128 bits and no
// quotient 63.
const (
	minSpeed   = units.Mbps
	maxSpeed   = 10 * units.Tbps
	maxCable   = 1000 * units.Kilometre
	minFrame   = units.Bytes(64)
	maxFrame   = 64 * units.KiB
	maxGearbox = units.Millisecond
	maxLanes   = 16
	shareStep  = units.Percent / 1000
)

// check reports the first input that is out of bounds.
func (in *Input) check() error {
	switch {
	case in.Speed < minSpeed || in.Speed > maxSpeed:
		return &OutOfRange{"speed", in.Speed, "between 1Mbps and 10Tbps"}
	case in.Speed%units.Mbps != 0:
		return &OutOfRange{"speed", in.Speed, "whole Mb/s"}
	case in.Cable < 0 || in.Cable > maxCable:
		return &OutOfRange{"cable", in.Cable, "between 0m and 1000km"}
	case in.PortMTU < minFrame || in.PortMTU > maxFrame:
		return &OutOfRange{"port_mtu", in.PortMTU, "between 64B and 65536B"}
	case in.LosslessMTU < minFrame || in.LosslessMTU > maxFrame:
		return &OutOfRange{"lossless_mtu", in.LosslessMTU, "between 64B and 65536B"}
	case in.Frame != 0 && (in.Frame < minFrame || in.Frame > maxFrame):
		return &OutOfRange{"frame", in.Frame, "between 64B and 65536B"}
	case in.SmallPackets < 0 || in.SmallPackets > units.One:
		return &OutOfRange{"small_packets", in.SmallPackets, "between 0% and 100%"}
	case in.SmallPackets%shareStep != 0:
		return &OutOfRange{"small_packets", in.SmallPackets, "a multiple of 0.001%"}
	case in.Gearbox < 0 || in.Gearbox > maxGearbox:
		return &OutOfRange{"gearbox", in.Gearbox, "between 0ns and 1ms"}
	case in.Gearbox%units.Nanosecond != 0:
		return &OutOfRange{"gearbox", in.Gearbox, "whole nanoseconds"}
	case in.Lanes < 1 || in.Lanes > maxLanes:
		return &OutOfRange{"lanes", plan.Count(in.Lanes), "between 1 and 16"}
	case in.OverSubscribe < 0 || in.OverSubscribe > 1<<20:
		return &OutOfRange{"over_subscribe", plan.Count(in.OverSubscribe), "between 0 and 1048576"}
	case in.PeerResponse < 0 || in.PeerResponse > units.Millisecond:
		return &OutOfRange{"peer_response", in.PeerResponse, "between 0ns and 1ms"}
	}
	return nil
}
