package eos

import (
	"bytes"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// What a configuration has and another has not is written with the blocks around it, and taken back likewise;
// interfaces stay, and a line that another with the same words replaces is not taken back.
func TestWrittenAndTaken(t *testing.T) {
	for _, c := range []struct{ was, will, written, taken string }{
		{"a\n", "a\n", "", ""},
		{"", "a\n   b\n      c\n   d\n", "a\n   b\n      c\n   d\n", ""},
		{"a\n   b\n", "a\n   b\n      c\n", "a\n   b\n      c\n", ""},
		{"a\n   b\n      c\n   d\n", "a\n   d\n", "", "a\n   no b\n"},
		{"a\n   b\n", "", "", "no a\n"},
		{"interface Ethernet1/1\n   mtu 9214\n", "", "", "interface Ethernet1/1\n   no mtu 9214\n"},
		{"interface Ethernet1/1\n   mtu 9214\n", "interface Ethernet1/1\n   mtu 9000\n", "interface Ethernet1/1\n   mtu 9000\n", ""},
		{"interface Ethernet1/1\n   mtu 9214\n", "interface Ethernet1/2\n   mtu 9214\n", "interface Ethernet1/2\n   mtu 9214\n", "interface Ethernet1/1\n   no mtu 9214\n"},
		{"!\nhostname a\na\nend\n", "hostname b\na\nend\n", "", ""},
	} {
		var more, less bytes.Buffer
		was, will := parseBlocks([]byte(c.was)), parseBlocks([]byte(c.will))
		written(&more, was, will, "")
		taken(&less, was, will, "")
		if more.String() != c.written || less.String() != c.taken {
			t.Errorf("%q to %q: %q and %q, want %q and %q", c.was, c.will, &more, &less, c.written, c.taken)
		}
	}
}

// AVD has a key for what is guaranteed to a queue, unless the queue has a share as well.
func TestGuaranteesOfAVD(t *testing.T) {
	v := &view{Queue: "uc-tx-queue", Profiles: []*profileView{
		{Name: "none", Queues: []queueView{{ID: 3, Guaranteed: true}, {ID: 1, Percent: 5}}},
		{Name: "some", Queues: []queueView{{ID: 3, Guaranteed: true}, {ID: 2, Guaranteed: true, Percent: 1}, {ID: 1, Guaranteed: true, Percent: 5}}},
	}}
	const want = "!\nqos profile some\n   uc-tx-queue 2\n      bandwidth guaranteed percent 1\n   uc-tx-queue 1\n      bandwidth guaranteed percent 1\n"
	must.Equal(t, v.avdLines(), want)
}

// EOS ties traffic class 7 to queue 7: another queue is an error at the class, unless no code point leads there. The
// queues of the others are said.
func TestQueueOfTheLastClass(t *testing.T) {
	for _, c := range []struct {
		tc, queue uint8 // of code point 10, and of class 7
		refused   bool
	}{{7, 7, false}, {7, 6, true}, {7, 0, true}, {6, 6, false}, {1, 0, false}} {
		s := leaf()
		s.Maps.DSCPToTC[10], s.Maps.TCToQueue[7] = c.tc, c.queue
		s.Classes = append(s.Classes, plan.Class{Name: "last", TrafficClass: 7, Range: diag.Range{Filename: "last.hcl"}})
		b := &builder{s: s}
		dscps, queues := b.maps()
		if (len(b.list) == 1) != c.refused || c.refused && (b.list[0].Code != QueueSeven || b.list[0].Subject.Filename != "last.hcl") {
			t.Errorf("%+v: %v", c, b.list)
		}
		if len(queues) != 7 || queues[6] != (queueMapView{6, 6}) || dscps[0].TC != 1 || dscps[len(dscps)-1].TC != max(6, c.tc) {
			t.Errorf("%+v: %v, %v", c, dscps, queues)
		}
	}
}
