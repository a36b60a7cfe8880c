package patch

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/stable"
)

// releasesFile holds, by release, what the generic config updater lets change while a
// switch runs. It is made from sonic-utilities generic_config_updater/
// gcu_field_operation_validators.conf.json by a test with -update, and compressed.
//
//go:embed releases.bin
var releasesFile string

// An updater is the generic config updater of one release.
type updater struct {
	// ASICs are the HwSKUs by which it knows a chip.
	ASICs  map[string][]string `json:"asics"`
	Tables map[string]guarded  `json:"tables"`
}

// A guarded table takes only what one of its rules allows.
type guarded struct {
	Match match  `json:"match"`
	Rules []rule `json:"rules"`
}

// match says how the field of an operation is compared with that of a rule.
type match string

const (
	whole match = "path" // the path below the table, without parts that hold a digit
	last  match = "field"
	rows  match = "rows" // like last; and whole rows come and go freely
)

type rule struct {
	Fields     []string `json:"fields"`
	Operations []string `json:"operations"`
	ASICs      []string `json:"asics"`
}

// updaters reads the data.
func updaters() map[string]updater {
	var all map[string]updater
	if err := json.Unmarshal([]byte(packed.Text(releasesFile)), &all); err != nil {
		panic(err)
	}
	return all
}

// Releases returns the releases of SONiC whose updater is known, ascending.
func Releases() []string { return slices.Sorted(maps.Keys(updaters())) }

// releaseOf returns the release that a running configuration says by its schema's version,
// "version_202505_01"; empty where it says none that is known.
func releaseOf(db DB) string {
	known := Releases()
	for _, part := range strings.Split(db.text("VERSIONS", "DATABASE", "VERSION"), "_") {
		if slices.Contains(known, part) {
			return part
		}
	}
	return ""
}

// asic returns the chip by the updater's names; empty where it does not know the HwSKU.
// NVIDIA's names must be equal, Broadcom's occur in the HwSKU (field_operation_validators.py,
// get_asic_name).
func (u updater) asic(hwsku string) string {
	hwsku = strings.ToLower(hwsku)
	for _, name := range slices.Sorted(maps.Keys(u.ASICs)) {
		for _, known := range u.ASICs[name] {
			known = strings.ToLower(known)
			if known == hwsku || !strings.HasPrefix(name, "spc") && strings.Contains(hwsku, known) {
				return name
			}
		}
	}
	return ""
}

// refuses reports whether the updater refuses an operation on a chip.
func (u updater) refuses(op Operation, asic string) bool {
	parts := strings.Split(strings.TrimPrefix(op.Path, "/"), "/")
	if op.Op == "remove" && (op.Path == pointer(schema.TablePFCWatchdog, schema.GlobalWatchdog) ||
		op.Path == pointer(schema.TablePFCWatchdog, schema.GlobalWatchdog, poll)) {
		return true // gu_common.py, validate_field_operation
	}
	g, ok := u.Tables[parts[0]]
	switch {
	case !ok:
		return false
	case g.Match == rows && len(parts) <= 2:
		return false
	case asic == "":
		return true
	}
	return slices.ContainsFunc(touched(op, parts[1:], g.Match), func(field string) bool { return !g.allows(field, op.Op, asic) })
}

// allows reports whether the first rule that names the field has operation and chip.
func (g guarded) allows(field, op, asic string) bool {
	for _, r := range g.Rules {
		if slices.Contains(r.Fields, field) {
			return slices.Contains(r.Operations, op) && slices.Contains(r.ASICs, asic)
		}
	}
	return false
}

// touched returns the fields of an operation as rules name them. The keys of a value are not
// put in lower case, unlike its path, so that no rule knows POLL_INTERVAL.
func touched(op Operation, below []string, by match) (fields []string) {
	if by == whole {
		below = stable.Delete(slices.Clone(below), func(part string) bool { return strings.ContainsFunc(part, unicode.IsDigit) })
	}
	path := strings.ToLower(strings.Join(below, "/"))
	for _, key := range keys(op.Value) {
		fields = append(fields, strings.TrimPrefix(path+"/"+key, "/"))
	}
	if fields == nil {
		fields = []string{path}
	}
	if by != whole {
		for i, f := range fields {
			fields[i] = f[strings.LastIndexByte(f, '/')+1:]
		}
	}
	return fields
}

// keys returns the keys of an operation's value where it is a row or a table.
func keys(value any) []string {
	switch v := value.(type) {
	case Row:
		return slices.Sorted(maps.Keys(v))
	case Table:
		return slices.Sorted(maps.Keys(v))
	}
	return nil
}

// A judge is the updater of a release on one switch.
type judge struct {
	release, asic string
	byChip        bool // the switch has no HwSKU
	updater
}

// judgesOf returns the updaters by which a release is judged: its own where it is known, else
// the known ones before and after it, and all where it is empty. A switch without a HwSKU
// counts as one that they know by its chip.
func judgesOf(release, hwsku, chip string) (judges []judge) {
	all := updaters()
	known := slices.Sorted(maps.Keys(all))
	first, exact := slices.BinarySearch(known, release)
	switch {
	case release == "":
	case exact:
		known = known[first : first+1]
	default:
		known = known[max(first-1, 0):min(first+1, len(known))]
	}
	for _, r := range known {
		j := judge{release: r, asic: all[r].asic(hwsku), updater: all[r]}
		if hwsku == "" && len(j.ASICs[asicOf(chip)]) > 0 {
			j.asic, j.byChip = asicOf(chip), true
		}
		judges = append(judges, j)
	}
	return judges
}

// asicOf returns the updater's name of a chip.
func asicOf(chip string) string {
	chip, _, _ = strings.Cut(strings.TrimRight(chip, "+"), "-")
	if chip == "jericho2c" {
		return "j2c+"
	}
	return strings.NewReplacer("tomahawk", "th", "trident", "td", "spectrum", "spc", "qumran", "q", "plus", "").Replace(chip)
}

// refusals counts, by table, the operations that it refuses of steps or of their undo. An operation
// that it refuses both ways counts once.
func (j *judge) refusals(steps []Step) map[string]int {
	refused := map[string]int{}
	for _, step := range steps {
		on, back := j.count(step.Operations), j.count(step.Undo)
		for table := range owned {
			name := owned[table].table
			if n := max(on[name], back[name]); n > 0 {
				refused[name] += n
			}
		}
	}
	return refused
}

func (j *judge) count(ops []Operation) map[string]int {
	refused := map[string]int{}
	for _, op := range ops {
		if j.refuses(op, j.asic) {
			refused[keysOf(op.Path)[0]]++
		}
	}
	return refused
}

// Refusals counts, by table, the operations that the updater of a release refuses on a
// HwSKU; of a release that is not known, what those before and after it refuse.
func Refusals(release, hwsku string, ops []Operation) map[string]int {
	refused := map[string]int{}
	for _, j := range judgesOf(release, hwsku, "") {
		for table, n := range j.count(ops) {
			refused[table] = max(refused[table], n)
		}
	}
	return refused
}

// counted prints counts by table: "4 on BUFFER_POOL, 1 on PFC_WD".
func counted(refused map[string]int) (all int, text string) {
	var counts []string
	for _, table := range slices.Sorted(maps.Keys(refused)) {
		counts = append(counts, fmt.Sprintf("%d on %s", refused[table], table))
		all += refused[table]
	}
	return all, strings.Join(counts, ", ")
}
