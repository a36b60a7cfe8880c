package sonic

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func (r *reader) readSchedulers() {
	t := r.table(schema.TableScheduler)
	r.schedulers = make(map[string]plan.Scheduler, len(t.rows))
	for w := range t.all() {
		s := plan.Scheduler{Range: w.at}
		kind, at, hasKind := r.text(w, "type")
		switch {
		case kind == schema.Strict:
			s.Strict = true
		case kind == "WRR":
			r.found.Warnf(NotModelled, at, "WRR counts packets; it is read as DWRR, which counts bytes")
		case !hasKind && w.fields.Get("weight") != nil:
			r.found.Warnf(NotModelled, w.at, "a scheduler with a weight and no type counts packets, as WRR; it is read as DWRR, which counts bytes").Fixf("add the field type")
		case hasKind && kind != schema.DWRR:
			r.found.Errorf(Word, at, "the type of a scheduler is STRICT, DWRR or WRR, not %q", posjson.Clip(kind)).Fixf("write STRICT, DWRR or WRR")
		}
		if weight, at, ok := r.number(w, schema.Weight); ok && !s.Strict {
			s.Weight = got("weight", weight, at)
		} else if !ok && !s.Strict {
			s.Weight = got("weight", schema.Of(schema.Weight).Absent, w.at)
		}
		s.MaxRate = r.maxRate(w, s.Strict)
		r.schedulers[w.key] = s
	}
}

// maxRate reads the shaper. A committed rate is a guarantee; on a strict queue it
// changes nothing below the cap.
func (r *reader) maxRate(w *row, strict bool) plan.Derived[units.BitRate] {
	peak := quantity[units.BitRate](r, w, schema.MaxRate, "cap")
	meter, meterAt, hasMeter := r.text(w, "meter_type")
	switch {
	case !hasMeter:
	case meter == "bytes":
		r.neutral(w.fields.Get("meter_type"), "shaper-burst")
	case meter != "packets":
		r.found.Errorf(Word, meterAt, "meter_type is bytes or packets, not %q", posjson.Clip(meter)).Fixf("write bytes or packets")
	default:
		r.found.Warnf(NotModelled, meterAt, "the cap of %s counts packets per second; it is left out", w.key)
		return plan.Derived[units.BitRate]{}
	}
	if committed, at, ok := r.number(w, schema.Guarantee); ok && committed > 1 && !strict {
		r.found.Warnf(NotModelled, at, "%s guarantees %d B/s to its queues in addition to the weight", w.key, committed)
	} else if ok {
		r.neutral(w.fields.Get("cir"), ruleGuarantee)
	}
	if peak.Value == 0 {
		return plan.Derived[units.BitRate]{}
	}
	return peak
}

func (r *reader) readCurves() {
	t := r.table(schema.TableWREDProfile)
	r.curves = make(map[string]*plan.ECN, len(t.rows))
	for i := range t.rows {
		r.readCurve(&t.rows[i])
	}
}

// readCurve reads what green packets meet: nothing in a RoCE fabric colours packets
// otherwise.
func (r *reader) readCurve(w *row) {
	mark, at, ok := r.text(w, "ecn")
	switch mark {
	case "ecn_all", "ecn_green", "ecn_green_yellow", "ecn_green_red":
	case "", "ecn_none", "ecn_yellow", "ecn_red", "ecn_yellow_red":
		if !ok {
			at = w.at
		}
		r.dropCurve(w, at)
		return
	default:
		r.found.Errorf(Word, at, "ecn is ecn_none, ecn_all or ecn_ with colours, not %q", posjson.Clip(mark)).Fixf("write ecn_all to mark, or ecn_none")
		return
	}
	ecn := &plan.ECN{KMin: quantity[units.Bytes](r, w, schema.MarkFrom, "Kmin"), KMax: quantity[units.Bytes](r, w, schema.MarkTo, "Kmax")}
	if enable, at, ok := r.text(w, "wred_green_enable"); !ok || enable != "true" {
		if !ok {
			enable = "missing"
		}
		r.found.Warnf(CurveOff, at, "%s marks by ecn, but wred_green_enable is %s: chips that tie the two mark nothing", w.key, posjson.Clip(enable)).
			Fixf("add \"wred_green_enable\": \"true\"")
	}
	of := schema.Of(schema.Probability)
	if ecn.PMax = quantity[units.Ratio](r, w, schema.Probability, "Pmax"); w.fields.Get(of.Name()) == nil {
		ecn.PMax = got("Pmax", units.Ratio(of.Default()), w.at)
	}
	if ecn.KMin.Why == nil || ecn.KMax.Why == nil {
		r.found.Errorf(CurveIncomplete, w.at, "%s marks, but lacks green_min_threshold or green_max_threshold", w.key).Fixf("add both, in bytes")
	}
	r.colourOrder(w, ecn)
	r.claimColours(w)
	r.curves[w.key] = ecn
}

