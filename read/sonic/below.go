package sonic

import (
	"slices"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// harmBelow says what a field of a table that is neutral as a whole does to packets of data
// all the same.
func harmBelow(table, field string, value *posjson.Node) string {
	switch {
	case field == "mpls" && value.Text != "disable" && slices.Contains([]string{"INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE"}, table):
		return read.Labelled
	case field == "mtu" && (table == "VLAN" || table == "VLAN_SUB_INTERFACE") && read.DropsRoCE(value.Text, 0):
		return "larger packets are dropped where they are routed"
	}
	return ""
}

// accountBelow adds the fields that harm to a table that is neutral as a whole.
func (r *reader) accountBelow(l *read.Ledger, table *posjson.Member) {
	for row := range table.Value.All() {
		for f := range row.Value.All() {
			if why := harmBelow(table.Key, f.Key, &f.Value); why != "" {
				l.Statements = append(l.Statements, read.Statement{At: r.doc.KeyAt(f), Text: excerpt(row.Key + " " + f.Key + ": " + f.Value.Text), Why: why})
			}
		}
	}
}
