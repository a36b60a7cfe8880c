// Package emit holds what all emitters share: the form of their output.
//
// An emitter is a function Emit(*plan.Switch) ([]File, diag.List) in a package of its
// own. It runs once per shape of switch; the device's name is left open in the
// output, so that ten thousand switches of one shape cost one rendering.
package emit

import "bytes"

// Mark is the placeholder of the device's name while a file is rendered. It holds a byte that no
// configuration may contain, so it cannot meet a user's text.
const Mark = "\x00name\x00"

// A File is one output of a shape, to be written below a device's folder.
type File struct {
	Path string // slash-separated, below the device's folder: "config_db.json"
	Body Body
}

// A Body is text with the device's name left open in zero or more places.
type Body struct{ parts [][]byte }

// NewBody splits rendered text at each [Mark].
func NewBody(rendered []byte) Body { return Body{bytes.Split(rendered, []byte(Mark))} }

// AppendFor appends the text of the device with the given name to dst.
func (b Body) AppendFor(dst []byte, device string) []byte {
	for i, part := range b.parts {
		if i > 0 {
			dst = append(dst, device...)
		}
		dst = append(dst, part...)
	}
	return dst
}
