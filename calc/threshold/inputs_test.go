package threshold

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// drawAny draws a setup of anything at all: inputs absent, out of range, far too large.
func drawAny(t *rapid.T, names []string) *Setup {
	behaviour := must.Get(Lookup(own(), rapid.SampledFrom(names).Draw(t, "chip")))(t)
	s := NewSetup(behaviour)
	number := func(name string) *int64 {
		switch rapid.IntRange(0, 7).Draw(t, name+" is") {
		case 0:
			return nil
		case 1:
			n := rapid.Int64().Draw(t, name)
			return &n
		case 2:
			n := rapid.SampledFrom([]int64{0, 1, -1, 7, 8, 99, maxPorts, maxOwn, maxPool, maxPool + 1}).Draw(t, name)
			return &n
		}
		n := rapid.Int64Range(0, 6).Draw(t, name)
		return &n
	}
	bytes := func(name string) *units.Bytes {
		n := number(name)
		if n != nil && *n <= 6 {
			*n *= int64(behaviour.CellBytes) * 10
		}
		return (*units.Bytes)(n)
	}
	alpha := func(name string) *units.Alpha {
		if rapid.Bool().Draw(t, name+" is given") {
			a := units.Alpha(rapid.Int8().Draw(t, name))
			return &a
		}
		return nil
	}
	s.PoolSize, s.HeadroomPool, s.EgressLossyPool = bytes("size"), bytes("headroom pool"), bytes("egress pool")
	s.Reserved, s.Xoff, s.XonOffset, s.QueueReserved = bytes("reserved"), bytes("xoff"), bytes("xon offset"), bytes("queue reserved")
	s.LosslessPorts, s.LossyQueues = number("ports"), number("queues")
	s.Alpha, s.QueueAlpha = alpha("alpha"), alpha("queue alpha")
	if n := number("pgs"); n != nil {
		s.LosslessPGs = *n
	}
	if n := number("packet"); n != nil {
		s.PacketBytes = *n
	}
	return s
}

// Whatever is asked of whatever set-up, the answer is a figure or an error, never a panic.
func TestAnySetupIsAnsweredOrRefused(t *testing.T) {
	ranges, names := 0, answered(t)
	rapid.Check(t, func(t *rapid.T) {
		s, n := drawAny(t, names), rapid.SampledFrom([]int{-1, 0, 1, 2, 3, 9, maxPGs + 1}).Draw(t, "n")
		if errors.As(s.Validate(), new(*OutOfRange)) {
			ranges++
		}
		answers(s.Run(), n)
		answers(s.Formula(), n)
	})
	if ranges == 0 {
		t.Error("no setup was out of range: the test asks too little")
	}
}

func TestOutOfRange(t *testing.T) {
	eight, size := int64(8), units.Bytes(maxPool+1)
	for _, test := range []struct {
		change func(*Setup)
		want   string
	}{
		{func(s *Setup) { s.LosslessPGs = eight }, "lossless_pgs_per_port is 8, it must be from 1 to 7"},
		{func(s *Setup) { s.LosslessPorts = new(int64); *s.LosslessPorts = -1 }, "lossless_ports is -1, it must be from 0 to 4096"},
		{func(s *Setup) { s.PoolSize = &size }, "ingress_pool.size_bytes is 1125899906842625B, it must be from 0B to 1125899906842624B"},
		{func(s *Setup) { s.PacketBytes = 0 }, "packet_bytes is 0, it must be from 1 to 65536"},
	} {
		behaviour := must.Get(Lookup(own(), "th5"))(t)
		s := NewSetup(behaviour)
		test.change(s)
		if err := s.Validate(); err == nil || err.Error() != test.want {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
	if err := ValidatePGs(0); err == nil {
		t.Error("a question about no PG is taken")
	}
}
