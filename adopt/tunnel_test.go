package adopt_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/verify"
)

// A pair of switches that send packets back comes back from its files as the fabric says it:
// with the maps called as compile does, and as SONiC's templates do, where the map of hosts is
// the main one.
func TestTunnelComesBack(t *testing.T) {
	archive := must.Get(txtar.ParseFile("../golden/script/dual-tor.txtar"))(t)
	at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "fabric.hcl" })
	c := catalogue(t)
	_, p := plantest.Text(t, c, string(archive.Files[at].Data))
	const compiled = "as compile writes it"
	asTemplates := strings.NewReplacer(
		`"dscp_to_tc_map": "AZURE_2"`, `"dscp_to_tc_map": "AZURE"`, `"dscp_to_tc_map": "AZURE"`, `"dscp_to_tc_map": "AZURE_UPLINK"`,
	)
	for name, edit := range map[string]func(string) string{
		compiled: func(text string) string { return text },
		"as templates call it": func(text string) string {
			text = asTemplates.Replace(text)
			head, rest, _ := strings.Cut(text, `"DSCP_TO_TC_MAP": {`)
			rest = strings.Replace(strings.Replace(rest, `"AZURE": {`, `"AZURE_UPLINK": {`, 1), `"AZURE_2": {`, `"AZURE": {`, 1)
			return head + `"DSCP_TO_TC_MAP": {` + rest
		},
	} {
		var files []verify.File
		for _, sw := range p.Switches {
			written := must.Sound(sonic.Emit(sw))(t)
			for _, device := range sw.Names {
				text := edit(string(written[0].Body.AppendFor(nil, device)))
				files = append(files, verify.Text(device+"/config_db.json", []byte(text)))
			}
		}
		r := adopt.Import(gather(t, files), adopt.Options{Name: "pairs", Catalogue: c, Targets: target.All()})
		for _, want := range []string{
			"sent_back_as = traffic_class.lossless-2", "sent_back_as = traffic_class.lossless-6", "keep_dscp = [33]",
			`tunnel = "MuxTunnel0"`, "sent_back = true",
		} {
			if !strings.Contains(strings.Join(strings.Fields(string(r.HCL)), " "), want) {
				t.Errorf("%s: the fabric does not say %s", name, want)
			}
		}
		must.Equalf(t, strings.Count(string(r.HCL), "sent_back "), 2, "%s: groups of ports say what passes:", name)
		for _, d := range r.Found { // which of the maps is the main one, compile decides
			if name == compiled || strings.Contains(d.Message, "tunnel") {
				t.Errorf("%s: %s: %s", name, d.Code, d.Message)
			}
		}
	}
}
