package pool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
)

// An orderedObject is a JSON object whose members keep their order and their text, so
// that an answer differs from its question by what was added and nothing else.
type orderedObject []member

type member struct {
	name  string
	value json.RawMessage
}

func (o *orderedObject) UnmarshalJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("this must be a JSON object")
	}
	for dec.More() { // encoding/json hands over whole values, in which names are strings
		name, _ := dec.Token()
		m := member{name: name.(string)}
		_ = dec.Decode(&m.value)
		*o = append(*o, m)
	}
	return nil
}

func (o orderedObject) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), m.value...)
	}
	return append(out, '}'), nil
}

func (o *orderedObject) remove(names ...string) {
	*o = stable.Delete(*o, func(m member) bool { return slices.Contains(names, m.name) })
}

// add appends a member. Its value is one that always can be written.
func (o *orderedObject) add(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	*o = append(*o, member{name, text})
}
