package junos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// Each word and mark of a text with its line, and the columns from which to which it stands. A remark
// is none, wherever it ends; brackets within a pattern in angle brackets are part of it.
func TestWords(t *testing.T) {
	const open = "never closed"
	for text, want := range map[string]string{
		"": "", " \t\r\n": "", "a": "a 1:1-2", "a b": "a 1:1-2, b 1:3-4", "a\tb\r\nc\nd": "a 1:1-2, b 1:3-4, c 2:1-2, d 3:1-2",
		"{};[]": "{ 1:1-2, } 1:2-3, ; 1:3-4, [ 1:4-5, ] 1:5-6", "a{b}c;d[e]f": "a 1:1-2, { 1:2-3, b 1:3-4, } 1:4-5, c 1:5-6, ; 1:6-7, d 1:7-8, [ 1:8-9, e 1:9-10, ] 1:10-11, f 1:11-12",
		"/* x */a": "a 1:8-9", "/**/a": "a 1:5-6", "/*/a*/b": "b 1:7-8", "/* x": " " + open, "/*": " " + open, "a /*\n*/ b": "a 1:1-2, b 2:4-5", "/a": "/a 1:1-3", "/": "/ 1:1-2", "a/*b": "a/*b 1:1-5",
		"# x\na": "a 2:1-2", "# x": "", "#": "", "a #x ; y\n;": "a 1:1-2, ; 2:1-2", "a#b": "a#b 1:1-4",
		"<*[a-z]>;": "<*[a-z]> 1:1-9, ; 1:9-10", "<a>{": "<a> 1:1-4, { 1:4-5", "<a": "<a 1:1-3", "<a b": "<a 1:1-3, b 1:4-5", "<a\"b\"": "<a 1:1-3, b 1:3-6", "<a\tb": "<a 1:1-3, b 1:4-5", "<a\r\nb": "<a 1:1-3, b 2:1-2", "<a}": "<a 1:1-3, } 1:3-4", "a<[b": "a< 1:1-3, [ 1:3-4, b 1:4-5",
		`a"b c"d`: "a 1:1-2, b c 1:2-7, d 1:7-8", `""`: " 1:1-3", `"{" x`: "{ 1:1-4, x 1:5-6", `"a\"b" c`: `a\"b 1:1-7, c 1:8-9`, `"#/*"`: "#/* 1:1-6",
		`"a`: "a 1:1-3 " + open, `"`: " 1:1-2 " + open, `"a\`: `a\ 1:1-4 ` + open, `"a\"`: `a\" 1:1-5 ` + open,
		"é x": "é 1:1-2, x 1:3-4", "a\xffb c": "a?b 1:1-4, c 1:5-6",
	} {
		var found diag.List
		p := &parser{file: "f", src: []byte(text), at: hcl.InitialPos, found: &found}
		var got []string
		for w, ok := p.next(); ok; w, ok = p.next() {
			got = append(got, fmt.Sprintf("%s %d:%d-%d", w.text, w.at.Start.Line, w.at.Start.Column, w.at.End.Column))
		}
		told := strings.Join(got, ", ")
		if len(found) > 0 {
			told += " " + open
		}
		must.Equalf(t, told, want, "%q:\n got", text)
	}
}

// A remark that never ends swallows what follows it. Junos refuses such a text.
func TestARemarkThatNeverEnds(t *testing.T) {
	readtest.Tales(t, Format(), []readtest.Tale{
		{"at the end", "system { host-name a; }\n/* what follows\nclass-of-service { x; }\n", "2:1-3; error[junos-read-syntax] this comment is never closed"},
		{"it opens alone", "system { host-name a; }\n/*/", "2:1; this comment is never closed"},
		{"among commands", "set system host-name a\n/* x\nset class-of-service x\n", "2:1; this comment is never closed"},
		{"closed", "system { host-name a; }\n/* x */", "!never closed"},
	})
}

// A pause that stops two queues is not modelled for either: a plan has one queue for a priority.
func TestAPauseThatStopsTwoQueues(t *testing.T) {
	const before, behind = "class-of-service { congestion-notification-profile x { output { ieee-802.1 { code-point 011 { flow-control-queue ", "; } } } } }\n"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"another one behind", before + "[ 3 6 ]" + behind, "not modelled: the pause stops a second queue, but a plan has only one; touches queues 1001000"},
		{"another one before", before + "[ 6 3 ]" + behind, "not modelled: the pause stops a second queue, but a plan has only one; touches queues 1001000"},
		{"the same twice", before + "[ 3 3 ]" + behind, "!not modelled"},
	})
}
