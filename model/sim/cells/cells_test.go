package cells

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Bit/s of which one is a byte in a ps, or half of one.
const whole, half = 8e12, 4e12

// fabric has two leaves, 10 and 20 ps away, each with a link of a byte per ps, and three ports of half a byte
// per ps: 0 at the first leaf, 1 and 2 at the second one. The first two links between leaves and spines are
// one leaf's, the fourth another's.
func fabric(c Config) *Fabric {
	return New(&c, []Leaf{{Delay: 10, Rate: whole}, {Delay: 20, Rate: whole}}, []Out{{0, half}, {1, half}, {1, half}}, []Member{
		{Trunk: 0, Rate: 30}, {Trunk: 0, Rate: 40}, {Trunk: None}, {Trunk: 3, Rate: 50},
	})
}

var usual = Config{Credit: 100, Speedup: 1, EgressBuffer: 50}

// came tells of a packet of class 3 in a leaf's VoQ.
func came(t *testing.T, f *Fabric, leaf, out int32, bytes, now, again int64) {
	t.Helper()
	must.Equalf(t, f.Came(f.Queue(leaf, out, 3), out, bytes, now), again, "%d B from leaf %d at %d: asks again at", bytes, leaf, now)
}

// grants asks for a port's credit.
func grants(t *testing.T, f *Fabric, out int32, now int64, want Granted) {
	t.Helper()
	must.Equalf(t, f.Grant(out, now), want, "port %d at %d:", out, now)
}

func sent(t *testing.T, f *Fabric, number, out int32, bytes, since, now, again int64) {
	t.Helper()
	must.Equalf(t, f.Sent(number, out, bytes, since, now), again, "%d B sent at %d: asks again at", bytes, now)
}

func left(t *testing.T, f *Fabric, out int32, bytes, now, again int64) {
	t.Helper()
	must.Equalf(t, f.Left(out, 3, bytes, now), again, "%d B left at %d: asks again at", bytes, now)
}

func TestCheck(t *testing.T) {
	for c, fine := range map[Config]bool{
		{Credit: 1, Speedup: 1}: true, {Credit: 1, Speedup: 2}: true, {Credit: 0, Speedup: 1}: false,
		{Credit: 1, Speedup: 0.999}: false, {Credit: 1, Speedup: 2.001}: false,
		{Credit: 1, Speedup: 1, EgressBuffer: -1}: false,
	} {
		if (c.Check() == nil) != fine {
			t.Errorf("%+v: %v", c, c.Check())
		}
	}
	if (&Config{Credit: 1, Speedup: math.NaN()}).Check() == nil {
		t.Error("a speed-up of NaN is accepted")
	}
}

// VoQs are by leaf, port and class, and each knows its leaf.
func TestQueues(t *testing.T) {
	f, number := fabric(usual), int32(0)
	for leaf := range int32(2) {
		for out := range int32(3) {
			for class := range uint8(8) {
				if got := f.Queue(leaf, out, class); got != number || f.queues[number].leaf != leaf {
					t.Errorf("leaf %d port %d class %d: VoQ %d of leaf %d", leaf, out, class, got, f.queues[got].leaf)
				}
				number++
			}
		}
	}
	if len(f.queues) != int(number) {
		t.Errorf("%d VoQs, want %d", len(f.queues), number)
	}
}

// What may be on its way to a port: its rate, with the speed-up, times its leaf's delay and the longest, and
// the buffer. 2 × 0.5 × (10 + 20) + 50, and (20 + 20) + 50 from the other leaf.
func TestLimits(t *testing.T) {
	f := fabric(Config{Credit: 100, Speedup: 2, EgressBuffer: 50})
	if f.outs[0].limit != 80 || f.outs[1].limit != 90 || f.outs[0].rate != 1 {
		t.Errorf("limits %d and %d, rate %v", f.outs[0].limit, f.outs[1].limit, f.outs[0].rate)
	}
	if f := New(&usual, []Leaf{{Delay: 40, Rate: half}, {Delay: 10, Rate: whole}}, []Out{{1, half}}, nil); f.outs[0].limit != 75 || f.trunks[0].rate != 0.5 || f.trunks[1].rate != 1 {
		t.Errorf("limit %d, want 0.5 × (10 + 40) + 50; trunks %+v", f.outs[0].limit, f.trunks)
	}
}

