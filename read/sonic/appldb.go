package sonic

import (
	"slices"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
)

// applied returns the tables of a switch's APPL_DB that hold the buffers that run, with the tables of ConfigDB
// that they are like (sonic-swss-common common/schema.h). buffermgrd writes them: in the dynamic model they
// have what the switch computed.
func applied() map[string]string {
	return map[string]string{
		"BUFFER_POOL_TABLE": schema.TableBufferPool, "BUFFER_PROFILE_TABLE": schema.TableBufferProfile,
		"BUFFER_PG_TABLE": schema.TableBufferPG, "BUFFER_QUEUE_TABLE": schema.TableBufferQueue,
		"BUFFER_PORT_INGRESS_PROFILE_LIST_TABLE": schema.TableBufferPortIngress, "BUFFER_PORT_EGRESS_PROFILE_LIST_TABLE": schema.TableBufferPortEgress,
		"PORT_TABLE": schema.TablePort,
	}
}

// applDB is a dump of APPL_DB with its tables as ConfigDB has them; nil if the document is none. Other tables of APPL_DB
// are results of other programs, such as routes. Of ports it keeps what buffers depend on: the rest is state.
func applDB(root *posjson.Node) *posjson.Node {
	tables := applied()
	out := &posjson.Node{Kind: posjson.Object, Start: root.Start, End: root.End}
	dump := false
	for _, m := range root.Members {
		name, key, row := strings.Cut(m.Key, ":")
		table, ok := tables[name]
		if !row || !ok {
			continue
		}
		dump = true
		m.Value = hashed(m.Value)
		switch table {
		case schema.TableBufferPG, schema.TableBufferQueue:
			key = strings.ReplaceAll(key, ":", "|")
		case schema.TablePort:
			if m.Value.Get("lanes") == nil { // PortConfigDone and PortInitDone
				continue
			}
			var kept []posjson.Member
			for _, f := range m.Value.Members {
				if slices.Contains([]string{"alias", "index", "lanes", "mtu", "speed"}, f.Key) {
					kept = append(kept, f)
				}
			}
			m.Value.Members = kept
		}
		for i := range m.Value.Members { // releases before 202111 write [BUFFER_PROFILE_TABLE:name]
			if v := &m.Value.Members[i].Value; strings.HasPrefix(v.Text, "[BUFFER_") {
				v.Text = strings.ReplaceAll(v.Text, "_TABLE:", "|")
			}
		}
		m.Key = key
		at := slices.IndexFunc(out.Members, func(t posjson.Member) bool { return t.Key == table })
		if at < 0 {
			at = len(out.Members)
			out.Members = append(out.Members, posjson.Member{Key: table, Start: m.Start, End: m.End, Value: posjson.Node{Kind: posjson.Object, Start: m.Value.Start, End: m.Value.End}})
		}
		of := &out.Members[at].Value
		of.Members = append(of.Members, m)
	}
	if !dump {
		return nil
	}
	return out
}
