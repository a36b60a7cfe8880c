package threshold

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

func ref[T any](v T) *T { return &v }

// whole is a set-up of one slice of a chip with cells of 100 B that has every input.
func whole(size SizeMeaning) *Setup {
	s := NewSetup(Behaviour{CellBytes: 100, Slices: 1, Size: size})
	s.PoolSize, s.LosslessPorts, s.LossyQueues = ref(units.Bytes(100_000)), ref(int64(2)), ref(int64(3))
	s.Reserved, s.Xoff, s.XonOffset, s.Alpha = ref(units.Bytes(1000)), ref(units.Bytes(2000)), ref(units.Bytes(300)), ref(units.Alpha(0))
	s.QueueReserved, s.QueueAlpha = ref(units.Bytes(400)), ref(units.Alpha(-1))
	return s
}

// Each input of a set-up at its bounds, which are taken, and next to them, which is not.
func TestBoundsOfInputs(t *testing.T) {
	type of = map[Input]struct {
		low, high int64
		set       func(s *Setup, v int64)
	}
	const pool, owned = 1 << 50, 1 << 40
	for in, c := range (of{
		PoolSize:        {0, pool, func(s *Setup, v int64) { s.PoolSize = ref(units.Bytes(v)) }},
		HeadroomPool:    {0, pool, func(s *Setup, v int64) { s.HeadroomPool = ref(units.Bytes(v)) }},
		LosslessPorts:   {0, 4096, func(s *Setup, v int64) { s.LosslessPorts = &v }},
		LosslessPGs:     {1, 7, func(s *Setup, v int64) { s.LosslessPGs = v }},
		Reserved:        {0, owned, func(s *Setup, v int64) { s.Reserved = ref(units.Bytes(v)) }},
		Xoff:            {0, owned, func(s *Setup, v int64) { s.Xoff = ref(units.Bytes(v)) }},
		XonOffset:       {0, owned, func(s *Setup, v int64) { s.XonOffset = ref(units.Bytes(v)) }},
		Alpha:           {-8, 8, func(s *Setup, v int64) { s.Alpha = ref(units.Alpha(v)) }},
		LossyQueues:     {0, 16, func(s *Setup, v int64) { s.LossyQueues = &v }},
		QueueReserved:   {0, owned, func(s *Setup, v int64) { s.QueueReserved = ref(units.Bytes(v)) }},
		QueueAlpha:      {-8, 8, func(s *Setup, v int64) { s.QueueAlpha = ref(units.Alpha(v)) }},
		EgressLossyPool: {0, pool, func(s *Setup, v int64) { s.EgressLossyPool = ref(units.Bytes(v)) }},
		PacketBytes:     {1, 65536, func(s *Setup, v int64) { s.PacketBytes = v }},
	}) {
		for _, v := range []int64{c.low - 1, c.low, c.high, c.high + 1} {
			s := whole(Net)
			c.set(s, v)
			err := s.Validate()
			var out *OutOfRange
			if want := v < c.low || v > c.high; errors.As(err, &out) != want || want && (out.Input != in || !strings.HasPrefix(err.Error(), string(in)+" is ")) {
				t.Errorf("%s = %d: %v", in, v, err)
			}
		}
	}
	for n, ok := range map[int]bool{0: false, 1: true, 4096: true, 4097: false} {
		if err := ValidatePGs(n); (err == nil) != ok || err != nil && !strings.HasPrefix(err.Error(), "pgs is ") {
			t.Errorf("%d PGs: %v", n, err)
		}
	}
}

