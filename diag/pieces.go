package diag

import (
	"bytes"
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Pieces parse a text of HCL again after small changes. A text is cut before each line that begins
// with a letter, as blocks of the top level do, and a piece that was parsed before only moves. The
// zero Pieces are ready to use, by one goroutine at a time. Neither the texts nor the bodies may be
// changed, and of the bodies only the last may be used.
type Pieces struct {
	name string
	list []*piece
}

// A piece is a part of a text that begins and ends with a line.
type piece struct {
	text []byte
	at   hcl.Pos
	body *hclsyntax.Body // nil: it does not parse alone

	// Places in the piece; nil before it has moved.
	ranges []*Range
	paths  []hcl.Traversal
}

// Parse says what [ParseHCL] would say of a text: its body, or that it does not parse. It is
// unknown where it depends on the whole text.
//
// Lines that parse alone leave nothing open: no bracket, quotation, comment or here document. So what follows them is
// read as if they were not there, and a text is its pieces if all of them parse. If some do not, those from the first
// to the last of them decide together, except where they might leave a comment or a here document open: what follows
// them parses alone and closes no bracket.
func (p *Pieces) Parse(text []byte, name string) (body *hclsyntax.Body, known bool) {
	if len(text) > maxTokens {
		return nil, false // it may have too many
	}
	if p.name != name {
		p.name, p.list = name, nil
	}
	wrong := p.cut(text)
	if len(wrong) == 0 {
		return joined(p.list)
	}
	first, last := wrong[0], wrong[len(wrong)-1]
	from, to := p.list[first].at, len(text)
	if last+1 < len(p.list) {
		to = p.list[last+1].at.Byte
	}
	open := text[from.Byte:to]
	if bytes.Contains(open, []byte("/*")) || bytes.Contains(open, []byte("<<")) {
		return nil, false
	}
	if first == last {
		return nil, true
	}
	whole := parsePiece(open, name, from)
	if whole.body == nil {
		return nil, true
	}
	all := append(append(append([]*piece{}, p.list[:first]...), whole), p.list[last+1:]...)
	return joined(all)
}

// cut cuts a text into pieces and brings them to their places. It returns those that do not parse alone.
func (p *Pieces) cut(text []byte) (wrong []int) {
	parts := partsOf(text)
	same, after := 0, 0
	for same < min(len(parts), len(p.list)) && bytes.Equal(parts[same], p.list[same].text) {
		same++
	}
	rest := min(len(parts), len(p.list)) - same
	for after < rest && bytes.Equal(parts[len(parts)-1-after], p.list[len(p.list)-1-after].text) {
		after++
	}
	now := make([]*piece, 0, len(parts))
	at := hcl.InitialPos
	for i, part := range parts {
		switch behind := len(parts) - i; {
		case i < same:
			now = append(now, p.list[i])
		case behind <= after:
			now = append(now, p.list[len(p.list)-behind])
			now[i].move(at)
		default:
			now = append(now, parsePiece(part, p.name, at))
		}
		if now[i].body == nil {
			wrong = append(wrong, i)
		}
		at.Line += bytes.Count(part, []byte("\n"))
		at.Byte += len(part)
	}
	p.list = now
	return wrong
}

// partsOf cuts a text before each line but the first that begins with a letter.
func partsOf(text []byte) (parts [][]byte) {
	start := 0
	for i := 0; ; {
		next := bytes.IndexByte(text[i:], '\n')
		if next < 0 {
			return append(parts, text[start:])
		}
		if i += next + 1; i < len(text) && (text[i]|0x20) >= 'a' && (text[i]|0x20) <= 'z' {
			parts, start = append(parts, text[start:i]), i
		}
	}
}

func parsePiece(text []byte, name string, at hcl.Pos) *piece {
	p := &piece{text: text, at: at}
	if file, found := parseFrom(text, name, at); !found.HasErrors() {
		p.body, _ = file.Body.(*hclsyntax.Body)
	}
	return p
}

// joined returns the body of all pieces. It is not known where they set an attribute twice.
func joined(list []*piece) (*hclsyntax.Body, bool) {
	last := list[len(list)-1].body
	all := &hclsyntax.Body{Attributes: hclsyntax.Attributes{}, Blocks: hclsyntax.Blocks{}, EndRange: last.EndRange}
	all.SrcRange = hcl.RangeBetween(list[0].body.SrcRange, last.SrcRange)
	for _, p := range list {
		all.Blocks = append(all.Blocks, p.body.Blocks...)
		for name, attr := range p.body.Attributes {
			if all.Attributes[name] != nil {
				return nil, false
			}
			all.Attributes[name] = attr
		}
	}
	return all, true
}

// move brings a piece to where it begins now.
func (p *piece) move(to hcl.Pos) {
	lines, bytes := to.Line-p.at.Line, to.Byte-p.at.Byte
	p.at = to
	if p.body == nil || lines == 0 && bytes == 0 {
		return
	}
	if p.ranges == nil {
		p.collect(reflect.ValueOf(p.body), map[any]bool{})
	}
	moved := func(r *Range) {
		r.Start.Line, r.Start.Byte = r.Start.Line+lines, r.Start.Byte+bytes
		r.End.Line, r.End.Byte = r.End.Line+lines, r.End.Byte+bytes
	}
	for _, r := range p.ranges {
		moved(r)
	}
	for _, path := range p.paths {
		for i, step := range path {
			switch s := step.(type) {
			case hcl.TraverseRoot:
				moved(&s.SrcRange)
				path[i] = s
			case hcl.TraverseAttr:
				moved(&s.SrcRange)
				path[i] = s
			case hcl.TraverseIndex:
				moved(&s.SrcRange)
				path[i] = s
			case hcl.TraverseSplat:
				moved(&s.SrcRange)
				path[i] = s
			}
		}
	}
}

var (
	rangeType = reflect.TypeFor[Range]()
	pathType  = reflect.TypeFor[hcl.Traversal]()
	valueType = reflect.TypeFor[cty.Value]()
)

// collect finds all places below a value, each once.
func (p *piece) collect(v reflect.Value, seen map[any]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Interface()] {
			seen[v.Interface()] = true
			p.collect(v.Elem(), seen)
		}
	case reflect.Interface:
		if !v.IsNil() {
			p.collect(v.Elem(), seen)
		}
	case reflect.Struct:
		if v.Type() == rangeType {
			p.ranges = append(p.ranges, v.Addr().Interface().(*Range))
			return
		}
		for i := range v.NumField() {
			if v.Type() != valueType && v.Type().Field(i).IsExported() {
				p.collect(v.Field(i), seen)
			}
		}
	case reflect.Slice:
		if v.Type() == pathType {
			p.paths = append(p.paths, v.Interface().(hcl.Traversal))
			return
		}
		for i := range v.Len() {
			p.collect(v.Index(i), seen)
		}
	case reflect.Map:
		for _, elem := range v.Seq2() {
			p.collect(elem, seen)
		}
	}
}