// dropCurve is a curve that marks no green packets: it drops them, also those of lossless
// queues.
func (r *reader) dropCurve(w *row, at diag.Range) {
	r.claimColours(w)
	off := false
	if n := w.fields.Get("wred_green_enable"); n != nil {
		off = n.Text == "false"
	}
	if of := r.users(w.table, w.key); !off && of.Queues != 0 {
		r.found.Warnf(NotModelled, at, "%s drops early and marks no green packets", w.key)
	}
	for f := range w.fields.All() {
		switch {
		case !strings.HasPrefix(f.Key, "green_") && f.Key != "ecn" && f.Key != "wred_green_enable":
		case off:
			r.neutral(&f.Value, ruleCurveOff)
		default:
			r.unmodelled(&f.Value, r.users(w.table, w.key), "packets are dropped between the thresholds")
		}
	}
}

// colourOrder checks the curve of green packets against those of the other colours, which a
// switch marks as soon or sooner: RFC 2697 and 2698 colour what is above its rate.
func (r *reader) colourOrder(w *row, ecn *plan.ECN) {
	for _, colour := range []string{"yellow", "red"} {
		if w.fields.Get("wred_"+colour+"_enable").Word() != "true" {
			continue
		}
		for _, level := range []struct {
			field string
			green plan.Derived[units.Bytes]
		}{{"_min_threshold", ecn.KMin}, {"_max_threshold", ecn.KMax}} {
			other, err := strconv.ParseInt(strings.TrimSpace(w.fields.Get(colour+level.field).Word()), 10, 64)
			if err == nil && level.green.Why != nil && level.green.Value < units.Bytes(other) {
				r.found.Warnf(ColourOrder, level.green.Why.Range, "%s marks green packets from %v on, and %s ones, which are worth less, from %v on", w.key, level.green.Value, colour, units.Bytes(other)).
					Fixf("check which of the two was meant; packets of RDMA are green")
				return
			}
		}
	}
}

// claimColours skips the curves of other colours than green.
func (r *reader) claimColours(w *row) {
	for f := range w.fields.All() {
		if strings.HasPrefix(f.Key, "yellow_") || strings.HasPrefix(f.Key, "red_") || f.Key == "wred_yellow_enable" || f.Key == "wred_red_enable" {
			r.neutral(&f.Value, ruleOneColour)
		}
	}
}

// sending reads the part of a queue that is in QUEUE.
func (r *reader) sending(w *row, q *plan.Queue) {
	if r.table(schema.TableScheduler).present {
		if s := r.reference(w, "scheduler", schema.TableScheduler); s != nil {
			q.Scheduler = r.schedulers[s.key]
		}
	}
	if r.table(schema.TableWREDProfile).present {
		if c := r.reference(w, "wred_profile", schema.TableWREDProfile); c != nil {
			q.ECN = r.curves[c.key]
		}
	}
}

// lost says of all values of a row that its key, which is wrong, leads them nowhere.
func (r *reader) lost(w *row) {
	for f := range w.fields.All() {
		r.unmodelled(&f.Value, r.scopeOf(w.table, w.key, f.Key), "the key of the row has no ports and indices that a switch accepts")
	}
}

// A portRow is a row whose key names ports and indices: "Ethernet0|3-4".
type portRow struct {
	row         *row
	first, last uint8
	index       string
}

