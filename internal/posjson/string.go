package posjson

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// string reads a string in quotes. Its text is a part of the source where there is
// nothing to decode.
func (s *scanner) string() (string, bool) {
	from := s.at
	escaped, wide := false, false
	for s.at++; s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '"':
			s.at++
			return s.decode(from, escaped, wide)
		case c == '\\':
			escaped = true
			s.at++
		case c < ' ':
			return "", s.fail(s.Invalid, fmt.Sprintf("write it as \\u%04x", c), "a string holds the control character %q, which must be escaped", c)
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	s.at = from
	return "", s.fail(s.Invalid, "close it with a quote, or give the whole file", "the file ends within this string")
}

// decode gives the text of the string that begins at an offset and ends here.
func (s *scanner) decode(from int, escaped, wide bool) (string, bool) {
	quoted := s.src[from:s.at]
	value := quoted[1 : len(quoted)-1]
	if wide {
		s.file.widen(int32(s.at), int32(len(quoted)-columns(quoted)))
		if !utf8.ValidString(value) {
			s.found.Errorf(s.InvalidUTF8, s.file.Between(int32(from), int32(s.at)), "the string is not valid UTF-8").Fixf("save the file as UTF-8")
			value = strings.ToValidUTF8(value, "\uFFFD")
			quoted = `"` + value + `"`
		}
	}
	if !escaped {
		return value, true
	}
	if err := json.Unmarshal([]byte(quoted), &value); err != nil {
		s.found.Errorf(s.Invalid, s.file.Between(int32(from), int32(s.at)), "the string cannot be decoded: %v", err).Fixf("write the character as it is, or as \\uXXXX")
		return "", false
	}
	return value, true
}
