package main

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// pipes are a network in memory, whose deadlines go by the clock of a simulation.
type pipes struct {
	lock    sync.Mutex
	serve   map[string]func(net.Conn)
	clients chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newPipes() *pipes {
	return &pipes{serve: map[string]func(net.Conn){}, clients: make(chan net.Conn), closed: make(chan struct{})}
}

// add adds a device; one without a server refuses connections.
func (p *pipes) add(name string, serve func(net.Conn)) string {
	p.serve[name+":6379"] = serve
	return name + ":6379"
}

// dial reaches a device.
func (p *pipes) dial(_ context.Context, _, address string) (net.Conn, error) {
	p.lock.Lock()
	serve := p.serve[address]
	p.lock.Unlock()
	if serve == nil {
		return nil, syscall.ECONNREFUSED
	}
	near, far := net.Pipe()
	go func() {
		serve(far)
		far.Close()
	}()
	return near, nil
}

// connect reaches the metrics.
func (p *pipes) connect(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.clients <- far:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.clients:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9742} }

// liveHeap is the memory that is in use after a collection.
func liveHeap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// In three days of simulated time, where one device in ten is hostile, every honest device has
// figures that are two intervals old at most at any time, every fault is reported once
// each time that it is raised and cleared, and memory does not grow.
func TestObserveThreeDays(t *testing.T) {
	devices, every, most := 140, "3600s", uint64(256<<20)
	if *hunting {
		devices, every, most = 10_000, "600s", 1<<30
	}
	synctest.Test(t, func(t *testing.T) {
		start, network := time.Now(), newPipes()
		s := simulate(t, network, devices, every, "128MB")
		s.wait("all figures", func(f shownFigures) bool { return s.fresh(f, 2) })
		times, early := 0, uint64(0)
		for time.Since(start) < 72*time.Hour {
			s.drop(int64(times) + 1)
			s.drop(0)
			times++
			time.Sleep(3 * time.Hour)
			if f, err := s.scrape(); err != nil || !s.fresh(f, 2) {
				t.Fatalf("after %v figures are too old: %v", time.Since(start), err)
			}
			if times == 4 {
				early = liveHeap()
			}
		}
		late := liveHeap()
		for _, d := range s.faulty() {
			raised, cleared := s.told("raised", d.name), s.told("cleared", d.name)
			for n := 2; n <= times; n++ {
				raised += s.told(fmt.Sprintf("raised again (%d times)", n), d.name)
			}
			if raised != times || cleared != times {
				t.Errorf("%s: raised %d times and cleared %d times, want %d", d.name, raised, cleared, times)
			}
		}
		if late > early+early/5+(4<<20) || late > most {
			t.Errorf("%d bytes are in use after %v, %d after four times", late, time.Since(start), early)
		}
		t.Logf("%d devices, %d of them hostile, %v: faults raised and cleared %d times, %d MB in use", devices, s.hostile, time.Since(start), times, late>>20)
	})
}
