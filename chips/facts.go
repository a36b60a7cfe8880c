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
func (c *Chip) Facts() []FactRow { return factsOf(chipRows(c)) }

// Unknown returns the names of the data that the catalogue does not have for the chip.
func (c *Chip) Unknown() []string { return unknownOf(chipRows(c)) }

func factsOf(all []*dataRow) []FactRow {
	var rows []FactRow
	for _, row := range all {
		if f := row.holder.known(); f != nil {
			rows = append(rows, FactRow{row.name, cmp.Or(f.written, row.holder.text()), row.holder.number(), row.unit, f.Confidence.String(), f.Source, f.Note})
		}
	}
	return rows
}

func unknownOf(all []*dataRow) (names []string) {
	for _, row := range all {
		if row.holder.known() == nil {
			names = append(names, row.name)
		}
	}
	return names
}
