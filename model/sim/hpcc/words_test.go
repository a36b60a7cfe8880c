package hpcc

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// A line of millions of words, and a word of millions of bytes, take memory for their text and no
// more: one of 40 MB took 5 GB.
func TestLongLines(t *testing.T) {
	const size = 8 << 20
	for name, text := range map[string]string{"words": strings.Repeat("1 ", size/2), "word": strings.Repeat("x", size), "comment": "# " + strings.Repeat("y", size)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w := (&reader{sources: diag.Sources{}}).words("long", []byte(text))
		count := 0
		for w.more() {
			if word, _ := w.next("a word"); len(word.text) == size {
				w.bad(word, "it", "a number")
			}
			count++
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 3*size {
			t.Errorf("%s: %d bytes for %d", name, took, size)
		}
		must.Equalf(t, count, map[string]int{"words": size / 2, "word": 1}[name], "%s: words:", name)
		for _, d := range w.found {
			if len(d.Message) > 200 {
				t.Errorf("%s: a message has %d bytes", name, len(d.Message))
			}
		}
	}
}

// A file of another kind has millions of lines without a key, and a finding for each took 4.6 GB.
func TestUnknownKeysEnd(t *testing.T) {
	w := (&reader{sources: diag.Sources{}}).words("other", []byte(strings.Repeat("a {\n", 100_000)))
	readConfig(w)
	if n := len(w.found); n != mostUnknown+1 || !w.found.HasErrors() {
		t.Errorf("%d findings, an error among them %v; want %d with one", n, w.found.HasErrors(), mostUnknown+1)
	}
}

func TestBadInputs(t *testing.T) {
	folder := must.Get(filepath.Abs("../../../golden/diag/hpcc"))(t)
	diagtest.Run(t, folder, 4, func(t *testing.T, archive *txtar.Archive) diag.List {
		in := readArchive(t, archive)
		if in.Found.HasErrors() != (in.Scenario == nil) {
			t.Errorf("scenario %v in spite of %v", in.Scenario, in.Found)
		}
		return in.Found
	})
}

func readArchive(t *testing.T, archive *txtar.Archive) *Input {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		must.Do(t, os.MkdirAll(filepath.Dir(f.Name), 0o755))
		must.Do(t, os.WriteFile(f.Name, f.Data, 0o644))
	}
	in := must.Get(Read("config.txt", sim.ExactTimes))(t)
	return in
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]units.BitRate{
		"100Gbps": 100 * units.Gbps, "20Mb/s": 20 * units.Mbps, "1.5kB/s": 12 * units.Kbps,
		"1Kib/s": 1024, "2GiB/s": 16 << 30, "25000000000": 25 * units.Gbps,
	} {
		r := &reader{sources: diag.Sources{}}
		if got, _ := r.words("x", []byte(text)).rate("rate"); got != want || len(r.found) > 0 {
			t.Errorf("%s: %d, want %d; %v", text, got, want, r.found)
		}
	}
	for text, want := range map[string]units.Time{
		"1000ns": units.Microsecond, "1.5us": 1500 * units.Nanosecond, "0.001": units.Millisecond,
	} {
		r := &reader{sources: diag.Sources{}}
		if got, _ := r.words("x", []byte(text)).delay("delay"); got != want || len(r.found) > 0 {
			t.Errorf("%s: %d, want %d; %v", text, got, want, r.found)
		}
	}
	for _, text := range []string{"100", "fast", "100Gbpps", "1Tbps", "-1us", "1e3ns", ""} {
		r := &reader{sources: diag.Sources{}}
		w := r.words("x", []byte(text))
		if _, _ = w.rate("rate"); text != "100" && len(r.found) != 1 {
			t.Errorf("rate %q: %v, want one finding", text, r.found)
		}
	}
}
