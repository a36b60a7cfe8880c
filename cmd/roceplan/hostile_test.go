package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var anyNumber = regexp.MustCompile(`\b\d+\b`)

// extremes are what a file may hold where a number belongs.
var extremes = []string{"0", "1", "7", "63", "255", "4096", "65535", "99999999", "1125899906842624", "9223372036854775807", "-1", "-8", "1e9", "x", ""}

// A file with numbers that nobody would write ends with a verdict or with findings, never
// with a panic, in bounded time.
func TestHostileNumbers(t *testing.T) {
	t.Chdir("../..")
	dir := t.TempDir()
	compile(t, "examples/ucloud-pod", filepath.Join(dir, "a"), "--no-verify")
	compile(t, "examples/mixed-cabling", filepath.Join(dir, "b"), "--no-verify")
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ path, chip string }{
		{"a/tor-01/config_db.json", "td3"}, {"b/leaf-1/eos.cfg", "th2"}, {"b/spine-1/openconfig.json", "th3"}, {"b/tor-1/config_db.json", "spectrum4"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, c.path))
		check(t, err)
		edited := filepath.Join(dir, filepath.Base(c.path))
		for range 60 {
			check(t, os.WriteFile(edited, spoil(random, text), 0o666))
			audit(t, edited, c.chip)
		}
	}
}

// spoil changes one to twenty numbers.
func spoil(random *rand.Rand, text []byte) []byte {
	at := anyNumber.FindAllIndex(text, -1)
	for range 1 + random.IntN(20) {
		i := at[random.IntN(len(at))]
		with := extremes[random.IntN(len(extremes))]
		text = append(append(bytes.Clone(text[:i[0]]), with...), text[i[1]:]...)
		at = anyNumber.FindAllIndex(text, -1)
	}
	return text
}

func audit(t *testing.T, path, chip string) {
	var stdout, stderr bytes.Buffer
	defer func() {
		if fault := recover(); fault != nil {
			kept := filepath.Join(os.TempDir(), fmt.Sprintf("spoiled-%d", len(stdout.String())))
			text, _ := os.ReadFile(path)
			_ = os.WriteFile(kept, text, 0o666)
			t.Fatalf("%s (kept as %s): %v", path, kept, fault)
		}
	}()
	if code := run([]string{"audit", path, "--chip", chip}, nil, &stdout, &stderr, func(string) string { return "" }); code == exitTrouble && !strings.HasPrefix(stderr.String(), "roceplan: ") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}
