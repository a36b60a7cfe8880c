package arch

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// exact are the layers in which every number is an integer with a unit.
var exact = []string{"units", "policy", "plan", "calc", "emit", "read"}

// floating are the names that bring floating point in, by package; the names of the
// empty package are the language's own.
var floating = map[string][]string{
	"":        {"float32", "float64", "complex64", "complex128"},
	"big":     {"Float", "NewFloat", "ParseFloat"},
	"strconv": {"ParseFloat", "FormatFloat", "AppendFloat"},
}

// inexact are the files that meet floating point and keep it out of the results.
var inexact = map[string]string{
	"calc/formulas/functions.go": "a number of HCL is a big.Float of 512 bits; every result is demanded to be whole",
}

func TestNoFloatingPoint(t *testing.T) {
	files := 0
	for _, layer := range exact {
		for path, file := range parseTree(t, layer) {
			files++
			if _, known := inexact[path]; known {
				continue
			}
			for _, found := range floats(file) {
				t.Errorf("%s: %s: numbers here are integers with a unit (package units)", path, found)
			}
		}
	}
	if files < 5 {
		t.Fatalf("%d files were read, too few to mean anything", files)
	}
}

// What must be found is found.
func TestFloatsAreFound(t *testing.T) {
	for src, want := range map[string]int{
		"var x float64":                            1,
		"var x = 1.5":                              1,
		"const x int64 = 1e12":                     0, // whole
		"func f(x int) float32 { return 0 }":       1,
		"import \"math/big\"\nvar x big.Float":     1,
		"import \"math\"\nvar x = math.MaxInt64":   0,
		"import \"math\"\nvar x = math.Sqrt(2)":    1,
		"import \"strconv\"\nvar x = strconv.Itoa": 0,
	} {
		file := must.Get(parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+src, 0))(t)
		if got := floats(file); len(got) != want {
			t.Errorf("in %q found %q, want %d", src, got, want)
		}
	}
}

// floats tells every mention of floating point in a file.
func floats(file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if slices.Contains(floating[""], n.Name) {
				found = append(found, n.Name)
			}
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok {
				if slices.Contains(floating[of.Name], n.Sel.Name) || of.Name == "math" && !wholeConstant(n.Sel.Name) {
					found = append(found, of.Name+"."+n.Sel.Name)
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT && constant.ToInt(constant.MakeFromLiteral(n.Value, n.Kind, 0)).Kind() != constant.Int {
				found = append(found, n.Value)
			}
		}
		return true
	})
	return found
}

// wholeConstant tells the integer limits of package math from its functions.
func wholeConstant(name string) bool {
	return strings.HasPrefix(name, "MaxInt") || strings.HasPrefix(name, "MaxUint") || strings.HasPrefix(name, "MinInt")
}

// repository is the root of the checkout.
var repository = os.DirFS(filepath.Join("..", ".."))

// parseTree parses the Go files below a folder of the repository, without tests, by
// their slash-separated paths.
func parseTree(t *testing.T, root string) map[string]*ast.File {
	t.Helper()
	files := make(map[string]*ast.File)
	err := fs.WalkDir(repository, root, func(path string, d fs.DirEntry, err error) error {
		if path == root && errors.Is(err, fs.ErrNotExist) {
			return nil // a layer that is still to come
		}
		if err != nil {
			return err
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(repository, path)
		if err != nil {
			return err
		}
		files[path], err = parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
		return err
	})
	must.Do(t, err)
	return files
}
