package typist

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A Mistake is one edit of a line after which a fabric is wrong.
type Mistake struct {
	Kind string
	Text string // of the whole file
	Line int    // that was changed, or before which one was taken out
	Gone bool   // the line was taken out
}

// A slip makes one kind of mistake in lines that match. It returns the line as it was where it can make none.
type slip struct {
	kind string
	in   *regexp.Regexp
	make func(r *rand.Rand, m []string) string // of what in matches
}

// Draw makes a mistake in a text: first its kind is drawn, then its line. A kind without a line in the text
// is drawn again.
func Draw(r *rand.Rand, text string) Mistake {
	lines := strings.Split(text, "\n")
	for {
		s := slipsOf()[r.IntN(len(slipsOf()))]
		var fit []int
		for i, line := range lines {
			if s.in.MatchString(line) {
				fit = append(fit, i)
			}
		}
		if len(fit) == 0 {
			continue
		}
		i := fit[r.IntN(len(fit))]
		at := s.in.FindStringSubmatchIndex(lines[i])
		m := s.in.FindStringSubmatch(lines[i])
		wrong := lines[i][:at[0]] + s.make(r, m) + lines[i][at[1]:]
		if wrong == lines[i] {
			continue
		}
		edited := slices.Clone(lines)
		edited[i] = wrong
		if wrong == gone {
			edited = slices.Delete(edited, i, i+1)
		}
		added := strings.Count(wrong, "\n") // the line that is at fault is the second of two
		return Mistake{s.kind, strings.Join(edited, "\n"), i + 1 + added, wrong == gone}
	}
}

// gone is what a line becomes that is taken out.
const gone = "\x00"

// Kinds are the names of all mistakes.
func Kinds() (names []string) {
	for _, s := range slipsOf() {
		names = append(names, s.kind)
	}
	return names
}

