package host

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A form is a shape of command that some public source shows.
type form struct {
	pattern string // of the whole command, the interface being eth2
	from    string
}

const (
	fromMLNX   = "Mellanox/mlnx-tools python/mlnx_qos: options and how they are parsed"
	fromDCB    = "iproute2 dcb(8), dcb-app(8), dcb-ets(8), dcb-pfc(8), dcb-buffer(8), dcb-dcbx(8); dcb/dcb_*.c"
	fromBnxt   = "Broadcom bnxt_setupcc.sh 236.1.155.0: dcb_pgm_pfc_ets, niccli_pgm_pfc_ets, niccli_rem_app_tlv"
	fromNV     = "NVIDIA Network Operator documentation, nic-conf-operator, roceOptimized; mlxconfig -y -d DEVICE set NAME=VALUE"
	fromRTT    = "NVIDIA forum, Scaling Zero Touch RoCE Technology with Round Trip Time Congestion Control: mlxconfig -y s ROCE_CC_LEGACY_DCQCN=0"
	fromLLDP   = "lldptool(8), lldptool-pfc(8), lldptool-ets(8), lldptool-app(8), lldptool-dcbx(8) of lldpad 1.1; bnxt_re README, lldptool"
	fromCommon = "bnxt_setupcc.sh: ethtool -A IF rx off tx off; ip-link(8)"
)

var forms = []form{
	{`ethtool -a eth2`, fromCommon},
	{`ethtool -A eth2 rx off tx off`, fromCommon},
	{`ip link set dev eth2 mtu \d+`, fromCommon},
	{`mlnx_qos -i eth2`, fromMLNX},
	{`mlnx_qos -i eth2 -d os`, fromMLNX},
	{`mlnx_qos -i eth2 --trust dscp`, fromMLNX},
	{`mlnx_qos -i eth2 --dscp2prio set,([0-9]|[1-5][0-9]|6[0-3]),[0-7]`, fromMLNX},
	{`mlnx_qos -i eth2 -p [0-7](,[0-7]){7} -s (ets|strict)(,(ets|strict)){7} -t \d+(,\d+){7}`, fromMLNX},
	{`mlnx_qos -i eth2 --pfc [01](,[01]){7}( --cable_len \d+)?`, fromMLNX},
	{`mlnx_qos -i eth2 --prio2buffer [0-7](,[0-7]){7} --buffer_size \d+(,\d+){7}`, fromMLNX},
	{`dcb -j buffer show dev eth2 total-size`, fromDCB},
	{`dcb buffer set dev eth2 prio-buffer all:0( [0-7]:[0-7])+ buffer-size all:0( [0-7]:\d+)+`, fromDCB},
	{`dcb dcbx set dev eth2 host ieee`, fromDCB},
	{`dcb app replace dev eth2 dscp-prio( \d+:[0-7])+`, fromDCB},
	{`dcb app replace dev eth2 dgram-port-prio 4791:[0-7]`, fromDCB + "; " + fromBnxt},
	{`dcb app flush dev eth2`, fromDCB},
	{`dcb ets set dev eth2 willing off prio-tc( [0-7]:[0-7]){8} tc-tsa( [0-7]:(ets|strict)){8} tc-bw( [0-7]:\d+){8}`, fromDCB},
	{`dcb ets set dev eth2 prio-tc all:0( [0-7]:1)?( [0-7]:2)? tc-tsa 0:ets 1:ets 2:strict tc-bw 0:\d+ 1:\d+`, fromBnxt},
	{`dcb pfc set dev eth2 prio-pfc all:off( [0-7]:on)*( delay \d+)?`, fromDCB},
	{`niccli --dev 0000:3b:00.0 qos --ets --tsa 0:ets,1:ets,2:strict --up2tc [0-7]:[0-2](,[0-7]:[0-2]){7} --tcbw \d+,\d+`, fromBnxt},
	{`niccli --dev 0000:3b:00.0 qos --pfc --enable ([0-7]|0xFF)`, fromBnxt},
	{`niccli --dev 0000:3b:00.0 qos --apptlv --(add|del) --app [0-7],[35],\d+`, fromBnxt},
	{`mlxconfig -y -d 0000:3b:00.0 set (CNP_DSCP_P1=\d+ CNP_802P_PRIO_P1=[0-7] )?ROCE_CC_PRIO_MASK_P1=\d+`, fromNV},
	{`mlxconfig -y -d 0000:3b:00.0 set ROCE_CC_LEGACY_DCQCN=0`, fromRTT},
	{`lldptool -L -i eth2 adminStatus=rxtx`, fromLLDP},
	{`lldptool -T -i eth2 -V IEEE-DCBX mode=reset`, fromLLDP},
	{`lldptool -T -i eth2 -V ETS-CFG enableTx=yes willing=no tsa=[0-7]:(ets|strict)(,[0-7]:(ets|strict)){7} up2tc=[0-7]:[0-7](,[0-7]:[0-7]){7} tcbw=\d+(,\d+){7}`, fromLLDP},
	{`lldptool -T -i eth2 -V ETS-REC enableTx=yes tsa=[0-7]:(ets|strict)(,[0-7]:(ets|strict)){7} up2tc=[0-7]:[0-7](,[0-7]:[0-7]){7} tcbw=\d+(,\d+){7}`, fromLLDP},
	{`lldptool -T -i eth2 -V PFC enableTx=yes willing=no enabled=(none|[0-7](,[0-7])*)`, fromLLDP},
	{`lldptool -T -i eth2 -V APP enableTx=yes`, fromLLDP},
	{`lldptool -T -i eth2 -V APP app=[0-7],[35],\d+`, fromLLDP},
}

