package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/crypto/ssh"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/fakedevice"
)

// calls are command lines of all commands that print what others wrote: FILE is a file that holds
// hostile text under a hostile name, NAME that name alone, GOOD a fabric that compiles, DIR a folder
// with FILE, NEW a path that is not there.
var calls = []string{
	"check FILE", "check FILE --json", "check GOOD --var NAME=x", "check GOOD --var-file FILE", "check --chips DIR GOOD", "check FILE --format sarif", "NAME", "check --NAME",
	"compile FILE -o NEW", "compile GOOD -o FILE", "compile --check FILE -o DIR", "compile GOOD --form NAME",
	"explain FILE NAME", "explain GOOD NAME", "fmt --check FILE", "fmt FILE", "chips NAME", "chips --chips FILE", "platforms NAME", "platforms --chips FILE", "nics NAME", "nics", "completion bash", "version", "targets NAME", "help NAME",
	"calc headroom --chip NAME", "calc headroom --batch FILE --chip tomahawk3", "calc pool --batch FILE", "calc threshold --batch FILE --chip tomahawk3",
	"sim GOOD --pattern NAME", "sim --hpcc FILE", "sim FILE --pattern incast-8", "sim GOOD --workload FILE", "tune FILE", "tune GOOD --pattern NAME", "merge FILE FILE",
	"probe FILE --chip trident3 --port NAME --pg 3", "verify FILE --chip tomahawk3", "verify DIR --chip tomahawk3", "verify FILE --fabric GOOD", "verify --recheck FILE", "verify FILE --chip NAME", "replay FILE",
	"margins FILE", "report FILE -o NEW", "audit FILE --chip tomahawk3", "audit DIR --chip NAME", "audit-host GOOD NAME --dcb FILE", "audit-host FILE cx5 --dcb FILE", "audit-host GOOD cx5 --dcb FILE", "import FILE", "import DIR -o NEW", "cabling GOOD FILE", "cabling FILE FILE",
	"alerts GOOD --metrics FILE", "alerts FILE", "observe FILE --fabric GOOD", "observe FILE --fabric FILE", "observe DIR --fabric GOOD --suggest", "patch GOOD NAME --against FILE", "patch GOOD tor-01 --against FILE", "patch FILE tor-01 --against FILE", "diff FILE GOOD", "diff GOOD FILE", "diff DIR GOOD", "diff --git NAME GOOD", "diff GOOD GOOD --steps FILE",
	"schema NAME", "completion NAME", "init FILE", "man FILE", "complete NAME", "version NAME", "compare FILE", "compare GOOD --with NAME", "lsp", "mcp DIR",
	"init PATH", "man PATH", "compile GOOD -o PATH", "report GOOD -o PATH", "alerts GOOD -o PATH", "new PATH --gpus 8 --nic 25G --leaf trident3 --os eos",
	"new FILE --gpus 8 --nic NAME", "new NEW --gpus 8 --nic 25G --leaf NAME", "new NEW --preset NAME", "check --fix --yes FILE", "check --fix FILE", "check --fix --yes FILE --json",
	"apply FILE --from GOOD --devices FILE --dry-run", "apply GOOD --from GOOD --devices FILE --dry-run", "apply GOOD --git NAME --devices FILE", "apply GOOD --from GOOD --devices NONE --journal FILE --yes",
	"apply GOOD --from GOOD --devices NONE --journal PATH --yes", "apply GOOD --from GOOD --devices NONE --until NAME --dry-run", "apply GOOD --from FILE --devices NAME --json", "observe redis://NAME --fabric GOOD", "observe NAME=redis://127.0.0.1:1 --fabric GOOD", "observe --devices FILE --fabric GOOD",
}

// texts are what the hostile files hold, with the hostile text in the place of TEXT.
var texts = []string{
	"TEXT", "fabric \"TEXT\" {}\n", "fabric \"f\" {\n  TEXT\n}\nswitch \"TEXT\" {\n  chip = \"TEXT\"\n}\n",
	"{\"DEVICE_METADATA\": {\"localhost\": {\"hostname\": \"TEXT\"}}, \"PORT\": {\"TEXT\": {\"speed\": \"TEXT\"}}, \"TEXT\": {}}",
	"hostname TEXT\ninterface Ethernet1\n  priority-flow-control TEXT\nqos TEXT\n", "set system host-name TEXT\nset class-of-service TEXT TEXT\n",
	"metric \"TEXT\" {\n  name = \"TEXT\"\n}\n", "TEXT,TEXT\n1,TEXT\n", "KMAX_MAP TEXT\nTOPOLOGY_FILE TEXT\n",
	"ssh://TEXT@127.0.0.1:1?known_hosts=TEXT\n", "TEXT=redis://127.0.0.1:1\n", "{\"event\":\"sending\",\"device\":\"TEXT\",\"change\":\"TEXT\"}\n", "{\"event\":\"TEXT\"}\n",
	"{\"COUNTERS_PG_NAME_MAP\": {\"TEXT:3\": \"oid:0x1\"}, \"COUNTERS:oid:0x1\": {\"SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS\": \"7\"}, \"COUNTERS:TEXT\": {\"TEXT\": \"TEXT\"}}",
}

// evils are texts that a terminal would obey, and one that would be a line of its own.
var evils = []string{"\x1b[2J\x1b]0;pwned\x07", "\u009b31m", "a\rroceplan: all is well", "\u202egnp.exe", "\x7f\b\b", "x\nerror[forged]: not from roceplan"}

