package fakedevice

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/roceplan/roceplan/emit/host"
	"github.com/roceplan/roceplan/plan"
)

// A Host is a server with ConnectX NICs. Its kernel is a folder of files, and mlnx_qos, dcb, ethtool, ip and
// rdma keep their settings: mlnx_qos as Mellanox/mlnx-tools python/mlnx_qos has its options, dcb as
// iproute2's dcb(8), both with what the driver refuses (Linux en_dcbnl.c, mlx5e_dbcnl_validate_ets: the
// shares of classes by ETS are 100 in sum). At its start it runs the script that is in a file, if there is
// one, with NICs as the driver leaves them.
type Host struct {
	Script string // the file
	Real   bool   // scripts are run by a real shell
	Keeps  bool   // its jobs keep their queue pairs; else they open them anew when these were listed
	// Changed is called after everything that a program, a script or a start did; nil: nothing is.
	Changed func()

	shell
	Interfaces []string
	tool       string
	working    sync.Mutex // held while a command line runs: they share the files by which programs are answered
	lock       sync.Mutex
	nics       map[string]*nic
	starting   bool // it neither sends nor receives
	refuse     bool
	pairs      []pair
	last       int // number of the last pair
	written    int // the ToS that was written last
	was        int // priority of the code point that was edited
	edited     uint8
}

// nic has the driver's settings of one interface.
type nic struct {
	dscp    [64]int
	pfc     [8]bool
	delay   int
	tc, bw  [8]int
	tsa     [8]string
	pause   string
	willing bool
}

// A pair is an open queue pair, with the ToS that it was opened with.
type pair struct{ number, tos int }

