package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/units"
)

type edit = func(text string) string

func sonicOnly(e edit) map[string]func(string) string {
	return map[string]func(string) string{"sonic": e}
}

// field edits the first field of that name in rows of a ConfigDB table. Emitted files hold
// one field on each line.
func field(table, row, name string, to func(string) string) edit {
	return func(text string) string {
		i := fieldLine(text, table, row, name)
		lines := strings.Split(text, "\n")
		if i < 0 {
			return text
		}
		m := fieldValue.FindStringSubmatch(lines[i])
		lines[i] = m[1] + `"` + to(m[2]) + `"` + m[3]
		return strings.Join(lines, "\n")
	}
}

var fieldValue = regexp.MustCompile(`^( *"[^"]*": )"([^"]*)"(,?)$`)

// fieldLine finds a line: -1 where there is none.
func fieldLine(text, table, row, name string) int {
	inTable, inRow := false, false
	is := regexp.MustCompile(`^` + row + `$`)
	for i, line := range strings.Split(text, "\n") {
		switch indent(line) {
		case 4:
			inTable = strings.HasPrefix(line, `    "`+table+`": {`)
		case 8:
			inRow = inTable && strings.HasSuffix(line, ": {") && is.MatchString(keyOf(line))
		case 12:
			if inRow && keyOf(line) == name {
				return i
			}
		}
	}
	return -1
}

func keyOf(line string) string {
	_, rest, _ := strings.Cut(line, `"`)
	key, _, _ := strings.Cut(rest, `"`)
	return key
}

// dropField takes a line out, and the comma of the one before if it was the last.
func dropField(table, row, name string) edit {
	return func(text string) string {
		i := fieldLine(text, table, row, name)
		if i < 0 {
			return text
		}
		lines := strings.Split(text, "\n")
		if !strings.HasSuffix(lines[i], ",") && strings.HasSuffix(lines[i-1], ",") {
			lines[i-1] = strings.TrimSuffix(lines[i-1], ",")
		}
		return strings.Join(append(lines[:i:i], lines[i+1:]...), "\n")
	}
}

// addField puts a field behind another one, or changes it where it is there.
func addField(table, row, after, name, value string) edit {
	return func(text string) string {
		if fieldLine(text, table, row, name) >= 0 {
			return field(table, row, name, to(value))(text)
		}
		i := fieldLine(text, table, row, after)
		if i < 0 {
			return text
		}
		lines := strings.Split(text, "\n")
		added := `            "` + name + `": "` + value + `"`
		if strings.HasSuffix(lines[i], ",") {
			added += ","
		} else {
			lines[i] += ","
		}
		return strings.Join(append(lines[:i+1:i+1], append([]string{added}, lines[i+1:]...)...), "\n")
	}
}

// dropRow takes the first row that matches out of a table.
func dropRow(table, row string) edit {
	return func(text string) string {
		lines := strings.Split(text, "\n")
		is := regexp.MustCompile(`^` + row + `$`)
		inTable := false
		for i, line := range lines {
			if indent(line) == 4 {
				inTable = strings.HasPrefix(line, `    "`+table+`": {`)
			}
			if !inTable || indent(line) != 8 || !is.MatchString(keyOf(line)) || !strings.HasSuffix(line, "{") {
				continue
			}
			end := i
			for !strings.HasPrefix(lines[end], "        }") {
				end++
			}
			if !strings.HasSuffix(lines[end], ",") {
				lines[i-1] = strings.TrimSuffix(lines[i-1], ",")
			}
			return strings.Join(append(lines[:i:i], lines[end+1:]...), "\n")
		}
		return text
	}
}

// renameRow changes the key of the first row that matches.
func renameRow(table, row string, to func(string) string) edit {
	return func(text string) string {
		lines := strings.Split(text, "\n")
		is := regexp.MustCompile(`^` + row + `$`)
		inTable := false
		for i, line := range lines {
			if indent(line) == 4 {
				inTable = strings.HasPrefix(line, `    "`+table+`": {`)
			}
			if inTable && indent(line) == 8 && strings.HasSuffix(line, "{") && is.MatchString(keyOf(line)) {
				lines[i] = `        "` + to(keyOf(line)) + `": {`
				return strings.Join(lines, "\n")
			}
		}
		return text
	}
}

// addRow puts a row at the beginning of a table.
func addRow(table, key, body string) edit {
	return func(text string) string {
		return strings.Replace(text, "    \""+table+"\": {\n", "    \""+table+"\": {\n        \""+key+"\": {"+body+"},\n", 1)
	}
}

// reline replaces the first line that matches; an empty replacement takes it out.
func reline(pattern, to string) edit {
	is := regexp.MustCompile(`(?m)^` + pattern + `$`)
	return func(text string) string {
		at := is.FindStringSubmatchIndex(text)
		if at == nil {
			return text
		}
		if to == "" {
			return text[:at[0]] + strings.TrimPrefix(text[at[1]:], "\n")
		}
		return text[:at[0]] + string(is.ExpandString(nil, to, text, at)) + text[at[1]:]
	}
}

// halvedAlpha takes the alpha of the first line that matches one step down. The pattern's
// second group is the alpha, written with slash between its parts and after prefix.
func halvedAlpha(pattern, prefix, slash string) edit {
	is := regexp.MustCompile(`(?m)^` + pattern + `$`)
	return func(text string) string {
		m := is.FindStringSubmatch(text)
		if m == nil {
			return text
		}
		alpha, err := units.ParseAlpha(strings.Replace(m[2], slash, "/", 1))
		if err != nil {
			return text
		}
		half := strings.Replace((alpha - 1).String(), "/", slash, 1)
		return strings.Replace(text, m[0], m[1]+" "+prefix+half, 1)
	}
}

// number changes the first number in parentheses of the first line that matches.
func number(pattern string, to func(int64) int64) edit {
	is := regexp.MustCompile(`(?m)^` + pattern + `$`)
	return func(text string) string {
		at := is.FindStringSubmatchIndex(text)
		if at == nil {
			return text
		}
		v, err := strconv.ParseInt(text[at[2]:at[3]], 10, 64)
		if err != nil {
			return text
		}
		return text[:at[2]] + strconv.FormatInt(to(v), 10) + text[at[3]:]
	}
}

// both makes one edit after another.
func both(edits ...edit) edit {
	return func(text string) string {
		for _, e := range edits {
			text = e(text)
		}
		return text
	}
}

func add(n int64) func(int64) int64   { return func(v int64) int64 { return v + n } }
func times(n int64) func(int64) int64 { return func(v int64) int64 { return v * n } }
func over(n int64) func(int64) int64  { return func(v int64) int64 { return v / n } }
func set(n int64) func(int64) int64   { return func(int64) int64 { return n } }

// text lifts an arithmetic edit to fields, which are texts.
func text(of func(int64) int64) func(string) string {
	return func(s string) string {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return s
		}
		return strconv.FormatInt(of(v), 10)
	}
}

func to(s string) func(string) string { return func(string) string { return s } }

// oneCell returns the cell of the file's chip, by the HwSKU or platform that it names, or by the
// words that EOS has on newer chips.
func oneCell(text string) int64 {
	switch {
	case strings.Contains(text, "7060X6"), strings.Contains(text, "uc-tx-queue"):
		return 254
	case strings.Contains(text, "hwsku"):
		return 256
	}
	return 208
}

// perCell makes an edit by whole cells of the file's chip.
func perCell(make func(cell int64) edit) edit {
	return func(text string) string { return make(oneCell(text))(text) }
}

// cellOf returns the cell of a device of the fabric, 0 for a stranger.
func cellOf(w *workshop, device string) units.Bytes {
	if sw := w.planned[device]; sw != nil {
		return sw.Cell
	}
	return 0
}

// swapFields exchanges the values of two fields of a row.
func swapFields(table, row, a, b string) edit {
	return func(text string) string {
		i, j := fieldLine(text, table, row, a), fieldLine(text, table, row, b)
		if i < 0 || j < 0 {
			return text
		}
		lines := strings.Split(text, "\n")
		x, y := fieldValue.FindStringSubmatch(lines[i]), fieldValue.FindStringSubmatch(lines[j])
		lines[i], lines[j] = x[1]+`"`+y[2]+`"`+x[3], y[1]+`"`+x[2]+`"`+y[3]
		return strings.Join(lines, "\n")
	}
}

// rename changes a word everywhere in the text.
func rename(from, to string) edit {
	is := regexp.MustCompile(`\b` + from + `\b`)
	return func(text string) string { return is.ReplaceAllString(text, to) }
}
