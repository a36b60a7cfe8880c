// Package lsp serves editors of fabric files over the Language Server Protocol 3.17: findings as
// one types, what an attribute means and what it is worth now, completion of attributes, values
// and names, definitions and references, formatting, hints with the headroom of a port group.
//
// A fabric is all *.hcl files of a folder, as they are in the editor. The server reads nothing
// else, writes nothing and asks no network.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"

	"github.com/roceplan/roceplan/chips"
)

// A server is one conversation with an editor. Messages are answered in their order.
type server struct {
	wire    wire
	version string

	// catalogue is read once: reading a chip takes longer than all else after a keystroke.
	catalogue *chips.Catalogue

	initialized, shut bool
	open              map[string]*document // by path
	read              map[string]*analysis // by folder: as it was last understood
}

// Serve speaks with an editor until it says exit or goes. The error is of the streams, or says
// that the editor went without a shutdown.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	s := &server{wire: wire{in: bufio.NewReader(in), out: out}, version: version, open: map[string]*document{}, read: map[string]*analysis{}}
	s.catalogue, _ = chips.Load() // the built-in one has no faults: its tests say so
	for {
		body, err := s.wire.read()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, io.EOF) && s.shut {
			return nil
		}
		if err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			s.wire.write(message{ID: json.RawMessage("null"), Error: &failure{parseError, "the message is not JSON: " + err.Error()}})
			continue
		}
		if m.Method == "exit" {
			if !s.shut {
				return errors.New("the editor went without a shutdown request")
			}
			return nil
		}
		s.handle(&m)
	}
}

// notify tells the editor something unasked.
func (s *server) notify(method string, params any) {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err) // the types of this package can be marshalled
	}
	s.wire.write(message{Method: method, Params: text})
}

// handle takes one message.
func (s *server) handle(m *message) {
	if m.ID == nil {
		s.notified(m)
		return
	}
	answer := message{ID: m.ID}
	switch {
	case m.Method == "initialize":
		s.initialized = true
		answer.Result = s.capabilities()
	case !s.initialized:
		answer.Error = &failure{notInitialized, "initialize comes first"}
	case s.shut:
		answer.Error = &failure{invalidRequest, "the server was shut down"}
	case m.Method == "shutdown":
		s.shut = true
		answer.Result = json.RawMessage("null")
	default:
		answer.Result, answer.Error = s.asked(m)
	}
	s.wire.write(answer)
}

func (s *server) capabilities() any {
	return map[string]any{
		"serverInfo": map[string]any{"name": "roceplan", "version": s.version},
		"capabilities": map[string]any{
			"textDocumentSync":           map[string]any{"openClose": true, "change": 2}, // 2: incremental
			"hoverProvider":              true,
			"completionProvider":         map[string]any{"triggerCharacters": []string{"=", ".", "\""}},
			"definitionProvider":         true,
			"referencesProvider":         true,
			"documentFormattingProvider": true,
			"codeActionProvider":         true,
			"inlayHintProvider":          true,
		},
	}
}

// notified takes a notification; unknown ones are skipped, as the protocol has it.
func (s *server) notified(m *message) {
	switch m.Method {
	case "textDocument/didOpen":
		var p didOpen
		if path := s.decode(m, &p, &p.Document); path != "" {
			s.open[path] = &document{[]byte(p.Document.Text), p.Document.Version}
			s.refresh(path)
		}
	case "textDocument/didChange":
		var p didChange
		path := s.decode(m, &p, &p.Document)
		d := s.open[path]
		if d == nil {
			return
		}
		for _, c := range p.Changes {
			d.text = splice(d.text, c.Range, c.Text)
		}
		d.version = p.Document.Version
		s.refresh(path)
	case "textDocument/didClose":
		var p didClose
		if path := s.decode(m, &p, &p.Document); path != "" {
			delete(s.open, path)
			s.refresh(path)
		}
	}
}

// decode reads parameters and returns the file that they are about; "" where they make no sense
// or are about no fabric file.
func (s *server) decode(m *message, params any, of *textDocument) string {
	if json.Unmarshal(m.Params, params) != nil {
		return ""
	}
	if path := pathOf(of.URI); filepath.Ext(path) == ".hcl" {
		return path
	}
	return ""
}

// refresh understands a folder again.
func (s *server) refresh(path string) {
	a := s.analyse(path)
	s.publish(a)
	s.read[filepath.Dir(path)] = a
}

// asked answers a request about a place.
func (s *server) asked(m *message) (any, *failure) {
	answers := map[string]func(*analysis, string, *at) any{
		"textDocument/hover":      s.hover,
		"textDocument/completion": s.complete,
		"textDocument/definition": s.definition,
		"textDocument/references": s.references,
		"textDocument/formatting": s.format,
		"textDocument/codeAction": s.actions,
		"textDocument/inlayHint":  s.hints,
	}
	answer, known := answers[m.Method]
	if !known {
		return nil, &failure{methodNotFound, "there is no method " + m.Method}
	}
	var p at
	path := s.decode(m, &p, &p.Document)
	if path == "" {
		return nil, &failure{invalidParams, "the document is no *.hcl file"}
	}
	a := s.read[filepath.Dir(path)]
	if a == nil || a.texts[path] == nil {
		a = s.analyse(path)
	}
	if a.texts[path] == nil {
		return nil, &failure{invalidParams, "there is no file " + path}
	}
	result := answer(a, path, &p)
	if result == nil {
		return json.RawMessage("null"), nil
	}
	return result, nil
}
