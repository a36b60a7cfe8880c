package openconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// prototext prints a request in the text format of protocol buffers. The library's own
// printer promises no stable bytes, and would put a whole value into one line; here
// each line of the JSON is a string of its own, which the format joins.
func prototext(r *request) []byte {
	var out bytes.Buffer
	out.WriteString("# proto-file: github.com/openconfig/gnmi/proto/gnmi/gnmi.proto\n# proto-message: gnmi.SetRequest\n")
	out.WriteString("prefix { origin: \"openconfig\" }\n")
	for _, p := range r.delete {
		out.WriteString("delete {\n")
		printPath(&out, "  ", p)
		out.WriteString("}\n")
	}
	printUpdates(&out, "replace", r.replace)
	printUpdates(&out, "update", r.update)
	return out.Bytes()
}

func printUpdates(out *bytes.Buffer, field string, updates []change) {
	for _, u := range updates {
		fmt.Fprintf(out, "%s {\n  path {\n", field)
		printPath(out, "    ", u.at)
		out.WriteString("  }\n  val {\n    json_ietf_val:\n")
		printJSON(out, u.value)
		out.WriteString("  }\n}\n")
	}
}

func printPath(out *bytes.Buffer, indent string, p path) {
	for _, e := range p {
		fmt.Fprintf(out, "%selem { name: %s", indent, quoted(e.name))
		if e.key != "" {
			fmt.Fprintf(out, " key { key: %s value: %s }", quoted(e.key), quoted(e.value))
		}
		out.WriteString(" }\n")
	}
}

// printJSON breaks the text where it was joined.
func printJSON(out *bytes.Buffer, text []byte) {
	var lines bytes.Buffer
	if err := json.Indent(&lines, text, "      ", "  "); err != nil {
		panic("openconfig: a value is not JSON: " + err.Error())
	}
	for line := range strings.Lines(lines.String()) {
		content := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(content)]
		if indent == "" {
			indent = "      " // json.Indent leaves the first line where it is
		}
		fmt.Fprintf(out, "%s%s\n", indent, quoted(strings.TrimSuffix(content, "\n")))
	}
}

// quoted writes a string of the text format between single quotes, so that those of
// JSON stay as they are. Text below a blank would end the line or be invisible.
func quoted(s string) string {
	var out strings.Builder
	out.WriteByte('\'')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('\'')
	return out.String()
}
