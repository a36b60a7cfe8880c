package live

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// A connection that waits for its device keeps no other from running, and one that has got its answer runs in its
// turn: at one time no more than there are slots.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := make(chan struct{}, 1)
		near, far := net.Pipe()
		waiting, answered := hold(near, slots), false
		go func() {
			if _, err := io.ReadFull(waiting, make([]byte, 1)); err != nil {
				t.Error(err)
			}
			answered = true
			waiting.Close()
		}()
		synctest.Wait()
		other, _ := net.Pipe()
		running := hold(other, slots)
		must.Get(far.Write([]byte("a")))(t)
		synctest.Wait()
		if answered {
			t.Error("two run at one time")
		}
		running.Close()
		synctest.Wait()
		if !answered || len(slots) != 0 {
			t.Errorf("it has run: %v; %d slots are taken", answered, len(slots))
		}
	})
}

// Where the budget is exceeded the largest account is given up, whoever takes the last byte; what
// others hold stays, and what is closed may be taken again.
func TestBudget(t *testing.T) {
	b := newBudget(100)
	stopped := ""
	small, large, last := b.open(func() { stopped += "small" }), b.open(func() { stopped += "large" }), b.open(func() { stopped += "last" })
	for _, step := range []struct {
		of    *account
		bytes int
		over  bool
		used  int
	}{
		{small, 30, false, 30},
		{large, 60, false, 90},
		{last, 10, false, 100},
		{last, 1, false, 41}, // of which large pays
		{large, 0, true, 41},
		{large, 50, true, 41}, // an account that was given up holds nothing
		{last, 59, false, 100},
		{small, -30, false, 70},
		{last, 31, true, 0}, // it is the largest itself
	} {
		if err := step.of.take(step.bytes); (err != nil) != step.over || b.used != step.used {
			t.Fatalf("%+v: %v, %d bytes are used", step, err, b.used)
		}
	}
	if stopped != "largelast" || !large.isOver() || small.isOver() {
		t.Errorf("%s were stopped", stopped)
	}
	if err := small.settle(100); err != nil || b.used != 100 {
		t.Errorf("%v, %d bytes are used", err, b.used)
	}
	small.close()
	small.close()
	must.Equalf(t, b.used, 0, "bytes are used:")
}

// A panic is an error that says where.
func TestRecovered(t *testing.T) {
	ask := func(reply []int) (err error) {
		defer recovered(&err)
		_ = reply[5]
		return nil
	}
	if err := ask([]int{1}); err == nil || !strings.Contains(err.Error(), "turns_test.go:") {
		t.Error(err)
	}
	if err := ask(make([]int, 9)); err != nil {
		t.Error(err)
	}
	again := func() (err error) {
		defer recovered(&err)
		return errors.New("its own")
	}
	if err := again(); err == nil || err.Error() != "its own" {
		t.Error(err)
	}
}

// Requests are decoded by the library as they were meant: paths with keys that hold slashes, values,
// and the extension of confirmed commits.
func TestSetOnTheWire(t *testing.T) {
	s := Set{
		Deletes:  []string{"/interface[name=ethernet-1/1]/mtu", "openconfig:/qos/queues"},
		Replaces: []Value{{"/qos/linecard[slot=1]/forwarding-complex[name=0]", []byte(`{"a":1}`)}},
		Updates:  []Value{{"/interface[name=ethernet-1/2]/subinterface[index=0]", []byte(`{"index":0}`)}},
	}
	for _, c := range []struct {
		commit Commit
		want   string
	}{
		{Commit{ID: "x", For: 10 * time.Minute}, `id:"x" commit:{rollback_duration:{seconds:600}}`},
		{Commit{ID: "x", Confirm: true}, `id:"x" confirm:{}`},
		{Commit{ID: "x", Cancel: true}, `id:"x" cancel:{}`},
		{Commit{}, ""},
	} {
		var r gnmi.SetRequest
		must.Do(t, proto.Unmarshal(setRequest(s, c.commit), &r))
		path := func(p *gnmi.Path) (text string) {
			text = p.Origin
			for _, e := range p.Elem {
				text += fmt.Sprintf("/%s%v", e.Name, e.Key)
			}
			return text
		}
		got := path(r.Delete[0]) + " " + path(r.Delete[1]) + " " + path(r.Replace[0].Path) + string(r.Replace[0].Val.GetJsonIetfVal()) + " " + path(r.Update[0].Path) + string(r.Update[0].Val.GetJsonIetfVal())
		const want = `/interfacemap[name:ethernet-1/1]/mtumap[] openconfig/qosmap[]/queuesmap[] /qosmap[]/linecardmap[slot:1]/forwarding-complexmap[name:0]{"a":1} /interfacemap[name:ethernet-1/2]/subinterfacemap[index:0]{"index":0}`
		if got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
		if c.want == "" && len(r.Extension) == 0 {
			continue
		}
		if got, err := prototext.Marshal(r.Extension[0].GetCommit()); err != nil || strings.Join(strings.Fields(string(got)), " ") != c.want {
			t.Errorf("%s, not %s: %v", got, c.want, err)
		}
	}
}