// NewHost is a server that has started with the script of its NICs, and has queue pairs open. tool is
// mlnx_qos or dcb.
func NewHost(t testing.TB, h *plan.Host, tool string, interfaces ...string) *Host {
	t.Helper()
	s := &Host{shell: newShell(t, "dcb", tool, "ethtool", "ip", "rdma"), tool: tool, Interfaces: interfaces, last: 177}
	folder, err := os.MkdirTemp("", "roceplan-server-") // a path without the name of the test, which may have commas
	check(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	s.Script = filepath.Join(folder, "start.sh")
	files, found := host.Emit(h)
	if found.HasErrors() {
		t.Fatal(found)
	}
	check(t, os.WriteFile(s.Script, files[0].Body.AppendFor(nil, ""), 0o755))
	s.Restart()
	return s
}

// RunServers lets servers of each kind of NIC run, one by mlnx_qos and one by dcb alone.
func (f *Fleet) RunServers(nics []*plan.Host) (servers map[string]*Host, lines []string) {
	f.t.Helper()
	servers = map[string]*Host{}
	for _, h := range nics {
		for i, tool := range []string{"mlnx_qos", "dcb"} {
			name := fmt.Sprintf("%s-server-%d", h.Name, i+1)
			d := NewHost(f.t, h, tool, []string{"eth2", "eth3"}[:i+1]...)
			servers[name] = d
			lines = append(lines, fmt.Sprintf("%s=ssh://root@%s?key_file=%s&known_hosts=%s&nic=%s&interfaces=%s&script=%s",
				name, f.Serve(name, d), f.Key, f.KnownHosts, h.Name, strings.Join(d.Interfaces, ","), d.Script))
		}
	}
	return servers, lines
}

// kernel writes the files of the drivers, as they are after their start.
func (s *Host) kernel() {
	write := func(path, text string) {
		path = filepath.Join(s.folder, "sys", path)
		check(s.t, os.MkdirAll(filepath.Dir(path), 0o777))
		check(s.t, os.WriteFile(path, []byte(text), 0o666))
	}
	s.nics = map[string]*nic{}
	for i, name := range s.Interfaces {
		rdma := fmt.Sprintf("mlx5_%d", i)
		write("class/net/"+name+"/mtu", "1500\n")
		write(fmt.Sprintf("bus/0000:3b:00.%d/infiniband/%s/x", i, rdma), "")
		_ = os.Symlink(fmt.Sprintf("../../../bus/0000:3b:00.%d", i), filepath.Join(s.folder, "sys/class/net", name, "device")) // it may be there
		write("class/infiniband/"+rdma+"/tc/1/traffic_class", "Global tclass=0\n")
		write("kernel/config/rdma_cm/"+rdma+"/ports/1/default_roce_mode", "IB/RoCE v1\n")
		write("kernel/config/rdma_cm/"+rdma+"/ports/1/default_roce_tos", "0\n")
		for _, file := range []string{"cnp_dscp", "cnp_802p_prio", "min_time_between_cnps"} {
			write("class/net/"+name+"/ecn/roce_np/"+file, "0\n")
		}
		for p := range 8 {
			write(fmt.Sprintf("class/net/%s/ecn/roce_np/enable/%d", name, p), "1\n")
			write(fmt.Sprintf("class/net/%s/ecn/roce_rp/enable/%d", name, p), "1\n")
		}
		for _, r := range new(plan.Reaction).Registers() {
			write("class/net/"+name+"/ecn/roce_rp/"+r.Name, "0\n")
		}
		n := &nic{pause: "on", willing: true}
		for d := range n.dscp {
			n.dscp[d] = d / 8 // by the upper three bits
		}
		for i := range n.tsa {
			n.tsa[i] = "ets"
		}
		n.bw[0] = 100
		s.nics[name] = n
	}
}

// Restart begins with what the driver does, and the script of the start. All queue pairs are new.
func (s *Host) Restart() {
	s.restart()
	s.changed()
}

func (s *Host) restart() {
	s.working.Lock()
	defer s.working.Unlock()
	s.lock.Lock()
	s.starting = true
	s.kernel()
	s.pairs = nil
	s.lock.Unlock()
	for _, name := range s.Interfaces {
		if _, _, code := s.line("sudo -n sh -s", "[ ! -e "+s.Script+" ] || sh "+s.Script+" "+name); code != 0 {
			break
		}
	}
	s.lock.Lock()
	for range 4 {
		s.open()
	}
	s.starting = false
	s.lock.Unlock()
}

func (s *Host) changed() {
	if s.Changed != nil {
		s.Changed()
	}
}

// open opens a queue pair with the ToS of this moment.
func (s *Host) open() {
	s.last++
	s.pairs = append(s.pairs, pair{s.last, s.tos()})
}

// RestartJobs lets jobs open all their queue pairs anew.
func (s *Host) RestartJobs() {
	s.lock.Lock()
	defer s.lock.Unlock()
	n := len(s.pairs)
	s.pairs = nil
	for range n {
		s.open()
	}
}

// Open lets a job open a queue pair, if that has another code point than this.
func (s *Host) Open(but uint8) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if uint8(s.tos()>>2) != but {
		s.open()
	}
}

// tos returns the driver's ToS for new queue pairs. A shell empties the file before it writes; a driver's attribute
// keeps its value meanwhile.
func (s *Host) tos() int {
	text, _ := os.ReadFile(filepath.Join(s.folder, "sys/class/infiniband/mlx5_0/tc/1/traffic_class"))
	_, number, _ := strings.Cut("="+strings.TrimSpace(string(text)), "=")
	if n, err := strconv.Atoi(number[strings.LastIndex(number, "=")+1:]); err == nil {
		s.written = n
	}
	return s.written
}

