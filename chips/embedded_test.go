package chips

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// ownFiles returns the HCL files of the embedded catalogue.
func ownFiles(t *testing.T) []Source {
	t.Helper()
	var files []Source
	for name, text := range packed.Files(top) {
		files = append(files, Source{name, []byte(text)})
	}
	return files
}

func TestOwnCatalogueHasNoFaults(t *testing.T) {
	r := &reader{catalogue: newCatalogue()}
	r.layer(ownFiles(t))
	for _, d := range r.found.Sorted() {
		t.Errorf("%s:%d: %s[%s]: %s", d.Subject.Filename, d.Subject.Start.Line, d.Severity, d.Code, d.Message)
	}
}

func TestEachOwnFileHoldsTheChipOfItsName(t *testing.T) {
	for _, file := range ownFiles(t) {
		if file.Name == sourcesFile {
			continue
		}
		r := &reader{catalogue: newCatalogue(), sources: ownDocuments()}
		r.layer([]Source{file})
		if want := []string{strings.TrimSuffix(file.Name, ".hcl")}; !cmp.Equal(r.catalogue.Names(), want) {
			t.Errorf("%s has the chips %v, want %v", file.Name, r.catalogue.Names(), want)
		}
	}
}

// The index lets a chip be found without parsing the others; -update writes it from the files.
func TestIndexNamesEveryChipAndAlias(t *testing.T) {
	r := &reader{catalogue: newCatalogue()}
	r.layer(ownFiles(t))
	var lines []string
	for _, c := range r.catalogue.Chips() {
		lines = append(lines, strings.ToLower(strings.Join(append([]string{c.Name}, c.Aliases...), " "))+"\n")
	}
	slices.Sort(lines)
	diagtest.Golden(t, "catalogue/index.txt", strings.Join(lines, ""))
}

// The program has the files as they are here; -update packs them.
func TestPacked(t *testing.T) {
	for name, pattern := range map[string]string{"catalogue.bin": "*.hcl", "folders.bin": "*/*.hcl"} {
		file := must.Get(packed.PackFiles(os.DirFS("catalogue"), pattern))(t)
		diagtest.Golden(t, name, string(file))
	}
}

func TestEverySourceIsCited(t *testing.T) {
	var all strings.Builder
	for _, file := range ownFiles(t) {
		all.Write(file.Text)
	}
	for _, folder := range []string{"nics", "published"} {
		for _, file := range embeddedFolder(folder) {
			all.Write(file.Text)
		}
	}
	for name := range ownDocuments() {
		if !strings.Contains(all.String(), "source."+name) {
			t.Errorf("no datum cites source %q", name)
		}
	}
}
