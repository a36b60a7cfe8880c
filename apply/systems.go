package apply

import (
	"context"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/observe/live"
)

// A system describes how devices of an operating system are configured. Messages of one list are
// sent one after another, up to the first that the device refuses.
type system struct {
	scheme string // of the address
	open   func(context.Context, *live.Address) (link, error)
	pull   message // the answer is the running configuration
	send   func(c *change) []message
	drop   func(c *change) []message // after a refusal within send; nil: nothing is left behind
	// confirm makes a change stay that the device would take back otherwise; nil: it stays anyway.
	confirm func(c *change) []message
	save    func(c *change) []message // makes what runs the configuration of the next start
	// back takes back what was sent and is not confirmed; nil: the change in the other direction is
	// sent instead.
	back func(c *change) []message
	// over returns when a change whose connection was lost has ended or can no longer begin; nil: a
	// change ends with its connection, or by its timer.
	over func(id string) message
	// waits asks whether a change still has to be confirmed, and yes reads the answer; nil: a second
	// confirm does no harm.
	waits *message
	yes   func(c *change, answer string) bool
}

// systems are those that apply knows, by the names of targets.
var systems = map[string]*system{
	"sonic": {
		scheme: live.SSH, open: openShell(nil),
		pull: message{command: "sudo -n sonic-cfggen -d --print-data", private: true},
		send: func(c *change) []message { return []message{{command: "sudo -n sh -s", text: sonicScript(c)}} },
		over: scriptOver,
		// An unsaved configuration is gone after a restart (SONiC, Command Reference: config save).
		save: always(message{command: "sudo -n config save -y"}),
	},
	// A session is known by name, commits at once, and is taken back after its timer unless it is
	// committed again (EOS user manual, Configure Session, commit timer). Its states are pending,
	// pendingCommitTimer and completed (show configuration sessions).
	"eos": {
		scheme: live.SSH, open: openShell(regexp.MustCompile(`(?m)^% .*`)),
		pull: message{text: cli("show running-config").text, private: true},
		send: func(c *change) []message {
			return []message{cli("configure session "+c.ID, eosLines(c), "show session-config diffs"), cli("configure session "+c.ID, fmt.Sprintf("commit timer %02d:%02d:00", c.Minutes/60, c.Minutes%60))}
		},
		drop:    eosAbort,
		back:    eosAbort,
		confirm: func(c *change) []message { return []message{cli("configure session " + c.ID + " commit")} },
		save:    always(cli("copy running-config startup-config")),
		waits:   &message{text: cli("show configuration sessions").text},
		yes: func(c *change, answer string) bool {
			return regexp.MustCompile(regexp.QuoteMeta(c.ID) + ` +pendingCommitTimer`).MatchString(answer)
		},
	},
	// NETCONF with the operations of Junos (Juniper, Junos XML Management Protocol Developer Guide:
	// load-configuration, commit-configuration). A commit without a change confirms the last; the
	// timeout is in minutes. A configuration that is loaded and not committed is discarded with the
	// lock.
	"junos": {
		scheme: live.SSH, open: openNetconf,
		pull: message{text: `<get-configuration database="committed" format="set"/>`},
		send: func(c *change) []message {
			return []message{{text: lockCandidate}, {text: junosLoad(c)},
				{text: fmt.Sprintf("<commit-configuration><confirmed/><confirm-timeout>%d</confirm-timeout></commit-configuration>", c.Minutes)}, {text: unlockCandidate}}
		},
		drop: func(*change) []message { return []message{{text: "<discard-changes/>"}, {text: unlockCandidate}} },
		back: func(*change) []message {
			return []message{{text: `<load-configuration rollback="1"/>`}, {text: "<commit-configuration/>"}}
		},
		confirm: func(*change) []message { return []message{{text: "<commit-configuration/>"}} },
		save:    always(),
	},
	// A revision is applied as a whole, and rolled back after its time unless it is confirmed
	// (Cumulus Linux 5.14, NVUE command reference, nv config apply). From 5.9 on it is saved as well.
	"nvue": {
		scheme: live.SSH, open: openShell(nil),
		pull:    message{command: "nv config show -o yaml", private: true},
		send:    func(c *change) []message { return []message{{command: "sh -s", text: nvueScript(c)}} },
		drop:    func(*change) []message { return []message{{command: "nv config detach"}} },
		back:    func(*change) []message { return []message{{command: "nv config apply --confirm-no"}} },
		confirm: func(*change) []message { return []message{{command: "nv config apply --confirm-yes"}} },
		save:    always(message{command: "nv config save"}),
		waits:   &message{command: "nv config apply --confirm-status"}, // the time that is left
		yes:     func(_ *change, answer string) bool { return strings.ContainsAny(answer, "0123456789") },
	},
	"srlinux":    gnmiSystem("/"),
	"openconfig": gnmiSystem("openconfig:/"),
}