// Sends returns the code points of its queue pairs, and of those that it opens.
func (s *Host) Sends() []uint8 {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.starting {
		return []uint8{}
	}
	all := []uint8{uint8(s.tos() >> 2)}
	for _, p := range s.pairs {
		all = append(all, uint8(p.tos>>2))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Pauses reports whether a code point comes in lossless on all interfaces, or nothing comes in since it starts.
func (s *Host) Pauses(dscp uint8) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.starting {
		return true
	}
	for _, n := range s.nics {
		if !n.pfc[n.dscp[dscp]] {
			return false
		}
	}
	return true
}

// Save keeps what runs: the script of its start stays, and states all.
func (s *Host) Save() {}

// Running returns the settings as dcb and the files of the kernel print them.
func (s *Host) Running() []byte {
	s.lock.Lock()
	defer s.lock.Unlock()
	out := fmt.Appendf(nil, "ToS %d\n", s.tos())
	for _, name := range s.Interfaces {
		out = fmt.Appendf(out, "%s %+v\n", name, *s.nics[name])
	}
	return out
}

// Passed and Seen are for switches: see Changed.
func (s *Host) Passed() [][]byte { return nil }

func (s *Host) Seen(func([]byte)) {}

// Edit gives a code point of its RDMA traffic another priority by hand; Unedit takes it back.
func (s *Host) Edit() {
	s.lock.Lock()
	defer s.lock.Unlock()
	n := s.nics[s.Interfaces[0]]
	s.edited = uint8(s.tos() >> 2)
	s.was, n.dscp[s.edited] = n.dscp[s.edited], 7
}

func (s *Host) Unedit() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if n := s.nics[s.Interfaces[0]]; n.dscp[s.edited] == 7 {
		n.dscp[s.edited] = s.was
	}
}

// RefuseNext lets the first command of the next message that changes something fail.
func (s *Host) RefuseNext() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.refuse = true
}

func (s *Host) Subsystem(string, io.ReadWriter, func(func() string) (string, bool)) bool {
	return false
}

// Exec runs a command line by a shell.
func (s *Host) Exec(command, input string) (output, errors string, code int) {
	output, errors, code = s.work(command, input)
	s.changed()
	return output, errors, code
}

func (s *Host) work(command, input string) (output, errors string, code int) {
	s.working.Lock()
	defer s.working.Unlock()
	s.lock.Lock()
	refuse := s.refuse
	s.lock.Unlock()
	output, errors, code = s.line(command, input)
	s.lock.Lock()
	defer s.lock.Unlock()
	s.refuse = s.refuse && !refuse
	return output, errors, code
}

// run is a program of the server.
func (s *Host) run(_ string, words []string) (reply string, code int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	shows := words[0] == "rdma" || words[1] == "-a" || words[1] == "-j"
	if s.refuse && !shows {
		s.refuse = false
		return "RTNETLINK answers: Invalid argument\n", 2
	}
	name := words[slices.IndexFunc(words, func(w string) bool { return w == "dev" || w == "-i" || w == "-a" || w == "-A" || w == "link" })+1]
	if words[0] == "ip" {
		name = words[4]
	}
	n := s.nics[name]
	var err error
	switch words[0] {
	case "rdma":
		return s.queuePairs(name), 0
	case "ip":
		err = os.WriteFile(filepath.Join(s.folder, "sys/class/net", name, "mtu"), []byte(words[6]+"\n"), 0o666)
	case "ethtool":
		if reply = fmt.Sprintf("RX:\t\t%s\n", n.pause); words[1] == "-A" {
			n.pause, reply = words[4], ""
		}
	case "mlnx_qos":
		err = n.mlnxQoS(words[3:])
	default:
		if words[1] == "-j" {
			return n.show(words[2]), 0
		}
		err = n.dcb(words[2:])
	}
	if err != nil {
		return err.Error() + "\n", 1
	}
	return reply, 0
}

