package docs

import (
	"bytes"
	"compress/flate"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write lint.bin")

// The program carries the pages of lint as they are in their folder, the overview beside them left out.
func TestLintFile(t *testing.T) {
	names, err := filepath.Glob("lint/*.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	var all bytes.Buffer
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if code := strings.TrimSuffix(filepath.Base(name), ".md"); code != "README" {
			want[code] = string(text)
			all.WriteString("\x00" + code + "\n" + string(text))
		}
	}
	if *update {
		write(t, all.Bytes())
		return
	}
	for code, text := range want {
		if got, ok := Page(code); !ok || got != text {
			t.Errorf("the program has another page of %s, or none: go test ./docs -update", code)
		}
	}
	for code := range lint() {
		if want[code] == "" {
			t.Errorf("the program has a page of %s, which docs/lint has not: go test ./docs -update", code)
		}
	}
	if len(want) < 50 {
		t.Errorf("%d pages", len(want))
	}
}

func write(t *testing.T, text []byte) {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("lint.bin", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
