// Package sonic reads the ConfigDB of a SONiC switch, config_db.json, as a
// [plan.Switch]: what roceplan wrote, what people wrote, a whole file or an overlay of
// a few tables, in the traditional or the dynamic buffer model, also with the
// bracketed references of old releases.
//
// Every value knows its place in the file. A value that is not in the file stays zero: a missing PG
// is missing in the plan, it is not a default. Structure that no YANG model checks is checked here.
package sonic

import (
	"cmp"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// readFile reads a file; name is what ranges call it. The switch is nil only if the text
// is not a JSON object; otherwise it holds everything that could be read, and the list
// says what could not.
//
// ConfigDB has neither the chip nor the other ends of cables nor the names of classes and their
// congestion control. Those fields are empty. A device without a hostname is called by the name of
// its file.
func readFile(name string, src []byte) read.Result {
	r := &reader{
		file: name, tables: make(map[string]*table), kinds: make(map[string]kind), both: make(map[string]bool),
		claims: make(map[*posjson.Node]claim), rewrites: make(map[*row]plan.Rewritten),
	}
	var root *posjson.Node
	r.doc, root = dialect().Parse(name, src, &r.found)
	if root == nil || root.Kind != posjson.Object {
		if root != nil {
			r.found.Errorf(WrongShape, r.doc.At(root), "ConfigDB is an object of tables").Fixf("give the config_db.json of a switch")
		}
		return read.Result{Found: r.found.sorted()}
	}
	running := applDB(root)
	if running != nil {
		root = running
		r.found.Errorf(RunningAlone, diag.Top(name), "a dump of APPL_DB has the buffers that run, but no maps and no PFC").Fixf("give the config_db.json of the device as well, in the same folder")
	} else {
		root = tables(root)
	}
	r.readTables(root)
	r.readSwitch()
	r.readBundles(root)
	r.claimRest(root)
	return read.Result{Switch: r.sw, Ledger: r.account(root), Found: r.found.sorted(), Running: running != nil, RunningAlone: RunningAlone}
}

type reader struct {
	file       string
	doc        *posjson.File
	found      findings
	tables     map[string]*table
	sw         *plan.Switch
	both       map[string]bool // pools that account both sides
	asic       string          // what the switch's chip is called in keys of queues
	others     bool            // rows are for queues to ports of other chips
	profiles   map[string]*profile
	schedulers map[string]plan.Scheduler
	curves     map[string]*plan.ECN
	maps       maps
	rewrites   map[*row]plan.Rewritten // by row of TC_TO_DSCP_MAP
	kinds      map[string]kind         // by what the file says of a port
	claims     map[*posjson.Node]claim
	usersOf    map[[2]string]read.Scope // by table and row; nil until it is needed
}

// readSwitch goes from what others refer to, to what refers.
func (r *reader) readSwitch() {
	r.sw = &plan.Switch{OS: "sonic"}
	r.readMetadata()
	r.readPools()
	r.readMaps()
	r.readTrimming()
	r.readProfiles()
	r.readSchedulers()
	r.readCurves()
	r.readMarking()
	r.readPorts()
	r.readWatchdog()
	r.readPortQoS()
	r.readClasses()
}

func (r *reader) readMetadata() {
	r.sw.Names = []string{r.file}
	w := r.table(schema.TableDeviceMetadata).row(schema.Localhost)
	if w == nil {
		r.sw.BufferModel, r.sw.VOQ = r.guessModel(), r.guessVirtual()
		r.readCalculator()
		return
	}
	// Without buffer_model the traditional manager runs: sonic-swss cfgmgr/buffermgrd.cpp.
	r.sw.BufferModel = plan.Traditional
	r.sw.Range = w.at
	if name, at, ok := r.text(w, "hostname"); ok && name != "" {
		r.sw.Names[0], r.sw.Range = name, at
	}
	r.sw.HwSKU, _, _ = r.text(w, "hwsku")
	r.sw.Platform, _, _ = r.text(w, "platform")
	r.asic = schema.FirstASIC
	if kind := w.fields.Get("switch_type"); kind != nil && kind.Text == schema.SwitchVOQ {
		r.sw.VOQ, kind.Used = true, true
		asic, _, _ := r.text(w, "asic_name")
		r.asic = cmp.Or(asic, r.asic)
	}
	router, _, _ := r.text(w, "type")
	r.sw.Role = schema.Role(router)
	if model, at, ok := r.text(w, "buffer_model"); ok {
		switch m := plan.BufferModel(model); m {
		case plan.Traditional, plan.DynamicModel:
			r.sw.BufferModel, r.sw.BufferModelAt = m, at
		default:
			r.found.Errorf(Word, at, "the buffer model is traditional or dynamic, not %q", posjson.Clip(model)).Fixf("write traditional or dynamic")
		}
	}
	r.readCalculator()
}

// guessVirtual reports whether an overlay, which has no metadata, is for virtual output
// queues: keys of theirs name card and chip.
func (r *reader) guessVirtual() bool {
	for _, name := range []string{schema.TableQueue, schema.TableBufferQueue} {
		for _, w := range r.table(name).rows {
			if strings.Count(w.key, "|") == 3 {
				return true
			}
		}
	}
	return false
}

// guessModel gives the buffer model of an overlay, which has no metadata: only the dynamic
// one has inputs for a calculator.
func (r *reader) guessModel() plan.BufferModel {
	if r.table(schema.TableDefaultLossless).present || r.table(schema.TableLosslessPattern).present {
		return plan.DynamicModel
	}
	return plan.Traditional
}

// readCalculator reads the inputs of the dynamic model; its tables have one row each,
// whose name is free.
func (r *reader) readCalculator() {
	if r.sw.BufferModel != plan.DynamicModel {
		r.neutralTable(schema.TableDefaultLossless, ruleTraditional)
		r.neutralTable(schema.TableLosslessPattern, ruleTraditional)
		return
	}
	c := &plan.Calculator{}
	r.sw.Calculator = c
	for w := range r.table(schema.TableDefaultLossless).all() {
		if d := quantity[units.Alpha](r, w, schema.DefaultAlpha, "default alpha"); d.Why != nil {
			c.DefaultAlpha = d
		}
		if v, at, ok := r.number(w, schema.Oversubscribe); ok {
			c.Oversubscribe = got("oversubscription of the headroom pool", v, at)
		}
	}
	for w := range r.table(schema.TableLosslessPattern).all() {
		if d := quantity[units.Bytes](r, w, schema.PatternMTU, "largest lossless frame"); d.Why != nil {
			c.LosslessFrame = d
		}
		if d := quantity[units.Ratio](r, w, schema.SmallPackets, "share of small packets"); d.Why != nil {
			c.SmallPackets = d
		}
	}
}

// readWatchdog takes the timers of the first port that has any.
func (r *reader) readWatchdog() {
	t := r.table(schema.TablePFCWatchdog)
	if len(t.rows) == 0 {
		return
	}
	var first *row
	wd := &plan.Watchdog{}
	for w := range t.all() {
		if w.key == schema.GlobalWatchdog {
			continue
		}
		r.knownPort(w, w.key)
		this := plan.Watchdog{
			Detection:   quantity[units.Time](r, w, schema.Detection, "detection_time"),
			Restoration: quantity[units.Time](r, w, schema.Restoration, "restoration_time"),
			Action:      r.action(w),
			Range:       w.at,
		}
		if first == nil {
			first, wd = w, &this
		} else if this.Detection.Value != wd.Detection.Value || this.Restoration.Value != wd.Restoration.Value || this.Action != wd.Action {
			r.found.Warnf(WatchdogDiffers, w.at, "the PFC watchdog of %s differs from that of %s; a plan holds one, that of %s", w.key, first.key, first.key).Fixf("give all rows of PFC_WD the same times and the same action").
				Notef(first.at, "the first one")
		}
	}
	if global := t.row(schema.GlobalWatchdog); global != nil {
		wd.Poll = quantity[units.Time](r, global, schema.Poll, "POLL_INTERVAL")
		r.bigRedSwitch(global)
	}
	r.sw.Watchdog = wd
}

// bigRedSwitch finds the watchdog's test of what a storm does: it drops whatever is in
// lossless queues of the ports that it watches, as long as it is on (SONiC
// doc/pfcwd/PFC Watchdog Design; sonic-swss orchagent/pfcwdorch.cpp, setBigRedSwitchMode).
func (r *reader) bigRedSwitch(global *row) {
	mode, at, ok := r.text(global, "BIG_RED_SWITCH")
	switch {
	case !ok || mode == "disable":
		r.neutral(global.fields.Get("BIG_RED_SWITCH"), "watchdog-statistics")
	case mode == "enable":
		r.found.Errorf(BigRedSwitch, at, "BIG_RED_SWITCH drops every packet of the lossless queues that the PFC watchdog watches").
			Fixf("remove the field, or set it to \"disable\"")
	default:
		r.found.Errorf(Word, at, "BIG_RED_SWITCH is enable or disable, not %q", posjson.Clip(mode)).Fixf("write enable or disable")
	}
}

func (r *reader) action(w *row) plan.WatchdogAction {
	action, at, ok := r.text(w, "action")
	if !ok {
		return ""
	}
	switch a := plan.WatchdogAction(action); a {
	case plan.WatchdogDrop, plan.WatchdogForward, plan.WatchdogAlert:
		return a
	}
	r.found.Errorf(Word, at, "the action of the PFC watchdog is drop, forward or alert, not %q", posjson.Clip(action)).Fixf("write drop, forward or alert")
	return ""
}

// sortByName sorts in natural order, as SONiC does.
func sortByName[T any](s []T, name func(*T) string) {
	stable.Sort(s, func(a, b T) int { return natural.Compare(name(&a), name(&b)) })
}