// What each answer needs: the size of the pool with what comes out of it on the chip, a lossless
// group's reserve and threshold, and what is asked about. The distance from pause to drop needs the
// headroom alone. Whatever else is missing, there is an answer.
func TestWhatEachAnswerNeeds(t *testing.T) {
	inputs := map[Input]func(*Setup){
		PoolSize: func(s *Setup) { s.PoolSize = nil }, LosslessPorts: func(s *Setup) { s.LosslessPorts = nil }, Reserved: func(s *Setup) { s.Reserved = nil },
		Xoff: func(s *Setup) { s.Xoff = nil }, XonOffset: func(s *Setup) { s.XonOffset = nil }, Alpha: func(s *Setup) { s.Alpha = nil },
		LossyQueues: func(s *Setup) { s.LossyQueues = nil }, QueueAlpha: func(s *Setup) { s.QueueAlpha = nil }, QueueReserved: func(s *Setup) { s.QueueReserved = nil },
	}
	size := map[SizeMeaning][]Input{Net: {PoolSize}, GrossPool: {PoolSize}, Gross: {PoolSize, LosslessPorts, Reserved, LossyQueues}, GrossKeepsQueues: {PoolSize, LosslessPorts, Reserved}}
	threshold := []Input{Reserved, Alpha}
	for meaning, of := range size {
		for _, pooled := range []bool{false, true} {
			of := slices.Clone(of)
			if !pooled && (meaning == Gross || meaning == GrossKeepsQueues) {
				of = append(of, Xoff)
			}
			for key, need := range map[string][]Input{
				"packets_to_first_pause": append(threshold, of...), "packets_to_first_ingress_drop": append([]Input{Reserved, Alpha, Xoff}, of...), "packets_from_pause_to_drop": {Xoff},
				"packets_to_first_lossy_egress_drop": append([]Input{QueueAlpha}, of...), "packets_drained_to_resume": append([]Input{Reserved, Alpha, XonOffset}, of...),
				"equal": append(threshold, of...), "successive": append(threshold, of...), "headroom": append([]Input{Reserved, Alpha, Xoff}, of...),
			} {
				for in, without := range inputs {
					s := whole(meaning)
					if pooled {
						s.HeadroomPool = ref(units.Bytes(5000))
					}
					without(s)
					for name, f := range map[string]Figures{"run": s.Run(), "formula": s.Formula()} {
						text, isText := answers(f, 2)[key].(string)
						lacks := isText && strings.HasPrefix(text, "needs ") && strings.Contains(text, string(in))
						if lacks != slices.Contains(need, in) || isText && !lacks {
							t.Errorf("%s of %s, size %d, pooled %v, without %s: %v", key, name, meaning, pooled, in, text)
						}
					}
				}
			}
		}
	}
	s := whole(Net)
	if err := s.lacks([]Input{HeadroomPool, LosslessPGs, PacketBytes, EgressLossyPool, QueueReserved}); err != nil {
		t.Errorf("what has a default is missing: %v", err)
	}
	s.Alpha, s.PoolSize = nil, nil
	if err := s.lacks([]Input{Alpha, PoolSize, Alpha}); err == nil || err.Error() != "needs pg.dynamic_th, ingress_pool.size_bytes" {
		t.Errorf("%v", err)
	}
	for _, in := range []Input{LosslessPorts, LossyQueues} {
		if err := (&Missing{[]Input{Xoff, in}}); err.Error() != "needs pg.xoff_bytes, "+string(in)+": on this chip the reserves of all ports come out of the pool" {
			t.Errorf("%v", err)
		}
	}
}

// A chip of which something is not what the calculation knows is refused; up to 64 slices are not.
func TestChipsThatAreRefused(t *testing.T) {
	chip := func(cell, slices string) (Behaviour, error) {
		catalogue := must.Sound(chips.Load(chips.Source{Name: "own.hcl", Text: []byte(`
chip "own" {
  title  = "Own"
  vendor = "Own"
  family = "xgs"
  ` + cell + `
  ` + slices + `
}`)}))(t)
		return Lookup(catalogue, "own")
	}
	datum := func(name, value string) string {
		return name + " {\n value = " + value + "\n confidence = \"assumed\"\n source = \"a test\"\n}"
	}
	for slices, want := range map[string]string{"1": "", "64": "", "65": "slices of own is 65, at most 64 can be computed"} {
		if b, err := chip(datum("cell_size", `"254B"`), datum("slices", slices)); (err == nil) != (want == "") || err != nil && err.Error() != want || err == nil && fmt.Sprint(b.Slices) != slices {
			t.Errorf("%s slices: %+v, %v", slices, b, err)
		}
	}
	if _, err := chip("", datum("slices", "1")); err == nil || !strings.Contains(err.Error(), "cell_size") {
		t.Errorf("without cells: %v", err)
	}
	for p, want := range map[chips.PoolSize]SizeMeaning{chips.Net: Net, chips.Gross: Gross, chips.GrossOwnHeadroom: GrossKeepsQueues, chips.GrossPool: GrossPool} {
		must.Equalf(t, meaning(p), want, "%v:", p)
	}
}

