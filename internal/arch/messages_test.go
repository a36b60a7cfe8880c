package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What is wrong with a file is said in one form: what is wrong, what was found, and what is
// allowed, as one sentence without a full stop; then, as the fix, what to change. An error
// without a fix says in its message what would be right.
func TestMessagesHaveOneForm(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, wrong := range messageFaults(call) {
				t.Errorf("%s: %s", fset.Position(call.Pos()), wrong)
			}
			if name, _ := finding(call); name != "" {
				seen++
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 400 {
		t.Errorf("%d messages, %v", seen, err)
	}
}

// finding is the text of a call that tells a finding or a fix: Errorf, Warnf, Fixf, Notef.
func finding(call *ast.CallExpr) (function, text string) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	at, known := map[string]int{"Errorf": 2, "Warnf": 2, "Fixf": 0, "Notef": 1}[nameOf(s)]
	if !ok || !known || len(call.Args) <= at {
		return "", ""
	}
	lit, ok := call.Args[at].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", ""
	}
	text, _ = strconv.Unquote(lit.Value)
	return s.Sel.Name, text
}

func nameOf(s *ast.SelectorExpr) string {
	if s == nil {
		return ""
	}
	return s.Sel.Name
}

func messageFaults(call *ast.CallExpr) (faults []string) {
	function, text := finding(call)
	if text == "" {
		return nil
	}
	if strings.HasSuffix(text, ".") || regexp.MustCompile(`[a-z]{4}\. [A-Z%]`).MatchString(text) {
		faults = append(faults, fmt.Sprintf("%q is more than one sentence, or ends with a full stop", text))
	}
	if regexp.MustCompile(`(?i)\b(please|sorry|oops|invalid|illegal|bad|error:|failed to|unable to)\b`).MatchString(text) {
		faults = append(faults, fmt.Sprintf("%q: say what was found and what is allowed", text))
	}
	if function == "Fixf" && regexp.MustCompile(`^(?:[a-z]+ing|the|a|an|it|there|this) `).MatchString(text) {
		faults = append(faults, fmt.Sprintf("the fix %q must say what to do", text))
	}
	return faults
}
