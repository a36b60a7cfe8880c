package way

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/roceplan/roceplan/model/proof"
)

// MarshalJSON writes what is not empty, by code point.
func (s Sets) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for d, set := range s {
		if set != 0 {
			fmt.Fprintf(&out, `,"%d":%d`, d, set)
		}
	}
	text := append([]byte("{"), bytes.TrimPrefix(out.Bytes(), []byte(","))...)
	return append(text, '}'), nil
}

// UnmarshalJSON reads it.
func (s *Sets) UnmarshalJSON(text []byte) error {
	of := map[string]uint16{}
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	*s = Sets{}
	for key, set := range of {
		d, err := strconv.Atoi(key)
		if err != nil || d < 0 || d > 63 || strconv.Itoa(d) != key {
			return fmt.Errorf("%q is no code point", key)
		}
		s[d] = set
	}
	return nil
}

// Marshal writes the way, stable to the byte.
func (w *Way) Marshal() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(w)
	return out.Bytes(), err
}

// Is reports whether a text is a way, by its schema.
func Is(text []byte) bool {
	var head struct{ Schema string }
	_ = json.Unmarshal(text, &head) // its reader reports another form
	return head.Schema == Schema
}

// Parse reads a way. A field that the form does not have is refused.
func Parse(text []byte) (*Way, error) {
	w := &Way{}
	if err := proof.Decode(text, w); err != nil {
		return nil, fmt.Errorf("this is not the certificate of a way: %w", err)
	}
	if w.Schema != Schema {
		return nil, fmt.Errorf("the schema is %q, this program reads %q", w.Schema, Schema)
	}
	return w, nil
}
