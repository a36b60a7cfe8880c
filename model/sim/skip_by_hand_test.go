package sim

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

const window = steadyWindow // 50 us

// pairsThatSend are queue pairs in the midst of a message each.
func pairsThatSend(n int) *engine {
	s := &engine{}
	s.events = newEventQueue(maxSlotBits, false)
	s.transport.payload = 1
	for i := range int32(n) {
		s.messages = append(s.messages, message{pair: i, next: none, end: 1 << 50})
		s.flows = append(s.flows, flow{last: i, sending: i, completing: i, bytes: 1 << 50, sendEnd: 1 << 50, completeEnd: 1 << 50})
		s.inbound = append(s.inbound, inbound{receiving: i})
	}
	return s
}

// went is a stretch of one window in which a queue pair got a million bytes through, and then so many more, and in which
// so much more than before was under way at its end.
func went(more, swell int64) *stretch {
	return &stretch{1, []reading{{}}, []reading{{done: 1_000_000}}, []reading{{done: 2_000_000 + more, underWay: swell}}}
}

// A stretch is left out eight times, or four, two or one, if what its trend then comes to is 3 % at most of what gets
// through, and of what is under way no more than a window holds.
func TestHowOftenAStretchIsSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		more, swell, packet int64
		before              drift
		want                float64
	}{
		"steady":                   {0, 0, 0, drift{}, 8},
		"3.7 permille":             {3700, 0, 0, drift{}, 8},
		"3.8 permille":             {3810, 0, 0, drift{}, 4},
		"as much less":             {-3810, 0, 0, drift{}, 4},
		"7.4 permille":             {7400, 0, 0, drift{}, 4},
		"7.6 permille":             {7650, 0, 0, drift{}, 2},
		"1.49 %":                   {14_900, 0, 0, drift{}, 2},
		"1.52 %":                   {15_300, 0, 0, drift{}, 1},
		"2.9 %":                    {29_000, 0, 0, drift{}, 1},
		"3.1 %":                    {31_500, 0, 0, drift{}, 0.5},
		"it may be a packet":       {-2000, 0, 2000, drift{}, 4},    // 2 + 2 permille, eight times
		"a packet alone":           {0, 0, 3700, drift{}, 8},        // of what was known before packets are no part
		"more than before":         {2000, 0, 0, drift{0.02, 0}, 4}, // 2 % + 8 · 0.2 %
		"back from before":         {-2000, 0, 0, drift{0.02, 0}, 8},
		"swells":                   {0, 240_000, 0, drift{}, 8}, // 12 % of a window each, 8 · 0.12
		"swells more":              {0, 260_000, 0, drift{}, 4},
		"swells more than before":  {0, 260_000, 0, drift{0, 0.5}, 2},
		"swells and shrinks again": {0, -260_000, 0, drift{0, 0.5}, 4}, // alone it is too much
	} {
		s := pairsThatSend(1)
		s.transport.payload = c.packet
		k := &skipper{drifts: []drift{c.before}}
		must.Equalf(t, k.times(s, went(c.more, c.swell)), c.want, "%s: times:", name)
	}
	// Of two queue pairs the least; and none where one does not go on by itself.
	s := pairsThatSend(2)
	s.transport.payload = 0
	k := &skipper{drifts: make([]drift, 2)}
	t2 := &stretch{1, make([]reading, 2), []reading{{done: 1_000_000}, {done: 1_000_000}}, []reading{{done: 2_007_650}, {done: 2_003_810}}}
	must.Equalf(t, k.times(s, t2), 2, "times:")
	t2.c[0], t2.c[1] = t2.c[1], t2.c[0]
	must.Equalf(t, k.times(s, t2), 2, "times:")
	s.flows[1].sending = 0
	must.Equalf(t, k.times(s, t2), 0, "times:")
}

// How fast a queue pair went: 2,000,000 B in two windows of 50 us are 0.02 B/ps. None that is done, or sends a train.
func TestRateOfAStretch(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(s *engine)
		want float64
	}{
		"sends":          {func(*engine) {}, 0.02},
		"posted nothing": {func(s *engine) { s.flows[0].last = none }, 0},
		"done":           {func(s *engine) { s.flows[0].acked = s.flows[0].bytes }, 0},
		"all but done":   {func(s *engine) { s.flows[0].acked = s.flows[0].bytes - 1 }, 0.02},
		"a train":        {func(s *engine) { s.messages[0].repeat = 2 }, 0},
	} {
		s := pairsThatSend(1)
		c.edit(s)
		if got := went(0, 0).rate(s, 0); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v B/ps, want %v", name, got, c.want)
		}
	}
}

