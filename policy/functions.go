package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// maxReadSize bounds what file() reads.
const maxReadSize = 32 << 20

// builtin is a function of the language with its line in the reference.
type builtin struct {
	name, usage, doc string
	impl             function.Function
}

// A Function is one of the language.
type Function struct {
	Name, Usage, Doc string // "join", `join(",", list)`, "one text of a list of texts"
}

// Functions returns all of them, in the order of their names.
func Functions() (all []Function) {
	for _, f := range builtins(nil) {
		all = append(all, Function{f.name, f.usage, f.doc})
	}
	return all
}

// builtins returns all functions. They are pure, except for file, which reads below root.
func builtins(root fs.FS) []builtin {
	return []builtin{
		{"can", "can(each.value.cable)", "whether its argument can be evaluated", tryfunc.CanFunc},
		{"ceil", "ceil(1.5)", "rounds up", stdlib.CeilFunc},
		{"coalesce", "coalesce(each.value.cable, \"5m\")", "the first of its arguments that is not null", stdlib.CoalesceFunc},
		{"concat", "concat(a, b)", "joins lists", stdlib.ConcatFunc},
		{"contains", "contains(list, x)", "whether a list holds a value", stdlib.ContainsFunc},
		{"csvdecode", `csvdecode(file("cables.csv"))`, "the rows of a CSV text with a header, as a list of objects", stdlib.CSVDecodeFunc},
		{"distinct", "distinct(list)", "each value once", distinctFunc()},
		{"file", `file("cables.csv")`, "the text of a file below the folder of the fabric", fileFunc(root)},
		{"flatten", "flatten(lists)", "one list of the elements of nested lists", stdlib.FlattenFunc},
		{"floor", "floor(1.5)", "rounds down", stdlib.FloorFunc},
		{"format", `format("leaf-%02d", 7)`, "a formatted text", boundedWidth(stdlib.FormatFunc)},
		{"formatlist", `formatlist("leaf-%02d", range(1, 9))`, "a list of formatted texts, one for each element of the lists", boundedWidth(stdlib.FormatListFunc)},
		{"join", `join(",", list)`, "one text of a list of texts", stdlib.JoinFunc},
		{"jsondecode", `jsondecode(file("rack.json"))`, "the value of a JSON text", jsonDecodeFunc()},
		{"keys", "keys(map)", "the names in a map, sorted", stdlib.KeysFunc},
		{"length", "length(x)", "the number of elements of a list or map, or of characters of a text", lengthFunc()},
		{"lookup", "lookup(map, name, otherwise)", "the value of a name in a map, or a default", stdlib.LookupFunc},
		{"lower", "lower(text)", "the text in lower case", stdlib.LowerFunc},
		{"max", "max(a, b)", "the largest number", stdlib.MaxFunc},
		{"merge", "merge(a, b)", "one map of several; the last value of a name counts", stdlib.MergeFunc},
		{"min", "min(a, b)", "the smallest number", stdlib.MinFunc},
		{"range", "range(0, 8)", "the numbers from 0 to 7; at most 1024", stdlib.RangeFunc},
		{"regex", `regex("[0-9]+", text)`, "the part of a text that matches a pattern", stdlib.RegexFunc},
		{"replace", `replace(text, "a", "b")`, "a text with every a replaced by b", stdlib.ReplaceFunc},
		{"setproduct", "setproduct(a, b)", "a list of every pair of an element of a and one of b", stdlib.SetProductFunc},
		{"slice", "slice(list, 0, 4)", "the elements of a list from one index up to, but without, another", stdlib.SliceFunc},
		{"sort", "sort(list)", "texts in order", stdlib.SortFunc},
		{"split", `split(",", text)`, "the parts of a text", stdlib.SplitFunc},
		{"tonumber", `tonumber("7")`, "the number in a text", stdlib.MakeToFunc(cty.Number)},
		{"toset", "toset(list)", "the set of a list of texts, for for_each", stdlib.MakeToFunc(cty.Set(cty.String))},
		{"tostring", "tostring(7)", "a value as text", stdlib.MakeToFunc(cty.String)},
		{"try", "try(each.value.cable, \"5m\")", "the first of its arguments that can be evaluated", tryfunc.TryFunc},
		{"upper", "upper(text)", "the text in upper case", stdlib.UpperFunc},
		{"values", "values(map)", "the values in a map, sorted by name", stdlib.ValuesFunc},
		{"yamldecode", `yamldecode(file("rack.yaml"))`, "the value of a YAML text", yamlDecodeFunc()},
		{"zipmap", "zipmap(names, values)", "a map of two lists", stdlib.ZipmapFunc},
	}
}

