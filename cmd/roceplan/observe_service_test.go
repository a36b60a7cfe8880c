package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A simDevice is a switch with COUNTERS_DB. Its watermark is how often it has been read, so that a
// figure says how old it is.
type simDevice struct {
	name  string
	reads atomic.Int64
	drops atomic.Int64
}

// serve speaks as much of Redis as a reading of counters needs, by a parser of its own.
func (d *simDevice) serve(conn net.Conn) {
	in := bufio.NewReader(conn)
	for {
		words, err := redisCommand(in)
		if err != nil {
			return
		}
		if _, err := io.WriteString(conn, d.answer(words)); err != nil {
			return
		}
	}
}

// redisCommand reads a list of texts without blanks or ends of lines in them.
func redisCommand(in *bufio.Reader) (words []string, err error) {
	count := 0
	if _, err := fmt.Fscanf(in, "*%d\r\n", &count); err != nil {
		return nil, err
	}
	for range count {
		var size int
		var word string
		if _, err := fmt.Fscanf(in, "$%d\r\n%s\r\n", &size, &word); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, nil
}

func redisList(words ...string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&text, "$%d\r\n%s\r\n", len(word), word)
	}
	return text.String()
}

func (d *simDevice) answer(words []string) string {
	switch {
	case words[0] == "SELECT":
		return "+OK\r\n"
	case words[0] == "SCAN":
		return "*2\r\n$1\r\n0\r\n" + redisList("COUNTERS_PG_NAME_MAP", "COUNTERS:oid:0x1", "PERSISTENT_WATERMARKS:oid:0x1", "CRM:STATS")
	case words[0] != "HGETALL":
		return "-ERR unknown command\r\n"
	}
	switch words[1] {
	case "COUNTERS_PG_NAME_MAP":
		return redisList("Ethernet1:3", "oid:0x1")
	case "COUNTERS:oid:0x1":
		return redisList("SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS", fmt.Sprint(d.drops.Load()), "SAI_OTHER", "1")
	}
	return redisList("SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES", fmt.Sprint(d.reads.Add(1)))
}

// always answers whatever comes with one text.
func always(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		buf := make([]byte, 4096)
		for {
			if _, err := conn.Read(buf); err != nil {
				return
			}
			if _, err := io.WriteString(conn, answer); err != nil {
				return
			}
		}
	}
}

// pour sends a text without end.
func pour(first, again string) func(net.Conn) {
	again = strings.Repeat(again, 1+4096/len(again))
	return func(conn net.Conn) {
		_, err := io.WriteString(conn, first)
		for err == nil {
			_, err = io.WriteString(conn, again)
		}
	}
}

// liar answers as a switch does, with hashes of a size and values that no switch has.
func liar(fields int, value string) func(net.Conn) {
	pairs := []string{}
	for i := range fields {
		pairs = append(pairs, fmt.Sprintf("Ethernet%d:3", i), fmt.Sprintf("oid:0x%d", i))
	}
	names := redisList(pairs...)
	return func(conn net.Conn) {
		in := bufio.NewReader(conn)
		for {
			words, err := redisCommand(in)
			if err != nil {
				return
			}
			answer := "+OK\r\n"
			switch words[len(words)-1] {
			case "1000":
				answer = "*2\r\n$1\r\n0\r\n" + redisList("COUNTERS_PG_NAME_MAP", "COUNTERS:oid:0x1")
			case "COUNTERS_PG_NAME_MAP":
				answer = names
			case "COUNTERS:oid:0x1":
				answer = redisList("SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS", value)
			}
			if _, err := io.WriteString(conn, answer); err != nil {
				return
			}
		}
	}
}

// hostileDevices are the ways in which a device can be of no use.
func hostileDevices() []func(net.Conn) {
	return []func(net.Conn){
		nil, // dead: no process listens
		func(conn net.Conn) { io.Copy(io.Discard, conn) }, // silent
		func(conn net.Conn) { // slow
			for _, err := io.WriteString(conn, "+"); err == nil; _, err = io.WriteString(conn, "a") {
				time.Sleep(50 * time.Millisecond)
			}
		},
		func(net.Conn) {}, // it ends at once
		always("$9000000000000000000\r\n"),
		always("*1000000000000\r\n"),
		pour("", "*1\r\n"),
		pour("+", "a"),
		pour("$1000000000\r\n", "a"),
		pour("*200000\r\n", "$4\r\naaaa\r\n"),
		always("*2\r\n$1\r\n7\r\n*0\r\n"), // a cursor without end
		liar(1, "many"),
		liar(20_000, "7"),
		always("-\x1b[31mERR\r\n"),
	}
}

