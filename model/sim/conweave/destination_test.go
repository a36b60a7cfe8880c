package conweave

import "testing"

// received checks the answer of [Weaver.Receive] about a packet for the host behind port 2.
func received(t *testing.T, w *Weaver, now int64, tag Tag, marked bool, want Verdict) {
	t.Helper()
	if got := w.Receive(1, 2, now, &tag, marked); got != want {
		t.Errorf("at %d %+v: %+v, want %+v", now, tag, got, want)
	}
}

func hold(t *testing.T, w *Weaver, now, tailAt, again int64) {
	t.Helper()
	if got := w.Hold(1, 2, now, &Tag{TailAt: tailAt}); got != again {
		t.Errorf("held at %d: asks again at %d, want %d", now, got, again)
	}
}

func due(t *testing.T, w *Weaver, now int64, release bool, again int64) {
	t.Helper()
	if got, at := w.Due(1, now); got != release || at != again {
		t.Errorf("due at %d: %v and again at %d, want %v and %d", now, got, at, release, again)
	}
}

// What is in order goes on; what asks is answered, and what is marked told, unless its epoch is over.
func TestInOrder(t *testing.T) {
	w := woven(times)
	received(t, w, 5, Tag{Epoch: 1, Mark: Ask}, false, Verdict{Reply: true, Again: Never})
	received(t, w, 6, Tag{Epoch: 1}, true, Verdict{Notice: true, Again: Never})
	received(t, w, 7, Tag{Epoch: 1, Mark: Tail}, true, Verdict{Reply: true, Notice: true, Again: Never})
	received(t, w, 8, Tag{Epoch: 1, Moved: true}, false, Verdict{Again: Never}) // behind its TAIL
	received(t, w, 9, Tag{Epoch: 2, Mark: Ask}, false, Verdict{Reply: true, Again: Never})
	received(t, w, 10, Tag{Epoch: 1, Mark: Tail, Moved: true}, true, Verdict{Again: Never}) // late
	if w.Counts != (Counts{}) || w.pairs[1].tailed || w.pairs[1].oldCame != 9 {
		t.Errorf("%+v, %+v", w.Counts, w.pairs[1].destination)
	}
	received(t, w, 11, Tag{Epoch: 2, Moved: true}, true, Verdict{Hold: true, Notice: true, Again: Never})
}

// The old path took 30 ps for the packet that left at 100. The TAIL left at 140, so it is due at 130 + 40 and
// 20 of slack; each packet of the old path tells it anew, and the TAIL itself ends the wait at once.
func TestHeldUntilTail(t *testing.T) {
	w := woven(times)
	received(t, w, 130, Tag{Epoch: 1, Sent: 100}, false, Verdict{Again: Never})
	received(t, w, 150, Tag{Epoch: 1, Moved: true, TailAt: 140}, false, Verdict{Hold: true, Again: Never})
	hold(t, w, 150, 140, 190)
	received(t, w, 151, Tag{Epoch: 1, Moved: true, TailAt: 140}, false, Verdict{Hold: true, Again: Never})
	hold(t, w, 151, 140, Never)
	if w.Held != 2 || w.MostQueues != 1 || w.Holding(2) != 1 {
		t.Errorf("%+v, %d queues", w.Counts, w.Holding(2))
	}
	// The path has become slower: 155 + (140 - 110) + 20 = 205, later than the question that is planned.
	received(t, w, 155, Tag{Epoch: 1, Sent: 110}, false, Verdict{Again: Never})
	due(t, w, 190, false, 205)
	// And faster: 160 + 5 + 20 = 185, before.
	received(t, w, 160, Tag{Epoch: 1, Sent: 135}, false, Verdict{Again: 185})
	received(t, w, 161, Tag{Epoch: 1, Mark: Tail, Sent: 140}, false, Verdict{Reply: true, Again: 161})
	due(t, w, 161, true, Never)
	if w.Expired != 0 || w.Holding(2) != 0 || !w.pairs[1].tailed {
		t.Errorf("%+v, %+v", w.Counts, w.pairs[1].destination)
	}
	due(t, w, 185, false, Never) // questions that were planned find nothing
	received(t, w, 186, Tag{Epoch: 1, Moved: true}, false, Verdict{Again: Never})
}

