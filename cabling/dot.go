package cabling

import (
	"bytes"
	"strings"
)

// isDOT recognizes the language of Graphviz.
func isDOT(head []byte) bool {
	for _, word := range []string{"graph", "digraph", "strict graph", "strict digraph"} {
		if rest, ok := bytes.CutPrefix(head, []byte(word)); ok && len(rest) > 0 && strings.ContainsRune(" \t\r\n{\"", rune(rest[0])) {
			return true
		}
	}
	return false
}

// readDOT reads edges between ports, "leaf-1":"Ethernet48" -- "spine-1":"Ethernet0", as
// prescriptive topology managers have them (Cumulus PTM's topology.dot). Attributes are skipped except for length and len in metres; edges without ports say nothing of cables.
func readDOT(r *reader, src []byte) {
	s := &dotScanner{src: src, line: 1}
	var edge []End
	var at int
	joined := false // the last token joins two nodes
	for {
		token, quoted := s.next()
		switch {
		case token == "" && !quoted:
			r.dotEdge(edge, at, "")
			return
		case !quoted && (token == "--" || token == "->"):
			joined = true
			continue
		case !quoted && strings.Contains("{};,", token):
			r.dotEdge(edge, at, "")
			edge = nil
		case !quoted && token == "[":
			r.dotEdge(edge, at, s.attributes())
			edge = nil
		case !quoted && token == "=":
			s.next()
			edge = nil
		case !quoted && token == ":":
			port, _ := s.next()
			if len(edge) > 0 {
				edge[len(edge)-1].Port = port
			}
		default:
			if len(edge) == 2 || !joined {
				r.dotEdge(edge, at, "")
				if joined { // a chain goes on from its last node
					edge = edge[1:]
				} else {
					edge = nil
				}
			}
			if len(edge) == 0 {
				at = s.line
			}
			edge = append(edge, End{Device: token})
		}
		joined = false
	}
}

func (r *reader) dotEdge(edge []End, line int, length string) {
	if len(edge) != 2 || edge[0].Port == "" || edge[1].Port == "" {
		return
	}
	r.see(Sighting{A: edge[0], B: edge[1], Cable: metres(strings.TrimSuffix(length, "m")), At: r.line(line, 1)})
}

// A dotScanner splits DOT into identifiers and marks.
type dotScanner struct {
	src  []byte
	at   int
	line int
}

// next returns one token, and whether it was in quotes. It is empty at the end.
func (s *dotScanner) next() (token string, quoted bool) {
	s.skip()
	if s.at >= len(s.src) {
		return "", false
	}
	from := s.at
	switch c := s.src[s.at]; {
	case c == '"':
		return s.quoted(), true
	case bytes.HasPrefix(s.src[s.at:], []byte("--")), bytes.HasPrefix(s.src[s.at:], []byte("->")):
		s.at += 2
	case strings.IndexByte("{}[];,=:", c) >= 0:
		s.at++
	default:
		for s.at < len(s.src) && strings.IndexByte("{}[];,=: \t\r\n\"", s.src[s.at]) < 0 && !bytes.HasPrefix(s.src[s.at:], []byte("--")) && !bytes.HasPrefix(s.src[s.at:], []byte("->")) {
			s.at++
		}
	}
	return string(s.src[from:s.at]), false
}

func (s *dotScanner) quoted() string {
	var b strings.Builder
	for s.at++; s.at < len(s.src) && s.src[s.at] != '"'; s.at++ {
		if s.src[s.at] == '\\' && s.at+1 < len(s.src) {
			s.at++
		}
		if s.src[s.at] == '\n' {
			s.line++
		}
		b.WriteByte(s.src[s.at])
	}
	s.at++
	return b.String()
}

// skip skips blanks and comments.
func (s *dotScanner) skip() {
	for s.at < len(s.src) {
		rest := s.src[s.at:]
		switch {
		case rest[0] == '\n':
			s.line++
			s.at++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			s.at++
		case rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")):
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				s.at += n
			} else {
				s.at = len(s.src)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			remark, after, _ := bytes.Cut(rest[2:], []byte("*/")) // "/*/" opens one alone
			s.line += bytes.Count(remark, []byte("\n"))
			s.at = len(s.src) - len(after)
		default:
			return
		}
	}
}

// attributes reads up to the closing bracket and returns the length in them.
func (s *dotScanner) attributes() (length string) {
	name := ""
	for {
		token, quoted := s.next()
		switch {
		case token == "" && !quoted, token == "]" && !quoted:
			return length
		case token == "=" && !quoted:
			value, _ := s.next()
			if name == "length" || name == "len" {
				length = value
			}
		default:
			name = token
		}
	}
}
