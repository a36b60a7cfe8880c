package posjson

import "bytes"

// A Key is the place of a key of a document, with its quotes.
type Key struct{ At, End int }

// Of returns the key, as it is written in its document.
func (k Key) Of(doc []byte) string { return string(doc[k.At+1 : k.End-1]) }

// TopKeys finds the keys of an object, or of the objects in a list, without
// parsing what is below: a file may have megabytes.
func TopKeys(doc []byte) (keys []Key) {
	depth, top := 0, 1
	if bytes.HasPrefix(bytes.TrimLeft(doc, "\ufeff \t\r\n"), []byte("[")) {
		top = 2
	}
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			from := i
			for i++; i < len(doc) && doc[i] != '"'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
			if depth != top || i >= len(doc) {
				continue
			}
			if rest := bytes.TrimLeft(doc[i+1:min(len(doc), i+65)], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
				keys = append(keys, Key{from, i + 1})
			}
		}
	}
	return keys
}
