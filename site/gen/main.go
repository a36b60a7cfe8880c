// Command gen writes the pages of the site: the tutorials and guides of docs, and references
// from what the program itself knows — the decoder of the language, the command line, the codes
// of findings, the documents of the formulas, the catalogue of chips, the targets. Hugo makes
// the site of them: `make site`.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "folder of the checkout")
	program := flag.String("program", "", "roceplan, to be asked for its commands and targets")
	out := flag.String("o", "", "folder to write pages into")
	flag.Parse()
	if err := generate(*root, *program, *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate writes all pages. A page that links to what the checkout does not have is an error.
func generate(root, program, out string) error {
	if program == "" || out == "" {
		return errors.New("-program and -o are needed")
	}
	pages, err := documents(root)
	if err != nil {
		return err
	}
	asked, err := fromProgram(program)
	if err != nil {
		return err
	}
	pages = append(pages, language(), chipFiles())
	pages = append(pages, asked...)
	pages = append(pages, formulaPages()...)
	pages = append(pages, findingPages()...)
	pages = append(pages, cataloguePages()...)
	return write(pages, root, out)
}