// Of names, lines and values that others wrote a terminal obeys nothing, in any command: no control
// character but newline and tab goes to standard output or standard error.
func TestNothingForTheTerminal(t *testing.T) {
	good, err := filepath.Abs(filepath.Join("../..", examples, "ucloud-pod", "fabric.hcl"))
	check(t, err)
	if _, err := os.Stat(good); err != nil {
		found, _ := filepath.Glob(filepath.Join("../..", examples, "ucloud-pod", "*.hcl"))
		good, err = filepath.Abs(found[0])
		check(t, err)
	}
	said := 0
	for i, call := range calls {
		said += trySaying(t, call, good, evils[i%len(evils)], texts[i%len(texts)], ".hcl")
	}
	rapid.Check(t, func(t *rapid.T) {
		evil := rapid.OneOf(
			rapid.SampledFrom(evils),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 20), func(b []byte) string { return string(b) }),
		).Draw(t, "text")
		said += trySaying(t, rapid.SampledFrom(calls).Draw(t, "call"), good, evil, rapid.SampledFrom(texts).Draw(t, "file"), rapid.SampledFrom([]string{".hcl", ".json", ".cfg"}).Draw(t, "ext"))
	})
	if said == 0 {
		t.Error("nothing was said at all")
	}
}

// trySaying makes a call with a hostile text and returns how much was printed.
func trySaying(t rapid.TB, call, good, evil, text, ext string) (bytesSaid int) {
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := strings.NewReplacer("/", "_", "\x00", "_").Replace(evil)
	file, none := filepath.Join(dir, name+ext), filepath.Join(dir, "none")
	if os.WriteFile(file, []byte(strings.ReplaceAll(text, "TEXT", evil)), 0o600) != nil {
		return 0 // no file has this name
	}
	if err := os.WriteFile(none, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields(call)
	for i := range args {
		args[i] = strings.NewReplacer("FILE", file, "NAME", evil, "GOOD", good, "DIR", dir, "NEW", filepath.Join(dir, "new"), "PATH", filepath.Join(dir, name+".new"), "NONE", none).Replace(args[i])
	}
	var out, told bytes.Buffer
	run(args, strings.NewReader(evil), &out, &told, func(string) string { return "" })
	for _, got := range []string{out.String(), told.String()} {
		sayNothing(t, args, got)
	}
	return out.Len() + told.Len()
}

// sayNothing checks what a call printed: a terminal obeys nothing of it, and no name begins a line.
func sayNothing(t rapid.TB, args []string, got string) {
	t.Helper()
	if i := strings.IndexFunc(got, obeyed); i >= 0 || !utf8.ValidString(got) {
		t.Fatalf("%q sends %q at byte %d of %q", args, got[max(0, i):min(len(got), max(0, i)+20)], i, got)
	}
	if strings.Contains(got, "\nerror[forged]") {
		t.Fatalf("%q lets a name begin a line: %s", args, got)
	}
}

// Every command is among the calls, and is called as it can be.
func TestEveryCommandIsCalled(t *testing.T) {
	called := map[string]bool{}
	for _, call := range calls {
		var line commandLine
		parser := newParser(&line, &terminal{Context: t.Context(), out: bufio.NewWriter(io.Discard), err: io.Discard}, func(int) {})
		if _, err := parser.Parse(strings.Fields(call)); err == nil {
			called[strings.Fields(call)[0]] = true
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[commandLine]()) {
		if _, ok := f.Tag.Lookup("cmd"); !ok {
			continue
		}
		if name := cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)); !called[name] {
			t.Errorf("%s is called with no hostile text", name)
		}
	}
}

// What devices answer is obeyed by no terminal, and neither it nor the journal has a password or what
// else a device runs.
func TestNothingOfDevicesForTheTerminal(t *testing.T) {
	c := change(t, "sonic, HwSKU known to the updater", "longer cables")
	a := newApplying(t, c.Before, c.After)
	place := filepath.Join(a.folder, "devices.txt")
	lines, err := os.ReadFile(place)
	check(t, err)
	const secret, password = "5e7c0f2a", "correct horse"
	t.Setenv("ROCEPLAN_TEST_PASSWORD", password)
	for _, evil := range append(evils, "\xff\xfe") {
		quoted, _ := json.Marshal(evil)
		for _, answer := range []func(net.Conn, *ssh.ServerConfig){
			fakedevice.Printing(`{"DEVICE_METADATA":{"localhost":{"hostname":`+string(quoted)+`}},"PORT":{`+string(quoted)+`:{"speed":`+string(quoted)+`}}}`, "", 0),
			fakedevice.Printing(`{"TACPLUS":{"global":{"passkey":"`+secret, evil+password, 1),
			fakedevice.Printing(evil, evil, 0),
		} {
			other := "leaf-1=ssh://admin@" + a.fleet.Answer(answer) + "?password_env=ROCEPLAN_TEST_PASSWORD&known_hosts=" + a.fleet.KnownHosts
			check(t, os.WriteFile(place, regexp.MustCompile(`(?m)^leaf-1=.*$`).ReplaceAll(lines, []byte(other)), 0o666))
			for _, flags := range []string{"--dry-run", "--dry-run --json", "--yes", "--yes --json"} {
				said := a.call(1, flags, "leaf-1")
				sayNothing(t, []string{flags}, said)
				journal, _ := os.ReadFile(filepath.Join(a.folder, "journal"))
				sayNothing(t, []string{"the journal"}, string(journal))
				if all := said + string(journal); strings.Contains(all, secret) || strings.Contains(all, password) {
					t.Errorf("%s shows a secret: %s", flags, all)
				}
			}
		}
	}
}

// obeyed reports whether a terminal does something for a character (ISO 6429; UAX #9).
func obeyed(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}
