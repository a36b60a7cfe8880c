package lsp

import (
	"bytes"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/roceplan/roceplan/diag"
)

// pathOf returns the file that a URI names; "" where it is not a file of this machine.
func pathOf(uri string) string { return filepath.FromSlash(slashed(uri, filepath.Separator == '\\')) }

func uriOf(path string) string { return fileURI(filepath.ToSlash(path)) }

// slashed returns the file of a URI with '/' between names. On Windows /c:/x is on drive c, and a host is a share's.
func slashed(uri string, windows bool) string {
	u, err := url.Parse(uri)
	switch {
	case err != nil || u.Scheme != "file":
		return ""
	case windows && u.Host != "" && u.Host != "localhost":
		return "//" + u.Host + u.Path
	case windows && len(u.Path) > 2 && u.Path[2] == ':':
		return u.Path[1:]
	}
	return u.Path
}

// fileURI returns the URI of a file, which may begin with a drive (c:/x) or be on a share (//host/share/x).
func fileURI(path string) string {
	u := url.URL{Scheme: "file", Path: path}
	if share, ok := strings.CutPrefix(path, "//"); ok {
		u.Host, u.Path, _ = strings.Cut(share, "/")
	}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path
	}
	return u.String()
}

// offset returns the byte of a position; positions beyond a line are at its end, as the protocol has it.
func offset(text []byte, p position) int {
	start := 0
	for range p.Line {
		i := bytes.IndexByte(text[start:], '\n')
		if i < 0 {
			return len(text)
		}
		start += i + 1
	}
	at := start
	for units := 0; at < len(text) && text[at] != '\n' && units < p.Character; {
		r, size := utf8.DecodeRune(text[at:])
		units += max(1, utf16.RuneLen(r))
		at += size
	}
	return at
}

// positionOf returns the position of a byte.
func positionOf(text []byte, offset int) position {
	offset = max(0, min(offset, len(text)))
	before := text[:offset]
	line := bytes.Count(before, []byte("\n"))
	units := 0
	for _, r := range string(before[bytes.LastIndexByte(before, '\n')+1:]) {
		units += max(1, utf16.RuneLen(r))
	}
	return position{line, units}
}

// spanOf returns the span of a range in its text.
func spanOf(text []byte, r diag.Range) span {
	return span{positionOf(text, r.Start.Byte), positionOf(text, r.End.Byte)}
}

// splice replaces a range of a text, all of it where the range is nil.
func splice(text []byte, at *span, with string) []byte {
	if at == nil {
		return []byte(with)
	}
	start, end := offset(text, at.Start), offset(text, at.End)
	if end < start {
		start, end = end, start
	}
	var out strings.Builder
	out.Write(text[:start])
	out.WriteString(with)
	out.Write(text[end:])
	return []byte(out.String())
}
