package patch

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// check reports whether the running configuration is one that a patch can bring to the
// plan.
func check(sw *plan.Switch, device string, running *Running) (found diag.List) {
	checkDevice(sw, device, running, &found)
	checkModel(sw, running, &found)
	checkKeys(running, &found)
	for i := range sw.Ports {
		checkPort(&sw.Ports[i], running, &found)
	}
	return found
}

func checkDevice(sw *plan.Switch, device string, running *Running, found *diag.List) {
	for _, is := range []struct{ field, want string }{{"hostname", device}, {"hwsku", sw.HwSKU}, {"platform", sw.Platform}} {
		got := running.DB.text(schema.TableDeviceMetadata, schema.Localhost, is.field)
		if got != "" && is.want != "" && got != is.want {
			found.Warnf(OtherSwitch, running.in(schema.TableDeviceMetadata, schema.Localhost, is.field), "the running switch has the %s %s, not %s", is.field, got, is.want).Fixf("give the configuration of %s, or the files of the switch that runs", is.want)
		}
	}
}

func checkModel(sw *plan.Switch, running *Running, found *diag.List) {
	runs := modelOf(plan.BufferModel(running.DB.text(schema.TableDeviceMetadata, schema.Localhost, "buffer_model")))
	if want := modelOf(sw.BufferModel); runs != want {
		found.Errorf(ModelDiffers, running.in(schema.TableDeviceMetadata, schema.Localhost, "buffer_model"), "the switch runs the %s buffer model, but the fabric has the %s one, which requires a restart of the buffer manager", runs, want).
			Fixf("load the full configuration of roceplan compile with config reload, or set buffer_model = %s in the fabric", runs)
	}
}

// modelOf returns the buffer model of a switch, by default the traditional one.
func modelOf(said plan.BufferModel) plan.BufferModel { return cmp.Or(said, plan.Traditional) }

// checkKeys refuses the forms of old releases in roceplan's tables.
func checkKeys(running *Running, found *diag.List) {
	for _, o := range owned {
		for _, key := range slices.SortedFunc(maps.Keys(running.DB[o.table]), natural.Compare) {
			if port, _, _ := strings.Cut(key, "|"); o.kind != byName && strings.Contains(port, ",") {
				found.Errorf(OldForm, running.in(o.table, key, ""), "the key %s of %s names several ports, as old releases wrote them", key, o.table).
					Fixf("take the file from the switch after its upgrade, which gives each port a row")
			}
		}
	}
	for _, ref := range references {
		for _, key := range slices.SortedFunc(maps.Keys(running.DB[ref.table]), natural.Compare) {
			if text := running.DB.text(ref.table, key, ref.field); strings.HasPrefix(text, "[") {
				found.Errorf(OldForm, running.in(ref.table, key, ref.field), "%s of %s is a reference in brackets, as old releases wrote them", ref.field, key).
					Fixf("take the file from the switch after its upgrade, which rewrites references")
				return // one shows the release
			}
		}
	}
}

func checkPort(p *plan.Port, running *Running, found *diag.List) {
	row, ok := running.DB[schema.TablePort][p.Name]
	if !ok {
		found.Errorf(PortMissing, p.Range, "the running switch has no port %s", p.Name).
			Fixf("break its cage out as the fabric says (config interface breakout), or correct the ports of the group").
			Notef(running.in(schema.TablePort, "", ""), "its ports")
		return
	}
	if speed := units.BitRate(number(row["speed"].Text)) * units.Mbps; speed != p.Speed && p.Speed != 0 {
		found.Errorf(PortDiffers, running.in(schema.TablePort, p.Name, "speed"), "%s runs at %s, but in the fabric at %s, so its headroom would be wrong", p.Name, speed, p.Speed).
			Fixf("set the speed of the port first, or correct the fabric").Notef(p.Range, "the port in the fabric")
	}
	if _, set := row["admin_status"]; !set && p.QoS != nil && p.QoS.PFC != 0 {
		found.Warnf(PortUnset, running.in(schema.TablePort, p.Name, ""), "%s has no admin_status, as after a breakout, so SONiC's buffer manager gives it no headroom", p.Name).
			Fixf("run config interface startup %s before the patch", p.Name)
	}
	lanes := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Lanes), " ", ","), "[]")
	if runs := strings.ReplaceAll(row["lanes"].Text, " ", ""); len(p.Lanes) > 0 && runs != lanes {
		found.Warnf(PortDiffers, running.in(schema.TablePort, p.Name, "lanes"), "%s runs on the lanes %s, but in the fabric on %s; the patch does not change lanes", p.Name, runs, lanes).Fixf("set the lanes of the port in the fabric, or change them by a reload").
			Notef(p.Range, "the port in the fabric")
	}
}

// created are attributes that orchagent passes on only when it creates a pool or a profile
// (sonic-swss orchagent/bufferorch.cpp, processBufferPool and processBufferProfile). The thresholds
// represent their kind.
var created = [...]struct{ table, field string }{
	{schema.TableBufferPool, "type"}, {schema.TableBufferPool, "mode"},
	{schema.TableBufferProfile, "pool"}, {schema.TableBufferProfile, "static_th"},
}

// checkRecreated warns of changes that the switch would not take up.
func checkRecreated(running *Running, to DB) (found diag.List) {
	for _, c := range created {
		for key, row := range to[c.table] {
			was, stays := running.DB[c.table][key]
			if !stays {
				continue
			}
			old, had := was[c.field]
			now, has := row[c.field]
			if had != has || c.field != "static_th" && !old.equal(now) {
				found.Warnf(Recreated, running.in(c.table, key, c.field), "%s of %s changes from %q to %q, which takes effect only when the switch creates the row", c.field, key, old.Text, now.Text).
					Fixf("apply the patch, save, and reload the configuration with config reload")
			}
		}
	}
	return found
}

// checkInterruptions warns of classes that stay lossless and yet are not all the while.
func checkInterruptions(from, to DB, at diag.Range) (found diag.List) {
	for priority, ports := range interruptions(from, to) {
		if ports > 0 {
			found.Warnf(Interrupted, at, "PFC priority %d of %d ports is off during the change, because its priority group moves to another row of BUFFER_PG", priority, ports).
				Fixf("drain the ports before the patch")
		}
	}
	return found
}
