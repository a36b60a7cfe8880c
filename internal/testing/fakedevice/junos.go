package fakedevice

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Junos is a switch with Junos Evolved that speaks NETCONF (Junos XML Management Protocol
// Developer Guide: load-configuration, commit-configuration, get-configuration): commands change the
// candidate, which has to be locked; a confirmed commit is taken back after its time unless another
// commit comes; rollback 1 is what was committed before.
type Junos struct {
	store
	candidate string
	locked    bool
	earlier   string // rollback 1
}

// NewJunos is a switch that runs a configuration, of set commands.
func NewJunos(config []byte) *Junos {
	j := &Junos{store: newStore(SetCommands("", string(config)), `(?m)^(set interfaces \S+ mtu )(\d+)$`)}
	j.candidate, j.earlier = j.running, j.running
	return j
}

// Statements whose values are a list, and those that are words without a value (Junos CLI reference).
var (
	junosLists = []string{"code-points", "fill-level", "drop-probability"}
	junosFlags = []string{"pfc", "no-loss", "explicit-congestion-notification", "per-packet", "ipv4", "ipv6", "pfc-watchdog"}
)

// leavesOf splits a command into statements with their values. A line with several options of a
// forwarding class has one statement for each.
func leavesOf(words []string) (all [][2]string) {
	for i := 0; i+1 < len(words); i++ {
		if words[i] != "class" {
			continue
		}
		head := strings.Join(words[:i+2], " ")
		for j := i + 2; j < len(words); j++ {
			if slices.Contains(junosFlags, words[j]) || j+1 == len(words) {
				all = append(all, [2]string{head + " " + words[j], ""})
				continue
			}
			all = append(all, [2]string{head + " " + words[j], words[j+1]})
			j++
		}
		return all
	}
	last := len(words) - 1
	if slices.Contains(junosFlags, words[last]) {
		return [][2]string{{strings.Join(words, " "), ""}}
	}
	return [][2]string{{strings.Join(words[:last], " "), words[last]}}
}

// SetCommands carries out set and delete commands on a configuration of set commands. The result has
// one value in each command.
func SetCommands(config, commands string) string {
	var all [][2]string
	do := func(text string) {
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			switch {
			case len(words) < 2 || strings.HasPrefix(words[0], "#"):
			case words[0] == "delete":
				path := strings.Join(words[1:], " ")
				all = slices.DeleteFunc(all, func(l [2]string) bool {
					return l[0] == path || strings.HasPrefix(l[0], path+" ") || l[0]+" "+l[1] == path
				})
			default:
				for _, leaf := range leavesOf(words[1:]) {
					statement := leaf[0][strings.LastIndexByte(leaf[0], ' ')+1:]
					list := slices.Contains(junosLists, statement)
					at := slices.IndexFunc(all, func(l [2]string) bool { return l[0] == leaf[0] && (!list || l[1] == leaf[1]) })
					if at < 0 {
						all = append(all, leaf)
					} else {
						all[at] = leaf
					}
				}
			}
		}
	}
	do(config)
	do(commands)
	var out strings.Builder
	for _, leaf := range all {
		fmt.Fprintln(&out, strings.TrimSpace("set "+leaf[0]+" "+leaf[1]))
	}
	return out.String()
}

// Subsystem serves NETCONF.
func (j *Junos) Subsystem(subsystem string, stream io.ReadWriter, message func(func() string) (string, bool)) bool {
	const end = "]]>]]>"
	if subsystem != "netconf" {
		return false
	}
	io.WriteString(stream, `<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"><capabilities><capability>urn:ietf:params:netconf:base:1.0</capability></capabilities><session-id>7</session-id></hello>`+end)
	defer func() { // the lock ends with the session, and what was not committed
		j.lock.Lock()
		defer j.lock.Unlock()
		j.locked, j.candidate = false, j.running
	}()
	reader := bufio.NewReader(stream)
	for {
		var text strings.Builder
		for !strings.HasSuffix(text.String(), end) {
			part, err := reader.ReadString('>')
			if text.WriteString(part); err != nil {
				return true
			}
		}
		if strings.Contains(text.String(), "<hello") {
			continue
		}
		answer, goes := message(func() string { return j.rpc(text.String()) })
		if !goes {
			return true
		}
		io.WriteString(stream, `<rpc-reply xmlns="urn:ietf:params:xml:ns:netconf:base:1.0" xmlns:junos="http://xml.juniper.net/junos/23.4R1/junos">`+"\n"+answer+"\n</rpc-reply>\n"+end)
	}
}

// rpc carries out an operation.
func (j *Junos) rpc(text string) string {
	j.lock.Lock()
	defer j.lock.Unlock()
	wrong := func(format string, args ...any) string {
		return "<rpc-error><error-type>application</error-type><error-severity>error</error-severity><error-message>\n" + fmt.Sprintf(format, args...) + "\n</error-message></rpc-error>"
	}
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case has("<get-configuration"):
		var out strings.Builder
		xml.EscapeText(&out, []byte(j.running))
		return `<configuration-information><configuration-set>` + out.String() + `</configuration-set></configuration-information>`
	case has("<lock>"):
		if j.locked || j.candidate != j.running {
			return wrong("configuration database modified")
		}
		j.locked = true
	case has("<unlock>"):
		j.locked = false
	case has("<discard-changes/>"):
		j.candidate = j.running
	case has(`<load-configuration rollback="1"/>`):
		j.candidate = j.earlier
	case has(`<load-configuration action="set" format="text">`):
		if !j.locked {
			return wrong("the candidate is not locked")
		}
		var rpc struct {
			Commands string `xml:"load-configuration>configuration-set"`
		}
		if err := xml.Unmarshal([]byte(strings.TrimSuffix(text, "]]>]]>")), &rpc); err != nil {
			return wrong("%v", err)
		}
		if j.refused() {
			return "<load-configuration-results>" + wrong("syntax error") + "</load-configuration-results>"
		}
		j.candidate = SetCommands(j.candidate, rpc.Commands)
		return "<load-configuration-results><ok/></load-configuration-results>"
	case has("<commit-configuration><confirmed/>"):
		if j.refused() {
			return "<commit-results>" + wrong("configuration check-out failed") + "</commit-results>"
		}
		j.earlier = j.running
		j.try(j.candidate, "commit")
		return `<commit-results><rpc-error><error-severity>warning</error-severity><error-message>commit confirmed will be automatically rolled back</error-message></rpc-error></commit-results><ok/>`
	case has("<commit-configuration/>"):
		if j.candidate != j.running {
			j.earlier = j.running
			j.run(j.candidate)
		}
		j.waiting, j.saved = "", j.running
	default:
		return wrong("syntax error: %s", text)
	}
	return "<ok/>"
}

// discarding calls do, which changes what runs. The candidate then is what runs.
func (j *Junos) discarding(do func()) {
	do()
	j.lock.Lock()
	defer j.lock.Unlock()
	j.candidate = j.running
}

// Expire rolls back to the configuration before a commit that was not confirmed.
func (j *Junos) Expire() { j.discarding(j.store.Expire) }

// Edit is an edit that was committed; Unedit takes it back.
func (j *Junos) Edit()   { j.discarding(j.store.Edit) }
func (j *Junos) Unedit() { j.discarding(j.store.Unedit) }

// Restart begins with what was committed for good.
func (j *Junos) Restart() {
	j.store.Restart()
	j.lock.Lock()
	defer j.lock.Unlock()
	j.candidate, j.locked = j.running, false
}
