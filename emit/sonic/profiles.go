package sonic

import (
	"fmt"
	"slices"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A profile is a row of BUFFER_PROFILE.
type profile struct {
	pool     string
	size     units.Bytes // reserved
	limit    plan.Limit
	lossless bool // has the three below
	xon      units.Bytes
	offset   units.Bytes
	xoff     units.Bytes
	trims    bool // cuts packets that find no room
	// computed: the switch computes everything but the limit (dynamic buffer model).
	computed bool
}

// profiles names profiles by what they hold: the same content under the same base has
// the same name, and the first content of a base has the name that SONiC's own
// templates give. Another one carries its content in the name.
type profiles struct {
	named map[profileKey]string
	rows  map[string]profile
}

type profileKey struct {
	base    string
	content profile
}

func newProfiles() *profiles {
	return &profiles{make(map[profileKey]string), make(map[string]profile)}
}

func (ps *profiles) name(base string, p profile) string {
	key := profileKey{base, p}
	name, ok := ps.named[key]
	if !ok {
		name = ps.free(base, p)
		ps.named[key] = name
		ps.rows[name] = p
	}
	return name
}

// free finds a name that is unused, or used for the same content. The number at the
// end is for pools whose names were made to collide.
func (ps *profiles) free(base string, p profile) string {
	for i := 0; ; i++ {
		name := base
		switch i {
		case 0:
		case 1:
			name += "_" + p.label()
		case 2:
			name += "_" + p.label() + "_" + p.pool
		default:
			name += fmt.Sprintf("_%s_%d", p.label(), i)
		}
		name += "_profile"
		if other, taken := ps.rows[name]; !taken || other == p {
			return name
		}
	}
}

// label distinguishes the content from others of the same pool: th-3_size1664.
func (p profile) label() string {
	var text string
	if p.limit.Dynamic {
		text = fmt.Sprintf("th%d", p.limit.Alpha)
	} else {
		text = fmt.Sprintf("static%d", p.limit.Static)
	}
	text += fmt.Sprintf("_size%d", p.size)
	if p.lossless {
		text += fmt.Sprintf("_xon%d_offset%d_xoff%d", p.xon, p.offset, p.xoff)
	}
	if p.computed {
		text += "_computed"
	}
	if p.trims {
		text += "_trim"
	}
	return text
}

// write prints BUFFER_PROFILE.
func (ps *profiles) write(w *writer) {
	names := make([]string, 0, len(ps.rows))
	for name := range ps.rows {
		names = append(names, name)
	}
	slices.SortFunc(names, natural.Compare)
	w.startTable(schema.TableBufferProfile)
	for _, name := range names {
		w.startRow(name)
		ps.rows[name].write(w)
	}
}

func (p profile) write(w *writer) {
	if p.limit.Dynamic {
		w.put(schema.ProfileAlpha, int64(p.limit.Alpha))
	}
	if p.computed {
		w.text("headroom_type", "dynamic")
	}
	if p.trims {
		w.text("packet_discard_action", schema.Trimmed)
	}
	w.text("pool", p.pool)
	w.put(schema.ProfileSize, int64(p.size))
	if !p.limit.Dynamic {
		w.put(schema.ProfileStatic, int64(p.limit.Static))
	}
	if p.lossless {
		w.put(schema.ProfileXOff, int64(p.xoff))
		w.put(schema.ProfileXOn, int64(p.xon))
		if p.offset != 0 {
			w.put(schema.ProfileXOnOffset, int64(p.offset))
		}
	}
}