// A slice of 2^26 packets is run, and one more is not, whatever they are made of: shared cells, those of
// n groups, the lossy pool and its queue; packets of two cells are half as many.
func TestLongestRun(t *testing.T) {
	const most = 1 << 26
	r := whole(Net).Run()
	for _, c := range []Slice{
		{Shared: most, PacketCells: 1}, {Reserved: most / 4, Headroom: most / 4, PacketCells: 1}, {Lossy: most, PacketCells: 1}, {QueueReserved: most, PacketCells: 1},
		{Shared: most, Lossy: most + 1, PacketCells: 2},
	} {
		if _, err := r.config(c, 2); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		c.Shared += c.PacketCells
		if _, err := r.config(c, 2); err == nil || err.Error() != fmt.Sprintf("the slice takes %d packets; the model is run for at most %d", most+1, most) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	// Whoever asks is told.
	s := whole(Net)
	s.PoolSize = ref(units.Bytes(100 * (most + 1)))
	for key, answer := range answers(s.Run(), 2) {
		if text, ok := answer.(string); !ok || !strings.HasPrefix(text, "the slice takes ") {
			t.Errorf("%s: %v", key, answer)
		}
	}
}

// So many ports carry n groups, as many a port as there are, and one more is the way out of all; each
// has a lossy group behind the lossless ones.
func TestPortsOfARun(t *testing.T) {
	for _, c := range []struct{ n, pgs, ports int }{{1, 1, 2}, {2, 1, 3}, {2, 2, 2}, {3, 2, 3}, {7, 7, 2}, {8, 7, 3}, {14, 7, 3}} {
		s := whole(Net)
		s.LosslessPGs = int64(c.pgs)
		r := s.Run()
		config, err := r.config(Slice{Shared: 10, Reserved: 2, Headroom: 3, XonOffset: 1, PacketCells: 1}, c.n)
		if err != nil || len(config.Ports) != c.ports {
			t.Errorf("%d groups, %d a port: %d ports, %v", c.n, c.pgs, len(config.Ports), err)
			continue
		}
		for _, port := range config.Ports {
			last := len(port.PGs) - 1
			if last != c.pgs || port.PGs[last].Lossless || !port.PGs[0].Lossless || port.PGs[0].ReservedCells != 2 || port.PGs[0].HeadroomCells != 3 || port.PGs[0].XonOffsetCells != 1 {
				t.Errorf("%+v: %+v", c, port.PGs)
			}
		}
		used := map[[2]int]bool{}
		for _, p := range r.lossless(config, c.n) {
			used[[2]int{p.InPort, p.PG}] = true
			if p.InPort >= c.ports-1 || p.PG >= c.pgs || p.OutPort != c.ports-1 || p.Queue != losslessQueue || p.Bytes != 64 {
				t.Errorf("%+v: %+v", c, p)
			}
		}
		must.Equalf(t, len(used), c.n, "%+v: groups are filled:", c)
	}
}

// A division that rounds down, of what is below 0 too.
func TestFloorDiv(t *testing.T) {
	for _, c := range []struct{ a, b, want int64 }{{7, 2, 3}, {-7, 2, -4}, {-8, 2, -4}, {0, 2, 0}, {-1, 3, -1}, {6, 3, 2}} {
		must.Equalf(t, floorDiv(c.a, c.b), c.want, "%d/%d:", c.a, c.b)
	}
}

// Where it is not known how a port's headroom pool or its cells are shared out, it is told in cells: what is
// given is rounded down, a pool's part of each slice up.
func TestCellsOfASlice(t *testing.T) {
	s := whole(Net)
	s.Behaviour.Slices = 4
	s.PoolSize, s.HeadroomPool, s.EgressLossyPool = ref(units.Bytes(4001)), ref(units.Bytes(899)), ref(units.Bytes(401))
	s.Reserved, s.Xoff, s.XonOffset, s.QueueReserved, s.PacketBytes = ref(units.Bytes(199)), ref(units.Bytes(299)), ref(units.Bytes(399)), ref(units.Bytes(499)), 101
	s.Behaviour.MetadataBytes = 99
	got, err := s.Slice()
	if want := (Slice{Shared: 11, HeadroomPool: 2, Lossy: 2, Reserved: 1, Headroom: 2, XonOffset: 3, QueueReserved: 4, Pooled: true, PacketCells: 2}); got != want || err != nil {
		t.Errorf("%+v, want %+v; %v", got, want, err)
	}
	s.Behaviour.MetadataBytes, s.EgressLossyPool, s.QueueReserved, s.Behaviour.LossyReserve = 100, nil, nil, 700
	if got, err = s.Slice(); got.PacketCells != 3 || got.Lossy != 11 || got.QueueReserved != 7 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	s.HeadroomPool = ref(units.Bytes(399))
	if _, err := s.Slice(); err == nil || err.Error() != "the headroom pool of 399 B is less than a cell in each of 4 slices" {
		t.Errorf("%v", err)
	}
	s.HeadroomPool = ref(units.Bytes(0))
	if got, err := s.Slice(); got.Pooled || err != nil {
		t.Errorf("a pool of nothing is one: %+v, %v", got, err)
	}
	s.HeadroomPool = ref(units.Bytes(1))
	if _, err := s.Slice(); err == nil {
		t.Error("a pool of 1 B is none")
	}
}

// What comes out of a pool, by hand: 2 ports with 2 groups of 10 and 20 cells, 3 queues of 4 cells in
// each of two slices, and a pool of 50 cells where headroom is shared.
func TestWhatAPoolCovers(t *testing.T) {
	for _, c := range []struct {
		size   SizeMeaning
		pooled bool
		want   units.Cells
	}{
		{Gross, false, 2 * (2*10 + 3*4*2 + 2*20)}, {Gross, true, 50 + 2*(2*10+3*4*2)}, {GrossKeepsQueues, false, 2 * (2*10 + 2*20)}, {GrossKeepsQueues, true, 50 + 2*2*10},
		{GrossPool, true, 50}, {GrossPool, false, 0}, {Net, true, 0},
	} {
		s := whole(c.size)
		s.Behaviour.Slices = 2
		if c.pooled {
			s.HeadroomPool = ref(units.Bytes(5000))
		}
		got, err := s.Slice()
		if want := (1000 - c.want) / 2; got.Shared != want || err != nil {
			t.Errorf("%+v: %d cells are shared, want %d; %v", c, got.Shared, want, err)
		}
		if c.want == 0 {
			continue
		}
		s.PoolSize = ref(units.Bytes(c.want) * 100)
		if got, err = s.Slice(); got.Shared != 0 || err != nil {
			t.Errorf("%+v: just enough is %d, %v", c, got.Shared, err)
		}
		s.PoolSize = ref(units.Bytes(c.want)*100 - 1)
		if _, err = s.Slice(); err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("but headroom and reserves take %d: 1 too many", c.want)) {
			t.Errorf("%+v: a byte less: %v", c, err)
		}
	}
}

