package diag_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/typist"
)

// compare parses a text by pieces, and as a whole.
func compare(t *testing.T, p *diag.Pieces, text string) (known bool) {
	t.Helper()
	whole, found := diag.ParseHCL([]byte(text), "fabric.hcl")
	body, known := p.Parse([]byte(text), "fabric.hcl")
	switch {
	case !known:
	case (body == nil) != found.HasErrors():
		t.Fatalf("by pieces the text parses: %t; as a whole: %v\n%s", body != nil, found, text)
	case body != nil && !reflect.DeepEqual(body, whole.Body):
		t.Fatalf("by pieces the text is another one\n%s", text)
	}
	return known
}

// A text is by its pieces what it is as a whole, in every place and node, after each of many edits: those of a typist,
// and signs, lines and blocks that come, go and change places.
func TestPieces(t *testing.T) {
	paths, err := filepath.Glob("../examples/*/fabric.hcl")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	told, all := 0, 0
	for seed, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		var p diag.Pieces
		count := func(now string) {
			if all++; compare(t, &p, now) {
				told++
			}
		}
		count(text)
		draw := rand.New(rand.NewPCG(uint64(seed), 11))
		hand := typist.New(draw, text)
		for range 60 {
			now := hand.Type()
			count(now)
			if draw.IntN(2) == 0 {
				hand.Undo()
			}
		}
		signs := []string{"{", "}", "\"", "\n", "=", "/*", "*/", "<<E\n", "E\n", "${", "[", "]", "# ", "a = 1\n", "b {\n}\n", "x = [\n1,\n2]\n", "y = a ?\n", "\r\n", "\ufeff", "b = (1 +\n2) # r\n"}
		now := text
		for i := range 300 {
			if i%10 == 0 {
				now = text
			}
			at := draw.IntN(len(now) + 1)
			if draw.IntN(2) == 0 { // where pieces meet
				if next := strings.IndexByte(now[at:], '\n'); next >= 0 {
					at += next + 1
				}
			}
			to := min(len(now), at+draw.IntN(3)*draw.IntN(40))
			now = now[:at] + signs[draw.IntN(len(signs))] + now[to:]
			compare(t, &p, now)
		}
	}
	if told < all*95/100 { // otherwise they save nothing
		t.Errorf("of %d texts of a typist only %d were known by their pieces", all, told)
	}
}