// When the TAIL does not come, what is held goes on by the estimate, and no later one of its epoch is held.
func TestTailIsLost(t *testing.T) {
	w := woven(times)
	received(t, w, 130, Tag{Epoch: 1, Sent: 100}, false, Verdict{Again: Never})
	hold(t, w, 150, 140, 190)
	due(t, w, 189, false, Never) // a question of before; 190 is planned
	due(t, w, 190, true, Never)
	if w.Expired != 1 {
		t.Errorf("%+v", w.Counts)
	}
	received(t, w, 191, Tag{Epoch: 1, Moved: true}, false, Verdict{Again: Never})
	// Where the estimate is over already, at once: the TAIL left before the last packet of the old path, so
	// that it should have come by 200 + 20.
	w = woven(times)
	received(t, w, 200, Tag{Epoch: 1, Sent: 190}, false, Verdict{Again: Never})
	hold(t, w, 215, 180, 220)
	w = woven(times)
	received(t, w, 200, Tag{Epoch: 1, Sent: 190}, false, Verdict{Again: Never})
	hold(t, w, 221, 180, 221)
	// Where nothing of the old path has come in this epoch: 100 + 20 from now.
	w = woven(times)
	received(t, w, 90, Tag{Epoch: 1, Sent: 80}, false, Verdict{Again: Never})
	received(t, w, 100, Tag{Epoch: 2, Moved: true, TailAt: 95}, false, Verdict{Hold: true, Again: Never})
	hold(t, w, 100, 95, 220)
}

// A new epoch lets what is held go first, and is judged by itself.
func TestNewEpochReleases(t *testing.T) {
	w := woven(times)
	received(t, w, 1, Tag{Epoch: 1, Moved: true}, false, Verdict{Hold: true, Again: Never})
	hold(t, w, 1, 0, 121)
	received(t, w, 2, Tag{Epoch: 2, Mark: Ask}, true, Verdict{Release: true, Notice: true, Reply: true, Again: Never})
	if w.Holding(2) != 0 || w.Expired != 0 {
		t.Errorf("%d queues, %+v", w.Holding(2), w.Counts)
	}
	received(t, w, 3, Tag{Epoch: 2, Moved: true}, false, Verdict{Hold: true, Again: Never})
	hold(t, w, 3, 2, 24) // 2 ps on the old path after 2, and 20 of slack
}

// A port has two queues: a third queue pair's packet goes on as it comes, and one of a queue pair that has a queue
// finds it.
func TestReorderQueues(t *testing.T) {
	c := times
	c.ReorderQueues = 2
	w := New(&c, 4, 8)
	tag := &Tag{Epoch: 1, Moved: true}
	held := func(pair, port int32, want bool) {
		t.Helper()
		v := w.Receive(pair, port, 0, tag, false)
		if v.Hold != want {
			t.Errorf("queue pair %d at port %d: held %v, want %v", pair, port, v.Hold, want)
		}
		if v.Hold {
			w.Hold(pair, port, 0, tag)
		}
	}
	held(0, 2, true)
	held(1, 2, true)
	held(2, 2, false)
	held(0, 2, true)
	held(3, 4, true) // another port
	if want := (Counts{Held: 4, Refused: 1, MostQueues: 2}); w.Counts != want {
		t.Errorf("%+v, want %+v", w.Counts, want)
	}
	if w.Due(0, Never-1); w.Holding(2) != 1 {
		t.Errorf("%d queues in use, want 1", w.Holding(2))
	}
	held(2, 2, true)
}