// The pause where packets are longer than a cell, and what headroom a group can use of its pool.
func TestPauseAt(t *testing.T) {
	for _, c := range []struct {
		pause             mmu.Pause
		top, packet, want int64
	}{
		{mmu.OnExcess, 10, 1, 11}, {mmu.OnExcess, 10, 3, 4}, {mmu.OnExcess, 9, 3, 4}, {mmu.OnExcess, 0, 2, 1},
		{mmu.WhenFull, 10, 1, 10}, {mmu.WhenFull, 10, 3, 4}, {mmu.WhenFull, 9, 3, 3}, {mmu.WhenFull, 0, 2, 1}, {mmu.WhenFull, 1, 1, 1},
	} {
		s := whole(Net)
		s.Behaviour.Rules.Pause = c.pause
		must.Equalf(t, s.Formula().pauseAt(c.top, c.packet), c.want, "%+v:", c)
	}
	for _, c := range []struct {
		slice Slice
		want  units.Cells
	}{{Slice{Headroom: 7, HeadroomPool: 5}, 7}, {Slice{Headroom: 7, HeadroomPool: 5, Pooled: true}, 5}, {Slice{Headroom: 4, HeadroomPool: 5, Pooled: true}, 4}} {
		must.Equalf(t, headroom(c.slice), c.want, "%+v:", c.slice)
	}
}

// A pool of 10 cells is exhausted before a lossy queue of more: the 11th packet is dropped at ingress.
// Where both are, the ingress side is asked first.
func TestIngressIsExhaustedFirst(t *testing.T) {
	for pool, want := range map[int64]string{1000: "no egress drop: the ingress pool is exhausted before, at packet 11", 10: "no egress drop: the ingress pool is exhausted before, at packet 11", 9: "10"} {
		s := whole(Net)
		// With alpha 8 a queue takes 256/257 of its pool, so that it holds one packet less than that has, and its reserve.
		s.PoolSize, s.QueueReserved, s.QueueAlpha, s.EgressLossyPool = ref(units.Bytes(1000)), ref(units.Bytes(100)), ref(units.Alpha(8)), ref(units.Bytes(pool*100))
		for name, f := range map[string]Figures{"run": s.Run(), "formula": s.Formula()} {
			must.Equalf(t, fmt.Sprint(answers(f, 1)["packets_to_first_lossy_egress_drop"]), want, "a lossy pool of %d, %s:", pool, name)
		}
	}
}

