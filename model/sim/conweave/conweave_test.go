package conweave

import (
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// times are of 5 ps between the leaves and back.
var times = Config{ReplySlack: 10, PathPause: 50, FlushSlack: 20, FirstWait: 100, Expiry: 1000}

// woven knows of queue pair 1, which has two paths that begin with ports 4 and 6.
func woven(c Config) *Weaver {
	w := New(&c, 2, 8)
	w.Reserve(3) // of other leaves
	w.SetPaths(1, Paths{First: []int32{4, 6}, At: w.Reserve(2), RTT: 5}, true)
	return w
}

// drawing is a source of random numbers whose next ones are even or odd as wanted, so that they draw
// these of two paths.
func drawing(t *testing.T, parities ...uint64) *rand.PCG {
	for seed := range uint64(1000) {
		fits := true
		for random, i := rand.NewPCG(seed, 0), 0; i < len(parities); i++ {
			fits = random.Uint64()%2 == parities[i] && fits
		}
		if fits {
			return rand.NewPCG(seed, 0)
		}
	}
	t.Fatal("no seed draws", parities)
	return nil
}

func TestCheck(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"reply slack": func(c *Config) { c.ReplySlack = -1 },
		"path pause":  func(c *Config) { c.PathPause = -1 },
		"flush slack": func(c *Config) { c.FlushSlack = -1 },
		"first wait":  func(c *Config) { c.FirstWait = -1 },
		"expiry":      func(c *Config) { c.Expiry = -1 },
		"queues":      func(c *Config) { c.ReorderQueues = -1 },
	} {
		c := Config{}
		if c.Check() != nil {
			t.Error("0 is refused")
		}
		if change(&c); c.Check() == nil {
			t.Errorf("%s of -1 is accepted", name)
		}
	}
}

// What run.py of conweave-ns3 sets for lossless fabrics of 100 Gb/s, in us, and one queue less than the 128
// of a port of Tofino 2.
func TestDefault(t *testing.T) {
	const us = units.Microsecond
	must.Equal(t, Default(), Config{ReplySlack: 4 * us, PathPause: 16 * us, FlushSlack: 16 * us, FirstWait: 200 * us, Expiry: 300 * us, ReorderQueues: 127})
}

// sent checks the answer of [Weaver.Send] about a packet.
func sent(t *testing.T, w *Weaver, now int64, random *rand.PCG, path int32, want Tag) {
	t.Helper()
	got, tag := w.Send(1, now, random)
	if want.Sent, want.Path = now, 3+path; got != path || tag != want {
		t.Errorf("at %d: path %d and %+v, want path %d and %+v", now, got, tag, path, want)
	}
	must.Equalf(t, w.pairs[1].usedAt, now, "used at")
}

// An epoch begins with a packet that asks. As long as replies come within 5 + 10 ps, the next packet
// begins another one on the same path.
func TestEpochs(t *testing.T) {
	w, random := woven(times), drawing(t, 1)
	sent(t, w, 0, random, 1, Tag{Epoch: 1, Mark: Ask}) // the first of all draws a path
	sent(t, w, 9, nil, 1, Tag{Epoch: 1})
	w.Replied(1, 1<<1, 14) // in time: before 15
	sent(t, w, 40, nil, 1, Tag{Epoch: 2, Mark: Ask})
	w.Replied(1, 1<<1, 41)                // of the epoch before: nothing
	w.Replied(1, 2<<1|1, 41)              // of a TAIL that was not sent: nothing
	sent(t, w, 55, nil, 1, Tag{Epoch: 2}) // 15 ps after it asked: just not late
	w.Replied(1, 2<<1, 55)                // 15 ps are not within 15 ps
	if p := &w.pairs[1]; p.settled || p.deadline != 55 || w.Reroutes != 1 || w.Path(1) != 1 {
		t.Errorf("%+v, %d reroutes", p.source, w.Reroutes)
	}
	w.Replied(1, 2<<1, 54)
	if p := &w.pairs[1]; !p.settled || p.deadline != Never {
		t.Errorf("a reply in time: %+v", p.source)
	}
	// After more than 1,000 ps of silence a new epoch begins wherever it stands, and draws a path.
	w = woven(times)
	sent(t, w, 0, drawing(t, 0), 0, Tag{Epoch: 1, Mark: Ask})
	sent(t, w, 10, nil, 0, Tag{Epoch: 1})
	w.Replied(1, 1<<1, 11)
	sent(t, w, 1010, nil, 0, Tag{Epoch: 2, Mark: Ask}) // settled, on the same path
	sent(t, w, 1020, nil, 0, Tag{Epoch: 2})
	sent(t, w, 2021, drawing(t, 1), 1, Tag{Epoch: 3, Mark: Ask})
	if w.Reroutes != 1 { // the first path of all was path 0 already
		t.Errorf("%d reroutes", w.Reroutes)
	}
}