// A kernel file is written only where a public source shows it.
var files = []form{
	{`/class/net/eth2/mtu`, "ip-link(8)"},
	{`/class/net/eth2/ecn/roce_(np|rp)/enable/[0-7]`, "NVIDIA DOCA, Explicit Congestion Notification: enable/X"},
	{`/class/net/eth2/ecn/roce_np/(cnp_dscp|cnp_802p_prio|min_time_between_cnps)`, "NVIDIA DOCA, DCQCN CC Parameters; MLNX_OFED ecn sysfs"},
	{`/kernel/debug/mlx5/0000:3b:00.0/cc_params/(np_cnp_dscp|np_cnp_prio|np_min_time_between_cnps|rtt_resp_dscp)`, "Linux drivers/infiniband/hw/mlx5/cong.c, mlx5_ib_dbg_cc_name"},
	{`/class/infiniband/rdma0/tc/1/traffic_class`, "NVIDIA/doroce-linux doRoCE.sh"},
	{`/kernel/config/rdma_cm/rdma0/ports/1/(default_roce_mode|default_roce_tos)`, "Linux Documentation/ABI configfs-rdma_cm; mlnx-tools sbin/cma_roce_tos"},
	{`/kernel/config/bnxt_re/rdma0/ports/1/cc/(disable_prio_vlan_tx|ecn_marking|ecn_enable|cc_mode|cnp_prio|cnp_dscp|roce_prio|roce_dscp|apply)`, "bnxt_setupcc.sh 236.1.155.0; bnxt_re README"},
}

// matches says which form a text has, -1 where it has none.
func matches(all []form, text string) int {
	return slices.IndexFunc(all, func(f form) bool { return regexp.MustCompile(`^(?:` + f.pattern + `)$`).MatchString(text) })
}

// A server is a machine with a NIC: a kernel made of files, and programs that write
// down how they are called.
type server struct {
	t    *testing.T
	root string
}

// kernel returns the files of the NIC's drivers with what they hold before any script runs.
func kernel(debugfs bool) map[string]string {
	all := map[string]string{
		"class/net/eth2/mtu": "1500\n", "class/net/eth2/pause": "on",
		"class/infiniband/rdma0/tc/1/traffic_class":              "Global tclass=0\n",
		"bus/0000:3b:00.0/infiniband/rdma0/x":                    "",
		"kernel/config/rdma_cm/rdma0/ports/1/default_roce_mode":  "IB/RoCE v1\n",
		"kernel/config/rdma_cm/rdma0/ports/1/default_roce_tos":   "0\n",
		"kernel/debug/mlx5/0000:3b:00.0/cc_params/rtt_resp_dscp": "0\n",
	}
	for _, name := range []string{"disable_prio_vlan_tx", "ecn_marking", "ecn_enable", "cc_mode", "cnp_prio", "cnp_dscp", "roce_prio", "roce_dscp", "apply"} {
		all["kernel/config/bnxt_re/rdma0/ports/1/cc/"+name] = "0x0\n"
	}
	for _, name := range []string{"np_cnp_dscp", "np_cnp_prio", "np_min_time_between_cnps"} {
		all["kernel/debug/mlx5/0000:3b:00.0/cc_params/"+name] = "0\n"
	}
	if !debugfs {
		for _, name := range []string{"cnp_dscp", "cnp_802p_prio", "min_time_between_cnps"} {
			all["class/net/eth2/ecn/roce_np/"+name] = "0\n"
		}
		for p := range 8 {
			all[fmt.Sprintf("class/net/eth2/ecn/roce_np/enable/%d", p)] = "1\n"
			all[fmt.Sprintf("class/net/eth2/ecn/roce_rp/enable/%d", p)] = "1\n"
		}
	}
	return all
}