func functionTable(root fs.FS, left *budget) map[string]function.Function {
	table := map[string]function.Function{}
	for _, b := range builtins(root) {
		table[b.name] = b.impl
	}
	for name, effort := range efforts() {
		table[name] = left.charged(table[name], effort)
	}
	return table
}

func functionNames(ctx *hcl.EvalContext) []string {
	for ; ctx != nil; ctx = ctx.Parent() {
		if ctx.Functions != nil {
			return slices.Sorted(maps.Keys(ctx.Functions))
		}
	}
	return nil
}

// writeFunctions appends the functions to the reference.
func writeFunctions(out *strings.Builder) {
	out.WriteString("\n## Functions\n\n| function | gives |\n|---|---|\n")
	for _, b := range builtins(nil) {
		fmt.Fprintf(out, "| `%s` | %s |\n", cell(b.usage), cell(b.doc))
	}
}

// fileFunc reads a text below root. The name is taken as a slash path below the folder of the
// fabric; a path that could lead out of it is refused, and root itself, when it is an os.Root,
// refuses symbolic links that do.
func fileFunc(root fs.FS) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, p := readBelow(root, args[0].AsString())
			if p != nil {
				return cty.NilVal, p
			}
			return cty.StringVal(text), nil
		},
	})
}

// liesBelow reports why a name is none of a file or folder below root; nil where it is.
func liesBelow(root fs.FS, name string) *problem {
	clean := path.Clean(name)
	if strings.ContainsRune(name, '\\') || !fs.ValidPath(clean) || clean == "." {
		return problemf(FileOutside, "%q does not lie below the folder of the fabric", clip(name)).
			fixf("copy the file into the folder of the fabric and write a relative path without ..")
	}
	if root == nil {
		return problemf(FileUnreadable, "there is no folder to read from here").fixf("give the fabric as a file, not on standard input")
	}
	info, err := fs.Stat(root, clean) // opening a pipe would wait for a writer
	if err != nil {
		return openProblem(name, err)
	}
	if mode := info.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return problemf(FileUnreadable, "%s is not a regular file", clip(name)).fixf("name a file, not a folder or a device")
	}
	return nil
}

func readBelow(root fs.FS, name string) (string, *problem) {
	if p := liesBelow(root, name); p != nil {
		return "", p
	}
	clean := path.Clean(name)
	f, err := root.Open(clean)
	if err != nil {
		return "", openProblem(name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxReadSize+1))
	switch {
	case err != nil:
		return "", openProblem(name, err)
	case len(text) > maxReadSize:
		return "", problemf(TooLarge, "%s is longer than %d bytes", clip(name), maxReadSize)
	}
	text = bytes.TrimPrefix(text, byteOrderMark) // spreadsheets put a byte order mark before the first column's name
	if !utf8.Valid(text) {
		return "", problemf(FileUnreadable, "%s is not UTF-8 text", clip(name)).fixf("save it as UTF-8")
	}
	return string(text), nil
}

func openProblem(name string, err error) *problem {
	var bad *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problemf(FileUnreadable, "there is no file %s in the folder of the fabric", clip(name)).fixf("name a file relative to the folder of the fabric")
	case errors.As(err, &bad) && strings.Contains(bad.Err.Error(), "escapes"):
		return problemf(FileOutside, "%s leads out of the folder of the fabric", clip(name)).fixf("replace the link by the file")
	}
	return problemf(FileUnreadable, "%s cannot be read: %v", clip(name), err).fixf("let the program read the file")
}

// lengthFunc counts elements of a collection and characters of a text.
func lengthFunc() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if args[0].Type() == cty.String {
				return stdlib.Strlen(args[0])
			}
			return stdlib.Length(args[0])
		},
	})
}

// boundedWidth is a function of a pattern with the widths in it bounded: "%999999999d" would fill memory.
func boundedWidth(of function.Function) function.Function {
	return function.New(&function.Spec{
		Params: of.Params(), VarParam: of.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if args[0].IsKnown() && longestDigits(args[0].AsString()) > 3 {
				return cty.DynamicPseudoType, function.NewArgErrorf(0, "a width or precision has %d digits, at most 3 are allowed", longestDigits(args[0].AsString()))
			}
			return of.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return of.Call(args) },
	})
}

// longestDigits returns the length of the longest run of digits after a percent sign.
func longestDigits(pattern string) int {
	longest := 0
	for _, verb := range strings.Split(pattern, "%")[1:] {
		run := 0
		for _, c := range verb {
			if c >= '0' && c <= '9' {
				run++
				longest = max(longest, run)
				continue
			}
			if run = 0; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
				break
			}
		}
	}
	return longest
}