// A question about no group, or about more than there can be, has no answer.
func TestNumbersOfGroups(t *testing.T) {
	for _, n := range []int{-1, 0, 4097} {
		for name, f := range map[string]Figures{"run": whole(Net).Run(), "formula": whole(Net).Formula()} {
			all := answers(f, n)
			for _, key := range []string{"equal", "successive", "headroom"} {
				if text, ok := all[key].(string); !ok || !strings.HasPrefix(text, "pgs is ") {
					t.Errorf("%s of %d groups by the %s: %v", key, n, name, all[key])
				}
			}
		}
	}
}

// A number within 32 brackets or braces is read, within one more it is not.
func TestDepthOfADocument(t *testing.T) {
	for _, c := range []struct{ open, inner, end string }{{"[", "1", "]"}, {`{"a":`, "1", "}"}} {
		for n, want := range map[int]string{32: "", 33: "nested more than 32 deep", 34: "nested more than 32 deep", 100: "nested more than 32 deep"} {
			_, err := parse([]byte(strings.Repeat(c.open, n) + c.inner + strings.Repeat(c.end, n)))
			if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%d of %s: %v", n, c.open, err)
			}
		}
	}
	// The first fault is told, wherever it lies.
	for text, want := range map[string]string{`{"a": x}`: "1:7: not JSON: ", `{"a": [x]}`: "1:8: not JSON: ", `{x: 1}`: "1:2: not JSON: ", `{"a": {x}}`: "1:8: not JSON: ", `{"a": 1`: "1:8: not JSON: the document ends too early", `[{"a": 1`: "1:9: not JSON: the document ends too early", `[1, 2`: "1:6: not JSON: the document ends too early"} {
		if _, err := parse([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A group that is not lossless does not pause: with 10 cells of its own and half of 1,000 its 511th packet is
// dropped, and that is told of the group.
func TestGroupThatDoesNotPause(t *testing.T) {
	r := whole(Net).Run()
	config := must.Get(r.config(Slice{Shared: 1000, Reserved: 10, PacketCells: 1}, 2))(t)
	config.Ports[0].PGs = slices.Clone(config.Ports[0].PGs)
	config.Ports[0].PGs[0].Lossless = false
	m := must.Get(mmu.New(config))(t)
	if packets, err := fillToPause(m, r.lossless(config, 2)); packets != nil || err == nil || err.Error() != "PG 1 of 2 does not pause: packet 511 is dropped first" {
		t.Errorf("%v, %v", packets, err)
	}
}

// As many groups as a question may fill can be asked about, and not one more.
func TestLongestListOfFigures(t *testing.T) {
	for n, want := range map[int]bool{1: true, 4096: true, 4097: false} {
		text := `[{"chip": "td3", "expect": {"pgs_filled_one_after_another": [null` + strings.Repeat(",null", n-1) + `]}}]`
		_, problems := Batch([]byte(text), own())
		if len(problems) != 1 || strings.HasPrefix(problems[0].Message, "want a list of 1 to 4096 figures") == want {
			t.Errorf("%d: %v", n, problems)
		}
	}
}

// Beside an error there is no figure: where an input is missing the shared part is nothing, and where the set-up is
// refused nothing is converted.
func TestNothingBesideAnError(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*Setup)
		whole  bool // nothing of the slice is known
	}{
		"no size":              {func(s *Setup) { s.PoolSize = nil }, false},
		"a pool that is small": {func(s *Setup) { s.PoolSize = ref(units.Bytes(100)) }, false},
		"no lossy queues":      {func(s *Setup) { s.LossyQueues = nil }, false},
		"a packet of no bytes": {func(s *Setup) { s.PacketBytes = 0 }, true},
		"headroom of no cell":  {func(s *Setup) { s.HeadroomPool, s.Behaviour.Slices = ref(units.Bytes(100)), 2 }, true},
	} {
		s := whole(Gross)
		c.change(s)
		slice, err := s.Slice()
		if err == nil || slice.Shared != 0 || slice.Lossy != 0 || c.whole != (slice == Slice{}) {
			t.Errorf("%s: %+v, %v", what, slice, err)
		}
		if c.whole {
			if slice, err = s.headroomSlice(); err == nil || slice != (Slice{}) {
				t.Errorf("%s: %+v, %v", what, slice, err)
			}
		}
	}
}
