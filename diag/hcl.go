package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// FromHCL turns the findings of the HCL library into ours. They all carry the code
// [Syntax]: HCL gives its own findings no code.
//
// HCL's detail begins with what was found; where a sentence follows, it says what to do, unless
// [advice] does.
func FromHCL(from hcl.Diagnostics) List {
	var list List
	for _, d := range from {
		detail := strings.Join(strings.Fields(d.Detail), " ")
		reason, rest, _ := strings.Cut(detail, ". ")
		if own, ok := advice[d.Summary]; ok && !strings.HasPrefix(rest, "To set an argument") {
			rest = own
		}
		found := Diagnostic{Code: Syntax, Message: phrase(d.Summary), Fix: phrase(rest)}
		if reason != "" {
			found.Message += ": " + phrase(reason)
		}
		if d.Severity == hcl.DiagWarning {
			found.Severity = Warning
		}
		if d.Subject != nil {
			found.Subject = *d.Subject
		}
		list = append(list, found)
	}
	return list
}

// advice is the change to make, by HCL's summary, where HCL itself says nothing of use. Of a name without an equals
// sign it does.
var advice = map[string]string{
	"Argument or block definition required": "write NAME = VALUE, or a block such as switch \"leaf-1\" { … }; verify and import read what devices print",
	"Invalid expression":                    "write a value: a text in quotes, a number, true, false, or a list in [ ]",
	"Invalid argument name":                 "write the name without quotes",
	"Missing newline after argument":        "begin a new line behind the value",
	"Unclosed configuration block":          "add the closing }, or remove a { too many below",
	"Variables not allowed":                 "write the value itself",
}

// phrase returns a sentence of HCL's as ours are written: without a capital, and without the full stop,
// which the renderer sets where it is wanted.
func phrase(s string) string {
	s = strings.TrimSuffix(strings.TrimSpace(s), ".")
	first, width := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[width:]); s == "" || unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(first)) + s[width:]
}
