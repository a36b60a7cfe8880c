package formulas

import (
	"flag"
	"os"
	"testing"

	"github.com/roceplan/roceplan/internal/packed"
)

var update = flag.Bool("update", false, "write formulas.bin")

// The program has the documents as they are here; -update packs them.
func TestPacked(t *testing.T) {
	file, err := packed.PackFiles(os.DirFS("."), "*.hcl")
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
