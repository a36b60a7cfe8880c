package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A page is one of the site.
type page struct {
	at     string // below the site: "tutorials/first-fabric"; a section ends in "/"
	from   string // file in the checkout that its links are relative to: "docs/adopt.md"
	title  string
	about  string // one line, for lists
	weight int    // its place among its neighbours
	body   string // Markdown without the title
	layout string // of Hugo; empty: what its kind has
}

// pageOf makes a page of a document whose first line is its title.
func pageOf(at, from, text string) page {
	p := page{at: at, from: from}
	p.title, p.body, _ = strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	return p
}

// repository is the address of files of the checkout that are not on the site.
const repository = "https://github.com/roceplan/roceplan/blob/main/"

// write writes pages as Hugo reads them: those of a section as its _index.md.
func write(pages []page, root, out string) error {
	at := map[string]string{} // page by file of the checkout
	for _, p := range pages {
		if p.from != "" {
			at[p.from] = p.at
		}
	}
	var faults []error
	for _, p := range pages {
		body, err := relink(p, at, root, out)
		faults = append(faults, err)
		file := filepath.Join(out, p.at+".md")
		if strings.HasSuffix(p.at, "/") {
			file = filepath.Join(out, p.at, "_index.md")
		}
		text := fmt.Sprintf("---\ntitle: %q\ndescription: %q\nweight: %d\nlayout: %q\n---\n%s", p.title, p.about, p.weight, p.layout, body)
		faults = append(faults, os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666))
	}
	return errors.Join(faults...)
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// relink leads links of a document to pages of the site, and to the repository where a file is
// not on it. Pictures are copied to the site.
func relink(p page, at map[string]string, root, out string) (string, error) {
	var faults []error
	body := link.ReplaceAllStringFunc(p.body, func(found string) string {
		target := link.FindStringSubmatch(found)[1]
		if strings.Contains(target, "://") || target[0] == '#' || target[0] == '/' {
			return found
		}
		file, fragment, _ := strings.Cut(target, "#")
		file = path.Join(path.Dir(p.from), file)
		if fragment != "" {
			fragment = "#" + fragment
		}
		if to, ok := at[file]; ok {
			return "](/" + strings.TrimSuffix(to, "/") + "/" + fragment + ")"
		}
		if ext := path.Ext(file); ext == ".png" || ext == ".svg" {
			faults = append(faults, picture(filepath.Join(root, file), filepath.Join(out, "pictures", path.Base(file))))
			return "](/pictures/" + path.Base(file) + ")"
		}
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			faults = append(faults, fmt.Errorf("%s links to %s: %w", p.from, target, err))
		}
		return "](" + repository + file + fragment + ")"
	})
	return body, errors.Join(faults...)
}

// picture copies one.
func picture(from, to string) error {
	text, err := os.ReadFile(from)
	return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, text, 0o666))
}
