package lsp

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/policy"
)

// complete offers what may be at a place: values behind a "=", else attributes and blocks.
func (s *server) complete(a *analysis, path string, p *at) any {
	text := a.texts[path]
	at := offset(text, p.Position)
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	block := blockCalled(a.around(path, at))
	if block == nil {
		return []completion{}
	}
	if name, _, valued := strings.Cut(string(line), "="); valued {
		if attr := attributeOf(block, strings.TrimSpace(name)); attr != nil {
			return a.values(attr, blockAround(text, at))
		}
		return []completion{}
	}
	return a.members(path, at, block)
}

// around returns the types of the blocks around a place. While one types the file might not parse, so
// braces are counted rather than trusted to the parser: text and comments are skipped by its
// scanner.
func (a *analysis) around(path string, at int) (names []string) {
	tokens, _ := hclsyntax.LexConfig(a.texts[path], path, startOfFile)
	name := ""
	fresh := true // at the beginning of a line
	for _, t := range tokens {
		if t.Range.Start.Byte >= at {
			break
		}
		switch t.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenComment:
			fresh = true
			continue
		case hclsyntax.TokenIdent:
			if fresh {
				name = string(t.Bytes)
			}
		case hclsyntax.TokenEqual:
			name = "" // an object follows, not a block
		case hclsyntax.TokenOBrace:
			names = append(names, name)
			fresh = true
			continue
		case hclsyntax.TokenCBrace:
			names = names[:max(0, len(names)-1)]
		}
		fresh = false
	}
	return names
}

// values returns the words of an enumeration, the blocks that can be named, chips, boards; block is the text around.
func (a *analysis) values(attr *policy.Attribute, block string) []completion {
	out := []completion{}
	for _, word := range attr.Words() {
		out = append(out, completion{Label: word, Kind: kindValue, Detail: attr.Name})
	}
	for _, kind := range refers(attr) {
		for _, d := range a.declared() {
			if d.kind == kind {
				out = append(out, completion{Label: kind + "." + d.name, Kind: kindReference})
			}
		}
	}
	var known []string
	switch attr.Name {
	case "chip":
		known = a.fabric.Catalogue.Names()
	case "model":
		for _, nic := range a.fabric.Catalogue.NICs() {
			known = append(known, nic.Name)
		}
	case "platform", "hwsku", "breakout":
		known = a.boards(attr.Name, block)
	}
	for _, name := range known {
		out = append(out, completion{Label: name, Kind: kindValue, InsertText: `"` + name + `"`})
	}
	return out
}

// members returns the attributes and blocks that the block around may have. Attributes that it has
// already are left out.
func (a *analysis) members(path string, at int, block *policy.Block) []completion {
	var has []string
	if p := a.at(path, at); len(p.blocks) > 0 {
		for name := range p.blocks[len(p.blocks)-1].Body.Attributes {
			has = append(has, name)
		}
	}
	out := []completion{}
	for i := range block.Attributes {
		attr := &block.Attributes[i]
		if slices.Contains(has, attr.Name) {
			continue
		}
		doc := markdown(page(attr))
		out = append(out, completion{Label: attr.Name, Kind: kindProperty, Detail: attr.Kind, Documentation: &doc, InsertText: attr.Name + " = "})
	}
	for _, b := range block.Blocks {
		doc := markdown(b.Doc)
		insert := b.Name + " {"
		if b.Label != "" {
			insert = b.Name + ` "`
		}
		out = append(out, completion{Label: b.Name, Kind: kindClass, Documentation: &doc, InsertText: insert})
	}
	return out
}