// queuePairs is rdma resource show qp (iproute2 rdma/res-qp.c). All pairs of jobs are on the first device.
func (s *Host) queuePairs(device string) string {
	out := fmt.Sprintf("link %[1]s/1 lqpn 0 type SMI state RTS sq-psn 0 comm [ib_core]\nlink %[1]s/1 lqpn 1 type GSI state RTS sq-psn 0 comm [ib_core]\nlink %[1]s/1 lqpn 360 type UD state RTS sq-psn 0 comm [mlx5_ib]\n", device)
	if device != "mlx5_0" {
		return out
	}
	for i, p := range s.pairs {
		out += fmt.Sprintf("link %s/1 lqpn %d rqpn 9021 type RC state RTS rq-psn %d sq-psn 66 pid 4242 comm python3\n", device, p.number, s.last)
		if p.tos != s.tos() && !s.Keeps {
			s.last++
			s.pairs[i] = pair{s.last, s.tos()}
		}
	}
	return out
}

func numbers(list string, to []int) {
	for i, word := range strings.Split(list, ",") {
		to[i], _ = strconv.Atoi(word)
	}
}

func (n *nic) mlnxQoS(words []string) error {
	next := *n
	for i := 0; i+1 < len(words); i += 2 {
		switch value := words[i+1]; words[i] {
		case "--dscp2prio":
			var d, p int
			if _, err := fmt.Sscanf(value, "set,%d,%d", &d, &p); err != nil {
				return err
			}
			next.dscp[d] = p
		case "-p":
			numbers(value, next.tc[:])
		case "-t":
			numbers(value, next.bw[:])
		case "-s":
			copy(next.tsa[:], strings.Split(value, ","))
			next.willing = false // mlnx_qos sets ETS with willing off
		case "--pfc":
			var on [8]int
			numbers(value, on[:])
			for p := range on {
				next.pfc[p] = on[p] == 1
			}
		case "--cable_len":
			next.delay, _ = strconv.Atoi(value)
		case "-d", "--trust":
		default:
			return fmt.Errorf("mlnx_qos: error: no such option: %s", words[i])
		}
	}
	return n.set(&next)
}

// set takes what the driver takes.
func (n *nic) set(next *nic) error {
	sum := 0
	for tc, tsa := range next.tsa {
		if tsa == "ets" {
			sum += next.bw[tc]
		} else if next.bw[tc] != 0 {
			return fmt.Errorf("mlx5: Failed to validate ETS: BW is not 0 for non-ETS TC %d", tc)
		}
	}
	if sum != 100 {
		return fmt.Errorf("mlx5: Failed to validate ETS: BW sum is illegal")
	}
	*n = *next
	return nil
}

func (n *nic) dcb(words []string) error {
	next := *n
	table := ""
	for i, word := range words {
		key, value, pair := strings.Cut(word, ":")
		if !pair {
			table = word
			switch {
			case word == "delay":
				next.delay, _ = strconv.Atoi(words[i+1])
			case word == "off" && words[i-1] == "willing":
				next.willing = false
			}
			continue
		}
		first, last := 0, 7
		if key != "all" {
			first, _ = strconv.Atoi(key)
			last = first
		}
		number, _ := strconv.Atoi(value)
		for k := first; k <= last; k++ {
			switch table {
			case "dscp-prio":
				next.dscp[k] = number
			case "prio-pfc":
				next.pfc[k] = value == "on"
			case "prio-tc":
				next.tc[k] = number
			case "tc-bw":
				next.bw[k] = number
			case "tc-tsa":
				next.tsa[k] = value
			}
		}
	}
	return n.set(&next)
}

// show is dcb -j PART show.
func (n *nic) show(part string) string {
	var pairs [][2]int
	for d, p := range n.dscp {
		pairs = append(pairs, [2]int{d, p})
	}
	text, err := json.Marshal(map[string]map[string]any{
		"pfc":    {"pfc_cap": 8, "delay": n.delay, "prio_pfc": n.pfc},
		"app":    {"dscp_prio": pairs},
		"ets":    {"willing": n.willing, "prio_tc": n.tc, "tc_tsa": n.tsa, "tc_bw": n.bw},
		"buffer": {"prio_buffer": [8]int{}, "buffer_size": [8]int{}, "total_size": 262016},
	}[part])
	if err != nil {
		panic(err) // numbers and texts have a JSON form
	}
	return string(text) + "\n"
}