// always are messages that do not depend on the change.
func always(all ...message) func(*change) []message { return func(*change) []message { return all } }

const (
	lockCandidate   = "<lock><target><candidate/></target></lock>"
	unlockCandidate = "<unlock><target><candidate/></target></unlock>"
)

// cli are lines for a command line at its first level.
func cli(lines ...string) message {
	return message{text: strings.Join(append([]string{"enable"}, lines...), "\n") + "\n"}
}

func eosAbort(c *change) []message { return []message{cli("configure session " + c.ID + " abort")} }

// eosLines returns the lines of a change within its session. The session gets a name of its own, since
// EOS does not accept a name that was committed.
func eosLines(c *change) string {
	_, lines, _ := strings.Cut(c.file(changeFile), "\nconfigure session ")
	_, lines, _ = strings.Cut(lines, "\n")
	lines, _, _ = strings.Cut(lines, "show session-config diffs")
	return strings.TrimSuffix(lines, "\n")
}

// junosLoad loads the commands without comments.
func junosLoad(c *change) string {
	var out strings.Builder
	for line := range strings.Lines(c.file(changeFile)) {
		if !strings.HasPrefix(line, "#") {
			xml.EscapeText(&out, []byte(line)) // which never fails
		}
	}
	return `<load-configuration action="set" format="text"><configuration-set>` + out.String() + "</configuration-set></load-configuration>"
}

// nvueScript stages a change and applies it, unless something else is staged.
func nvueScript(c *change) string {
	var out strings.Builder
	out.WriteString("set -e\ntest -z \"$(nv config diff)\"\n")
	for line := range strings.Lines(c.file(changeFile)) {
		if strings.HasPrefix(line, "nv set ") || strings.HasPrefix(line, "nv unset ") {
			out.WriteString(line)
		}
	}
	fmt.Fprintf(&out, "nv config apply --confirm %dm -y\n", c.Minutes)
	return out.String()
}

// Systems returns the names of the targets that apply supports.
func Systems() []string { return slices.Sorted(maps.Keys(systems)) }

// scriptOver waits until no script runs, and leaves a mark. A script that begins later finds the mark
// and does nothing. /run is empty after the next start of the device. The wait of
// 600 s is a third of the time that roceplan apply gives the message.
func scriptOver(id string) message {
	return message{command: "sudo -n sh -s", text: fmt.Sprintf(`exec 9>>"${ROCEPLAN_RUN:-/run}/roceplan.lock"
flock -w 600 9 && : >"${ROCEPLAN_RUN:-/run}/%s.over"
`, id)}
}

// sonicScript does nothing where the configuration is not the one that it was made for.
func sonicScript(c *change) string {
	return changeScript(c, fmt.Sprintf(`[ "$(sonic-cfggen -d --print-data | sha256sum)" = "%x  -" ] || { echo "the configuration has changed since it was read" >&2; exit 9; }
`, sha256.Sum256(c.Running)))
}

// changeScript writes the files of a change into a new folder on the device and runs their script, on
// SONiC that of package patch, which takes the steps back if one fails. A script may go on after its
// connection is lost. So two scripts do not run at a time.
func changeScript(c *change, check string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `set -u
umask 077
d=$(mktemp -d) || exit 7
trap 'rm -rf "$d"' EXIT
exec 9>>"${ROCEPLAN_RUN:-/run}/roceplan.lock"
flock -w 600 9 || { echo "another change of roceplan runs on the device" >&2; exit 8; }
[ ! -e "${ROCEPLAN_RUN:-/run}/%s.over" ] || { echo "the change was given up" >&2; exit 9; }
%smkdir -p "$d/load/undo" "$d/undo"
`, c.ID, check)
	for _, f := range c.Files {
		out.WriteString(here(f.Path, f.Text, c.ID))
	}
	out.WriteString("cd \"$d\" && sh ./apply.sh </dev/null\n")
	return out.String()
}

// here writes a text into a file of the folder $d.
func here(path, text, id string) string {
	return fmt.Sprintf("cat >\"$d/%s\" <<'end-of-%s'\n%send-of-%[2]s\n", path, id, text)
}
