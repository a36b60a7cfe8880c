// Package lsp serves editors of fabric files over the Language Server Protocol 3.17: findings as
// one types, the documentation and the present value of an attribute, completion of attributes,
// values and names, definitions and references, formatting, hints with the headroom of a port
// group.
//
// A fabric is all *.hcl files of a folder, as they are in the editor; where several of them have a fabric block, each of these
// is one, with the files that have none. The server reads nothing else, writes nothing and asks no network.
//
// Edits are tried when findings have been published and nothing more is typed, on a goroutine that the next change ends.
// A request for actions is answered at once with the edits that have helped so far. When there are more, the findings are
// published again: the protocol has no refresh of actions, but editors ask again about findings that they get. Resolving
// an action later would not do, because then an action would be shown whose edit nothing has tried.
package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/chips"
)

// GarbagePercent is the recommended argument of debug.SetGCPercent for a program that only serves
// an editor. Reading a fabric of 2,000 lines makes 20 MB of garbage, as much as is kept of it: by
// default each keystroke would wait for a collection. Memory stays below 200 MB there.
const GarbagePercent = 800

// A server is one conversation with an editor. One goroutine takes its messages and answers them;
// another reads them, and each folder that is being planned, or whose edits are being tried, has one of its own.
type server struct {
	wire    wire
	version string

	// catalogue and book are read once: that takes longer than all else after a keystroke.
	catalogue *chips.Catalogue
	book      *formulas.Book

	initialized, shut bool
	open              map[string]*document // by path
	folders           map[string]*folder   // by path
	events            chan event           // of planning

	trying func() // for tests: called before edits of a text are tried; nil: nothing
}

// Serve speaks with an editor until it says exit or goes. The error is of the streams, or says
// that the editor went without a shutdown.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	return newServer(in, out, version).serve(ctx)
}