// So much is skipped as no message begins in, as the run lasts, and as leaves a window of what is to be sent: in
// eight windows of 50 us at 0.02 B/ps.
func TestWhatASkipEndsBefore(t *testing.T) {
	const now = 1_000 * window
	post := func(s *engine, after int64) {
		s.messages = append(s.messages, message{pair: 0})
		s.plan(taskPost, int32(len(s.messages)-1), now+after)
	}
	left := func(s *engine, bytes int64) { s.flows[0].next = s.flows[0].sendEnd - bytes }
	for name, c := range map[string]struct {
		edit func(s *engine) (until int64)
		want int64
	}{
		"nothing":                   {func(*engine) int64 { return never }, 8 * window},
		"a message":                 {func(s *engine) int64 { post(s, 6*window); post(s, 7*window); return never }, 6 * window},
		"a message at once":         {func(s *engine) int64 { post(s, window-1); return never }, 0},
		"a window before one":       {func(s *engine) int64 { post(s, window); return never }, window},
		"the end":                   {func(*engine) int64 { return now + 5*window }, 5 * window},
		"the end, some was skipped": {func(s *engine) int64 { s.skipped = 3 * window; return now + 5*window }, 2 * window},
		"what is left":              {func(s *engine) int64 { left(s, 3_000_000); return never }, 2 * window}, // 150 us, and a window for its end
		"just enough is left":       {func(s *engine) int64 { left(s, 2_000_000); return never }, window},
		"too little is left":        {func(s *engine) int64 { left(s, 1_999_999); return never }, 0},
		"it changes too much":       {func(s *engine) int64 { s.flows[0].sending = 7; return never }, 0},
	} {
		s := pairsThatSend(1)
		until := c.edit(s)
		k := &skipper{drifts: make([]drift, 1)}
		must.Equalf(t, k.skips(s, went(0, 0), now, until), c.want, "%s: ps:", name)
	}
}

// What is skipped is taken off what is left to send, in whole packets; what begins later begins so much sooner by a clock
// that stood still; trends add up.
func TestAJump(t *testing.T) {
	s := pairsThatSend(2)
	s.transport.payload = 1000
	s.flows[1].last = none
	s.messages = append(s.messages, message{pair: 1})
	s.plan(taskPost, 2, 90*window)
	s.plan(taskShaper, 0, 80*window)
	k := &skipper{drifts: []drift{{0.001, 0.1}, {}}, since: 7}
	own := &stretch{1, make([]reading, 2), []reading{{done: 1_000_000}, {}}, []reading{{done: 2_002_000, underWay: 20_020}, {}}}
	k.jump(s, own, 4*window) // 2,002,000 B in two windows are 4,004,000 B in four
	if by := (1 << 50) - s.flows[0].sendEnd; by != 4_004_000 || s.flows[1].sendEnd != 1<<50 {
		t.Errorf("%d B less to send", by)
	}
	want := drift{0.001 + 4*2000/1_001_000., 0.1 + 4*0.01}
	if d := k.drifts[0]; math.Abs(d.rate-want.rate) > 1e-12 || math.Abs(d.underWay-want.underWay) > 1e-12 || k.drifts[1] != (drift{}) {
		t.Errorf("%+v, want %+v", k.drifts, want)
	}
	if s.skipped != 4*window || k.since != 0 || !slices.Equal(s.tasks(taskPost, 2), []int64{86 * window}) || !slices.Equal(s.tasks(taskShaper, 0), []int64{80 * window}) {
		t.Errorf("%d ps skipped, %+v", s.skipped, s.agenda.tasks)
	}
}

// What comes sooner is what begins a message: no other task, and no further time of a train that has begun.
func TestWhatComesSooner(t *testing.T) {
	s := pairsThatSend(3)
	s.messages[1].repeat, s.messages[2].repeat = 2, 2
	s.flows[2].last = none // its train has not begun
	for i := range int32(3) {
		s.plan(taskPost, i, int64(100+i))
	}
	s.plan(taskShaper, 0, 50)
	s.plan(taskPost, 0, 101)
	must.Equalf(t, s.nextStart(), 100, "the next message begins at")
	s.sooner(60)
	for about, want := range [][]int64{{40, 41}, {101}, {42}} {
		if got := s.tasks(taskPost, int32(about)); !slices.Equal(got, want) {
			t.Errorf("message %d at %v, want %v", about, got, want)
		}
	}
	if s.events.next() != 40 || !slices.Equal(s.tasks(taskShaper, 0), []int64{50}) || s.agenda.tasks[0].at != 40 {
		t.Errorf("the next event is at %d, %+v", s.events.next(), s.agenda.tasks)
	}
	none := pairsThatSend(1)
	if none.sooner(60); !none.events.empty() || none.nextStart() != never {
		t.Errorf("at %d", none.events.next())
	}
}

