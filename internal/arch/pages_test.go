package arch

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// named are paths between back quotes, or in links, that a page names.
var named = regexp.MustCompile("`([A-Za-z0-9_./+-]+)`|\\]\\(([A-Za-z0-9_./+-]+)\\)")

// pagesForContributors tell where things are.
var pagesForContributors = []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"}

func pageText(t *testing.T, page string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path.Join("../..", page)))(t)
	return string(text)
}

// Files that have no folder before them are in one that their paragraph names.
func TestPagesNameFilesOfTheirFolders(t *testing.T) {
	for _, page := range pagesForContributors {
		for paragraph := range strings.SplitSeq(pageText(t, page), "\n\n") {
			var folders, files []string
			for _, found := range named.FindAllStringSubmatch(paragraph, -1) {
				name := path.Join("../..", found[1])
				switch info, err := os.Stat(name); {
				case err == nil && info.IsDir():
					folders = append(folders, name)
				case err == nil:
					folders = append(folders, path.Dir(name))
				case strings.HasSuffix(found[1], ".go") && !strings.Contains(found[1], "/"):
					files = append(files, found[1])
				}
			}
			for _, file := range files {
				if !slices.ContainsFunc(folders, func(folder string) bool { _, err := os.Stat(path.Join(folder, file)); return err == nil }) {
					t.Errorf("%s names %s, which is in none of %v", page, file, folders)
				}
			}
		}
	}
}

// What pages for contributors name exists.
func TestPagesNameWhatExists(t *testing.T) {
	for _, page := range pagesForContributors {
		text := pageText(t, page)
		count := 0
		for _, found := range named.FindAllStringSubmatch(text, -1) {
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
