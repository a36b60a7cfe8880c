package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
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

// watchOn watches a fleet on a network in memory until the test ends.
func watchOn(t *testing.T, network *pipes, f *fleet, every, memory string) *simulation {
	s, c := newSimulation(t, f, every, memory)
	s.http.DialContext = network.connect
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- c.Run(&terminal{Context: ctx, out: bufio.NewWriter(writer), err: io.Discard, dial: network.dial, listen: network})
		writer.Close()
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	s.follow(reader)
	return s
}

// liveHeap returns the memory that is in use after a collection.
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
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // what is in use is measured after a collection
	synctest.Test(t, func(t *testing.T) {
		start, network := time.Now(), newPipes()
		s := watchOn(t, network, newFleet(devices, network.add), every, "128MB")
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
		s.judge(times)
		if late > early+early/5+(4<<20) || late > most {
			t.Errorf("%d bytes are in use after %v, %d after four times", late, time.Since(start), early)
		}
		t.Logf("%d devices, %d of them hostile, %v: faults raised and cleared %d times, %d MB in use", devices, s.hostile, time.Since(start), times, late>>20)
	})
}

// Asked once, devices that are dead, silent, slow, lying or endless are a finding each, and the others are
// judged all the same.
func TestObserveOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := newPipes()
		honest := &simDevice{}
		honest.drops.Store(7)
		hostile := hostileDevices()
		call := []string{"observe", "--fabric", filepath.Join(t.TempDir(), "fabric.hcl"), "leaf-1=redis://" + network.add("leaf-1", honest.serve), "elsewhere=redis://" + network.add("elsewhere", nil)}
		for i, serve := range hostile {
			name := fmt.Sprintf("leaf-%d", i+2)
			call = append(call, name+"=redis://"+network.add(name, serve))
		}
		check(t, os.WriteFile(call[2], []byte(strings.Replace(watchedPod, `"leaf-1"`, fmt.Sprintf(`"leaf-[1..%d]"`, len(hostile)+1), 1)), 0o666))
		var out, told bytes.Buffer
		begin := time.Now()
		err := dispatch(append([]string{"--all"}, call...), &terminal{Context: t.Context(), out: bufio.NewWriter(&out), err: &told, tty: &told, dial: network.dial})
		if !errors.Is(err, errFindings) || time.Since(begin) > 20*time.Second {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		if !strings.Contains(told.String(), "error[observe-drop]: Ethernet1 PG 3 of leaf-1 dropped 7 packets") {
			t.Errorf("what leaf-1 lost is not reported:\n%s", told.String())
		}
		// leaf-13 and leaf-14 lie, in a form that can be read.
		for _, want := range []string{
			"error[observe-unread]: leaf-[2..12,15] cannot be read: redis://leaf-2:6379: connection refused; redis://leaf-3:6379: it did not answer in time; ", "; and 7 more\n",
			"elsewhere:1:1: error[observe-unread]: elsewhere cannot be read: redis://elsewhere:6379: connection refused\n",
		} {
			if strings.Count(told.String(), want) != 1 {
				t.Errorf("%q is not reported once:\n%s", want, told.String())
			}
		}
	})
}
