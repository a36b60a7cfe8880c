package chips

import (
	_ "embed"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/internal/packed"
)

// The embedded catalogue has a file per chip, named as the chip, the documents that
// they cite in sources.hcl, and index.txt, which says which name belongs to which
// file. With it a command reads the two or three chips of its fabric and not all of
// them, which takes a tenth of the time. TestIndexNamesEveryChipAndAlias keeps the index true.
//
//go:embed catalogue/index.txt
var index string

// top are the files of the catalogue that are in no folder, compressed together. TestPacked packs them.
//
//go:embed catalogue.bin
var top string

// folders are the folders of the catalogue, which are read whole: compressed together. TestPacked packs them.
//
//go:embed folders.bin
var folders string

const sourcesFile = "sources.hcl"

var topFiles = sync.OnceValue(func() map[string]string { return maps.Collect(packed.Files(top)) })

func embeddedFile(name string) Source {
	text, ok := topFiles()[name]
	if !ok {
		panic("chips: there is no " + name) // index.txt and the files are built in together, a test compares them
	}
	return Source{name, []byte(text)}
}

// embeddedFolder returns the files of a folder of the catalogue, by name.
func embeddedFolder(folder string) (files []Source) {
	for name, text := range packed.Files(folders) {
		if strings.HasPrefix(name, folder+"/") {
			files = append(files, Source{name, []byte(text)})
		}
	}
	return files
}

// embedded is roceplan's catalogue. Its files are parsed once in a process, when they are needed.
var embedded = sync.OnceValue(ownCatalogue)

// ownCatalogue is roceplan's catalogue, not parsed yet.
func ownCatalogue() *Catalogue {
	c := newCatalogue()
	for line := range strings.Lines(index) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		canonical := fields[0]
		c.chips[canonical] = sync.OnceValue(func() *Chip { return ownChip(canonical, ownDocuments()) })
		for _, name := range fields {
			c.byName[name] = canonical
		}
	}
	c.boxes = sync.OnceValue(func() map[string]*Box { return readBoxes(boxesFile) })
	c.nics = sync.OnceValue(ownNICs)
	c.published = sync.OnceValue(func() map[string]*Configuration { return ownPublished(c) })
	c.platforms = sync.OnceValue(func() map[string]*Platform { return ownPlatforms(c) })
	return c
}

// ownDocuments reads the sources that all files of the embedded catalogue share.
var ownDocuments = sync.OnceValue(func() map[string]*document {
	r := &reader{catalogue: newCatalogue()}
	r.layer([]Source{embeddedFile(sourcesFile)})
	r.mustBeSound()
	return r.sources
})

func ownChip(name string, documents map[string]*document) *Chip {
	r := &reader{catalogue: newCatalogue(), sources: documents}
	r.layer([]Source{embeddedFile(name + ".hcl")})
	r.mustBeSound()
	chip, ok := r.catalogue.Find(name)
	if !ok {
		panic(fmt.Sprintf("chips: %s.hcl has no chip %q", name, name))
	}
	return chip
}

// mustBeSound panics on a fault of an embedded file: a test would have found it.
func (r *reader) mustBeSound() {
	if len(r.found) > 0 {
		panic(fmt.Sprintf("chips: the embedded catalogue is faulty: %+v", r.found[0]))
	}
}
