package main

import (
	"runtime/debug"

	"github.com/roceplan/roceplan/lsp"
)

type lspCmd struct{}

func (lspCmd) Help() string {
	return `Serves an editor over the Language Server Protocol on standard input and output: findings as you type, meaning and results of attributes, completion, definitions, references, formatting, and hints with the headroom of port groups. All *.hcl files of a folder are one fabric, as for roceplan check FOLDER. In Neovim:

    vim.lsp.start({ name = "roceplan", cmd = { "roceplan", "lsp" }, root_dir = vim.fn.getcwd() })

docs/editors.md has the lines for other editors.`
}

// Run serves until the editor goes.
func (lspCmd) Run(t *terminal) error {
	debug.SetGCPercent(lsp.GarbagePercent)
	return t.exactly(func() error { return lsp.Serve(t, t.in, flushing{t}, stampedVersion().Version) })
}

// flushing hands each message to the editor at once.
type flushing struct{ t *terminal }

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.t.out.Write(p)
	if err == nil {
		err = f.t.out.Flush()
	}
	return n, err
}
