package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// A client is an editor in a test: it sends, and waits for what it asked for.
type client struct {
	t    testing.TB
	out  io.WriteCloser
	in   wire
	next int
	done chan error

	published map[string]publishDiagnostics // the last of each file
}

func start(t testing.TB) *client { return startWith(t, nil) }

// startWith starts a server that calls a function before it tries edits.
func startWith(t testing.TB, trying func()) *client {
	fromEditor, toServer := io.Pipe()
	fromServer, toEditor := io.Pipe()
	c := &client{t: t, out: toServer, in: wire{in: bufio.NewReader(fromServer)}, done: make(chan error, 1), published: map[string]publishDiagnostics{}}
	go func() {
		s := newServer(fromEditor, toEditor, "v0")
		s.trying = trying
		c.done <- s.serve(context.Background())
		toEditor.Close()
	}()
	c.ask("initialize", map[string]any{"capabilities": map[string]any{}}, nil)
	c.tell("initialized", map[string]any{})
	return c
}

// stop ends the conversation as the protocol has it.
func (c *client) stop() {
	c.ask("shutdown", nil, nil)
	c.tell("exit", nil)
	if err := <-c.done; err != nil {
		c.t.Errorf("the server ended with %v", err)
	}
}

func (c *client) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (c *client) tell(method string, params any) {
	c.send(map[string]any{"method": method, "params": params})
}

// ask sends a request and decodes its result; it returns the error of the protocol.
func (c *client) ask(method string, params, result any) *failure {
	c.next++
	go c.send(map[string]any{"id": c.next, "method": method, "params": params}) // the server may be writing
	for {
		m := c.receive()
		if m.ID == nil {
			continue
		}
		if m.Error != nil {
			return m.Error
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatalf("%s: %v: %s", method, err, m.Result)
			}
		}
		return nil
	}
}

type received struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

func (c *client) receive() (m received) {
	c.t.Helper()
	body, err := c.in.read()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		c.t.Fatalf("%v: %s", err, body)
	}
	if m.Method == "textDocument/publishDiagnostics" {
		var p publishDiagnostics
		if err := json.Unmarshal(m.Params, &p); err != nil {
			c.t.Fatal(err)
		}
		c.published[p.URI] = p
	}
	return m
}

// opens opens a file and waits for its findings.
func (c *client) opens(path, text string) []diagnostic {
	go c.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uriOf(path), "version": 1, "text": text}})
	return c.findings(path, 1)
}

// types replaces the whole text.
func (c *client) types(path string, version int, text string) []diagnostic {
	return c.changes(path, version, map[string]any{"text": text})
}

// changes edits the text and waits for the first findings.
func (c *client) changes(path string, version int, edits ...any) []diagnostic {
	go c.tell("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uriOf(path), "version": version}, "contentChanges": edits})
	return c.findings(path, version)
}

// actions asks what can be done in lines of a file, now.
func (c *client) actions(path string, lines span, shown []diagnostic) (list []codeAction) {
	c.t.Helper()
	params := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "range": lines, "context": map[string]any{"diagnostics": shown}}
	if failed := c.ask("textDocument/codeAction", params, &list); failed != nil {
		c.t.Fatal(failed)
	}
	return list
}

// offered asks again each time that findings are published, until something can be done.
func (c *client) offered(path string, lines span, shown []diagnostic) []codeAction {
	for {
		if list := c.actions(path, lines, shown); len(list) > 0 {
			return list
		}
		c.receive()
	}
}

// settles waits until the fabric is planned, and returns all findings of a file.
func (c *client) settles(path string) []diagnostic {
	c.ask("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "position": position{}}, nil)
	return c.published[uriOf(path)].Diagnostics
}

func (c *client) findings(path string, version int) []diagnostic {
	c.t.Helper()
	for {
		if p, ok := c.published[uriOf(path)]; ok && p.Version != nil && *p.Version == version {
			return p.Diagnostics
		}
		c.receive()
	}
}

// about asks about the place that is marked by the text before it, with more parameters by name and value.
func (c *client) about(method, path, text, before string, result any, more ...string) {
	c.t.Helper()
	i := strings.Index(text, before)
	if i < 0 {
		c.t.Fatalf("%q is not in the text", before)
	}
	params := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "position": positionOf([]byte(text), i+len(before))}
	for pair := range slices.Chunk(more, 2) {
		params[pair[0]] = pair[1]
	}
	if failed := c.ask(method, params, result); failed != nil {
		c.t.Fatalf("%s: %v", method, failed)
	}
}
