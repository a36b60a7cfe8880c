package adopt

import "bytes"

// lines counts those of the text, and of what it refers to.
func (s *sketch) lines() int {
	return bytes.Count(s.text(), []byte("\n")) + bytes.Count(s.table, []byte("\n"))
}

// givenLines counts the lines of headroom that runs, in groups of ports and in the table.
func (s *sketch) givenLines() (n int) {
	if !s.running {
		return 0
	}
	for _, b := range s.blocks {
		for _, g := range b.groups {
			if s.rooms && g.headroom > 0 {
				n++
			}
		}
	}
	if s.table != nil {
		n += bytes.Count(s.table, []byte("\n")) - 1 // a comment
	}
	return n
}

// pinnedLines counts the lines that pin something.
func (s *sketch) pinnedLines() (n int) {
	for _, b := range s.blocks {
		for _, p := range s.pins[b.shapes[0]][ofSwitch] {
			if s.plain(p) != "" {
				n++
			}
		}
		for _, l := range s.layers(b) {
			n += len(linesOf(l.pins))
		}
	}
	return n
}
