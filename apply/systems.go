package apply

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/observe/live"
)

// A system is how devices of an operating system are told. Messages of one list are sent one after
// another, up to the first that the device refuses.
type system struct {
	scheme string // of the address
	open   func(context.Context, *live.Address) (link, error)
	pull   message // the answer is the running configuration
	send   func(c *change) []message
	drop   func(c *change) []message // after a refusal in the midst of send; nil: nothing is left behind
	// confirm makes a change stay that would else be taken back; nil: it stays anyway.
	confirm func(c *change) []message
	save    []message // lets what runs be what the next start begins with
	// back takes back what was sent and is not confirmed; nil: the change in the other direction is
	// sent instead.
	back func(c *change) []message
	// waits asks whether a change still has to be confirmed; yes does. Nil: to confirm twice does no
	// harm.
	waits *message
	yes   func(c *change, answer string) bool
}

// systems are those that apply knows, by the names of targets.
var systems = map[string]system{
	"sonic": {
		scheme: live.SSH, open: openShell(nil),
		pull: message{command: "sudo -n sonic-cfggen -d --print-data"},
		send: func(c *change) []message { return []message{{"sudo -n sh -s", sonicScript(c)}} },
		// What is not saved is gone after a restart (SONiC, Command Reference: config save).
		save: []message{{command: "sudo -n config save -y"}},
	},
}

// Systems are the names of the targets that are known.
func Systems() []string { return slices.Sorted(maps.Keys(systems)) }

// sonicScript writes the files of package patch into a new folder on the switch and runs their
// script, which takes the steps back if one fails. Two scripts do not run at a time, and one does
// nothing where the configuration is not the one that it was made for: what runs when a connection
// is lost may go on alone.
func sonicScript(c *change) string {
	var out strings.Builder
	fmt.Fprintf(&out, `set -u
umask 077
d=$(mktemp -d) || exit 7
trap 'rm -rf "$d"' EXIT
exec 9>>"${ROCEPLAN_RUN:-/run}/roceplan.lock"
flock -w 600 9 || { echo "another change of roceplan runs on the switch" >&2; exit 8; }
[ "$(sonic-cfggen -d --print-data | sha256sum)" = "%x  -" ] || { echo "the configuration has changed since it was read" >&2; exit 9; }
mkdir -p "$d/load/undo" "$d/undo"
`, sha256.Sum256(c.Running))
	for _, f := range c.Files {
		fmt.Fprintf(&out, "cat >\"$d/%s\" <<'end-of-%s'\n%send-of-%[2]s\n", f.Path, c.ID, f.Text)
	}
	out.WriteString("cd \"$d\" && sh ./apply.sh </dev/null\n")
	return out.String()
}