func (s *server) serve(ctx context.Context) error {
	ctx, quit := context.WithCancel(ctx)
	defer s.stop()
	defer quit()
	incoming := s.wire.incoming(ctx)
	for {
		select {
		case got := <-incoming:
			if done, err := s.take(ctx, got); done {
				return err
			}
			continue
		default:
		}
		// Nothing more has been typed: the whole text is analysed.
		s.understand(ctx)
		select {
		case got := <-incoming:
			if done, err := s.take(ctx, got); done {
				return err
			}
		case e := <-s.events:
			s.happened(e)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func newServer(in io.Reader, out io.Writer, version string) *server {
	s := &server{wire: wire{in: bufio.NewReader(in), out: out}, version: version, book: formulas.Load(),
		open: map[string]*document{}, folders: map[string]*folder{}, events: make(chan event)}
	s.catalogue, _ = chips.Load() // the built-in one has no faults: its tests say so
	return s
}

// take handles what came over the wire, and reports whether the conversation ends with it.
func (s *server) take(ctx context.Context, got read) (done bool, err error) {
	if errors.Is(got.err, io.EOF) && s.shut {
		return true, nil
	}
	if got.err != nil {
		return true, got.err
	}
	var m message
	if err := json.Unmarshal(got.body, &m); err != nil {
		s.wire.write(message{ID: json.RawMessage("null"), Error: &failure{parseError, "the message is not JSON: " + err.Error()}})
		return false, nil
	}
	if m.Method == "exit" {
		if !s.shut {
			return true, errors.New("the editor went without a shutdown request")
		}
		return true, nil
	}
	s.guarded(ctx, &m)
	return false, nil
}

// guarded handles a message. A panic is answered, and ends nothing else.
func (s *server) guarded(ctx context.Context, m *message) {
	defer func() {
		if why := recover(); why != nil && m.ID != nil {
			s.wire.write(message{ID: m.ID, Error: &failure{internalError, fmt.Sprintf("the program failed on this request: %v", why)}})
		}
	}()
	s.handle(ctx, m)
}

// notify sends the editor a notification.
func (s *server) notify(method string, params any) {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err) // the types of this package can be marshalled
	}
	s.wire.write(message{Method: method, Params: text})
}

// handle takes one message.
func (s *server) handle(ctx context.Context, m *message) {
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
	case m.Method == "workspace/symbol":
		s.understand(ctx)
		answer.Result = s.workspaceSymbols(m)
	case m.Method == "shutdown":
		s.shut = true
		s.finish(ctx)
		s.stop()
		answer.Result = json.RawMessage("null")
	default:
		s.asked(ctx, m)
		return
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
			"documentSymbolProvider":     true,
			"foldingRangeProvider":       true,
			"documentHighlightProvider":  true,
			"renameProvider":             true,
			"workspaceSymbolProvider":    true,
			"signatureHelpProvider":      map[string]any{"triggerCharacters": []string{"(", ","}},
			"semanticTokensProvider":     map[string]any{"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": []string{}}, "full": true},
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
			s.changed(path)
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
		s.changed(path)
	case "textDocument/didClose":
		var p didClose
		if path := s.decode(m, &p, &p.Document); path != "" {
			delete(s.open, path)
			s.changed(path)
		}
	case "$/cancelRequest":
		var p struct {
			ID json.RawMessage `json:"id"`
		}
		if json.Unmarshal(m.Params, &p) == nil {
			s.refuse(failure{requestCancelled, "the editor does not wait for it any more"}, func(w waiting) bool { return string(w.id) == string(p.ID) })
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

// A question is a request about a place.
type question struct {
	answer func(*analysis, string, *at) any
	needs  need
}

// A need is the part of a folder that must be analysed before a question about it can be answered.
type need uint8

const (
	needText    need = iota
	needNumbers      // it has been planned
)

func (s *server) questions() map[string]question {
	return map[string]question{
		"textDocument/hover":             {s.hover, needNumbers},
		"textDocument/completion":        {s.complete, needText},
		"textDocument/definition":        {s.definition, needText},
		"textDocument/references":        {s.references, needText},
		"textDocument/formatting":        {s.format, needText},
		"textDocument/codeAction":        {s.actions, needText},
		"textDocument/documentSymbol":    {s.symbols, needText},
		"textDocument/foldingRange":      {s.folds, needText},
		"textDocument/documentHighlight": {s.highlights, needText},
		"textDocument/rename":            {s.rename, needText},
		"textDocument/signatureHelp":     {s.signature, needText},

		"textDocument/semanticTokens/full": {s.tokens, needText},
		"textDocument/inlayHint":           {s.hints, needNumbers},
	}
}

// asked answers a request about a place, now or when the folder has been planned.
func (s *server) asked(ctx context.Context, m *message) {
	q, known := s.questions()[m.Method]
	if !known {
		s.wire.write(message{ID: m.ID, Error: &failure{methodNotFound, "there is no method " + m.Method}})
		return
	}
	w := waiting{id: m.ID, answer: q.answer}
	if w.path = s.decode(m, &w.at, &w.at.Document); w.path == "" {
		s.wire.write(message{ID: m.ID, Error: &failure{invalidParams, "the document is no *.hcl file"}})
		return
	}
	f := s.folder(w.path)
	if f.now == nil {
		f.stale = true
	}
	s.understand(ctx)
	switch {
	case f.now == nil:
		s.wire.write(message{ID: m.ID, Error: &failure{internalError, "the program failed on this fabric"}})
	case f.now.texts[w.path] == nil:
		s.wire.write(message{ID: m.ID, Error: &failure{invalidParams, "there is no file " + w.path}})
	case q.needs == needNumbers && !f.planned:
		f.waiting = append(f.waiting, w)
	default:
		s.answer(f, w)
	}
}

func (s *server) answer(f *folder, w waiting) {
	result := w.answer(f.now, w.path, &w.at)
	if failed, is := result.(failure); is {
		s.wire.write(message{ID: w.id, Error: &failed})
		return
	}
	if result == nil {
		result = json.RawMessage("null")
	}
	s.wire.write(message{ID: w.id, Result: result})
}