// portRows groups the rows of a table by port. Old releases name several ports in one
// key, and chassis put device and chip before the port.
func (r *reader) portRows(name string, most int64) map[string][]portRow {
	rows := make(map[string][]portRow, len(r.sw.Ports))
	for w := range r.table(name).all() {
		if name == schema.TableBufferPG && strings.Count(w.key, "|") == 3 { // the model has port and group alone, and so has processPriorityGroup of bufferorch.cpp
			r.found.Errorf(VirtualKey, w.at, "the key %q of %s names a card and chip, and a switch refuses it: groups are of the card's own ports, and only queues are of all cards", posjson.Clip(w.key), name).
				Fixf("write PORT|INDEX, such as \"Ethernet0|3-4\", in the file of the card that has the port")
			r.lost(w)
			continue
		}
		if r.remote(w) {
			continue
		}
		if r.sw.VOQ && name != schema.TableBufferPG && strings.Count(w.key, "|") == 1 {
			r.found.Errorf(VirtualKey, w.at, "the key %q of %s names no card and chip, and a switch with virtual output queues refuses it", posjson.Clip(w.key), name).
				Fixf("write %q", r.sw.Names[0]+"|"+r.asic+"|"+posjson.Clip(w.key))
		}
		ports, index, ok := splitKey(w.key)
		if !ok {
			r.found.Errorf(Index, w.at, "the key %q of %s is not a port and an index, such as \"Ethernet0|3-4\"", posjson.Clip(w.key), name).Fixf("write PORT|INDEX, such as \"Ethernet0|3-4\"")
			r.lost(w)
			continue
		}
		first, last, ok := r.indices(index, most, w.at)
		if !ok {
			r.lost(w)
			continue
		}
		for port := range strings.SplitSeq(ports, ",") {
			if port == "CPU" {
				continue // not a port of the fabric
			}
			if r.knownPort(w, port) {
				rows[port] = append(rows[port], portRow{w, uint8(first), uint8(last), index})
			}
		}
	}
	for _, of := range rows {
		r.overlaps(of)
	}
	return rows
}

// remote reports whether a row is for a queue to another line card of a chassis, whose
// keys are host|asic|port|queue (sonic-swss orchagent/qosorch.cpp, bufferorch.cpp).
func (r *reader) remote(w *row) bool {
	host, rest, _ := strings.Cut(w.key, "|")
	own := r.sw.Names[0]
	if strings.Count(rest, "|") != 2 || own == r.file { // a file without a hostname is that of any
		return false
	}
	if asic, _, _ := strings.Cut(rest, "|"); host == own && strings.EqualFold(asic, r.asic) {
		return false
	}
	r.others = true
	for i := range w.fields.Members {
		r.neutral(&w.fields.Members[i].Value, ruleRemote)
	}
	return true
}

func splitKey(key string) (ports, index string, ok bool) {
	cut := strings.LastIndexByte(key, '|')
	if cut <= 0 {
		return "", "", false
	}
	ports, index = key[:cut], key[cut+1:]
	return ports[strings.LastIndexByte(ports, '|')+1:], index, true
}

// overlaps reports indices that two rows of a port claim.
func (r *reader) overlaps(rows []portRow) {
	var owner [16]*row
	for _, w := range rows {
		for i := w.first; i <= w.last; i++ {
			if first := owner[i]; first != nil && first != w.row {
				r.found.Errorf(IndexOverlap, w.row.at, "%s and %s of %s both claim index %d; which one wins is not defined", first.key, w.row.key, w.row.table, i).
					Fixf("give each index to one row").Notef(first.at, "the first one")
				break
			}
			owner[i] = w.row
		}
	}
}

// knownPort reports whether a port exists. A file without PORT may name any.
func (r *reader) knownPort(w *row, port string) bool {
	if !r.table(schema.TablePort).present || r.table(schema.TablePort).row(port) != nil {
		return true
	}
	r.found.Errorf(Reference, w.at, "%s names the port %q, which PORT does not have", w.table, posjson.Clip(port)).Fixf("add %s to PORT, or remove the row", posjson.Clip(port))
	return false
}
