package main

import (
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/mcp"
)

type mcpCmd struct {
	Folder string `arg:"" optional:"" default:"." help:"Folder that may be read (default: the one you are in)."`
}

func (mcpCmd) Help() string {
	return `Answers a language model over the Model Context Protocol, on standard input and output. Its tools are check, explain, verify, diff and margins; they read only below the folder and write nothing. For clients with a JSON configuration:

    { "mcpServers": { "roceplan": { "command": "roceplan", "args": ["mcp", "/srv/fabrics"] } } }`
}

// Run serves until the client goes.
func (c mcpCmd) Run(t *terminal) error {
	root, err := regular.Folder(c.Folder)
	if err != nil {
		return err
	}
	defer root.Close()
	transport := &sdk.IOTransport{Reader: io.NopCloser(t.in), Writer: open{flushing{t}}}
	return t.exactly(func() error { return mcp.Serve(t, transport, root.FS(), stampedVersion().Version) })
}

// open is a writer that its users must not close.
type open struct{ io.Writer }

func (open) Close() error { return nil }
