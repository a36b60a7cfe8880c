package repair

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agext/levenshtein"

	"github.com/roceplan/roceplan/diag"
)

var (
	commands   = regexp.MustCompile("`[^`]*`") // of a shell
	inQuotes   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"…]{1,60})"`) })
	longest    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`cables of at most ([0-9.]+)km`) })
	devices    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`take ([0-9]+) switches`) })
	quantities = regexp.MustCompile(`\b[0-9][0-9.]*(?:[A-Za-z/]+|%)?`)
	words      = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.+/-]*[A-Za-z0-9+]`)
	bounds     = regexp.MustCompile(`from ([0-9]+) to ([0-9]+)|outside ([0-9.]+[A-Za-z%]+) to ([0-9.]+[A-Za-z%]+)`)
	between    = regexp.MustCompile(`from ([0-9]) to ([0-9]+)`)
	numbers    = regexp.MustCompile(`[0-9]+`)
	references = regexp.MustCompile(`^[a-z_]+\.[A-Za-z]`)
	choices    = regexp.MustCompile(` is none of ([a-z0-9_, ]+)$`)
	quantity   = regexp.MustCompile(`^"?([0-9]+)([A-Za-zµ/%]*)"?$`)
	unit       = regexp.MustCompile(`^"?([0-9][0-9._]*) ?([A-Za-zµ/]+|%)"?$`)
)