// A simulation is devices on the loopback address, and a watch of them.
type simulation struct {
	t       *testing.T
	honest  []*simDevice
	hostile int
	url     string
	net     *pipes          // nil: the system's
	pause   time.Duration   // between two scrapes
	took    []time.Duration // scrapes

	lock  sync.Mutex
	lines []string
}

// listen serves a device, or takes a port at which no process answers.
func listen(t *testing.T, serve func(net.Conn)) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	if serve == nil {
		listener.Close()
		return listener.Addr().String()
	}
	var lock sync.Mutex
	open := map[net.Conn]bool{}
	t.Cleanup(func() {
		listener.Close()
		lock.Lock()
		defer lock.Unlock()
		for conn := range open {
			conn.Close()
		}
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			lock.Lock()
			open[conn] = true
			lock.Unlock()
			go func() {
				serve(conn)
				conn.Close()
				lock.Lock()
				delete(open, conn)
				lock.Unlock()
			}()
		}
	}()
	return listener.Addr().String()
}

// simulate starts devices and the watch. One device in ten is hostile.
func simulate(t *testing.T, network *pipes, devices int, every, memory string) *simulation {
	between, err := time.ParseDuration(every)
	check(t, err)
	s := &simulation{t: t, net: network, pause: between / 8}
	dir := t.TempDir()
	addresses := ""
	ways := hostileDevices()
	for i := range devices {
		name := fmt.Sprintf("leaf-%d", i+1)
		var serve func(net.Conn)
		if i%10 == 0 {
			serve = ways[s.hostile%len(ways)]
			s.hostile++
		} else {
			d := &simDevice{name: name}
			s.honest, serve = append(s.honest, d), d.serve
		}
		if network != nil {
			addresses += name + "=redis://" + network.add(name, serve) + "\n"
		} else {
			addresses += name + "=redis://" + listen(t, serve) + "\n"
		}
	}
	list, fabric := filepath.Join(dir, "devices"), filepath.Join(dir, "fabric.hcl")
	check(t, os.WriteFile(list, []byte(addresses), 0o666))
	check(t, os.WriteFile(fabric, []byte(strings.Replace(watchedPod, `"leaf-1"`, fmt.Sprintf(`"leaf-[1..%d]"`, devices), 1)), 0o666))
	s.watch(observeCmd{Devices: []string{list}, Fabric: fabric, Watch: "127.0.0.1:0", Every: every, Memory: memory})
	return s
}

// watch runs the command until the test ends.
func (s *simulation) watch(c observeCmd) {
	ctx, stop := context.WithCancel(s.t.Context())
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		term := &terminal{Context: ctx, out: bufio.NewWriter(writer), err: io.Discard}
		if s.net != nil {
			term.dial, term.listen = s.net.dial, s.net
		}
		ended <- c.Run(term)
		writer.Close()
	}()
	s.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	lines := bufio.NewScanner(reader)
	if !lines.Scan() {
		s.t.Fatal("the watch ended")
	}
	s.url = strings.TrimPrefix(lines.Text(), "metrics on ")
	go func() {
		for lines.Scan() {
			s.lock.Lock()
			s.lines = append(s.lines, lines.Text())
			s.lock.Unlock()
		}
	}()
}

// attack opens connections to the metrics that pipeline and never read, or never end a request.
func (s *simulation) attack(clients int) {
	host := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/metrics")
	requests := strings.Repeat("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", 20_000)
	for i := range clients {
		conn, err := net.Dial("tcp", host)
		check(s.t, err)
		s.t.Cleanup(func() { conn.Close() })
		if i%2 == 0 {
			go io.WriteString(conn, requests)
		} else {
			go io.WriteString(conn, "GET /metrics HTTP/1.1\r\n")
		}
	}
}

// shownFigures are what one scrape says.
type shownFigures struct {
	rounds int64
	used   map[string]int64 // by device: the number of the reading that is shown
	drops  map[string]int64 // by device: whether the fault is raised
	up     map[string]int64
	text   string
}

