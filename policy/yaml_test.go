package policy

import (
	"strings"
	"testing"

	ctyjson "github.com/zclconf/go-cty/cty/json"
)

func TestYAMLDecode(t *testing.T) {
	for text, want := range map[string]string{
		"leaf: [1, 0x10, 2.5, true, ~]\n":             `{"leaf":[1,16,2.5,true,null]}`,
		"- {a: on, b: yes, c: no}\n- 'x'\n":           `[{"a":"on","b":"yes","c":"no"},"x"]`,
		"base: &b {speed: 100Gbps}\nport: *b\n":       `{"base":{"speed":"100Gbps"},"port":{"speed":"100Gbps"}}`,
		"text: |\n  two\n  lines\nwhen: 2026-01-02\n": `{"text":"two\nlines\n","when":"2026-01-02"}`,
		"": `null`,
		"cable: 15m\nports: \"Ethernet[0..3]\" # all\n": `{"cable":"15m","ports":"Ethernet[0..3]"}`,
	} {
		v, err := decodeYAML(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got, err := ctyjson.Marshal(v, v.Type())
		if err != nil || string(got) != want {
			t.Errorf("%q is %s (%v), want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"a: [1":                         "not YAML",
		"a: 1\na: 2\n":                  `the key "a" occurs twice`,
		"? [a]\n: 1\n":                  "a key is a text",
		"a: &a [*a]\n":                  "those that aliases stand for",
		"a: .inf\n":                     "not a number",
		"a: " + strings.Repeat("9", 60): "not a number of at most 40",
		"a: !secret x\n":                "not supported",
	} {
		v, err := decodeYAML(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, %v; want an error with %q", text, v, err, want)
		}
	}
}
