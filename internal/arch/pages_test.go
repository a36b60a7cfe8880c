package arch

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// named are paths between back quotes, or in links, that a page names.
var named = regexp.MustCompile("`([A-Za-z0-9_./+-]+)`|\\]\\(([A-Za-z0-9_./+-]+)\\)")

// What pages for contributors name exists.
func TestPagesNameWhatExists(t *testing.T) {
	for _, page := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"} {
		text, err := os.ReadFile(path.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, found := range named.FindAllStringSubmatch(string(text), -1) {
			name := found[1] + found[2]
			inRepository := strings.Contains(name, "/") && !strings.ContainsAny(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*") || strings.HasSuffix(name, ".md")
			if found[2] != "" {
				name, inRepository = path.Join(path.Dir(page), name), true
			}
			if host, _, below := strings.Cut(name, "/"); below && strings.Index(host, ".") > 0 {
				continue // a module
			}
			if !inRepository || strings.Contains(name, "NAME") || strings.Contains(name, "CODE") || strings.HasPrefix(name, "//") {
				continue
			}
			count++
			if _, err := os.Stat(path.Join("../..", strings.TrimSuffix(name, "/"))); err != nil {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
		if count == 0 {
			t.Errorf("no path was found in %s: nothing was tested", page)
		}
	}
}