// said returns the values that a finding names, with those that it advises to write first.
func said(d diag.Diagnostic) (values []string) {
	note := func(value string) {
		if !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	advice := commands.ReplaceAllString(d.Fix, "")
	for _, text := range []string{advice, d.Message} {
		for _, m := range inQuotes().FindAllStringSubmatch(text, -1) {
			note(m[1])
		}
		for _, q := range quantities.FindAllString(text, -1) {
			note(q)
		}
	}
	if m := between.FindStringSubmatch(d.Message); m != nil {
		for _, few := range strings.Split("0 1 2 3 4 5 6 7", " ") {
			if m[1] <= few && few <= m[2] && m[2] <= "9" && len(m[2]) == 1 {
				note(few)
			}
		}
	}
	for _, w := range words.FindAllString(advice, 40) {
		note(w)
	}
	if m := choices.FindStringSubmatch(d.Message); m != nil {
		for _, word := range strings.Split(m[1], ", ") {
			note(word)
		}
	}
	return values
}

// written writes a value as another one is written. A number with a unit is in quotes always.
func written(was, value string) string {
	bare := numbers.FindString(value) == value
	switch {
	case strings.HasPrefix(value, `"`):
		return value
	case strings.HasPrefix(was, "[") && bare:
		return "[" + value + "]"
	case bare && !strings.HasPrefix(was, `"`):
		return value
	case unit.MatchString(value) || strings.HasPrefix(was, `"`) || strings.Contains(value, "-"):
		return `"` + value + `"`
	}
	return like(was, value)
}

// sizes are units by what they measure.
func sizes() [][]string {
	return [][]string{{"B", "kB", "MB", "KiB", "MiB", "GB"}, {"Gbps", "Mbps", "Tbps", "kbps"}, {"us", "ms", "ns", "s"}, {"m", "km", "cm", "mm"}, {"%", "ppm"}}
}

// usual are values that most fabrics have. NVIDIA, RoCE configuration of ConnectX and of Cumulus Linux:
// DSCP 26 for RoCE and 48 for CNPs, queue 3 and 6, and frames of 9216 B; IEEE 802.3 for the rates of ports, IEEE 802.1Q
// for eight queues.
func usual() map[string][]string {
	return map[string][]string{
		"dscp":     {"26", "48"},
		"mtu":      {"9216B"},
		"pfc":      {"3"},
		"max_rate": {`"1Gbps"`, `"2Gbps"`, `"4Gbps"`},
		"queue":    {"6", "3", "0", "1", "2", "4", "5", "7"},
		"speed":    {"25Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"},
	}
}

// alike reports whether a value may replace another one: not a length for a time.
func alike(was, value string) bool {
	a, b := unit.FindStringSubmatch(was), unit.FindStringSubmatch(value)
	if a == nil || b == nil {
		return true
	}
	return slices.ContainsFunc(sizes(), func(of []string) bool { return slices.Contains(of, a[2]) && slices.Contains(of, b[2]) }) ||
		!slices.ContainsFunc(sizes(), func(of []string) bool { return slices.Contains(of, a[2]) })
}

// otherUnits are values with the same number in other units: the one that is nearly the present one, those
// of the same kind, and of a bare number those of the kind that the advice has.
func otherUnits(was, advice string) (values []string) {
	m := unit.FindStringSubmatch(was)
	number := strings.Trim(was, `"`)
	for _, alike := range sizes() {
		for _, u := range alike {
			switch {
			case u == "cm" || u == "mm": // cables are not written so
			case m != nil && (slices.Contains(alike, m[2]) || levenshtein.Distance(m[2], u, nil) == 1):
				values = append(values, `"`+m[1]+u+`"`)
			case m != nil && !known(m[2]) && slices.ContainsFunc(alike, func(of string) bool { return strings.Contains(advice, of+`"`) }):
				values = append(values, `"`+m[1]+u+`"`)
			case m == nil && numbers.FindString(number) == number && slices.ContainsFunc(alike, func(of string) bool { return strings.Contains(advice, number+of) }):
				values = append(values, `"`+number+u+`"`)
			}
		}
	}
	return values
}

// known reports whether a unit is one.
func known(unit string) bool {
	return slices.ContainsFunc(sizes(), func(of []string) bool { return slices.Contains(of, unit) })
}

// signs are values with other signs: of ranges, lists and texts.
func signs(was string) (values []string) {
	for _, pair := range [][2]string{{"...", ".."}, {",.", ".."}, {".", ".."}, {"-", ".."}, {":", ".."}, {",", ".."}, {"(", "["}, {")", "]"}} {
		values = append(values, strings.Replace(was, pair[0], pair[1], 1))
		if i := strings.Index(was, "["); i >= 0 { // a name may have such a sign before its range
			values = append(values, was[:i]+strings.Replace(was[i:], pair[0], pair[1], 1))
		}
	}
	for _, pair := range [][2]string{{"(", ")"}, {"{", "}"}} {
		values = append(values, strings.NewReplacer(pair[0], "[", pair[1], "]").Replace(was))
	}
	if strings.Count(was, "[") > strings.Count(was, "]") {
		values = append(values, strings.TrimSuffix(was, `"`)+`]"`, digitsEnd.ReplaceAllString(was, "$1]"))
	}
	values = append(values, bareRange.ReplaceAllString(was, "[$1]"), backwards(was))
	values = append(values, strings.ToLower(was), strings.ReplaceAll(was, " ", ""), undotted.ReplaceAllString(was, "$1."))
	if m := unit.FindStringSubmatch(was); m != nil {
		values = append(values, m[1])
	}
	if inner := strings.Trim(was, `"`); inner != was {
		values = append(values, inner, "["+inner+"]")
	} else if !strings.ContainsAny(was, "[]{}() \n") {
		values = append(values, `"`+was+`"`, "["+was+"]")
	} else if strings.HasPrefix(was, "[") {
		values = append(values, strings.Trim(was, "[]"))
	}
	return values
}

var (
	digitsEnd = regexp.MustCompile(`(\[[0-9]+\.\.[0-9]+(?:/[0-9]+)?)`)
	bareRange = regexp.MustCompile(`\[?([0-9]+\.\.[0-9]+(?:/[0-9]+)?)\]?`)
	undotted  = regexp.MustCompile(`^(nic|switch|local|var)[-_]`)
	ends      = regexp.MustCompile(`[0-9]+\.\.[0-9]+`)
)

// backwards exchanges the ends of ranges that begin above their end.
func backwards(was string) string {
	return ends.ReplaceAllStringFunc(was, func(text string) string {
		first, last, _ := strings.Cut(text, "..")
		from, _ := strconv.Atoi(first)
		to, _ := strconv.Atoi(last)
		if from <= to {
			return text
		}
		return last + ".." + first
	})
}

// digits are values with one number changed: by a digit more or less, or by a step.
func digits(was string) (values []string) {
	if len(was) == 1 && "0" <= was && was <= "9" { // a queue or a priority
		values = append(values, "0", "1", "2", "3", "4", "5", "6", "7")
	}
	for _, at := range numbers.FindAllStringIndex(was, 6) {
		text := was[at[0]:at[1]]
		put := func(number string) { values = append(values, was[:at[0]]+number+was[at[1]:]) }
		n, err := strconv.Atoi(text)
		steps := []int{1, 2, 4, 8} // before a digit less, which leaves out most of a range
		if m := portRange.FindStringSubmatch(was); m != nil && m[3] != "" {
			every, _ := strconv.Atoi(m[3][1:])
			steps = []int{every}
			for _, other := range []string{"1", "2", "4", "8"} {
				values = append(values, strings.Replace(was, m[3]+"]", "/"+other+"]", 1))
			}
		}
		for _, step := range steps {
			if err == nil && n >= step {
				put(strconv.Itoa(n - step))
			}
		}
		put(text + "0")
		for i := range text {
			if len(text) > 1 {
				put(text[:i] + text[i+1:])
			}
			if i > 0 {
				put(text[:i-1] + text[i:i+1] + text[i-1:i] + text[i+1:])
			}
		}
		if err != nil {
			continue
		}
		for _, step := range []int{1, 2, 4, 8} {
			put(strconv.Itoa(n + step))
		}
		put(strconv.Itoa(n / 2))
		put(strconv.Itoa(n * 3 / 4))
		put(strconv.Itoa(n * 2))
	}
	return values
}
