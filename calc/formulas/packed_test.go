package formulas

import (
	"bytes"
	"compress/flate"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write formulas.bin")

// The program has the documents as they are here; -update packs them.
func TestPacked(t *testing.T) {
	names, err := filepath.Glob("*.hcl") // sorted
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(append([]byte("\x00"+name+"\n"), text...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("formulas.bin", out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if out.String() != packed {
		t.Error("formulas.bin is not the documents; `go test ./calc/formulas -update` packs them")
	}
}
