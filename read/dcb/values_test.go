package dcb

import (
	"testing"

	"github.com/roceplan/roceplan/internal/posjson"
)

// Numbers are those of priorities, 0 to 7, as JSON has them; switches are true and false, or "on" and "off" of older
// releases.
func TestValues(t *testing.T) {
	for text, want := range map[string]bool{"0": true, "7": true, "8": false, "-1": false, "1.5": false, "x": false, "": false, "99999999999999999999": false} {
		v, ok := upTo7(&posjson.Node{Kind: posjson.Other, Text: text})
		if ok != want || ok && (v != 0) != (text == "7") {
			t.Errorf("%q is %d, %v", text, v, ok)
		}
		if _, ok := upTo7(&posjson.Node{Kind: posjson.Text, Text: text}); ok {
			t.Errorf("the text %q is a number", text)
		}
	}
	for _, c := range []struct {
		kind posjson.Kind
		text string
		on   bool
		ok   bool
	}{
		{posjson.Other, "true", true, true}, {posjson.Other, "false", false, true}, {posjson.Other, "on", false, false}, {posjson.Other, "1", false, false},
		{posjson.Text, "on", true, true}, {posjson.Text, "off", false, true}, {posjson.Text, "true", false, false}, {posjson.Array, "on", true, false},
	} {
		on, ok := onOff(&posjson.Node{Kind: c.kind, Text: c.text})
		if ok != c.ok || ok && on != c.on {
			t.Errorf("%v %q: %v, %v", c.kind, c.text, on, ok)
		}
	}
}

// A value of another kind than the command prints is told, each at its key.
func TestOtherKindsOfValues(t *testing.T) {
	const kind = "dcb prints another kind of value here"
	for text, want := range map[string]int{
		`{"delay": 5}`: 0, `{"delay": "x"}`: 1, `{"willing": true}`: 0, `{"willing": 1}`: 1, `{"delay": "x", "willing": 1}`: 2,
	} {
		_, found := Read("f", []byte(text))
		n := 0
		for _, d := range found {
			if d.Code == Shape && d.Message == kind {
				n++
			}
		}
		if n != want || len(found) != want {
			t.Errorf("%s: %v", text, found)
		}
	}
}
