package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/typist"
)

// After each of many edits the editor shows what a server shows that has seen no other text.
func TestTyping(t *testing.T) {
	path, text := pod(t)
	c := start(t)
	defer c.stop()
	c.opens(path, text)
	hand := typist.New(rand.New(rand.NewPCG(3, 7)), text)
	for version := 2; version < 22; version++ {
		now := hand.Type()
		c.types(path, version, now)
		got := c.settles(path)
		fresh := start(t)
		fresh.opens(path, now)
		if want := fresh.settles(path); !reflect.DeepEqual(got, want) {
			t.Errorf("edit %d: findings\n%+v\nwant\n%+v\n%s", version, got, want, now)
		}
		if hasErrors(got) {
			hand.Undo()
		}
		fresh.stop()
	}
}

func hasErrors(found []diagnostic) bool {
	return slices.ContainsFunc(found, func(d diagnostic) bool { return d.Severity == 1 })
}

// While the numbers of a text are being computed one can type on: names are answered at once,
// what waits for numbers is told that the text has changed or need not be waited for, and nothing
// is shown of a text that is gone.
func TestTypingWhilePlanned(t *testing.T) {
	path, text := pod(t)
	var out bytes.Buffer
	s := newServer(nil, &out, "")
	s.initialized = true
	about := map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}, "position": position{}}
	say := func(id int, method string, params any) {
		m := message{Method: "textDocument/" + method}
		if id != 0 {
			m.ID = json.RawMessage(strconv.Itoa(id))
		}
		m.Params, _ = json.Marshal(params)
		s.handle(t.Context(), &m)
	}
	say(0, "didOpen", map[string]any{"textDocument": map[string]any{"uri": uriOf(path), "version": 1, "text": text}})
	for version := 2; version <= 4; version++ {
		edits := []any{map[string]any{"text": strings.Replace(text, "weight             = 60", fmt.Sprint("weight = 6", version), 1)}}
		say(0, "didChange", map[string]any{"textDocument": map[string]any{"uri": uriOf(path), "version": version}, "contentChanges": edits})
		say(10+version, "definition", about)
		say(20+version, "hover", about)
		say(30+version, "inlayHint", about)
	}
	s.handle(t.Context(), &message{Method: "$/cancelRequest", Params: json.RawMessage(`{"id":34}`)})
	s.finish(t.Context())
	s.stop()

	var got []string
	for in := (&wire{in: bufio.NewReader(&out)}); ; {
		body, err := in.read()
		if err != nil {
			break
		}
		var m received
		var p publishDiagnostics
		if json.Unmarshal(body, &m) != nil || m.Params != nil && json.Unmarshal(m.Params, &p) != nil {
			t.Fatalf("%s", body)
		}
		switch {
		case m.Error != nil:
			got = append(got, fmt.Sprint(*m.ID, " failed ", m.Error.Code))
		case m.ID != nil:
			got = append(got, fmt.Sprint(*m.ID))
		default:
			got = append(got, fmt.Sprint("findings of ", *p.Version))
		}
	}
	want := []string{"12", "22 failed -32801", "32 failed -32801", "13", "23 failed -32801", "33 failed -32801", "14", "34 failed -32800", "findings of 4", "24"}
	if early := slices.Index(got, "findings of 4"); early >= 0 && slices.Contains(got[early+1:], "findings of 4") {
		got = slices.Delete(got, early, early+1) // planning took so long that those of the text went first
	}
	if !slices.Equal(got, want) {
		t.Errorf("the server said %q, want %q", got, want)
	}
}

// Who is asked to end answers what was asked before.
func TestShutdownAnswers(t *testing.T) {
	path, text := pod(t)
	var in, out strings.Builder
	say := func(m string) { fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(m), m) }
	say(`{"id":1,"method":"initialize"}`)
	say(fmt.Sprintf(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"text":%q}}}`, uriOf(path), text))
	say(fmt.Sprintf(`{"id":2,"method":"textDocument/inlayHint","params":{"textDocument":{"uri":%q}}}`, uriOf(path)))
	say(`{"id":3,"method":"shutdown"}`)
	say(`{"method":"exit"}`)
	if err := Serve(context.Background(), strings.NewReader(in.String()), &out, ""); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"label":"headroom 98 cells (25088B)"`) {
		t.Errorf("the server said\n%s", out.String())
	}
}
