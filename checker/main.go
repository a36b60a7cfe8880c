// Checker checks certificates of roceplan. It is written from docs/certificates.md, which it calls the page,
// and shares no code with the program that writes them: read it, and believe it alone.
//
//	checker [-C folder] c.json …
//
// It reads the files that certificates name from the folder. For each file of certificates it prints a line that begins
// with "right" or "refused", and what is wrong below it. It exits with 1 if any is refused or does not prove all.
//
// Read it in this order: form.go, what a certificate is; model.go, the buffer and the links that were judged; cells.go, the
// arithmetic of buffers; check.go, what is checked of a certificate; audit.go, which obligations there must be, and what each
// says; sums.go, what groups hold at once.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	folder := flag.String("C", ".", "work in this folder")
	flag.Parse()
	if err := os.Chdir(*folder); err != nil || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: checker [-C folder] c.json …", err)
		os.Exit(2)
	}
	code := 0
	for _, name := range flag.Args() {
		if !checkFile(name) {
			code = 1
		}
	}
	os.Exit(code)
}

// checkFile prints the problems of a file of certificates, and reports whether it has none and all hold.
func checkFile(name string) bool {
	list, wrong := &file{}, problems{}
	text, err := os.ReadFile(name)
	if err == nil {
		list, err = parse(text)
	}
	if err != nil {
		wrong.addf("%v", err)
	} else {
		wrong = list.check()
	}
	if len(wrong) > 0 {
		fmt.Printf("refused %s\n  %s\n", name, strings.Join(wrong, "\n  "))
		return false
	}
	fmt.Printf("right %s: %d certificates of %d devices; all hold: %t\n", name, len(list.Certificates), len(list.Devices), list.proves())
	return list.proves()
}

// problems are sentences on what is wrong.
type problems []string

func (p *problems) addf(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }
