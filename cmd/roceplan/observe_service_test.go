package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
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

// hostileDevices returns the ways in which a device can be of no use.
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

// A fleet is a number of devices. One in ten is hostile.
type fleet struct {
	honest  []*simDevice
	hostile int
	list    string // of addresses, as --devices takes it
}

// newFleet adds devices to a network, which gives each its address.
func newFleet(devices int, add func(name string, serve func(net.Conn)) string) *fleet {
	f := &fleet{}
	ways := hostileDevices()
	for i := range devices {
		name := fmt.Sprintf("leaf-%d", i+1)
		var serve func(net.Conn)
		if i%10 == 0 {
			serve = ways[f.hostile%len(ways)]
			f.hostile++
		} else {
			d := &simDevice{name: name}
			f.honest, serve = append(f.honest, d), d.serve
		}
		f.list += name + "=redis://" + add(name, serve) + "\n"
	}
	return f
}

// faulty returns the honest devices that lose packets.
func (f *fleet) faulty() []*simDevice { return f.honest[:len(f.honest)/5] }

func (f *fleet) drop(packets int64) {
	for _, d := range f.faulty() {
		d.drops.Store(packets)
	}
}

// listen serves a device on the loopback address, or takes a port at which no process answers.
func listen(_ string, serve func(net.Conn)) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	if serve == nil {
		listener.Close()
		return listener.Addr().String()
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				panic(err)
			}
			go func() {
				serve(conn)
				conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

// fleetMain is a process of its own: many devices, so that what they take is not the service's. It prints their
// addresses, and then obeys lines: drop PACKETS, and flood HOST CLIENTS.
func fleetMain() {
	devices, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	f := newFleet(devices, listen)
	fmt.Println(f.list)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch words := strings.Fields(in.Text()); words[0] {
		case "drop":
			packets, _ := strconv.ParseInt(words[1], 10, 64)
			f.drop(packets)
		case "flood":
			clients, _ := strconv.Atoi(words[2])
			flood(words[1], clients)
		}
	}
}

// flood opens connections to the metrics that pipeline and never read, or never end a request. Whoever
// loses one comes again. They come from another address than those who read.
func flood(host string, clients int) {
	pipelined := strings.Repeat("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", 20_000)
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	for i := range clients {
		go func() {
			for ; ; time.Sleep(5 * time.Second) {
				conn, err := from.Dial("tcp", host)
				if err != nil {
					continue
				}
				if i%2 == 0 {
					io.WriteString(conn, pipelined)
				} else if _, err = io.WriteString(conn, "GET /metrics HTTP/1.1\r\n"); err == nil {
					conn.Read(make([]byte, 1))
				}
				conn.Close()
			}
		}()
	}
}

// A simulation is devices, and a watch of them.
type simulation struct {
	*fleet
	t     *testing.T
	every time.Duration
	url   string
	http  http.Transport
	set   func(packets int64) // what the faulty devices lose

	lock  sync.Mutex
	told  map[string]*changes // by device
	wrong []string            // lines that no device should cause
}

// changes count what was printed about the drops of a device.
type changes struct{ raised, again, cleared, changed int }

// count counts a line. Lines are not kept: the memory in use is measured, and 10,000 devices cause 80,000 lines in three days.
func (s *simulation) count(line string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	_, event, _ := strings.Cut(line, " ")
	what, of, ok := strings.Cut(event, " error[observe-drop] ")
	device, _, _ := strings.Cut(of, " ")
	c := s.told[device]
	if c == nil {
		c = &changes{}
	}
	switch {
	case strings.ContainsRune(line, '\x1b'):
		s.wrong = append(s.wrong, line)
		return
	case !ok:
		return
	case what == "raised":
		c.raised++
	case what == fmt.Sprintf("raised again (%d times)", c.again+2):
		c.again++
	case what == "cleared":
		c.cleared++
	case what == "changed":
		c.changed++
	default:
		s.wrong = append(s.wrong, line)
	}
	s.told[strings.Clone(device)] = c
}

// newSimulation writes the files that a watch of a fleet reads, and returns its arguments.
func newSimulation(t *testing.T, f *fleet, every, memory string) (*simulation, observeCmd) {
	between, err := time.ParseDuration(every)
	check(t, err)
	s := &simulation{fleet: f, t: t, every: between, set: f.drop, told: map[string]*changes{}, http: http.Transport{DisableKeepAlives: true, DisableCompression: true}}
	dir := t.TempDir()
	list, fabric := filepath.Join(dir, "devices"), filepath.Join(dir, "fabric.hcl")
	check(t, os.WriteFile(list, []byte(f.list), 0o666))
	check(t, os.WriteFile(fabric, []byte(strings.Replace(watchedPod, `"leaf-1"`, fmt.Sprintf(`"leaf-[1..%d]"`, len(f.honest)+f.hostile), 1)), 0o666))
	return s, observeCmd{Devices: []string{list}, Fabric: fabric, Watch: "127.0.0.1:0", Every: every, Memory: memory}
}

// follow reads what a watch prints.
func (s *simulation) follow(out io.Reader) {
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		s.t.Fatal("the watch ended")
	}
	s.url = strings.TrimPrefix(lines.Text(), "metrics on ")
	go func() {
		for lines.Scan() {
			s.count(lines.Text())
		}
	}()
}

// start runs a program of this test until the test ends.
func start(t *testing.T, name string, args ...string) (in io.Writer, out io.Reader, process *os.Process) {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	check(t, err)
	out, err = c.StdoutPipe()
	check(t, err)
	check(t, c.Start())
	t.Cleanup(func() {
		c.Process.Signal(syscall.SIGTERM) // a shell has what it starts in the background ignore an interrupt
		c.Wait()
	})
	return in, out, c.Process
}

// shownFigures are what one scrape says.
type shownFigures struct {
	rounds int64
	used   map[string]int64 // by device: the number of the reading that is shown
	drops  map[string]int64 // by device: whether the fault is raised
	up     map[string]int64
	read   map[string]float64 // by device: when it was read
	text   string
}

// get reads the metrics over a connection of its own, packed if asked for, and how long that takes.
func (s *simulation) get(packed bool) (text []byte, took time.Duration, err error) {
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url, nil)
	check(s.t, err)
	if packed {
		request.Header.Set("Accept-Encoding", "gzip")
	}
	client := &http.Client{Timeout: time.Minute, Transport: &s.http}
	begin := time.Now()
	answer, err := client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	return text, time.Since(begin), err
}

// scrape reads the metrics.
func (s *simulation) scrape() (shownFigures, error) {
	text, _, err := s.get(false)
	if err != nil {
		return shownFigures{}, err
	}
	return parseFigures(s.t, text), nil
}

func parseFigures(t *testing.T, text []byte) shownFigures {
	f := shownFigures{used: map[string]int64{}, drops: map[string]int64{}, up: map[string]int64{}, read: map[string]float64{}, text: string(text)}
	for line := range strings.Lines(f.text) {
		metric, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		name, labels, _ := strings.Cut(metric, `{device="`)
		device, rest, _ := strings.Cut(labels, `"`)
		if name == "roceplan_device_last_reading_timestamp_seconds" {
			at, err := strconv.ParseFloat(value, 64)
			check(t, err)
			f.read[device] = at
			continue
		}
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
	for start := time.Now(); ; time.Sleep(s.every / 8) {
		f, err := s.scrape()
		if err == nil && wanted(f) {
			return f
		}
		if time.Since(start) > max(8*time.Minute, 8*s.every) {
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
	s.set(packets)
	want := min(packets, 1)
	s.wait(fmt.Sprintf("faults that are %d", want), func(f shownFigures) bool {
		return !slices.ContainsFunc(s.faulty(), func(d *simDevice) bool { return f.drops[d.name] != want })
	})
}

// old lists honest devices whose figures are older than two intervals.
func (s *simulation) old(f shownFigures, now time.Time) (list []string) {
	for _, d := range s.honest {
		if age := now.Sub(time.UnixMilli(int64(f.read[d.name] * 1000))); age > 2*s.every {
			list = append(list, fmt.Sprintf("%s: %v", d.name, age))
		}
	}
	return list
}

// A probe is what somebody sees who reads the metrics again and again.
type probe struct {
	took   [2][]time.Duration // as they are, and packed
	old    []string           // devices whose figures are too old
	memory []uint64           // of the service
	failed []error
}

// probe reads the metrics twice a second until the channel is closed, in turn packed and as they are.
func (s *simulation) probe(service *os.Process, over <-chan struct{}) *probe {
	p := &probe{}
	for i := 0; ; i++ {
		select {
		case <-over:
			return p
		case <-time.After(500 * time.Millisecond):
		}
		now := time.Now()
		text, took, err := s.get(i%2 == 1)
		if err != nil {
			p.failed = append(p.failed, err)
			continue
		}
		p.took[i%2] = append(p.took[i%2], took)
		p.memory = append(p.memory, resident(service))
		if i%20 == 0 {
			p.old = append(p.old, s.old(parseFigures(s.t, text), now)...)
		}
	}
}

// slow returns the time within which 99 of 100 are done.
func slow(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[(len(took)*99+99)/100-1]
}

// resident returns the memory that a process has, 0 where the system does not say.
func resident(p *os.Process) uint64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.Pid))
	if words := strings.Fields(string(text)); len(words) > 1 {
		pages, _ := strconv.ParseUint(words[1], 10, 64)
		return pages * uint64(os.Getpagesize())
	}
	return 0
}

