package hpcc

import (
	"runtime"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
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
		if want := map[string]int{"words": size / 2, "word": 1}[name]; count != want {
			t.Errorf("%s: %d words, want %d", name, count, want)
		}
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