const recorder = `#!/bin/sh
echo "${0##*/} $*" >>"$CALLS"
case "${0##*/} $*" in
  "ethtool -a eth2") echo "RX:		$(cat "$ROCE_SYSFS/class/net/eth2/pause")" ;;
  "ethtool -A eth2 "*) echo off >"$ROCE_SYSFS/class/net/eth2/pause" ;;
  "ip link set dev eth2 mtu "*) echo "$6" >"$ROCE_SYSFS/class/net/eth2/mtu" ;;
  "mlnx_qos -i eth2") echo "Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,total_size=262016" ;;
  "dcb -j buffer show dev eth2 total-size") echo '{"total_size":262016}' ;;
esac
`

func newServer(t *testing.T, debugfs bool, programs ...string) *server {
	s := &server{t, t.TempDir()}
	s.write("calls", "")
	for path, text := range kernel(debugfs) {
		s.write("sys/"+path, text)
	}
	for _, link := range [][2]string{{"../../../bus/0000:3b:00.0", "sys/class/net/eth2/device"}} {
		must.Do(t, os.Symlink(link[0], filepath.Join(s.root, link[1])))
	}
	for _, name := range append(programs, "ethtool", "ip") {
		s.write("bin/"+name, recorder)
		must.Do(t, os.Chmod(filepath.Join(s.root, "bin", name), 0o755))
	}
	return s
}

func (s *server) write(path, text string) {
	path = filepath.Join(s.root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// run runs a script and returns what it printed and how it called programs.
func (s *server) run(script string, args ...string) (out string, calls []string) {
	s.t.Helper()
	s.write("script.sh", script)
	s.write("calls", "")
	cmd := exec.Command("sh", append([]string{filepath.Join(s.root, "script.sh")}, args...)...)
	cmd.Env = []string{"PATH=" + filepath.Join(s.root, "bin") + ":/usr/bin:/bin", "CALLS=" + filepath.Join(s.root, "calls"), "ROCE_SYSFS=" + filepath.Join(s.root, "sys")}
	text, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("sh script.sh %s: %v\n%s", strings.Join(args, " "), err, text)
	}
	log, err := os.ReadFile(filepath.Join(s.root, "calls"))
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), s.root, ""), strings.FieldsFunc(string(log), func(r rune) bool { return r == '\n' })
}