// Of many devices one in ten is dead, silent, slow, lying or endless, and clients of the metrics do
// not read: every honest device is up with figures that are two intervals old at most, memory stays
// below a bound, and every fault is reported once each time it is raised and cleared. Devices and hostile
// clients are a process of their own, and the service is one: what is measured is what a client sees of it.
func TestObserveService(t *testing.T) {
	devices, every, memory, clients, most, lasting := 150, "1s", "32MB", 100, uint64(512<<20), time.Duration(0)
	if *hunting {
		devices, every, memory, clients, most, lasting = 10_000, "20s", "256MB", 1000, 1<<30, 10*time.Minute
	}
	control, told, _ := start(t, "fleet", strconv.Itoa(devices))
	list := bufio.NewReader(told)
	f := newFleet(devices, func(string, func(net.Conn)) string {
		line, err := list.ReadString('\n')
		check(t, err)
		_, address, _ := strings.Cut(strings.TrimSpace(line), "=redis://")
		return address
	})
	s, c := newSimulation(t, f, every, memory)
	s.set = func(packets int64) { fmt.Fprintln(control, "drop", packets) }
	_, out, service := start(t, "roceplan", "observe", "--devices", c.Devices[0], "--fabric", c.Fabric, "--watch", c.Watch, "--every", c.Every, "--memory", c.Memory)
	s.follow(out)
	s.wait("all figures", func(f shownFigures) bool { return s.fresh(f, 2) })
	fmt.Fprintln(control, "flood", strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/metrics"), clients)
	over, seen := make(chan struct{}), make(chan *probe)
	go func() { seen <- s.probe(service, over) }()
	begin, times := time.Now(), 0
	for ; times < 2 || time.Since(begin) < lasting; times++ {
		s.drop(7)
		s.drop(0)
	}
	last := s.wait("fresh figures", func(f shownFigures) bool { return s.fresh(f, 6) })
	close(over)
	p := <-seen
	s.judge(times)
	if len(last.up) != devices {
		t.Errorf("%d of %d devices have metrics", len(last.up), devices)
	}
	p.judge(t, most)
	t.Logf("%d devices, %d of them hostile, %v: %d rounds, faults raised and cleared %d times, %d MB of memory at most; 99 of 100 of %d scrapes within %v, of %d packed ones within %v",
		devices, s.hostile, time.Since(begin).Round(time.Second), last.rounds, times, slices.Max(p.memory)>>20, len(p.took[0]), slow(p.took[0]), len(p.took[1]), slow(p.took[1]))
}

// judge holds what the watch printed against what happened: each fault was raised and cleared so many times.
func (s *simulation) judge(times int) {
	s.t.Helper()
	s.lock.Lock()
	defer s.lock.Unlock()
	want := changes{raised: 1, again: times - 1, cleared: times}
	for _, d := range s.faulty() {
		if got := s.told[d.name]; got == nil || *got != want {
			s.t.Errorf("%s: %+v, want %+v", d.name, got, want)
		}
	}
	for _, d := range s.honest[len(s.faulty()):] {
		if s.told[d.name] != nil {
			s.t.Errorf("%s has a fault that it does not have", d.name)
		}
	}
	for _, line := range s.wrong {
		s.t.Errorf("a line has an escape, or does not follow from the one before: %q", line)
	}
}

// judge holds what somebody saw against what is promised. Times are those of a machine that does nothing else, so
// that the hunt alone judges them.
func (p *probe) judge(t *testing.T, most uint64) {
	t.Helper()
	if len(p.failed) > 0 {
		t.Errorf("%d scrapes failed: %v", len(p.failed), p.failed[0])
	}
	if got := slices.Max(p.memory); got > most {
		t.Errorf("%d bytes of memory were in use, want %d at most", got, most)
	}
	if !*hunting {
		return
	}
	third := len(p.memory) / 3
	if before, after := slices.Max(p.memory[:2*third]), slices.Max(p.memory[2*third:]); after > before+before/10 {
		t.Errorf("memory grows: %d bytes, and %d in the last third of the time", before, after)
	}
	if len(p.old) > 0 {
		t.Errorf("figures are older than two intervals %d times: %s", len(p.old), p.old[0])
	}
	for i, kind := range []string{"", "packed "} {
		if got := slow(p.took[i]); got > 100*time.Millisecond {
			t.Errorf("one %sscrape in a hundred takes %v or more, want less than 100ms", kind, got)
		}
	}
}
