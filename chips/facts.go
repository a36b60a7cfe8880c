package chips

import "cmp"

// A FactRow is one datum of a chip as it is shown: everything that is known of it.
type FactRow struct {
	Name       string `json:"name"`           // "cell_size"
	Text       string `json:"text"`           // as catalogue files write the value: "254B", "82MiB"
	Value      any    `json:"value"`          // a number in the base unit, a list of them, a text or a truth
	Unit       string `json:"unit,omitempty"` // base unit: "B", "bps", "ps", "log2" of an alpha
	Confidence string `json:"confidence"`
	Source     string `json:"source"`
	Note       string `json:"note,omitempty"`
}

// Facts returns the known data of the chip in the order of the schema.
func (c *Chip) Facts() []FactRow {
	var rows []FactRow
	for _, d := range schema {
		h := d.hold(c)
		if f := h.known(); f != nil {
			rows = append(rows, FactRow{d.name, cmp.Or(f.written, h.text()), h.number(), d.unit, f.Confidence.String(), f.Source, f.Note})
		}
	}
	return rows
}

// Unknown returns the names of the data that the catalogue does not have for the chip.
func (c *Chip) Unknown() []string {
	var names []string
	for _, d := range schema {
		if d.hold(c).known() == nil {
			names = append(names, d.name)
		}
	}
	return names
}