// How far all have come is kept of 129 windows, twice 64 and their beginning: bytes of messages, times of trains.
func TestReadings(t *testing.T) {
	s := pairsThatSend(2)
	s.messages[1].repeat, s.messages[1].doneAt = 100_000, 77
	s.each = make([][]int32, 2)
	k := &skipper{paces: paces(s)}
	for n := range int64(300) {
		s.flows[0].acked, s.flows[0].next, s.messages[1].done = n, n+5, int32(2*n)
		k.read(s)
		if want := min(n+1, 129); int64(len(k.history)) != want {
			t.Fatalf("%d windows are kept of %d", len(k.history), n+1)
		}
		for i, r := range k.history {
			at := n + 1 - int64(len(k.history)) + int64(i)
			if r[0] != (reading{done: at, underWay: 5, message: 0}) || r[1] != (reading{done: 2 * at, doneAt: 77, message: 1}) {
				t.Fatalf("window %d of %d: %+v", i, n, r)
			}
		}
	}
}

// What repeats every other window is found when two times two windows are known, and then left out eight times. With the
// end of a message all that was known is forgotten but for the last reading.
func TestLooksForWhatRepeats(t *testing.T) {
	s := pairsThatSend(1)
	k := &skipper{drifts: make([]drift, 1)}
	look := func(bytes int64) {
		s.now += window
		s.flows[0].acked += bytes
		s.flows[0].next = s.flows[0].acked
		k.look(s, s.now, never)
	}
	look(1_000_000) // of which nobody knows how long it took
	for i, bytes := range []int64{1_000_000, 1_050_000, 1_000_000} {
		if look(bytes); s.skipped != 0 {
			t.Fatalf("%d ps are skipped after window %d", s.skipped, i)
		}
	}
	if look(1_050_000); s.skipped != 8*2*window || k.since != 0 {
		t.Fatalf("%d ps are skipped", s.skipped)
	}
	if by := int64(1<<50) - s.flows[0].sendEnd; by < 8*2_050_000-1 || by > 8*2_050_000 {
		t.Errorf("%d B less to send", by)
	}
	s.finished = 1
	if look(1_000_000); len(k.history) != 1 || k.since != 0 || k.history[0][0].done != s.flows[0].acked || k.finished != 1 {
		t.Errorf("%d windows are kept", len(k.history))
	}
	// Two windows alike are enough where nothing changes; the longest of what may be skipped is.
	look(1_000_000)
	if look(1_000_000); s.skipped != 8*2*window+8*window {
		t.Errorf("%d ps are skipped", s.skipped)
	}
}

// Trains that wait for one another, directly or not, go at one pace; messages have none.
func TestPacesByWhatWaits(t *testing.T) {
	s := pairsThatSend(8)
	for _, i := range []int32{0, 1, 2, 4, 5, 6, 7} {
		s.messages[i].repeat = 10
	}
	s.each = [][]int32{{1}, {0}, {2}, nil, {7}, {4, 6}, {6}, {7}}
	got := paces(s)
	var trains [][]int32
	for _, p := range got {
		trains = append(trains, p.trains)
		if len(p.lags) != len(p.trains) || p.debt != 0 {
			t.Errorf("%+v", p)
		}
	}
	if want := "[[0 1] [2] [4 5 6 7]]"; fmt.Sprint(trains) != want {
		t.Errorf("%v, want %s", trains, want)
	}
	if got := paces(pairsThatSend(3)); got != nil {
		t.Errorf("%+v", got)
	}
}

// trains are so many, each sent 1,000 times, of which 100 are over; in a stretch 5 of them took so long.
func trains(took ...int64) (*engine, *stretch) {
	s, t := pairsThatSend(len(took)), &stretch{windows: 1}
	s.each = make([][]int32, len(took))
	for i := range s.messages {
		m := &s.messages[i]
		m.repeat, m.times, m.done = 1000, 100, 100
		t.a, t.b = append(t.a, reading{done: 95, doneAt: 10}), append(t.b, reading{done: 97, doneAt: 10 + 2*took[i]/5})
		t.c = append(t.c, reading{done: 100, doneAt: 10 + took[i]})
	}
	return s, t
}