func slipsOf() []slip {
	word := func(kind, in string, edit func(r *rand.Rand, word string) string) slip {
		return slip{kind, regexp.MustCompile(in), func(r *rand.Rand, m []string) string { return m[1] + edit(r, m[2]) + m[3] }}
	}
	instead := func(values ...string) func(*rand.Rand, string) string {
		return func(r *rand.Rand, _ string) string { return values[r.IntN(len(values))] }
	}
	without := func(*rand.Rand, string) string { return "" }
	return []slip{
		word("attribute", `^( +)([a-z_]{4,})( += )`, misspell),
		word("block", `^()(fabric|traffic_class|nic|switch|clos|locals)( )`, misspell),
		word("nested block", `^( +)(port_group|targets|incast)( )`, misspell),
		word("no unit", `^(.* = "[0-9.]+)(m|us|B|Gbps|Mbps)(".*)$`, without),
		word("no unit, no quotes", `^(  .* = )("[0-9]+(?:m|us|B|Gbps)")(.*)$`, func(_ *rand.Rand, w string) string { return strings.Trim(w, `"musBGbp`) }),
		word("unit", `^(.* = "[0-9.]+)(m|us|B|Gbps|Mbps)(".*)$`, func(_ *rand.Rand, w string) string { return w + "x" }),
		word("quote", `^(.* = "[^"]*)(")()$`, without),
		word("brace", `^()( *\})()$`, func(*rand.Rand, string) string { return gone }),
		word("opening brace", `^(.*[a-z"] )(\{)()$`, without),
		word("bracket", `^(.* = \[[0-9, ]*)(\])(.*)$`, without),
		word("equals", `^( +[a-z_]+ +)(= )(.*)$`, without),
		word("colon", `^( +[a-z_]+ *)(=)( .*)$`, instead(":")),
		word("reference", `^(.*(?:nic|switch|local|var)\.)([a-z0-9_-]{3,})()$`, misspell),
		word("chip", `^( +chip +=  *")([a-z0-9-]{6,})(".*)$`, letters),
		word("model", `^( +model +=  *")([a-z0-9-]{4,})(".*)$`, letters),
		word("os", `^( +os +=  *"?)([a-z]+)("?.*)$`, misspell),
		word("medium", `^( +medium +=  *"?)([a-z]+)("?.*)$`, instead("fibre-optic", "dak", "copperr", "aco")),
		word("scheduling", `^( +scheduling +=  *"?)(strict)("?.*)$`, misspell),
		word("code point", `^( +dscp +=  *\[)([0-9]+)(\].*)$`, instead("260", "64", "-1")),
		word("queue", `^( +(?:queue|pfc) +=  *)([0-7])(.*)$`, instead("8", "30", "-1")),
		word("weight", `^( +weight +=  *)([0-9]+)(.*)$`, instead("0", "800", "101")),
		word("same code point", `^( +dscp +=  *\[)(26)(\].*)$`, instead("48")),
		word("same queue", `^( +queue +=  *)(3)(.*)$`, instead("6", "0")),
		word("ports", `^( +ports +=  *"Ethernet)(\[[0-9]+\.\.[0-9]+)(.*)$`, func(_ *rand.Rand, w string) string { return strings.Replace(w, "..", "-", 1) }),
		word("ports overlap", `^( +ports +=  *"Ethernet\[)([1-9][0-9]+)(\.\..*)$`, instead("0", "4")),
		word("mtu", `^( +mtu +=  *")([0-9]+)(B".*)$`, instead("100", "92160", "64")),
		word("frame above mtu", `^( +lossless_frame +=  *")([0-9]+)(B".*)$`, instead("92160", "12000")),
		word("copper too long", `^( +(?:cable|servers_cable|default) +=  *")([1-5]m)(".*)$`, instead("2km", "40km", "3000km")),
		word("fibre too long", `^( +(?:cable|spine_cable) +=  *")([1-9][0-9]+m)(".*)$`, instead("40km", "200km", "30km")),
		word("cable without length", `^( +cable +=  *")([0-9]+m)(".*)$`, instead("0m", "m", "-3m")),
		word("speed", `^( +speed +=  *")([0-9]+Gbps)(".*)$`, instead("30Gbps", "77Gbps", "4Gbps")),
		word("unknown speed", `^( +speed +=  *")([0-9]+)(Gbps".*)$`, instead("0", "50000", "1000000")),
		word("links", `^( +links_per_pair +=  *)([0-9]+)(.*)$`, instead("0", "33", "100")),
		word("wired group", `^( +(?:lower|upper)_ports +=  *")([a-z]+)(".*)$`, misspell),
		word("percent", `^( +throughput +=  *")([0-9]+%)(".*)$`, instead("195%", "0.95", "95")),
		word("congestion control", `^( +congestion_control +=  *"?)(dcqcn)("?.*)$`, misspell),
		word("switch pattern", `^(switch "[a-z]+-\[[0-9]+)(\.\.)([0-9]+\]".*)$`, instead("-", ":", ".")),
		word("label", `^(nic |switch |traffic_class )("[^"]+")( .*)$`, without),
		word("peer in quotes", `^( +peer +=  *)(?:nic|switch)\.([a-z0-9-]+)()$`, func(_ *rand.Rand, w string) string { return `"` + w + `"` }),
		word("peer without its kind", `^( +peer +=  *)(?:nic|switch)\.([a-z]+)()$`, func(_ *rand.Rand, w string) string { return w }),
		word("long name", `^( +)(pfc|queue|weight|speed|cable|peer)( += .*)$`, func(r *rand.Rand, w string) string {
			return w + "_" + []string{"priority", "value", "setting"}[r.IntN(3)]
		}),
		word("share for a number", `^( +weight +=  *)([0-9]+)()$`, func(_ *rand.Rand, w string) string { return `"` + w + `%"` }),
		word("all other code points", `^( +dscp +=  *)("?rest"?)(.*)$`, instead(`"*"`, "default", "any", `"others"`)),
		word("bytes per second", `^( +(?:max_rate|nvlink) +=  *"[0-9.]+[MGT])(bps)(".*)$`, instead("B/s", "Bps")),
		word("names of ports", `^( +ports +=  *")(Ethernet)(.*)$`, instead("eth", "swp", "Eth")),
		word("twice", `^( +)([a-z_]+ += .*)()$`, func(r *rand.Rand, w string) string { return w + "\n  " + w }),
	}
}

// misspell exchanges, drops or doubles a letter inside a word.
func misspell(r *rand.Rand, word string) string {
	i := 1
	if len(word) > 3 {
		i += r.IntN(len(word) - 2)
	}
	switch next := min(i+1, len(word)-1); r.IntN(3) {
	case 0:
		return word[:i] + word[next:next+1] + word[i:i+1] + word[min(next+1, len(word)):]
	case 1:
		return word[:i] + word[i+1:]
	}
	return word[:i] + word[i:i+1] + word[i:]
}

// letters misspells the part of a word before its first digit.
func letters(r *rand.Rand, word string) string {
	i := strings.IndexAny(word, "0123456789")
	if i < 4 {
		return word
	}
	return misspell(r, word[:i]) + word[i:]
}
