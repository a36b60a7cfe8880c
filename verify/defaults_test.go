package verify_test

import (
	"encoding/json"

	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	eosrow "github.com/roceplan/roceplan/format/eos"
	junosrow "github.com/roceplan/roceplan/format/junos"
	nvuerow "github.com/roceplan/roceplan/format/nvue"
	ocrow "github.com/roceplan/roceplan/format/openconfig"
	sonicrow "github.com/roceplan/roceplan/format/sonic"
	srlinuxrow "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/verify"
)

// A listedDefault is a row of docs/defaults.md.
type listedDefault struct {
	system, left string
	place        string // in the file, of a system with modes
	statements   []string
}

var (
	code   = regexp.MustCompile("`([^`]+)`")
	number = regexp.MustCompile(`\d+`)
)

// listedDefaults reads the page: a heading with the title of a system, and rows.
func listedDefaults(page string) (all []listedDefault) {
	system := ""
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			system = strings.TrimSpace(title)
		}
		if len(cells) != 5 || cells[1] == " left out " || strings.HasPrefix(cells[1], "---") {
			continue
		}
		row := listedDefault{system: system, left: strings.TrimSpace(cells[1])}
		row.place, _, _ = strings.Cut(strings.TrimSpace(cells[2]), "`")
		row.place = strings.TrimSuffix(strings.TrimSpace(row.place), ":")
		for _, m := range code.FindAllStringSubmatch(cells[2], -1) {
			row.statements = append(row.statements, m[1])
		}
		all = append(all, row)
	}
	return all
}

// said puts statements into a file: at the marker of a place, at its end, or at a path of JSON.
func (d listedDefault) said(t *testing.T, file string, statements []string) []byte {
	if strings.HasPrefix(file, "{") {
		var doc map[string]any
		must.Do(t, json.Unmarshal([]byte(file), &doc))
		for _, s := range statements {
			path, value, _ := strings.Cut(s, ": ")
			steps, at := strings.Split(path, "/"), doc
			for _, step := range steps[:len(steps)-1] {
				if at[step] == nil {
					at[step] = map[string]any{}
				}
				at = at[step].(map[string]any)
			}
			at[steps[len(steps)-1]] = strings.Trim(value, `"`)
		}
		return must.Get(json.Marshal(doc))(t)
	}
	text := ""
	for _, s := range statements {
		if !strings.Contains(s, "0..63") {
			text += s + "\n"
			continue
		}
		for n := range 64 {
			text += strings.NewReplacer("0..63", strconv.Itoa(n), "0..7", strconv.Itoa(n/8)).Replace(s) + "\n"
		}
	}
	mark := regexp.MustCompile("(?m)^( *)@" + d.place + "\n").FindStringSubmatch(file)
	switch {
	case mark == nil:
		file += text
	case text != "":
		text = mark[1] + strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n"+mark[1]), mark[1])
		text = regexp.MustCompile(`(?m)^ +(set|priority level|bandwidth)`).ReplaceAllString(text, mark[1]+"  $1")
		file = strings.Replace(file, mark[0], text, 1)
		if d.place == "out" {
			file = strings.Replace(file, "@system", "service-policy type queuing output OUT", 1)
		}
	}
	return []byte(regexp.MustCompile(`(?m)^ *@.*\n`).ReplaceAllString(file, ""))
}

// otherwise returns the statements with another value.
func (d listedDefault) otherwise() []string {
	changed := append([]string(nil), d.statements...)
	for i, s := range changed {
		for _, pair := range [][2]string{{"traditional", "dynamic"}, {"trust dscp", "trust cos"}, {"priority strict", "no priority"}, {"no priority-flow-control", "priority-flow-control"},
			{"priority-flow-control pause watchdog", "no priority-flow-control pause watchdog"}, {"mode lossless", "mode lossless-single-ipool"}, {"action drop", "action forward"}, {"alpha_1", "alpha_2"}, {"alpha_8", "alpha_4"}, {" receive off", " receive on"},
			{" no-loss pfc-priority 3", ""}} {
			if strings.Contains(s, pair[0]) {
				changed[i] = strings.Replace(s, pair[0], pair[1], 1)
				return changed
			}
		}
		at := number.FindAllStringIndex(s, -1)
		if len(at) == 0 {
			continue
		}
		last := at[len(at)-1]
		n, _ := strconv.Atoi(s[last[0]:last[1]])
		next := n - 1
		if n <= 1 {
			next = n + 1
		}
		changed[i] = s[:last[0]] + strconv.Itoa(next) + s[last[1]:]
	}
	return changed
}

// equal compares what two files say, whatever the places and reasons.
func equal(a, b *plan.Switch) string {
	return cmp.Diff(a, b, cmp.Exporter(func(reflect.Type) bool { return true }),
		cmp.Comparer(func(a, b *plan.Why) bool { return true }), cmp.Comparer(func(a, b diag.Range) bool { return true }))
}

// Each default of docs/defaults.md is that of the reader: a file that leaves the statement out is read as one that has
// it, and not as one that has another value.
func TestListedDefaults(t *testing.T) {
	page := string(must.Get(os.ReadFile("../docs/defaults.md"))(t))
	files := map[string]string{}
	for _, f := range must.Get(txtar.ParseFile("testdata/defaults.txtar"))(t).Files {
		files[f.Name] = string(f.Data)
	}
	formats := map[string]read.Format{}
	for _, f := range verify.Formats() {
		formats[f.Name] = f
	}
	names := map[string]string{"SONiC": "sonic", "Arista EOS": "eos", "Cisco NX-OS": "nxos", "Cumulus Linux": "nvue", "Junos": "junos", "Nokia SR Linux": "srlinux", "OpenConfig": "openconfig"}
	rows := listedDefaults(page)
	for _, d := range rows {
		t.Run(d.system+"/"+d.left, func(t *testing.T) {
			f := formats[names[d.system]]
			sw := func(statements []string, refused bool) *plan.Switch {
				text := d.said(t, files[f.Name], statements)
				r := f.Read("a", text, read.Options{})
				for _, found := range r.Found {
					if found.Severity == diag.Error && !refused {
						t.Errorf("%s\n%s", found.Message, text)
					}
				}
				for i := range r.Switch.Ports {
					if port := &r.Switch.Ports[i]; port.MTU == 0 && port.Routed {
						port.MTU = f.Frame // as where it is judged
					}
				}
				if f.Complete != nil {
					must.Get(f.Complete(r.Switch, "tomahawk5"))(t)
				}
				for _, s := range r.Ledger.Unmodelled() {
					r.Switch.Names = append(r.Switch.Names, s.Why)
				}
				return r.Switch
			}
			without := sw(nil, false)
			must.Equalf(t, equal(without, sw(d.statements, false)), "", "not the same with %q:", d.statements)
			if other := d.otherwise(); equal(without, sw(other, true)) == "" {
				t.Errorf("%q says nothing else", other)
			}
		})
	}
	if len(rows) < 50 {
		t.Errorf("%d rows", len(rows))
	}
	for _, f := range formats {
		for _, unknown := range []string{f.Defaults, f.Computed, f.OwnHeadroom, f.OwnQueue, f.Silent} {
			if !strings.Contains(page, unknown) {
				t.Errorf("the page does not have what is not known of %s: %s", f.Title, unknown)
			}
		}
	}
	for _, f := range formats {
		if f.Silent == "" && f.Shows == "" {
			t.Errorf("nothing says where the box of %s is named", f.Title)
		}
	}
	for name, of := range map[string]format.Rows{"SONiC": sonicrow.Rows, "Arista EOS": eosrow.Rows, "Cumulus Linux": nvuerow.Rows, "Junos": junosrow.Rows, "Nokia SR Linux": srlinuxrow.Rows, "OpenConfig": ocrow.Rows} {
		_, section, _ := strings.Cut(page, "## "+name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, r := range of {
			if r.Absent != 0 && !strings.Contains(section, r.Name()[strings.LastIndexByte(r.Name(), ' ')+1:]) {
				t.Errorf("the page has no row of %s of %s, which has a default", r.Path, name)
			}
		}
	}
}
