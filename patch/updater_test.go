package patch_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/patch"
)

var update = flag.Bool("update", false, "write releases.bin again")

// validators is the updater's own table of what may change.
type validators struct {
	HelperData map[string]map[string]map[string][]string `json:"helper_data"`
	Tables     map[string]struct {
		Validators []string `json:"field_operation_validators"`
		Data       map[string]map[string]struct {
			Fields     []string
			Operations []string
			Platforms  map[string]string
		} `json:"validator_data"`
	}
}

type releaseRules struct {
	ASICs  map[string][]string   `json:"asics"`
	Tables map[string]tableRules `json:"tables"`
}

type tableRules struct {
	Match string          `json:"match"`
	Rules []*scenarioRule `json:"rules"`
}

type scenarioRule struct {
	title      string
	ASICs      []string `json:"asics"`
	Fields     []string `json:"fields"`
	Operations []string `json:"operations"`
}

// matches is how the validating functions compare (field_operation_validators.py).
var matches = map[string]string{
	"rdma_config_update_validator":           "path",
	"wred_profile_config_update_validator":   "field",
	"buffer_profile_config_update_validator": "rows",
}

// rules returns the rules of a release's validators, from their tables of figures.
func rules(t *testing.T, release string) releaseRules {
	out := releaseRules{map[string][]string{}, map[string]tableRules{}}
	for _, row := range oracle.Rows(t, "gcu_chips.csv") {
		if row["release"] == release {
			out.ASICs[row["chip"]] = append([]string{}, strings.Fields(row["hwskus"])...)
		}
	}
	for _, row := range oracle.Rows(t, "gcu_rules.csv") {
		if row["release"] != release || row["table"] == "PORT" {
			continue // PORT's looks at speed and FEC, which no patch of ours changes
		}
		table := out.Tables[row["table"]]
		if table.Match = matches[row["validator"]]; table.Match == "" {
			t.Fatalf("%s is guarded by %s", row["table"], row["validator"])
		}
		table.add(row)
		out.Tables[row["table"]] = table
	}
	for _, table := range out.Tables {
		slices.SortStableFunc(table.Rules, func(a, b *scenarioRule) int { return strings.Compare(a.title, b.title) })
		for _, rule := range table.Rules {
			slices.Sort(rule.ASICs)
		}
	}
	return out
}

// add puts a line of the table where its scenario is.
func (r *tableRules) add(row map[string]string) {
	if row["scenario"] == "" {
		return
	}
	i := slices.IndexFunc(r.Rules, func(rule *scenarioRule) bool { return rule.title == row["scenario"] })
	if i < 0 {
		i = len(r.Rules)
		fields := strings.Fields(row["fields"])
		for j, field := range fields {
			fields[j] = strings.TrimPrefix(field, "-") // a dash is the row as a whole
		}
		r.Rules = append(r.Rules, &scenarioRule{row["scenario"], nil, fields, strings.Fields(row["operations"])})
	}
	// A date is compared with that of builds which name one; empty is never.
	if row["since"] != "" {
		r.Rules[i].ASICs = append(r.Rules[i].ASICs, row["chip"])
	}
}

// distil reads the same from the validators' own file.
func distil(t *testing.T, text []byte) releaseRules {
	var in validators
	must.Do(t, json.Unmarshal(text, &in))
	out := releaseRules{map[string][]string{}, map[string]tableRules{}}
	for _, maker := range in.HelperData["rdma_config_update_validator"] {
		for asic, hwskus := range maker {
			out.ASICs[asic] = hwskus
		}
	}
	for table, v := range in.Tables {
		_, name, _ := strings.Cut(v.Validators[0], "field_operation_validators.")
		if table == "PORT" {
			continue // it looks at speed and FEC, which no patch of ours changes
		}
		said := tableRules{Match: matches[name]}
		if said.Match == "" || len(v.Validators) != 1 {
			t.Fatalf("%s is guarded by %v", table, v.Validators)
		}
		scenarios := v.Data["rdma_config_update_validator"]
		for _, title := range sortedKeys(scenarios) {
			s := scenarios[title]
			var asics []string
			for _, asic := range sortedKeys(s.Platforms) {
				// A date is compared with that of builds which name one; empty is never.
				if s.Platforms[asic] != "" {
					asics = append(asics, asic)
				}
			}
			said.Rules = append(said.Rules, &scenarioRule{title, asics, s.Fields, s.Operations})
		}
		out.Tables[table] = said
	}
	return out
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// releases.bin says what the validators' tables of each release say.
func TestReleasesAreTheUpdaters(t *testing.T) {
	all := map[string]releaseRules{}
	for _, release := range []string{"202405", "202505", "202511", "202605"} {
		all[release] = rules(t, release)
	}
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	must.Do(t, enc.Encode(all))
	if *update {
		file := must.Get(packed.Pack(want.String()))(t)
		must.Do(t, os.WriteFile("releases.bin", file, 0o666))
	}
	got := must.Get(os.ReadFile("releases.bin"))(t)
	must.NoDiffIn(t, cmp.Diff(want.String(), packed.Text(string(got))), "releases.bin (-validators +ours):")
}

// The tables of figures are what the validators' files say.
func TestRulesAreTheValidators(t *testing.T) {
	for _, release := range []string{"202405", "202505", "202511", "202605"} {
		text := must.Get(os.ReadFile(oracle.Data(t, "gcu_validators/conf_"+release+".json")))(t)
		must.NoDiffIn(t, cmp.Diff(distil(t, text), rules(t, release), cmp.AllowUnexported(scenarioRule{})), "%s (-validators +figures):", release)
	}
}

// The release of a running configuration is that of its schema, unless the plan says one.
func TestReleaseOfRunning(t *testing.T) {
	src := full(t, withLanes())
	to := withLanes()
	to.Pools[1].Size.Value++ // no updater from 202511 on changes a pool
	for _, c := range []struct{ schema, said, want string }{
		{"version_202505_01", "", ""},
		{"version_202511_03", "", "that of 202511 refuses"},
		{"version_202511_03", "202505", ""},
		{"version_4_0_5", "202605", "that of 202605 refuses"},
		{"version_4_0_5", "", "their undo: that of 202511 refuses 1: 1 on BUFFER_POOL; that of 202605"},
	} {
		text := `{"VERSIONS":{"DATABASE":{"VERSION":"` + c.schema + `"}},` + strings.TrimPrefix(string(src), "{")
		to.Chip, to.Release = "trident3", c.said
		_, found := patch.Make(to, "tor-1", running(t, []byte(text)), nil)
		said := ""
		for _, d := range found {
			if d.Code == patch.UpdaterRefuses {
				said = d.Message
			}
		}
		if (c.want == "") != (said == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s, fabric %q: %q, want %q", c.schema, c.said, said, c.want)
		}
	}
}