// scrape reads the metrics over a connection of its own.
func (s *simulation) scrape() (shownFigures, error) {
	start := time.Now()
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	if s.net != nil {
		client.Transport = &http.Transport{DisableKeepAlives: true, DialContext: s.net.connect}
	}
	answer, err := client.Get(s.url)
	if err != nil {
		return shownFigures{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return shownFigures{}, err
	}
	s.took = append(s.took, time.Since(start))
	return parseFigures(s.t, text), nil
}

func parseFigures(t *testing.T, text []byte) shownFigures {
	f := shownFigures{used: map[string]int64{}, drops: map[string]int64{}, up: map[string]int64{}, text: string(text)}
	for line := range strings.Lines(f.text) {
		metric, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		name, labels, _ := strings.Cut(metric, `{device="`)
		device, rest, _ := strings.Cut(labels, `"`)
		to := map[string]map[string]int64{"roceplan_headroom_used_bytes": f.used, "roceplan_device_up": f.up, "roceplan_fault": f.drops}[name]
		if name == "roceplan_fault" && rest != `,port="Ethernet1",fault="observe-drop"}` || !ok || to == nil && name != "roceplan_rounds_total" {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		check(t, err)
		if to == nil {
			f.rounds = n
		} else {
			to[device] = n
		}
	}
	return f
}

// wait scrapes until figures are as wanted. Its limit is for a program that hangs.
func (s *simulation) wait(what string, wanted func(shownFigures) bool) shownFigures {
	s.t.Helper()
	for start := time.Now(); ; time.Sleep(s.pause) {
		f, err := s.scrape()
		if err == nil && wanted(f) {
			return f
		}
		if time.Since(start) > max(8*time.Minute, 64*s.pause) {
			s.t.Fatalf("never %s: %v\n%.4000s", what, err, f.text)
		}
	}
}

// fresh reports whether every honest device is up, with figures that are at most two rounds old: a
// device is asked once in a round, and shows how often it was.
func (s *simulation) fresh(f shownFigures, since int64) bool {
	return f.rounds >= since && !slices.ContainsFunc(s.honest, func(d *simDevice) bool {
		return f.up[d.name] != 1 || f.used[d.name] < f.rounds-2
	})
}

// drop sets the lost packets of the faulty devices, and waits until the metrics show it.
func (s *simulation) drop(packets int64) {
	s.t.Helper()
	for _, d := range s.faulty() {
		d.drops.Store(packets)
	}
	want := min(packets, 1)
	s.wait(fmt.Sprintf("faults that are %d", want), func(f shownFigures) bool {
		return !slices.ContainsFunc(s.faulty(), func(d *simDevice) bool { return f.drops[d.name] != want })
	})
}

// faulty are the honest devices that lose packets.
func (s *simulation) faulty() []*simDevice { return s.honest[:len(s.honest)/5] }

// told counts the lines that begin so about a drop of a device.
func (s *simulation) told(change, device string) (n int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, line := range s.lines {
		_, event, _ := strings.Cut(line, " ")
		if strings.HasPrefix(event, change+" error[observe-drop] "+device+" ") {
			n++
		}
	}
	return n
}

// mostHeap samples the memory of the process until the test ends.
func mostHeap(t *testing.T) *atomic.Uint64 {
	most := new(atomic.Uint64)
	go func() {
		for t.Context().Err() == nil {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapInuse+m.StackInuse))
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return most
}

// Of many devices one in ten is dead, silent, slow, lying or endless, and clients of the metrics do
// not read: every honest device is up with figures that are two intervals old at most, memory stays
// below a bound, and every fault is reported once each time it is raised and cleared.
func TestObserveService(t *testing.T) {
	devices, every, memory, clients, most := 150, "1s", "32MB", 100, uint64(512<<20)
	if *hunting {
		devices, every, memory, clients, most = 10_000, "20s", "256MB", 1000, 1<<30
	}
	heap := mostHeap(t)
	s := simulate(t, nil, devices, every, memory)
	s.wait("all figures", func(f shownFigures) bool { return s.fresh(f, 2) })
	s.attack(clients)
	for range 2 {
		s.drop(7)
		s.drop(0)
	}
	f := s.wait("fresh figures", func(f shownFigures) bool { return s.fresh(f, 6) })
	for _, d := range s.faulty() {
		for change, want := range map[string]int{"raised": 1, "raised again (2 times)": 1, "cleared": 2, "changed": 0} {
			if got := s.told(change, d.name); got != want {
				t.Errorf("%s: %s was reported %d times, want %d", d.name, change, got, want)
			}
		}
	}
	for _, d := range s.honest[len(s.faulty()):] {
		if s.told("raised", d.name) > 0 {
			t.Errorf("%s has a fault that it does not have", d.name)
		}
	}
	if len(f.up) != devices {
		t.Errorf("%d of %d devices have metrics", len(f.up), devices)
	}
	if heap.Load() > most {
		t.Errorf("%d bytes of memory were in use, want %d at most", heap.Load(), most)
	}
	slices.Sort(s.took)
	if slow := s.took[len(s.took)*99/100]; *hunting && slow > 100*time.Millisecond {
		t.Errorf("one scrape in a hundred takes %v or more, want less than 100ms", slow)
	}
	t.Logf("%d devices, %d of them hostile: %d rounds, %d MB of memory, 99 of 100 of %d scrapes within %v", devices, s.hostile, f.rounds, heap.Load()>>20, len(s.took), s.took[len(s.took)*99/100])
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, line := range s.lines {
		if strings.ContainsRune(line, '\x1b') {
			t.Errorf("a line has an escape: %q", line)
		}
	}
}
