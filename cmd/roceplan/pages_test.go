package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
)

const readersPage = "docs/lint/readers.md"

// documented are the packages whose codes stand in one table; those of lint have a page
// each.
var documented = []struct{ folder, title string }{
	{"read/sonic", "Reading config_db.json of SONiC"},
	{"read/eos", "Reading a running-config of Arista EOS"},
	{"read/openconfig", "Reading OpenConfig"},
	{"read/nvue", "Reading NVUE's YAML"},
	{"verify", "Files, fabric and topology"},
	{".", "Compiling"},
	{"cmd/roceplan", "The command line"},
}

// Every code that verify and audit can print has an entry: a page of its own, or a row of
// the table, which says what the comment of the code says.
func TestReadersPage(t *testing.T) {
	t.Chdir("../..")
	var page strings.Builder
	page.WriteString("# Findings of readers, proof and topology\n\nWhat `roceplan verify` and `roceplan audit` say besides the rules that have pages of their own. Written by: go test ./cmd/roceplan -run TestReadersPage -update\n")
	for _, d := range documented {
		fmt.Fprintf(&page, "\n## %s\n\n| code | meaning |\n|---|---|\n", d.title)
		for _, c := range codesIn(t, filepath.Join(d.folder, "codes.go")) {
			fmt.Fprintf(&page, "| `%s` | %s |\n", c[0], c[1])
		}
	}
	page.WriteString("\n## What is proved\n\nAn obligation that fails has the code of its ID with `proof-` before it. Packets of lossless classes can be lost where those marked fail.\n\n| code | what has to hold | lossless |\n|---|---|---|\n")
	for _, o := range obligations(t) {
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", diag.Code("proof-"+o.ID), o.Title, map[bool]string{true: "yes"}[o.Lossless])
	}
	fmt.Fprintf(&page, "| `%s` | no failure: what was taken for granted of a peer, and what the standard would allow it | |\n", proofAssumed)
	if *update {
		check(t, os.WriteFile(readersPage, []byte(page.String()), 0o666))
	}
	want, err := os.ReadFile(readersPage)
	check(t, err)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(page.String(), "\n")); diff != "" {
		t.Errorf("%s (-page +code):\n%s", readersPage, diff)
	}
}

// codesIn reads the codes of a file with the first paragraph of their comments.
func codesIn(t *testing.T, path string) (codes [][2]string) {
	tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	check(t, err)
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
			code, err := strconv.Unquote(lit.Value)
			check(t, err)
			text, _, _ := strings.Cut(spec.Doc.Text(), "\n\n")
			codes = append(codes, [2]string{code, strings.Join(strings.Fields(strings.ReplaceAll(text, "|", "\\|")), " ")})
		}
		return true
	})
	return codes
}

// obligations are all that are stated of the examples, each once, by ID.
func obligations(t *testing.T) (all []proof.Obligation) {
	for _, example := range fabrics(t, examples) {
		for _, j := range newWorkshop(t, example).judged {
			for _, o := range j.Obligations {
				if !slices.ContainsFunc(all, func(have proof.Obligation) bool { return have.ID == o.ID }) {
					all = append(all, o)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b proof.Obligation) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// A code of lint leads to its page, any other to the table.
func TestPageOf(t *testing.T) {
	for _, code := range lint.Codes() {
		if got := pageOf(code); got != rulesURI+string(code)+".md" {
			t.Errorf("%s leads to %s", code, got)
		}
	}
	if got := pageOf(diag.Code("sonic-number")); got != rulesURI+"readers.md" {
		t.Errorf("sonic-number leads to %s", got)
	}
}