// A pace is the mean of trains that run. Times that are left are those of the shortest, but for two; none where one has
// not begun.
func TestPeriodOfAPace(t *testing.T) {
	for name, c := range map[string]struct {
		edit   func(s *engine)
		period float64
		left   int32
	}{
		"both":                  {func(*engine) {}, 15_000, 898},
		"one is short":          {func(s *engine) { s.messages[1].repeat = 500 }, 15_000, 398},
		"one is ahead":          {func(s *engine) { s.messages[0].times = 103 }, 15_000, 895},
		"one is over":           {func(s *engine) { s.messages[0].done = 1000 }, 20_000, 898},
		"one has one time left": {func(s *engine) { s.messages[0].done = 999 }, 15_000, 898},
		"both are over":         {func(s *engine) { s.messages[0].done, s.messages[1].done = 1000, 1001 }, 0, 0},
		"one has not begun":     {func(s *engine) { s.flows[1].last = none }, 10_000, 0},
		"neither has begun":     {func(s *engine) { s.flows[0].last, s.flows[1].last = none, none }, 0, 0},
	} {
		s, st := trains(50_000, 100_000)
		c.edit(s)
		p := &pace{trains: []int32{0, 1}}
		if period, left := p.period(s, st); period != c.period || left != c.left {
			t.Errorf("%s: %v ps, %d times left; want %v, %d", name, period, left, c.period, c.left)
		}
	}
	for _, c := range []struct {
		debt float64
		ps   int64
		want float64
	}{{0, 100, 10}, {0, 104, 10}, {0, 106, 11}, {4, 101, 11}, {-4, 106, 10}, {-500, 100, 0}, {0, 4, 0}} {
		if got := (&pace{debt: c.debt}).times(10, c.ps); got != c.want {
			t.Errorf("%d ps and %v: %v times of 10 ps, want %v", c.ps, c.debt, got, c.want)
		}
	}
}

// A train of 10 ns a time that is taken to go at 10.1 ns is 9.9 times behind after 10 us; of 100 that are over 3 % and
// one may be.
func TestTrainsLag(t *testing.T) {
	p := &pace{trains: []int32{0}, lags: []float64{0.5}}
	if got, want := p.lag(0, 10_000, 10_100, 10_000_000), 0.5+1000-10_000/10.1; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	for _, c := range []struct {
		lag  float64
		ps   int64
		over bool
		want bool
	}{{0, 4_030_000, false, true}, {0, 4_050_000, false, false}, {-1, 5_040_000, false, true}, {-1, 5_060_000, false, false}, {4.1, 0, false, false}, {-4.1, 0, false, false}, {-3.9, 0, false, true}, {4.1, 0, true, true}} {
		// each 1.01 us a hundredth of a time: 403 times of 10 ns against 399.01 of 10.1 ns
		s, st := trains(50_000)
		if c.over {
			s.messages[0].repeat = 100
		}
		p.lags[0] = c.lag
		must.Equalf(t, p.together(s, st, 10_100, c.ps), c.want, "lagging %v, %d ps more:", c.lag, c.ps)
	}
}

// A jump takes whole times off a train, and what was left over is of the next jump.
func TestTrainsJump(t *testing.T) {
	s, st := trains(50_000, 52_000) // 10 ns and 10.4 ns
	p := &pace{trains: []int32{0, 1}, lags: make([]float64, 2), debt: 3}
	p.jump(s, st, 104_000) // 10.2 times of 10.2 ns
	if s.messages[0].repeat != 990 || s.messages[1].repeat != 990 || math.Abs(p.debt-(3+104_000-10*10_200)) > 1e-6 {
		t.Errorf("%d and %d times are left, debt %v", s.messages[0].repeat, s.messages[1].repeat, p.debt)
	}
	for i, want := range []float64{104_000/10_000. - 104_000/10_200., 104_000/10_400. - 104_000/10_200.} {
		if math.Abs(p.lags[i]-want) > 1e-9 {
			t.Errorf("train %d lags %v, want %v", i, p.lags[i], want)
		}
	}
	s.messages[0].done = 990 // it is over
	p.jump(s, st, 20_800)
	if s.messages[0].repeat != 990 || s.messages[1].repeat != 988 {
		t.Errorf("%d and %d times are left", s.messages[0].repeat, s.messages[1].repeat)
	}
	s.messages[1].done = 988
	before := *p
	if p.jump(s, st, 10_000); p.debt != before.debt {
		t.Errorf("%+v", p)
	}
}

// Of trains, whole times of the slowest are skipped, as many as leave each of them two; half as many where one would lag
// too much; nothing below a window.
func TestSkipsOfTrains(t *testing.T) {
	const us = 1_000_000
	for name, c := range map[string]struct {
		took []int64 // of five times
		edit func(s *engine, k *skipper)
		most int64
		want int64
	}{
		"no train":            {nil, func(*engine, *skipper) {}, 123_456_789, 123_456_789},
		"whole times":         {[]int64{35 * us}, func(*engine, *skipper) {}, 400*us + 1, 399 * us}, // of 7 us
		"of the slowest":      {[]int64{35 * us, 55 * us}, func(*engine, *skipper) {}, 400 * us, 396 * us},
		"what is left":        {[]int64{35 * us}, func(s *engine, _ *skipper) { s.messages[0].repeat = 120 }, 400 * us, 119 * us}, // 18, but for one
		"what is left of any": {[]int64{35 * us, 55 * us}, func(s *engine, _ *skipper) { s.messages[0].repeat = 120 }, 400 * us, 110 * us},
		"with a debt":         {[]int64{35 * us}, func(s *engine, k *skipper) { s.messages[0].repeat, k.paces[0].debt = 120, 3*us }, 400 * us, 112 * us},
		"nothing is left":     {[]int64{35 * us}, func(s *engine, _ *skipper) { s.messages[0].repeat = 102 }, 400 * us, 0},
		"below a window":      {[]int64{35 * us}, func(*engine, *skipper) {}, 50*us - 1, 0},
		"a window":            {[]int64{35 * us}, func(*engine, *skipper) {}, 50 * us, 49 * us},
		"one lags":            {[]int64{35 * us}, func(_ *engine, k *skipper) { k.paces[0].lags[0] = 5 }, 400 * us, 0},
		"one is over":         {[]int64{35 * us, 55 * us}, func(s *engine, _ *skipper) { s.messages[0].done = 1000 }, 400 * us, 396 * us},
	} {
		s, st := trains(c.took...)
		k := &skipper{paces: paces(s)}
		c.edit(s, k)
		must.Equalf(t, k.ofTrains(s, st, c.most), c.want, "%s: ps:", name)
	}
	// Two of one pace, of 7 and 8 us, taken as 7.5 us: in 200 us the one is 1.9 times ahead, in 400 us 3.8, with 2.7
	// allowed after 100 - 43 times.
	s, st := trains(35*us, 40*us)
	for i := range s.messages {
		s.messages[i].done = 57
	}
	k := &skipper{paces: []pace{{trains: []int32{0, 1}, lags: make([]float64, 2)}}}
	if got := k.ofTrains(s, st, 400*us); got != 195*us { // 26 times 7.5 us
		t.Errorf("%d ps, want %d", got, int64(195*us))
	}
}

// Of a train the time of each counts: 10 ps, then 8 ps. It must have been sent twice in each half, and before.
func TestTrendsOfTrains(t *testing.T) {
	good := [3]reading{{done: 5, doneAt: 100}, {done: 7, doneAt: 120}, {done: 12, doneAt: 160}}
	for name, c := range map[string]struct {
		edit      func(s *engine, r *[3]reading)
		d         float64
		moves, ok bool
	}{
		"faster":                  {func(*engine, *[3]reading) {}, 2 * 2 / 18., true, true},
		"slower":                  {func(_ *engine, r *[3]reading) { r[2].doneAt = 180 }, -2 * 2 / 22., true, true},
		"once in the first half":  {func(_ *engine, r *[3]reading) { r[0].done = 6 }, 0, true, false},
		"once in the second half": {func(_ *engine, r *[3]reading) { r[2].done = 8 }, 0, true, false},
		"never before":            {func(_ *engine, r *[3]reading) { r[0].done = 0 }, 0, true, false},
		"it is over":              {func(s *engine, _ *[3]reading) { s.messages[0].done = 50 }, 0, false, true},
		"it has not begun": {func(s *engine, _ *[3]reading) {
			s.messages = append(s.messages, s.messages[0])
			s.flows[0].last, s.messages[1].pair = 1, 0
			s.flows[0].last = none
		}, 0, false, true},
	} {
		s := pairsThatSend(1)
		s.messages[0].repeat = 50
		r := good
		c.edit(s, &r)
		d, moves, ok := (&stretch{1, r[:1], r[1:2], r[2:]}).trend(s, 0)
		if math.Abs(d.rate-c.d) > 1e-12 || d.underWay != 0 || moves != c.moves || ok != c.ok {
			t.Errorf("%s: %+v, %v, %v", name, d, moves, ok)
		}
	}
	// A queue pair that is done goes on as it is, if it was done before.
	s := pairsThatSend(1)
	s.flows[0].acked = s.flows[0].bytes
	for message, want := range map[int32]bool{0: true, 1: false} {
		st := &stretch{1, []reading{{}}, []reading{{}}, []reading{{message: message}}}
		if _, moves, ok := st.trend(s, 0); moves || ok != want {
			t.Errorf("message %d: %v, %v", message, moves, ok)
		}
	}
}

// A lone message of 5,000 packets, of 83.84 ns each, is looked at after 50, 100 and 150 us. Then all but a window of
// the rest is left out, or all until the end of the run, if that is a window. Its bytes come off in whole packets, so
// that it ends when it would have ended, to a packet.
func TestSkipsALoneMessage(t *testing.T) {
	const packets = 5000
	whole := (packets+1)*0.08384 + 2*0.0048 + 4 // us
	run := func(stop units.Time, late bool) *Result {
		sc := leafSpine(1, 2, 0)
		sc.ECN = nil
		sc.flow(0, 1, packets*1000, 0)
		if late {
			sc.flow(0, 1, packets*1000, 20*units.Millisecond)
		}
		sc.SkipSteady, sc.Stop = true, stop
		return mustRun(t, sc)
	}
	for _, late := range []bool{false, true} {
		r := run(0, late)
		for i, f := range r.Flows {
			if math.Abs(f.FCTUS-whole) > 0.08384 || f.StartUS != float64(i)*20_000 || f.Bytes != packets*1000 || math.Abs(f.DeliveredUS-whole+2.0096) > 0.2 {
				t.Errorf("%+v, want %v us", f, whole)
			}
		}
		each := r.SkippedUS / float64(len(r.Flows))
		if left := packets*0.08384 - 150 - 50; math.Abs(each-left) > 0.4 { // the rate is known to a packet of 1,193
			t.Errorf("%v us of each message are skipped, want %v", each, left)
		}
	}
	for stop, want := range map[units.Time]float64{300 * us: 150, 200 * us: 50, 199 * us: 0, 150 * us: 0} {
		if r := run(stop, false); r.SkippedUS != want || r.UnfinishedFlows != 1 {
			t.Errorf("stopped at %v: %v us are skipped, want %v", stop, r.SkippedUS, want)
		}
	}
}

// A train of 10 packets that waits for itself takes 11 packets' times on a wire, two acknowledgements' and four cables
// each time. 2,000 times take that 2,000 times, whatever is left out, and less than a tenth is played. One of 7 packets
// beside it, between other hosts, goes at its own pace, and is off by one of its times at most.
func TestSkipsTrainsExactly(t *testing.T) {
	period := func(packets int) float64 { return float64(packets+1)*0.08384 + 2*0.0048 + 4 }
	for _, both := range []bool{false, true} {
		sc := leafSpine(1, 4, 0)
		sc.ECN = nil
		sc.flow(0, 1, 10_000, 0)
		if both {
			sc.flow(2, 3, 7_000, 0)
		}
		for i := range sc.Flows {
			sc.Flows[i].Repeat = 2000
		}
		sc.SkipSteady = true
		r := mustRun(t, sc)
		if want := 2000 * period(10); math.Abs(r.Flows[0].FCTUS-want) > map[bool]float64{false: 1e-3, true: period(10)}[both] || r.SkippedUS < 0.8*want {
			t.Errorf("%v us, want %v; %v are skipped", r.Flows[0].FCTUS, want, r.SkippedUS)
		}
		if !both {
			continue
		}
		if want := 2000 * period(7); math.Abs(r.Flows[1].FCTUS-want) > 2*period(7) || r.Flows[1].Bytes != 14_000_000 {
			t.Errorf("%v us, want %v", r.Flows[1].FCTUS, want)
		}
	}
}
