package threshold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
)

// An Input is a field of a [Setup], under the name that lists of set-ups use.
type Input string

const (
	PoolSize        Input = "ingress_pool.size_bytes"
	HeadroomPool    Input = "ingress_pool.headroom_pool_bytes"
	LosslessPorts   Input = "lossless_ports"
	LosslessPGs     Input = "lossless_pgs_per_port"
	Reserved        Input = "pg.reserved_bytes"
	Xoff            Input = "pg.xoff_bytes"
	XonOffset       Input = "pg.xon_offset_bytes"
	Alpha           Input = "pg.dynamic_th"
	LossyQueues     Input = "lossy_queues_per_port"
	QueueReserved   Input = "lossy_queue.reserved_bytes"
	QueueAlpha      Input = "lossy_queue.dynamic_th"
	EgressLossyPool Input = "egress_lossy_pool.size_bytes"
	PacketBytes     Input = "packet_bytes"
	PGs             Input = "pgs" // the number of PGs in a question
)

// Bounds far above silicon, inside which no sum of this package leaves 64 bits:
// ports × PGs × what one owns stays below 2⁶⁰.
const (
	maxPool     = 1 << 50 // bytes of a pool
	maxOwn      = 1 << 40 // bytes of what a PG or queue owns
	maxPorts    = 4096
	maxPGs      = 4096 // that a question may fill
	maxQueues   = 16
	maxExponent = 8 // of alpha, either way
	maxPacket   = 1 << 16
	maxSlices   = 64

	// maxLosslessPGs leaves a port one PG for lossy traffic.
	maxLosslessPGs = mmu.MaxPGs - 1
)

// Missing is the error of an answer that needs inputs which were not given.
type Missing struct{ Inputs []Input }

func (m *Missing) Error() string { return m.Named(func(in Input) string { return string(in) }) }

// Named returns the message with the names that the user knows the inputs by.
func (m *Missing) Named(name func(Input) string) string {
	names := make([]string, len(m.Inputs))
	for i, in := range m.Inputs {
		names[i] = name(in)
	}
	text := "needs " + strings.Join(names, ", ")
	if slices.ContainsFunc(m.Inputs, func(in Input) bool { return in == LosslessPorts || in == LossyQueues }) {
		text += ": on this chip the reserves of all ports come out of the pool"
	}
	return text
}

// OutOfRange is the error of an input that no switch has.
type OutOfRange struct {
	Input           Input
	Value, Min, Max fmt.Stringer
}

func (e *OutOfRange) Error() string {
	return e.Named(func(in Input) string { return string(in) })
}

// Named returns the message with the name that the user knows the input by.
func (e *OutOfRange) Named(name func(Input) string) string {
	return fmt.Sprintf("%s is %v, it must be from %v to %v", name(e.Input), e.Value, e.Min, e.Max)
}

// inRange checks an input that may be absent.
func inRange[T interface {
	~int64 | ~int8
	fmt.Stringer
}](in Input, value *T, low, high T) error {
	if value == nil || *value >= low && *value <= high {
		return nil
	}
	return &OutOfRange{in, *value, low, high}
}

func counted(n *int64) *plan.Count { return (*plan.Count)(n) }

// Validate reports the first input that is out of range, as an *[OutOfRange].
func (s *Setup) Validate() error {
	for _, err := range []error{
		inRange(PoolSize, s.PoolSize, 0, maxPool),
		inRange(HeadroomPool, s.HeadroomPool, 0, maxPool),
		inRange(LosslessPorts, counted(s.LosslessPorts), 0, maxPorts),
		inRange(LosslessPGs, counted(&s.LosslessPGs), 1, maxLosslessPGs),
		inRange(Reserved, s.Reserved, 0, maxOwn),
		inRange(Xoff, s.Xoff, 0, maxOwn),
		inRange(XonOffset, s.XonOffset, 0, maxOwn),
		inRange(Alpha, s.Alpha, -maxExponent, maxExponent),
		inRange(LossyQueues, counted(s.LossyQueues), 0, maxQueues),
		inRange(QueueReserved, s.QueueReserved, 0, maxOwn),
		inRange(QueueAlpha, s.QueueAlpha, -maxExponent, maxExponent),
		inRange(EgressLossyPool, s.EgressLossyPool, 0, maxPool),
		inRange(PacketBytes, counted(&s.PacketBytes), 1, maxPacket),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// ValidatePGs checks the number of PGs that a question is about.
func ValidatePGs(n int) error {
	count := plan.Count(n)
	return inRange(PGs, &count, 1, maxPGs)
}

// has reports whether an input was given.
func (s *Setup) has(in Input) bool {
	switch in {
	case PoolSize:
		return s.PoolSize != nil
	case LosslessPorts:
		return s.LosslessPorts != nil
	case Reserved:
		return s.Reserved != nil
	case Xoff:
		return s.Xoff != nil
	case XonOffset:
		return s.XonOffset != nil
	case Alpha:
		return s.Alpha != nil
	case LossyQueues:
		return s.LossyQueues != nil
	case QueueAlpha:
		return s.QueueAlpha != nil
	}
	return true // the others have defaults
}

// lacks returns a *[Missing] with those of the inputs that were not given, each once.
func (s *Setup) lacks(inputs []Input) error {
	var missing []Input
	for _, in := range inputs {
		if !s.has(in) && !slices.Contains(missing, in) {
			missing = append(missing, in)
		}
	}
	if missing == nil {
		return nil
	}
	return &Missing{missing}
}

// pooled: the PGs' headroom comes from a headroom pool.
func (s *Setup) pooled() bool { return s.HeadroomPool != nil && *s.HeadroomPool > 0 }

// sizeNeeds returns the inputs from which the shared part of the pool follows on this chip.
func (s *Setup) sizeNeeds() []Input {
	needs := []Input{PoolSize}
	if s.Behaviour.Size != Gross && s.Behaviour.Size != GrossKeepsQueues {
		return needs
	}
	needs = append(needs, LosslessPorts, Reserved)
	if s.Behaviour.Size == Gross {
		needs = append(needs, LossyQueues)
	}
	if !s.pooled() {
		needs = append(needs, Xoff)
	}
	return needs
}
