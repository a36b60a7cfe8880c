package formulas

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/packed"
)

var update = flag.Bool("update", false, "write formulas.bin")

// The program has the documents as they are here; -update packs them.
func TestPacked(t *testing.T) {
	names, err := filepath.Glob("*.hcl") // sorted
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(packed.Entry(name, string(text)))
	}
	file, err := packed.Pack(all.String())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("formulas.bin", file, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(file) != documents {
		t.Error("formulas.bin is not the documents; `go test ./calc/formulas -update` packs them")
	}
}
