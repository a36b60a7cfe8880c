package posjson

import (
	"bytes"
	"unicode/utf8"
)

// NewFile returns a text other than JSON from which a caller makes nodes: places in it are reported as
// those of JSON.
func NewFile(name string, src []byte) *File {
	f := &File{Name: name, lines: []int32{0}}
	at := int32(0)
	for line := range bytes.Lines(src) {
		for i := 0; i < len(line); {
			_, size := utf8.DecodeRune(line[i:])
			if i += size; size > 1 {
				f.widen(at+int32(i), int32(size-1))
			}
		}
		if at += int32(len(line)); line[len(line)-1] == '\n' {
			f.lines = append(f.lines, at)
		}
	}
	return f
}
