package proof

import (
	"bytes"
	"encoding/json"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// ModelSchema is the version of model.json, documented in MODEL.md.
const ModelSchema = "roceplan/model/1"

// A Model is model.json: the buffer of a switch as the chip will hold it, in cells, and
// what was proved of it. It is for other tools to read.
type Model struct {
	Schema  string      `json:"schema"`
	Switch  string      `json:"switch"`
	Chip    string      `json:"chip"`
	Verdict Verdict     `json:"verdict"`
	Buffer  *mmu.Config `json:"buffer"` // with its ports in the order of Ports
	Ports   []ModelPort `json:"ports"`
	// Obligations are those that do not hold, with what they say; the others are counted, and the
	// conditions of those that have some listed.
	Holding     int      `json:"obligations_holding"`
	Conditional int      `json:"obligations_conditional"`
	Conditions  []string `json:"conditions"`
	Failing     []string `json:"obligations_failing"`
	NotJudged   []string `json:"obligations_not_judged"`
	Assumptions []string `json:"assumptions"`
}

// A ModelPort holds the levels of one port's priority groups and queues.
type ModelPort struct {
	Name   string        `json:"name"`
	Speed  units.BitRate `json:"speed_bps"`
	PGs    []ModelPG     `json:"lossless_pgs"`
	Queues []ModelQueue  `json:"queues"`
}

// A ModelPG holds the levels of a lossless priority group that is alone in the buffer.
type ModelPG struct {
	ID       int   `json:"id"`
	PausesAt int64 `json:"pauses_at_cells"` // reserve and threshold
	DropsAt  int64 `json:"drops_at_cells"`  // with its headroom
	Needed   int64 `json:"headroom_needed_cells"`
}

// A ModelQueue holds the levels of a queue that is alone in the buffer, in one slice.
type ModelQueue struct {
	ID      int   `json:"id"`
	DropsAt int64 `json:"drops_at_cells"`
	Kmin    int64 `json:"kmin_cells,omitempty"`
	Kmax    int64 `json:"kmax_cells,omitempty"`
}

// NewModel makes the model of a switch, of every device of its shape alike.
func NewModel(sw *plan.Switch, chip *chips.Chip, report *Report) *Model {
	m := &Model{
		Schema: ModelSchema, Chip: chip.Name, Verdict: report.verdict(), Ports: []ModelPort{},
		Conditions: []string{}, Failing: []string{}, NotJudged: []string{}, Assumptions: []string{},
	}
	for i := range report.Obligations {
		switch o := &report.Obligations[i]; o.Verdict {
		case Holds:
			m.Holding++
		case Conditional:
			m.Conditional++
		case Fails:
			m.Failing = append(m.Failing, o.String())
		case Unjudged:
			m.NotJudged = append(m.NotJudged, o.String())
		}
	}
	for _, c := range report.Conditions() {
		m.Conditions = append(m.Conditions, c.Where+": "+c.Assumes)
	}
	m.Assumptions = append(m.Assumptions, report.Assumptions...)
	if report.Model != nil {
		m.Buffer = report.Model.Config
		m.ports(sw, report)
	}
	return m
}

func (m *Model) ports(sw *plan.Switch, report *Report) {
	p := &prover{sw: sw, ctx: &Context{}, m: report.Model, config: m.Buffer, report: &Report{}, packings: map[units.Bytes]*packing{}}
	rule := m.Buffer.Rules.Admission
	for i := range sw.Ports {
		own, link := &m.Buffer.Ports[i], report.Model.Ports[i].Link
		port := ModelPort{Name: sw.Ports[i].Name, Speed: sw.Ports[i].Speed, PGs: []ModelPG{}, Queues: []ModelQueue{}}
		for id, pg := range own.PGs {
			if pg.Lossless {
				top := int64(pg.ReservedCells) + takes(newBound(pg.Limit, own.Ingress, pg.Pool), rule, int64(m.Buffer.IngressPools[pg.Pool].SharedCells))
				needed := int64(0)
				if link.Rate > 0 && link.Cable > 0 {
					needed = p.need(link)
				}
				port.PGs = append(port.PGs, ModelPG{id, top, top + int64(pg.HeadroomCells), needed})
			}
		}
		for id, queue := range own.Queues {
			if planned := p.queueOf(i, id); planned != nil {
				size := int64(m.Buffer.EgressPools[queue.Pool].SharedCells)
				q := ModelQueue{ID: id, DropsAt: int64(queue.ReservedCells) + takes(newBound(queue.Limit, own.Egress, queue.Pool), rule, size)}
				if planned.ECN != nil {
					q.Kmin, q.Kmax = int64(planned.ECN.KMin.Value.FloorCells(m.Buffer.CellBytes)), int64(planned.ECN.KMax.Value.FloorCells(m.Buffer.CellBytes))
				}
				port.Queues = append(port.Queues, q)
			}
		}
		m.Ports = append(m.Ports, port)
	}
}

// Marshal writes the model under the name of one device, stable to the byte.
func (m *Model) Marshal(name string) ([]byte, error) {
	own := *m
	own.Switch = name
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(&own)
	return out.Bytes(), err
}
