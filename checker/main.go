// Checker checks certificates of roceplan. It is written from docs/certificates.md, which it calls the
// page, and shares no code with the program that writes them: read it, and believe it alone.
//
//	checker [-C folder] c.json …
//
// Files that certificates name are read from the folder. For each certificate it prints a line that begins with
// "right" or "refused", and what is wrong with it below. It exits with 1 if any is refused, or right and does
// not prove all, and with 2 where it was called wrongly.
//
// Read it in this order: form.go, what a certificate is; expression.go and functions.go, arithmetic; obligations.go, what has
// to hold; demands.go, what must not be missing; figures.go, model.go and sums.go, where figures come from; words.go, names and
// conditions; devices.go, all of it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	folder := flag.String("C", "", "folder that the names of files are relative to")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: checker [-C folder] c.json …")
		os.Exit(2)
	}
	code := 0
	for _, name := range flag.Args() {
		if !checkFile(name, *folder) {
			code = 1
		}
	}
	os.Exit(code)
}

// checkFile prints the problems of a file of certificates, and reports whether it has none and all hold.
func checkFile(name, folder string) bool {
	var wrong problems
	list := &file{}
	text, err := os.ReadFile(name)
	if err == nil {
		list, err = parse(text)
	}
	if err != nil {
		wrong.addf("%v", err)
	} else {
		wrong = list.check(func(file string) ([]byte, error) {
			if !filepath.IsAbs(file) {
				file = filepath.Join(folder, file)
			}
			return os.ReadFile(file)
		})
	}
	if len(wrong) > 0 {
		fmt.Printf("refused %s\n  %s\n", name, strings.Join(wrong, "\n  "))
		return false
	}
	proves := "all hold"
	if !list.proves() {
		proves = "not all hold"
	}
	fmt.Printf("right %s: %d certificates of %d devices: %s\n", name, len(list.Certificates), len(list.Devices), proves)
	return list.proves()
}

// problems are sentences on what is wrong.
type problems []string

func (p *problems) addf(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }
