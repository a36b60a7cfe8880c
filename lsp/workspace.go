package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
)

// A document is a file that is open in the editor.
type document struct {
	text    []byte
	version *int
}

// An analysis is a folder's fabric as it was understood.
type analysis struct {
	fabric *roceplan.Fabric
	in     roceplan.Input    // that it was read from, without a folder and a memory
	texts  map[string][]byte // by path: what was read
	bodies map[string]*hclsyntax.Body
	edits                     // as far as they have been tried
	ports  map[line][]planned // by the line of their port_group block, when it is planned
}

// A line is one of a file.
type line struct {
	file   string
	number int // from 1
}

// analyse reads a fabric: its files as they are in the editor or else on disk.
func (s *server) analyse(name string, f *folder) *analysis {
	a := &analysis{texts: map[string][]byte{}, bodies: map[string]*hclsyntax.Body{}}
	in := roceplan.Input{Catalogue: s.catalogue, Memory: &f.memory}
	for _, file := range s.filesOf(name) {
		text, err := s.text(file)
		if err != nil {
			continue // it went between listing and reading
		}
		src := roceplan.Source{Name: file, Text: text}
		a.texts[file] = text
		if body, _ := f.memory.Files.Parse(src); body != nil {
			a.bodies[file] = body
		}
		in.Files = append(in.Files, src)
	}
	a.in = in
	a.in.Memory = nil
	inFolder(name, in, func(in roceplan.Input) { a.fabric = roceplan.Load(in) })
	return a
}

// inFolder hands an input on while what file() names can be read below the folder of a fabric.
func inFolder(name string, in roceplan.Input, use func(roceplan.Input)) {
	if root, err := regular.Folder(rootOf(name)); err == nil {
		defer root.Close()
		in.Folder = root.FS()
	}
	use(in)
}

// files lists the fabric files of a folder, on disk and in the editor.
func (s *server) files(folder string) []string {
	names, _ := filepath.Glob(filepath.Join(folder, "*.hcl"))
	for path := range s.open {
		if filepath.Dir(path) == folder && !slices.Contains(names, path) {
			names = append(names, path)
		}
	}
	slices.Sort(names)
	return names
}

func (s *server) text(path string) ([]byte, error) {
	if d := s.open[path]; d != nil {
		return d.text, nil
	}
	return regular.Read(path)
}

// publish sends the editor the findings on the files of a folder; files without one get an empty
// list, which clears earlier findings.
func (s *server) publish(a *analysis, found diag.List) {
	byFile := map[string][]diagnostic{}
	for path := range a.texts {
		if f := s.folders[s.fabricOf(path)]; f == nil || f.now == a {
			byFile[path] = []diagnostic{}
		}
	}
	for _, d := range found {
		text, known := a.texts[d.Subject.Filename]
		for _, note := range d.Related {
			if other, named := a.texts[note.Range.Filename]; named && !known { // of a file that no editor shows: where it is named
				text, known, d.Subject = other, true, note.Range
			}
		}
		if !known {
			continue
		}
		out := diagnostic{Range: spanOf(text, d.Subject), Severity: int(d.Severity) + 1, Code: string(d.Code), Source: "roceplan", Message: d.Message}
		if d.Fix != "" {
			out.Message += "\nFix: " + d.Fix
		}
		for _, note := range d.Related {
			if other, known := a.texts[note.Range.Filename]; known {
				out.Related = append(out.Related, related{location{uriOf(note.Range.Filename), spanOf(other, note.Range)}, note.Message})
			}
		}
		if list, told := byFile[d.Subject.Filename]; told { // else another fabric has the finding
			byFile[d.Subject.Filename] = append(list, out)
		}
	}
	for path, list := range byFile {
		params := publishDiagnostics{URI: uriOf(path), Diagnostics: list}
		if d := s.open[path]; d != nil {
			params.Version = d.version
		}
		s.notify("textDocument/publishDiagnostics", params)
	}
}

// A place is the syntax around a byte of a file.
type place struct {
	blocks []*hclsyntax.Block // around it, the outermost first
	attr   *hclsyntax.Attribute
	// header is set where it is in the type or the labels of the innermost block.
	header bool
}

// at finds the syntax around a byte.
func (a *analysis) at(path string, at int) (p place) {
	body := a.bodies[path]
	for body != nil {
		var next *hclsyntax.Body
		for _, b := range body.Blocks {
			if r := b.Range(); r.Start.Byte <= at && at <= b.CloseBraceRange.End.Byte {
				p.blocks = append(p.blocks, b)
				p.header = at < b.OpenBraceRange.Start.Byte
				if !p.header {
					next = b.Body
				}
				break
			}
		}
		if next == nil {
			for _, attr := range body.Attributes {
				if r := attr.SrcRange; r.Start.Byte <= at && at <= r.End.Byte {
					p.attr = attr
				}
			}
		}
		body = next
	}
	return p
}

// names returns the types of the blocks around a place.
func (p place) names() (names []string) {
	for _, b := range p.blocks {
		names = append(names, b.Type)
	}
	return names
}

// word returns the name at a byte: letters, digits, and what names are made of.
func word(text []byte, at int) string {
	is := func(c byte) bool {
		return c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	start, end := at, at
	for start > 0 && is(text[start-1]) {
		start--
	}
	for end < len(text) && is(text[end]) {
		end++
	}
	return strings.Trim(string(text[start:end]), ".")
}