// A reply that is late makes the packet at hand the TAIL; those behind it take the other path and say when
// the TAIL left. No further path is taken until the TAIL is replied to, whenever that is.
func TestTail(t *testing.T) {
	w := woven(times)
	sent(t, w, 0, drawing(t, 0), 0, Tag{Epoch: 1, Mark: Ask})
	sent(t, w, 16, drawing(t, 1), 0, Tag{Epoch: 1, Mark: Tail})
	sent(t, w, 17, nil, 1, Tag{Epoch: 1, Moved: true, TailAt: 16})
	w.Replied(1, 1<<1, 18) // of the packet that asked: too late
	sent(t, w, 900, nil, 1, Tag{Epoch: 1, Moved: true, TailAt: 16})
	w.Replied(1, 1<<1|1, 901)
	sent(t, w, 902, nil, 1, Tag{Epoch: 2, Mark: Ask})
	sent(t, w, 903, nil, 1, Tag{Epoch: 2})
	must.Equalf(t, w.Reroutes, 1, "reroutes:")
	// Replies tell 31 bits of the epoch.
	p := &w.pairs[1]
	p.epoch, p.moved, p.settled = 1<<31+5, true, false
	if w.Replied(1, (&Tag{Epoch: 1<<31 + 5, Mark: Tail}).Reply(), 904); !p.settled {
		t.Error("the reply to epoch 2^31 + 5 is not known")
	}
}

func TestReply(t *testing.T) {
	for want, tag := range map[uint32]Tag{6: {Epoch: 3, Mark: Ask}, 7: {Epoch: 3, Mark: Tail}, 8: {Epoch: 4, Mark: Ask}} {
		must.Equalf(t, tag.Reply(), want, "%+v:", tag)
	}
}

// Of two draws the first path that was not marked within 50 ps is taken; if both were, none.
func TestNoticed(t *testing.T) {
	w := woven(times)
	w.Noticed(4, 100) // path 1: avoided until 150
	first := func(now int64, random *rand.PCG, want int32) {
		t.Helper()
		w.pairs[1].usedAt, w.pairs[1].path = longAgo, 0
		if path, _ := w.Send(1, now, random); path != want {
			t.Errorf("at %d: path %d, want %d", now, path, want)
		}
	}
	first(149, drawing(t, 1, 0), 0)
	first(150, drawing(t, 1, 0), 1)
	first(149, drawing(t, 0, 1), 0) // the second is not drawn
	w.pairs[1].usedAt, w.pairs[1].path = longAgo, 1
	if path, _ := w.Send(1, 149, drawing(t, 1, 1, 0)); path != 1 {
		t.Errorf("a third path was drawn: %d", path)
	}
	w.Noticed(3, 120)
	w.pairs[1].usedAt, w.pairs[1].path = longAgo, 1
	if path, _ := w.Send(1, 149, drawing(t, 0, 0)); path != 1 {
		t.Errorf("all are avoided: path %d, want the one in use", path)
	}
	if w.avoided[0]+w.avoided[1]+w.avoided[2] != 0 || len(w.avoided) != 5 {
		t.Errorf("what is known of other leaves' paths: %v", w.avoided)
	}
}

