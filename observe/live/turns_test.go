package live

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
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
		if _, err := far.Write([]byte("a")); err != nil {
			t.Fatal(err)
		}
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