// tree is all files of the kernel with their contents.
func (s *server) tree() map[string]string {
	all := make(map[string]string)
	err := filepath.WalkDir(filepath.Join(s.root, "sys"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, filepath.Join(s.root, "sys"))] = strings.TrimSpace(string(text))
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// reading are the commands that change nothing.
var reading = []string{"ethtool -a eth2", "mlnx_qos -i eth2", "dcb -j buffer show dev eth2 total-size"}

// A way is one way to run the script of a model.
type way struct {
	name, model string
	debugfs     bool
	programs    []string
	args        []string
}

var ways = []way{
	{"connectx by mlnx_qos", "connectx-7", false, []string{"mlnx_qos", "dcb", "mlxconfig"}, []string{"--persist", "--buffers", "eth2"}},
	{"connectx by dcb", "connectx-5", false, []string{"mlnx_qos", "dcb"}, []string{"--tool", "dcb", "--buffers", "eth2", "rdma0"}},
	{"connectx of the kernel", "connectx-4", true, []string{"dcb"}, []string{"eth2", "rdma0"}},
	{"connectx with RTT", "rtt", true, []string{"mlnx_qos", "mlxconfig"}, []string{"eth2", "--persist"}},
	{"connectx without loss", "lossy-connectx-5", false, []string{"mlnx_qos", "mlxconfig"}, []string{"eth2", "--persist"}},
	{"connectx with nothing", "bare-connectx-5", false, []string{"mlnx_qos", "mlxconfig"}, []string{"eth2", "--persist"}},
	{"connectx with two classes", "two", false, []string{"dcb"}, []string{"eth2", "--buffers"}},
	{"thor by dcb", "thor2", false, []string{"dcb", "niccli"}, []string{"eth2"}},
	{"thor again", "thor2", false, []string{"dcb"}, []string{"--flush", "eth2"}},
	{"thor by niccli", "thor", false, []string{"niccli"}, []string{"eth2", "rdma0"}},
	{"thor without loss", "lossy-thor2", false, []string{"niccli"}, []string{"eth2", "rdma0"}},
	{"thor with nothing", "bare-thor2", false, []string{"dcb"}, []string{"eth2"}},
	{"any", "other", false, []string{"dcb"}, []string{"eth2"}},
}

// TestRuns: a dry run changes nothing and says the same twice; a second run writes
// nothing that the first has written, and calls what sets a state, not a difference;
// every command and file has a form that a public source shows.
func TestRuns(t *testing.T) {
	used, written := make(map[int]bool), make(map[int]bool)
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			s := newServer(t, w.debugfs, w.programs...)
			script, _ := scripts(t, variants()[w.model])
			before := s.tree()
			dry, calls := s.run(script, append(w.args, "--dry-run")...)
			again, _ := s.run(script, append(w.args, "--dry-run")...)
			must.Equalf(t, dry, again, "two dry runs differ:\n%s:", cmp.Diff(dry, again))
			for _, c := range calls {
				if !slices.Contains(reading, c) {
					t.Errorf("a dry run calls %s", c)
				}
			}
			must.NoDiffIn(t, cmp.Diff(before, s.tree()), "a dry run changed:")

			first, firstCalls := s.run(script, w.args...)
			if plain := strings.ReplaceAll(strings.ReplaceAll(dry, "would run: ", "run: "), "would write: ", "write: "); plain != first {
				t.Errorf("the dry run does not tell what the run does:\n%s", cmp.Diff(plain, first))
			}
			after := s.tree()
			second, secondCalls := s.run(script, w.args...)
			if strings.Contains(second, "\nwrite: ") {
				t.Errorf("the second run writes:\n%s", second)
			}
			must.NoDiffIn(t, cmp.Diff(after, s.tree()), "the second run changed:")
			once := func(c string) bool { return strings.HasPrefix(c, "ethtool -A") || strings.HasPrefix(c, "ip ") }
			must.NoDiffIn(t, cmp.Diff(slices.DeleteFunc(slices.Clone(firstCalls), once), secondCalls), "the second run calls:")

			for _, c := range firstCalls {
				i := matches(forms, c)
				if i < 0 {
					t.Errorf("no source shows: %s", c)
				}
				used[i] = true
			}
			for path := range after {
				if before[path] == after[path] || path == "/class/net/eth2/pause" {
					continue
				}
				i := matches(files, path)
				if i < 0 {
					t.Errorf("no source shows the file %s", path)
				}
				written[i] = true
			}
		})
	}
	s := newServer(t, false, "lldptool")
	for name, h := range variants() {
		_, lldp := scripts(t, h)
		dry, calls := s.run(lldp, "--dry-run", "eth2")
		first, firstCalls := s.run(lldp, "eth2")
		if len(calls) > 0 || strings.ReplaceAll(dry, "would run: ", "run: ") != first {
			t.Errorf("%s: dry run of lldp.sh\n%s", name, dry)
		}
		for _, c := range firstCalls {
			i := matches(forms, c)
			if i < 0 {
				t.Errorf("%s: no source shows: %s", name, c)
			}
			used[i] = true
		}
	}
	for i, f := range forms {
		if !used[i] {
			t.Errorf("nothing calls %s", f.pattern)
		}
	}
	for i, f := range files {
		if !written[i] {
			t.Errorf("nothing writes %s", f.pattern)
		}
	}
}