// A path whose first link is down is left at once with a new epoch, and not taken; draws that meet only such
// paths end at the next one that is up.
func TestLinks(t *testing.T) {
	three := func() *Weaver {
		w := New(&times, 2, 8)
		w.SetPaths(1, Paths{First: []int32{4, 6, 7}, At: w.Reserve(3), RTT: 5}, true)
		return w
	}
	thirds := func(a, b uint64) *rand.PCG {
		for seed := uint64(0); ; seed++ {
			if random := rand.NewPCG(seed, 0); random.Uint64()%3 == a && random.Uint64()%3 == b {
				return rand.NewPCG(seed, 0)
			}
		}
	}
	for _, c := range []struct {
		path   int32 // in use
		down   []int32
		draws  [2]uint64
		want   int32
		counts int64
	}{
		{0, []int32{4}, [2]uint64{1, 2}, 1, 1},
		{0, []int32{4}, [2]uint64{0, 2}, 2, 1},
		{0, []int32{4}, [2]uint64{0, 0}, 1, 1}, // the next
		{1, []int32{6}, [2]uint64{1, 1}, 2, 1},
		{2, []int32{7}, [2]uint64{2, 2}, 0, 1},
		{0, []int32{4, 6}, [2]uint64{0, 1}, 2, 1}, // the next but one
		{1, []int32{4, 6}, [2]uint64{0, 1}, 2, 1},
		{1, []int32{6, 7}, [2]uint64{1, 2}, 0, 1},
		{1, []int32{4, 6, 7}, [2]uint64{0, 2}, 1, 0}, // none is up: it stays
	} {
		w := three()
		w.Send(1, 0, thirds(0, 0))
		w.pairs[1].path, w.Reroutes = c.path, 0
		for _, port := range c.down {
			w.SetLink(port, false)
		}
		if path, tag := w.Send(1, 1, thirds(c.draws[0], c.draws[1])); path != c.want || tag.Epoch != 2 || tag.Mark != Ask || w.Reroutes != c.counts {
			t.Errorf("%+v: path %d, %+v, %d reroutes", c, path, tag, w.Reroutes)
		}
	}
	w := three()
	w.Send(1, 0, thirds(0, 0))
	w.SetLink(6, false)
	if _, tag := w.Send(1, 1, nil); tag.Epoch != 1 { // another path's
		t.Errorf("a link of another path: %+v", tag)
	}
	w.SetLink(4, false)
	w.SetLink(4, true)
	if _, tag := w.Send(1, 2, nil); tag.Epoch != 1 {
		t.Errorf("a link that is back: %+v", tag)
	}
}

// Other paths begin a new epoch on a path that there is; the same ones under another number do not.
func TestSetPaths(t *testing.T) {
	w := woven(times)
	sent(t, w, 0, drawing(t, 1), 1, Tag{Epoch: 1, Mark: Ask})
	w.SetPaths(1, Paths{First: []int32{4, 6}, At: w.Reserve(2), RTT: w.RTT(1)}, false)
	if path, tag := w.Send(1, 1, nil); path != 1 || tag.Path != 6 || tag.Epoch != 1 || w.RTT(1) != 5 {
		t.Errorf("path %d, %+v, RTT %d", path, tag, w.RTT(1))
	}
	w.SetPaths(1, Paths{First: []int32{4}, RTT: 9}, true)
	if w.Path(1) != 0 || w.RTT(1) != 9 {
		t.Errorf("path %d of one, RTT %d", w.Path(1), w.RTT(1))
	}
	if _, tag := w.Send(1, 2, drawing(t, 0)); tag.Epoch != 2 || w.pairs[1].deadline != 2+9+10 {
		t.Errorf("%+v, %+v", tag, w.pairs[1].source)
	}
	w.SetPaths(1, Paths{}, true)
	if w.Path(1) != 0 {
		t.Errorf("path %d of none", w.Path(1))
	}
	w.pairs[1].path = 2
	if w.SetPaths(1, Paths{First: []int32{4, 5, 6}}, true); w.Path(1) != 2 {
		t.Errorf("path %d of three, want 2 as before", w.Path(1))
	}
	if w.pairs[0].usedAt != longAgo || w.pairs[0].deadline != Never || w.pairs[0].planned != Never {
		t.Errorf("another queue pair: %+v", w.pairs[0])
	}
}