// A packet asks when it comes: its request and the credit take both leaves' delays twice each way, 60 ps, or
// no time within a leaf.
func TestWayOfCredit(t *testing.T) {
	f := fabric(usual)
	came(t, f, 1, 1, 10, 5, 5) // within the leaf
	grants(t, f, 1, 5, Granted{Queue: f.Queue(1, 1, 3), Again: Never})
	f = fabric(usual)
	came(t, f, 0, 1, 10, 5, 65)
	came(t, f, 0, 1, 20, 6, Never) // behind it
	if f.Bytes(f.Queue(0, 1, 3)) != 30 || f.Waiting(1, 3) != 30 || f.Most != 30 {
		t.Errorf("%d B, %d B for the port, %d B at most", f.Bytes(f.Queue(0, 1, 3)), f.Waiting(1, 3), f.Most)
	}
	grants(t, f, 1, 64, Granted{Queue: None, Again: Never}) // of another time
	grants(t, f, 1, 65, Granted{Queue: f.Queue(0, 1, 3), Across: true, Again: Never})
}

// A port sends 0.5 B per ps and grants the next credit when these would be gone; VoQs take turns.
func TestTurns(t *testing.T) {
	f := fabric(usual)
	a, b := f.Queue(1, 1, 3), f.Queue(0, 1, 3)
	came(t, f, 1, 1, 20, 0, 0)
	came(t, f, 1, 1, 20, 1, Never)
	came(t, f, 0, 1, 8, 2, Never)
	grants(t, f, 1, 0, Granted{Queue: a, Again: Never})
	sent(t, f, a, 1, 20, 1, 0, 40) // 20 B / 0.5
	if f.Bytes(a) != 20 || f.Waiting(1, 3) != 28 || f.outs[1].coming[3] != 20 || f.queues[a].since != 1 || f.outs[1].first != b || f.outs[1].last != a {
		t.Errorf("%d B, %d B for the port, %+v", f.Bytes(a), f.Waiting(1, 3), f.outs[1])
	}
	grants(t, f, 1, 40, Granted{Queue: a, Again: Never}) // the request of the first in turn comes at 62 only
	if f.outs[1].first != b || f.outs[1].last != b {
		t.Errorf("the turn is from %d to %d, want VoQ %d alone", f.outs[1].first, f.outs[1].last, b)
	}
	sent(t, f, a, 1, 20, 0, 40, 80)
	grants(t, f, 1, 80, Granted{Queue: b, Across: true, Again: Never})
	if f.outs[1].first != None {
		t.Error("somebody is in turn")
	}
	sent(t, f, b, 1, 8, 0, 100, Never) // and nobody waits
	if f.outs[1].next != 100+16 || f.trunks[1].free != 100+8 {
		t.Errorf("next credit at %d, trunk free at %d", f.outs[1].next, f.trunks[1].free)
	}
	came(t, f, 1, 1, 1, 110, 116) // not before the port has sent
	came(t, f, 1, 2, 1, 110, 110) // another port
}

// Leaves that take 4 and 8 ps for a packet: it asks for its credit after that, 4 + 2 × (10 + 20) ps before one can come from
// the other leaf, and 8 ps before one of its own. What may be on its way has half of the latency behind the fabric, and
// half of the longest before it: 0.5 × (20 + 4 + 20 + 4) + 50.
func TestLatencyOfLeaves(t *testing.T) {
	f := New(&usual, []Leaf{{Delay: 10, Rate: whole, Latency: 4}, {Delay: 20, Rate: whole, Latency: 8}}, []Out{{0, half}, {1, half}, {1, half}}, nil)
	came(t, f, 0, 1, 100, 1000, 1064)
	came(t, f, 1, 2, 100, 1000, 1008)
	grants(t, f, 1, 1064, Granted{Queue: f.Queue(0, 1, 3), Across: true, Again: Never})
	must.Equalf(t, f.outs[1].limit, 74, "limit")
}

// Three VoQs in turn, of which the one in the middle, the last or the first leaves it.
func TestUnlink(t *testing.T) {
	for taken := range 3 {
		f := New(&usual, []Leaf{{Delay: 10, Rate: whole}}, []Out{{0, half}}, nil)
		o := &f.outs[0]
		for class := range uint8(3) {
			f.Came(f.Queue(0, 0, class+1), 0, 100, 0)
			if int(class) != taken {
				o.coming[class+1] = o.limit // others may not send
			}
		}
		g := f.Grant(0, 0)
		if g.Queue != f.Queue(0, 0, uint8(taken+1)) {
			t.Fatalf("VoQ %d", g.Queue)
		}
		f.Sent(g.Queue, 0, 99, 0, 0) // one byte is left
		var turn []int32
		for at := o.first; at != None; at = f.queues[at].next {
			turn = append(turn, at)
		}
		want := [][3]int32{{2, 3, 1}, {1, 3, 2}, {1, 2, 3}}[taken]
		if len(turn) != 3 || [3]int32(turn) != want || o.last != want[2] {
			t.Errorf("the turn is %v until %d, want %v", turn, o.last, want)
		}
	}
}

