package openconfig

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// A list that holds nothing is not printed, whatever the switch lacks.
func TestNoEmptyLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		files, found := Emit(s)
		if found.HasErrors() {
			t.Skip("OpenConfig cannot be told this switch:", found)
		}
		for _, empty := range []string{"[]", "{}"} {
			if text := files[0].Body.AppendFor(nil, "leaf"); bytes.Contains(text, []byte(empty)) && !bytes.Equal(bytes.TrimSpace(text), []byte("{}")) {
				t.Fatalf("%s in\n%s", empty, text)
			}
		}
	})
}