// TestState: what the files of the kernel hold after a run is what the plan says.
func TestState(t *testing.T) {
	s := newServer(t, false, "mlnx_qos")
	script, _ := scripts(t, nic("connectx-7"))
	s.run(script, "eth2")
	want := map[string]string{
		"/class/net/eth2/mtu": "9194", "/class/net/eth2/pause": "off",
		"/class/net/eth2/ecn/roce_np/cnp_dscp": "48", "/class/net/eth2/ecn/roce_np/cnp_802p_prio": "6",
		"/class/net/eth2/ecn/roce_np/min_time_between_cnps": "4",
		"/class/net/eth2/ecn/roce_np/enable/3":              "1", "/class/net/eth2/ecn/roce_rp/enable/3": "1", "/class/net/eth2/ecn/roce_rp/enable/4": "0",
		"/class/infiniband/rdma0/tc/1/traffic_class":             "106", // 26 << 2 | ECT(0)
		"/kernel/config/rdma_cm/rdma0/ports/1/default_roce_tos":  "106",
		"/kernel/config/rdma_cm/rdma0/ports/1/default_roce_mode": "RoCE v2",
	}
	got := s.tree()
	maps.DeleteFunc(got, func(path, _ string) bool { _, wanted := want[path]; return !wanted })
	must.NoDiffIn(t, cmp.Diff(want, got), "-want +got")
}

// TestRefusals: what is wrong with a call is told before anything is set.
func TestRefusals(t *testing.T) {
	s := newServer(t, false, "mlnx_qos")
	script, _ := scripts(t, nic("connectx-7"))
	small := nic("connectx-7")
	small.Buffer.Value = 200000
	tight, _ := scripts(t, small)
	for _, c := range []struct {
		script, want string
		args         []string
	}{
		{script, "name the interface", nil},
		{script, "there is no interface eth9", []string{"eth9"}},
		{script, "there is no RDMA device mlx5_9", []string{"eth2", "mlx5_9"}},
		{script, "there is no option --dryrun", []string{"--dryrun", "eth2"}},
		{script, "none of these is installed: niccli", []string{"--tool", "niccli", "eth2"}},
		{script, "there is one argument too many, x", []string{"eth2", "rdma0", "x"}},
		{tight, "needs a buffer of 200000 bytes, and an even part of 262016 is 130944", []string{"--buffers", "--dry-run", "eth2"}},
	} {
		s.write("script.sh", c.script)
		cmd := exec.Command("sh", append([]string{filepath.Join(s.root, "script.sh")}, c.args...)...)
		cmd.Env = []string{"PATH=" + filepath.Join(s.root, "bin") + ":/usr/bin:/bin", "CALLS=/dev/null", "ROCE_SYSFS=" + filepath.Join(s.root, "sys")}
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%q: %v, %s; want %q", c.args, err, out, c.want)
		}
	}
}

// The parser of iproute2 reads the maps of `dcb app`. It asks the kernel first for all
// other commands, and there is no device here, so only these can be tried.
func TestDCBReadsMaps(t *testing.T) {
	dcb := oracle.Command(t, "dcb", "iproute2")
	try := func(args []string) string {
		out, _ := exec.Command(dcb, args...).CombinedOutput()
		return string(out)
	}
	tried := 0
	for _, model := range []string{"connectx-7", "thor2", "other"} {
		s := newServer(t, false, "dcb")
		script, _ := scripts(t, nic(model))
		_, calls := s.run(script, "eth2")
		for _, c := range calls {
			args := strings.Fields(strings.ReplaceAll(c, "eth2", "nosuchdev0"))[1:]
			if len(args) > 1 && args[0] == "app" && args[1] == "replace" {
				args[1] = "add" // the same parser, run before the device is looked for
			} else if args[0] != "dcbx" {
				continue
			}
			tried++
			if out := try(args); !strings.Contains(out, "No such device") {
				t.Errorf("dcb %s: %s", strings.Join(args, " "), out)
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d commands were tried", tried)
	}
	for _, wrong := range []string{"app add dev nosuchdev0 dscp-prio 64:3", "app add dev nosuchdev0 dscp-prio 26:8", "app add dev nosuchdev0 dscp-prio 26=3", "dcbx set dev nosuchdev0 os"} {
		if out := try(strings.Fields(wrong)); strings.Contains(out, "No such device") {
			t.Errorf("dcb takes %s, so it proves nothing", wrong)
		}
	}
}
