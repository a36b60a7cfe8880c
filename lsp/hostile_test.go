package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// endless is a stream that never ends and has no line.
type endless struct{ sent *int }

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	*e.sent += len(p)
	return len(p), nil
}

// A header without an end, one of endless lines, and a length of which nothing comes end the
// conversation; nothing is kept of them.
func TestHeadersHaveAnEnd(t *testing.T) {
	sent := 0
	if _, err := (&wire{in: bufio.NewReader(endless{&sent})}).read(); !errors.Is(err, errTooLong) || sent > 64<<10 {
		t.Errorf("a line without end: %v after %d bytes", err, sent)
	}
	lines := io.MultiReader(strings.NewReader(strings.Repeat("A: b\r\n", 1_000_000)), endless{&sent})
	if _, err := (&wire{in: bufio.NewReader(lines)}).read(); !errors.Is(err, errTooLong) {
		t.Errorf("lines without end: %v", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := (&wire{in: bufio.NewReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\nshort", maxMessage)))}).read()
	runtime.ReadMemStats(&after)
	if !errors.Is(err, io.ErrUnexpectedEOF) || after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("a length without a text: %v, %d bytes", err, after.TotalAlloc-before.TotalAlloc)
	}
}

// Folders without an open file are forgotten when all their findings are published.
func TestClosedFoldersAreForgotten(t *testing.T) {
	var out bytes.Buffer
	s := newServer(strings.NewReader(""), &out, "v0")
	s.initialized = true
	ctx := t.Context()
	for i := range 20 {
		uri := uriOf(filepath.Join("/pods", fmt.Sprint(i), "fabric.hcl"))
		for _, m := range []map[string]any{
			{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{"uri": uri, "text": "fabric \"f\" {}\n", "version": 1}}},
			{"method": "textDocument/didClose", "params": map[string]any{"textDocument": map[string]any{"uri": uri}}},
		} {
			body, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if done, err := s.take(ctx, read{body: body}); done || err != nil {
				t.Fatal(done, err)
			}
			s.understand(ctx)
			for f := s.folder("/pods/" + fmt.Sprint(i) + "/fabric.hcl"); len(s.folders) > 0 && !f.planned; {
				s.happened(<-s.events)
			}
		}
	}
	if len(s.folders) > 0 || len(s.open) > 0 {
		t.Errorf("%d folders and %d files are kept", len(s.folders), len(s.open))
	}
}

// A panic is answered or told, and the server goes on.
func TestPanicsEndNothingElse(t *testing.T) {
	var out bytes.Buffer
	s := newServer(strings.NewReader(""), &out, "v0")
	s.initialized = true
	s.folders = nil // the next request panics: it makes a folder
	ask := []byte(`{"id": 7, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///a/b.hcl"}}}`)
	if done, err := s.take(context.Background(), read{body: ask}); done || err != nil {
		t.Errorf("the conversation ends: %v", err)
	}
	if !strings.Contains(out.String(), `"code":-32603`) {
		t.Errorf("the request is answered with %s", out.String())
	}
	s.folders = map[string]*folder{}
	f := s.folder("/a/b.hcl")
	s.guard(f, func() { panic("nothing fits") })
	if len(s.folders) > 0 || !strings.Contains(out.String(), "window/showMessage") {
		t.Errorf("of a panic the client gets %s", out.String())
	}
}
