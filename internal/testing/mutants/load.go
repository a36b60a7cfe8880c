package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A source is one package as `go list` tells it, parsed and typed.
type source struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	TestGoFiles             []string
	XTestGoFiles            []string
	Module                  *struct{ Path string }

	files []*file
	info  *types.Info
	pkg   *types.Package
}

// A file is one of a package's, with its text.
type file struct {
	of   *source
	path string // absolute
	name string // below the module's root
	text []byte
	tree *ast.File
	fset *token.FileSet
}

func (f *file) offset(p token.Pos) int { return f.fset.Position(p).Offset }
func (f *file) line(p token.Pos) int   { return f.fset.Position(p).Line }
func (f *file) source(n ast.Node) string {
	return strings.Join(strings.Fields(string(f.text[f.offset(n.Pos()):f.offset(n.End())])), " ")
}

// load lists, parses and types the packages that patterns name.
func load(root string, patterns []string) ([]*source, error) {
	out, err := command(root, "go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,Module"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	exports := make(map[string]string)
	var all []*source
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		s := new(source)
		if err := d.Decode(s); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return nil, err
		}
		exports[s.ImportPath] = s.Export
		all = append(all, s)
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	named, err := names(root, patterns)
	if err != nil {
		return nil, err
	}
	var chosen []*source
	for _, s := range all {
		if !named[s.ImportPath] {
			continue
		}
		if err := s.parse(root, fset, imports); err != nil {
			return nil, err
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}

func names(root string, patterns []string) (map[string]bool, error) {
	out, err := command(root, "go", append([]string{"list"}, patterns...)...)
	named := make(map[string]bool)
	for _, path := range strings.Fields(string(out)) {
		named[path] = true
	}
	return named, err
}

func (s *source) parse(root string, fset *token.FileSet, imports types.Importer) error {
	var trees []*ast.File
	for _, name := range s.GoFiles {
		f := &file{of: s, path: filepath.Join(s.Dir, name), fset: fset}
		var err error
		if f.name, err = filepath.Rel(root, f.path); err != nil {
			return err
		}
		if f.text, err = os.ReadFile(f.path); err != nil {
			return err
		}
		if f.tree, err = parser.ParseFile(fset, f.path, f.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return err
		}
		trees = append(trees, f.tree)
		if !ast.IsGenerated(f.tree) {
			s.files = append(s.files, f)
		}
	}
	s.info = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object),
	}
	config := types.Config{Importer: imports}
	var err error
	s.pkg, err = config.Check(s.ImportPath, fset, trees, s.info)
	return err
}

func command(dir, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &told)
	}
	return out, nil
}
