package fakedevice

import "time"

// Naps counts naps of 10 ms from now on, until the returned function returns how many there were. Where other programs take
// the processor a nap ends late, as does all that a test waits for: the number of naps bounds a wait on any machine.
func Naps() (end func() int) {
	over, naps := make(chan struct{}), make(chan int)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-over:
				naps <- n
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return func() int { close(over); return <-naps }
}
