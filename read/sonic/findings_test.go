package sonic_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	emit "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/sonic"
)

// Each archive in testdata holds a ConfigDB with faults and what is said of it.
func TestFindings(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d archives: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil || len(archive.Files) == 0 || archive.Files[0].Name != file {
				t.Fatalf("an archive with %s and findings is expected: %v", file, err)
			}
			src := archive.Files[0].Data
			_, found := readtest.Switch(sonic.Format(), file, src)
			got := show(t, src, found)
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "findings", Data: []byte(got)})
				must.Do(t, os.WriteFile(path, txtar.Format(archive), 0o644))
			}
			if len(archive.Files) != 2 {
				t.Fatal("the archive has no findings; run with -update")
			}
			must.NoDiffIn(t, cmp.Diff(string(archive.Files[1].Data), got), "findings differ (-golden +now):")
		})
	}
}

// Hostile files end in bounded time with a finding, and without a panic.
func TestHostile(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 1_000_000)
	many := "{" + strings.Repeat(`"PORT":{"a":1,"a":1},`, 200_000) + `"x":{}}`
	ports := `{"PORT":{"E":{}},"BUFFER_PG":{"` + strings.Repeat("p,", 1_000_000) + `E|0":{"profile":"x"}}}`
	last := make(map[string]string)
	for name, test := range map[string]struct {
		src  string
		code diag.Code
	}{
		"empty":       {"", sonic.JSONInvalid},
		"brackets":    {strings.Repeat("[", 5_000_000), sonic.TooDeep},
		"deep":        {deep, sonic.TooDeep},
		"truncated":   {`{"PORT": {"Ethernet0": {"lanes": "1,2`, sonic.JSONInvalid},
		"escape":      {`{"a": "\`, sonic.JSONInvalid},
		"bad escape":  {`{"a": "\q"}`, sonic.JSONInvalid},
		"control":     {"{\"a\": \"\x01\"}", sonic.JSONInvalid},
		"zero bytes":  {"\x00\x00", sonic.JSONInvalid},
		"UTF-8":       {"{\"PORT\": {\"\xff\": {}}}", sonic.InvalidUTF8},
		"two":         {"{} {}", sonic.JSONInvalid},
		"list":        {`[]`, sonic.WrongShape},
		"number":      {`7`, sonic.WrongShape},
		"bad number":  {`{"PORT": 0x}`, sonic.JSONInvalid},
		"too large":   {strings.Repeat(" ", 17<<20), sonic.TooLarge},
		"duplicates":  {many, sonic.TooMany},
		"many ports":  {ports, sonic.TooMany},
		"huge number": {`{"BUFFER_POOL": {"p": {"size": "99999999999999999999"}}}`, sonic.Number},
	} {
		_, found := readtest.Switch(sonic.Format(), file, []byte(test.src))
		last[name] = fmt.Sprintf("%s: %s[%s]: %s\n", name, found[len(found)-1].Severity, found[len(found)-1].Code, found[len(found)-1].Message)
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == test.code }) {
			t.Errorf("%s: %s is not among the findings %v", name, test.code, clipped(found))
		}
	}
	var got strings.Builder
	for _, name := range slices.Sorted(maps.Keys(last)) {
		got.WriteString(last[name])
	}
	path := filepath.Join("testdata", "hostile.txt")
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got.String()), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), got.String()), "findings differ (-golden +now):")
}

func clipped(found diag.List) string {
	return fmt.Sprint(found[:min(3, len(found))])
}

// Every prefix of a file is read without a panic.
func TestTruncated(t *testing.T) {
	src := sample(t)
	for n := range src {
		if _, found := readtest.Switch(sonic.Format(), file, src[:n]); !found.HasErrors() && n < bytes.LastIndexByte(src, '}') {
			t.Fatalf("the first %d bytes are read without an error", n)
		}
	}
}

func FuzzRead(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		archive := must.Get(txtar.ParseFile(path))(f)
		f.Add(archive.Files[0].Data)
	}
	for seed := range 3 {
		f.Add(render(f, rapid.Custom(drawSwitch).Example(seed)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sw, found := readtest.Switch(sonic.Format(), file, src)
		for _, d := range found {
			if at := d.Subject; at.Start.Byte > at.End.Byte || at.End.Byte > len(src) || at.Start.Line < 1 || at.Start.Column < 1 {
				t.Fatalf("%s stands at %v in a file of %d bytes", d.Code, at, len(src))
			}
		}
		if sw != nil {
			emit.Emit(sw) // refuses or prints, and does not panic
		}
		if sw == nil && !found.HasErrors() {
			t.Fatal("neither a switch nor an error")
		}
	})
}
