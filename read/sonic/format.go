package sonic

import (
	"bytes"
	"regexp"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// Format returns the ConfigDB of SONiC.
func Format() read.Format {
	return read.Format{
		Name: "sonic", Title: "SONiC", Files: []string{"config_db.json", "overlay.json", "appl_db.json"},
		Shows:     "hwsku and platform in DEVICE_METADATA of the whole config_db.json name the box",
		Recognize: firstTable,
		Device:    device,
		Read:      func(name string, text []byte, _ read.Options) read.Result { return readFile(name, text) },
		Neutral:   neutralRules(),
		Adds:      "a dump of APPL_DB or a config_db.json of the running switch, to which buffermgrd adds the groups that pg_profile_lookup.ini of the HwSKU has for their speed and cable",
	}
}

// tableName is how tables of ConfigDB are called, and rows of them in a dump of Redis.
var tableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*([|:]|$)`)

// firstTable returns the first key of a document that is called like a table. An object without any key
// is an empty ConfigDB.
func firstTable(head []byte) []byte {
	if !bytes.HasPrefix(head, []byte("{")) {
		return nil
	}
	keys := posjson.TopKeys(head)
	for _, k := range keys {
		if tableName.MatchString(k.Of(head)) {
			return head[k.At:k.End]
		}
	}
	if len(keys) == 0 {
		return head[:1]
	}
	return nil
}

// device finds the hostname of DEVICE_METADATA without parsing the file.
func device(text []byte) (name string, at int) {
	key := []byte(`"hostname"`)
	i := bytes.Index(text, key)
	if i < 0 {
		return "", 0
	}
	rest := text[i+len(key) : min(len(text), i+512)]
	before, value, ok := bytes.Cut(rest, []byte(`"`))
	value, _, closed := bytes.Cut(value, []byte(`"`))
	if !ok || !closed || string(bytes.TrimSpace(before)) != ":" {
		return "", 0
	}
	return string(value), i + len(key) + len(before) + 1
}
