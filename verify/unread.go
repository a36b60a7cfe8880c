package verify

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/systems"
)

// client is how texts begin that clients of gNMI and JSON-RPC print or send.
var client = regexp.MustCompile(`^\s*[\[{][\s\[{]*"(update|updates|replace|delete|source|jsonrpc|notification)"\s*:`)

// unread says why a file is not read.
func (s *Shape) unread() (found diag.List) {
	head := s.Text[:min(len(s.Text), 64<<10)]
	switch key, isDocument := systems.FirstKey(head); {
	case s.by.foreign():
		found.Errorf(FormatForeign, s.shown(), "this file is of %s, which is not supported", s.by.system.Title).
			Fixf("%s", cmp.Or(s.by.system.Ask, FormatTitles()+" are read"))
	case client.Match(head[:min(len(head), 1<<12)]):
		found.Errorf(FormatUnknown, diag.Top(s.First()), "this is a message of gNMI or JSON-RPC, which is supported only for Nokia SR Linux").
			Fixf("give its values as a separate document, or the configuration as the device prints it")
	case isDocument:
		found.Errorf(FormatUnknown, rangeOf(s.First(), s.Text, key.At, key.End-key.At), "no reader recognizes this document: %q is neither a table of SONiC's ConfigDB nor a module of OpenConfig or Nokia", key.Of(head)).
			Fixf("%s are read", FormatTitles())
	default:
		found.Errorf(FormatUnknown, diag.Top(s.First()), "no reader recognizes this file").Fixf("%s are read", FormatTitles())
	}
	return found
}

// shown returns the place that the file was recognized by.
func (s *Shape) shown() diag.Range { return rangeOf(s.First(), s.Text, s.by.at, len(s.by.shown)) }

// refuseGuess discards the reading where no line is of the format alone and its reader knows less
// than half of them: the file is of an unknown system.
func (s *Shape) refuseGuess() {
	unknown, all := s.Ledger.Count(read.Unmodelled), len(s.Ledger.Statements)
	if s.by.format == nil || s.by.sure || !s.by.format.Alike || 2*unknown <= all {
		return
	}
	s.Result = read.Result{Switch: &plan.Switch{OS: s.Format.Name}}
	s.Found.Errorf(FormatUnknown, s.shown(), "the system of this file is not known: systems other than %s have such a line too, and %d of %s are not known in %s", s.Format.Title, unknown, natural.Count(all, "statement", "statements"), s.Format.Title).
		Fixf("if the file is of %s, give the whole configuration with its first lines", s.Format.Title)
	s.Format = read.Format{}
}

// evidence says by what a file was recognized: "format: EOS, by "! device: a (…)" in line 3".
func (s *Shape) evidence() string {
	if s.by.shown == "" {
		return ""
	}
	const most = 60
	shown := strings.ToValidUTF8(s.by.shown[:min(len(s.by.shown), most)], "?")
	if len(s.by.shown) > most {
		shown += "…"
	}
	title, also := s.Format.Title, ""
	if s.by.system != nil {
		title = s.by.system.Title
	}
	if !s.by.sure {
		also = ", a line that other systems have too"
	}
	return fmt.Sprintf("%s, by %q in line %d%s", cmp.Or(title, "not known"), shown, s.shown().Start.Line, also)
}