// Where requests are on their way, the port asks again when the first of them is there; one whose class may not
// send is not waited for.
func TestRequestsOnTheirWay(t *testing.T) {
	f := fabric(usual)
	f.Came(f.Queue(0, 1, 3), 1, 10, 30) // there at 90
	f.Came(f.Queue(0, 1, 4), 1, 10, 20) // there at 80
	f.outs[1].due = 50
	grants(t, f, 1, 50, Granted{Queue: None, Again: 80})
	f.outs[1].coming[4] = f.outs[1].limit - 1
	grants(t, f, 1, 80, Granted{Queue: f.Queue(0, 1, 4), Across: true, Again: Never})
	f.Sent(f.Queue(0, 1, 4), 1, 1, 20, 80) // one byte of ten
	f.outs[1].due, f.outs[1].next = 85, 95
	grants(t, f, 1, 85, Granted{Queue: None, Again: 95}) // not before the next credit; class 4 may not send
	f.outs[1].coming[3] = f.outs[1].limit
	grants(t, f, 1, 95, Granted{Queue: None, Again: Never}) // nobody may
	must.Equalf(t, f.outs[1].due, Never, "due at")
	// What leaves the port lets others come: at once, or with the next credit.
	f.outs[1].next = 100
	left(t, f, 1, 10, 98, 100)
	left(t, f, 1, 10, 99, Never)      // it is asked then
	if f.outs[1].coming[3] != 70-20 { // the limit is 0.5 × (20 + 20) + 50
		t.Errorf("%d B are coming", f.outs[1].coming[3])
	}
	f.outs[1].due = Never
	left(t, f, 1, 10, 120, 120)
	left(t, f, 2, 10, 120, Never) // nobody waits for port 2
}

// Two ports of half a byte per ps at a leaf whose links carry a byte per ps, or half of one: then credits from
// other leaves keep within it, and those within the leaf do not.
func TestTrunk(t *testing.T) {
	f := fabric(usual)
	f.SetRate(1, half)
	for _, out := range []int32{1, 2} {
		f.Came(f.Queue(0, out, 3), out, 60, 0)
		f.Came(f.Queue(1, out, 3), out, 60, 0)
		f.Came(f.Queue(0, out, 0), out, 60, 0)
		f.outs[out].due = 60
		grants(t, f, out, 60, Granted{Queue: f.Queue(0, out, 3), Across: true, Again: Never})
	}
	sent(t, f, f.Queue(0, 1, 3), 1, 30, 0, 60, 120) // 30 B / 0.5 at the port and on the links
	sent(t, f, f.Queue(0, 2, 3), 2, 30, 0, 60, 180) // behind these on the links
	grants(t, f, 1, 120, Granted{Queue: f.Queue(1, 1, 3), Again: Never})
	sent(t, f, f.Queue(1, 1, 3), 1, 30, 0, 120, 180) // not on the links
	if f.trunks[1].free != 180 || f.trunks[0].free != 0 {
		t.Errorf("links are free at %d, want 180; of the other leaf at %d", f.trunks[1].free, f.trunks[0].free)
	}
	// Of class 0 nothing is counted as coming, as nobody says when it leaves.
	grants(t, f, 1, 180, Granted{Queue: f.Queue(0, 1, 0), Across: true, Again: Never})
	sent(t, f, f.Queue(0, 1, 0), 1, 60, 0, 200, 320)
	if f.outs[1].coming[0] != 0 || f.outs[1].coming[3] != 60 || f.trunks[1].free != 200+120 {
		t.Errorf("coming %v, links free at %d", f.outs[1].coming, f.trunks[1].free)
	}
}

// Links that fail take their rate from their trunk, and bring it back.
func TestMembers(t *testing.T) {
	f := fabric(usual)
	for i, want := range []int32{0, 0, None, 3} {
		must.Equalf(t, f.Trunk(int32(i)), want, "link %d is of trunk", i)
	}
	for _, c := range []struct {
		link int32
		up   bool
		rate int64
	}{{0, false, 40}, {3, false, 0}, {1, false, 0}, {0, true, 30}, {3, true, 50}, {1, true, 70}} {
		if got := f.SetLink(c.link, c.up); got != c.rate {
			t.Errorf("link %d up %v: %d bit/s, want %d", c.link, c.up, got, c.rate)
		}
	}
}
