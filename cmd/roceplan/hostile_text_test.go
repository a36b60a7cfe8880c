package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// calls are command lines of all commands that print what others wrote: FILE is a file that holds
// hostile text under a hostile name, NAME that name alone, GOOD a fabric that compiles, DIR a folder
// with FILE, NEW a path that is not there.
var calls = []string{
	"check FILE", "check FILE --json", "check GOOD --var NAME=x", "check GOOD --var-file FILE", "check --chips DIR GOOD", "check FILE --format sarif", "NAME", "check --NAME",
	"compile FILE -o NEW", "compile GOOD -o FILE", "compile --check FILE -o DIR", "compile GOOD --form NAME",
	"explain FILE NAME", "explain GOOD NAME", "fmt --check FILE", "fmt FILE", "chips NAME", "platforms NAME", "nics NAME", "targets NAME", "help NAME",
	"calc headroom --chip NAME", "calc headroom --batch FILE --chip tomahawk3", "calc pool --batch FILE", "calc threshold --batch FILE --chip tomahawk3",
	"sim GOOD --pattern NAME", "sim --hpcc FILE", "sim FILE --pattern incast-8", "sim GOOD --workload FILE", "tune FILE", "tune GOOD --pattern NAME", "merge FILE FILE",
	"probe FILE NAME", "verify FILE --chip tomahawk3", "verify DIR --chip tomahawk3", "verify FILE --fabric GOOD", "verify --recheck FILE", "verify FILE --chip NAME", "replay FILE",
	"margins FILE", "report FILE -o NEW", "audit FILE --chip tomahawk3", "audit DIR --chip NAME", "audit-host FILE --fabric GOOD", "import FILE", "import DIR -o NEW", "cabling GOOD FILE", "cabling FILE FILE",
	"alerts GOOD --metrics FILE", "alerts FILE", "observe GOOD FILE", "observe FILE FILE", "patch GOOD NAME FILE", "diff FILE GOOD", "diff GOOD FILE", "diff DIR GOOD", "diff --git NAME GOOD", "diff GOOD GOOD --steps FILE",
	"schema NAME", "completion NAME", "init FILE", "man FILE",
}

// texts are what the hostile files hold, with the hostile text in the place of TEXT.
var texts = []string{
	"TEXT", "fabric \"TEXT\" {}\n", "fabric \"f\" {\n  TEXT\n}\nswitch \"TEXT\" {\n  chip = \"TEXT\"\n}\n",
	"{\"DEVICE_METADATA\": {\"localhost\": {\"hostname\": \"TEXT\"}}, \"PORT\": {\"TEXT\": {\"speed\": \"TEXT\"}}, \"TEXT\": {}}",
	"hostname TEXT\ninterface Ethernet1\n  priority-flow-control TEXT\nqos TEXT\n", "set system host-name TEXT\nset class-of-service TEXT TEXT\n",
	"metric \"TEXT\" {\n  name = \"TEXT\"\n}\n", "TEXT,TEXT\n1,TEXT\n", "KMAX_MAP TEXT\nTOPOLOGY_FILE TEXT\n",
}

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
	rapid.Check(t, func(t *rapid.T) {
		evil := rapid.OneOf(
			rapid.SampledFrom([]string{"\x1b[2J\x1b]0;pwned\x07", "\u009b31m", "a\rroceplan: all is well", "\u202egnp.exe", "\x7f\b\b", "x\nerror[forged]: not from roceplan"}),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 20), func(b []byte) string { return string(b) }),
		).Draw(t, "text")
		call := rapid.SampledFrom(calls).Draw(t, "call")
		text := rapid.SampledFrom(texts).Draw(t, "file")
		dir, err := os.MkdirTemp("", "hostile")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		name := strings.NewReplacer("/", "_", "\x00", "_").Replace(evil)
		file := filepath.Join(dir, name+rapid.SampledFrom([]string{".hcl", ".json", ".cfg"}).Draw(t, "ext"))
		if os.WriteFile(file, []byte(strings.ReplaceAll(text, "TEXT", evil)), 0o600) != nil {
			t.Skip("no file has this name")
		}
		args := strings.Fields(call)
		for i := range args {
			args[i] = strings.NewReplacer("FILE", file, "NAME", evil, "GOOD", good, "DIR", dir, "NEW", filepath.Join(dir, "new")).Replace(args[i])
		}
		var out, told bytes.Buffer
		run(args, strings.NewReader(evil), &out, &told, func(string) string { return "" })
		said += out.Len() + told.Len()
		for _, got := range []string{out.String(), told.String()} {
			if i := strings.IndexFunc(got, obeyed); i >= 0 || !utf8.ValidString(got) {
				t.Fatalf("%q sends %q at byte %d of %q", args, got[max(0, i):min(len(got), max(0, i)+20)], i, got)
			}
			if strings.Contains(got, "\nerror[forged]") {
				t.Fatalf("%q lets a name begin a line: %s", args, got)
			}
		}
	})
	if said == 0 {
		t.Error("nothing was said at all")
	}
}

// obeyed reports whether a terminal does something for a character (ISO 6429; UAX #9).
func obeyed(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}
