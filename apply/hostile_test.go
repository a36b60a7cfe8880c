package apply_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/openconfig/gnmi/proto/gnmi"
	"golang.org/x/crypto/ssh"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/observe/live"
)

const (
	netconfEnd  = "]]>]]>"
	netconfHi   = `<hello xmlns="urn:ietf:params:xml:ns:netconf:base:1.0"/>` + netconfEnd
	ofTheDevice = "5e7c0f2a" // part of what a device runs, which no message shows
)

// netconf greets, and then sends a text again and again; with an end, once.
func netconf(text string) func(net.Conn, *ssh.ServerConfig) {
	return fakedevice.Answering(func(stream io.ReadWriter, _ io.Writer) uint32 {
		_, err := io.WriteString(stream, netconfHi)
		go io.Copy(io.Discard, stream)
		for once := strings.HasSuffix(text, netconfEnd); err == nil; {
			if _, err = io.WriteString(stream, text); once {
				time.Sleep(time.Minute)
			}
		}
		return 0
	})
}

// A device that answers with nothing, with anything, or without end is unknown or drifted, in the time that it may
// take. The others of the rollout are read all the same, and no message shows a password or what a
// device runs.
func TestHostileDevices(t *testing.T) {
	deep := strings.Repeat
	silent := fakedevice.Answering(func(io.ReadWriter, io.Writer) uint32 { time.Sleep(time.Minute); return 0 })
	endless := func(text string) func(net.Conn, *ssh.ServerConfig) {
		return fakedevice.Answering(func(s io.ReadWriter, _ io.Writer) uint32 {
			for {
				if _, err := io.WriteString(s, text); err != nil {
					return 0
				}
			}
		})
	}
	const running, secret = "! Command: show running-config\nhostname leaf-1\n", "username admin secret sha512 " + ofTheDevice + "\n"
	hostile := map[string]map[string]func(net.Conn, *ssh.ServerConfig){
		"sonic, HwSKU known to the updater 202405": {
			"nothing":                fakedevice.Printing("", "", 0),
			"no JSON":                fakedevice.Printing("\x1b[2Jhello\r\n", "", 0),
			"deep JSON":              fakedevice.Printing(`{"PORT":`+deep("[", 1<<20), "", 0),
			"many ports":             fakedevice.Printing(`{"DEVICE_METADATA":{"localhost":{"hostname":"leaf-1"}},"PORT":{"Ethernet0":{}`+deep(`,"Ethernet0":{"lanes":"1"}`, 1<<16)+"}}", "", 0),
			"other types":            fakedevice.Printing(`{"PORT":7,"BUFFER_PG":[],"BUFFER_POOL":{"\u001b[2J":"x"}}`, "", 0),
			"a name that is none":    fakedevice.Printing(`{"DEVICE_METADATA":{"localhost":{"hostname":"\u001b[2J\n"}},"PORT":{"$(reboot)\n":{}}}`, "", 0),
			"half of what it runs":   fakedevice.Printing(`{"TACPLUS":{"global":{"passkey":"`+ofTheDevice, "", 1),
			"its password repeated":  fakedevice.Printing("", "sorry, correct horse is wrong", 5),
			"a configuration and no": fakedevice.Printing(`{"TACPLUS":{"global":{"passkey":"`+ofTheDevice+`"}}}`, "", 1),
		},
		"eos and openconfig ": {
			"silence":                silent,
			"nothing":                fakedevice.Printing("", "", 0),
			"nothing, and a code":    fakedevice.Printing("", "", 255),
			"an echo and no prompt":  fakedevice.Printing("enable\r\nPassword: ", "", 0),
			"a pager":                fakedevice.Printing(running+"--More--", "", 0),
			"controls":               fakedevice.Printing("\x1b[2J\x00"+running+"interface \x9b31mEthernet1\r\n   \x1b]0;x\x07mtu 9000\n", "", 0),
			"output without end":     endless("interface Ethernet1\n   mtu 9000\n"),
			"a line without end":     endless("hostname "),
			"half a line":            fakedevice.Printing(running+secret+"interface Ether", "", 0),
			"half of it, and a code": fakedevice.Printing(running+secret, "", 1),
			"a banner like an error": fakedevice.Printing(running+"banner login\n% "+ofTheDevice+" %\nEOF\n", "", 0),
			"a refusal":              fakedevice.Printing("% Invalid input (privileged mode required)\n", "", 0),
			"a long refusal":         fakedevice.Printing("% \x1b[31m"+deep("no ", 1<<20)+"\n", "", 0),
			"its password repeated":  fakedevice.Printing("% correct horse is wrong\n", "", 0),
			"deep lines":             fakedevice.Printing(running+stairs(1<<11), "", 0),
			"many interfaces":        fakedevice.Printing(running+deep("interface Ethernet1\n   priority-flow-control priority 3 no-drop\n", 1<<15), "", 0),
			"numbers beyond 63 bits": fakedevice.Printing(running+"interface Ethernet1\n   mtu 99999999999999999999\n   speed 9999999999999999999g\n", "", 0),
			"ranges without end":     fakedevice.Printing(running+"interface Ethernet1-999999999\n   mtu 9000\n", "", 0),
		},
		"cumulus ": {
			"silence":                 silent,
			"nothing":                 fakedevice.Printing("", "", 0),
			"no YAML":                 fakedevice.Printing("\x1b[2J{]: hello\r\n", "", 0),
			"output without end":      endless("- set:\n    interface:\n"),
			"a line without end":      endless("a"),
			"deep YAML":               fakedevice.Printing("- set: "+deep("[", 1<<20), "", 0),
			"deep lines":              fakedevice.Printing("- set:\n"+strings.ReplaceAll(stairs(1<<11), "\n", ":\n"), "", 0),
			"aliases of aliases":      fakedevice.Printing(laughs(), "", 0),
			"an alias of itself":      fakedevice.Printing("- set: &a\n    interface: *a\n", "", 0),
			"merges of merges":        fakedevice.Printing("- set: &a\n    qos: {<<: *a}\n", "", 0),
			"other types":             fakedevice.Printing("- set: 7\n- header: []\n- [set]\n", "", 0),
			"keys of other types":     fakedevice.Printing("- set:\n    interface:\n      ? [a, b]\n      : {}\n      7: {}\n      ~: {}\n", "", 0),
			"names with controls":     fakedevice.Printing("- set:\n    interface:\n      \"swp1\\e[2J\\n\": {link: {mtu: 9000}}\n    system: {hostname: \"\\e[31m\"}\n", "", 0),
			"ranges without end":      fakedevice.Printing("- set:\n    interface:\n      swp1-999999999: {link: {mtu: 9000}}\n", "", 0),
			"half of it":              fakedevice.Printing("- set:\n    system:\n      aaa: {user: {admin: {hashed-password: "+ofTheDevice, "", 0),
			"half of it, and a code":  fakedevice.Printing("- set:\n    system:\n      aaa: {secret: "+ofTheDevice+"}\n", "", 1),
			"its password repeated":   fakedevice.Printing("", "correct horse is wrong\x1b[2J", 5),
			"a code and long errors":  fakedevice.Printing("", deep("no ", 1<<20), 3),
			"a configuration of none": fakedevice.Printing("- set: {}\n", "", 0),
		},
		"junos ": {
			"silence":              silent,
			"no greeting":          fakedevice.Printing("who are you?", "", 1),
			"a greeting too long":  endless("<hello>"),
			"a reply without end":  netconf("<rpc-reply>"),
			"a deep reply":         netconf(deep("<a>", 1<<22) + netconfEnd),
			"no XML":               netconf("<rpc-reply>\x1b[2J<<<" + netconfEnd),
			"an entity":            netconf(`<!DOCTYPE r [<!ENTITY a "b">]><rpc-reply>&a;</rpc-reply>` + netconfEnd),
			"no configuration":     netconf("<rpc-reply/>" + netconfEnd),
			"an error with escape": netconf("<rpc-reply><rpc-error><error-message>correct horse &#x9b;31m</error-message></rpc-error></rpc-reply>" + netconfEnd),
			"a long error":         netconf("<rpc-reply><rpc-error><error-message>" + deep("no ", 1<<20) + "</error-message></rpc-error></rpc-reply>" + netconfEnd),
		},
	}
	for system, answers := range hostile {
		l := newLab(t, sampleNamed(t, system+": longer cables"))
		password := filepath.Join(t.TempDir(), "password")
		check(t, os.WriteFile(password, []byte(l.Password+"\n"), 0o600))
		for name, answer := range answers {
			t.Run(system+" "+name, func(t *testing.T) {
				t.Parallel()
				l.unread(t, "ssh://admin@"+l.Answer(answer)+"?password_file="+password+"&known_hosts="+l.KnownHosts)
			})
		}
	}
	l := newLab(t, sampleNamed(t, "srlinux : longer cables"))
	for name, server := range map[string]*gnmiServer{
		"silence":             {wait: true},
		"nothing":             {},
		"a message too long":  {text: deep(" ", 17<<20)},
		"no JSON":             {text: "\x1b[2Jhello"},
		"deep JSON":           {text: `{"interface":` + deep("[", 8<<20)},
		"many interfaces":     {text: `{"srl_nokia-interfaces:interface":[{"name":"a"}` + deep(`,{"name":"ethernet-1/1"}`, 1<<16) + `]}`},
		"no object":           {text: "7"},
		"its password":        {err: status.Error(codes.PermissionDenied, l.Password+" is wrong\x1b[2J")},
		"a long refusal":      {err: status.Error(codes.PermissionDenied, deep("no ", 1<<12))},
		"it is not there now": {err: status.Error(codes.Unavailable, "\u009b31m")},
	} {
		t.Run("srlinux "+name, func(t *testing.T) {
			t.Parallel()
			l.unread(t, "gnmi+plaintext://admin:"+url.PathEscape(l.Password)+"@"+server.serve(t))
		})
	}
}

// stairs are lines, each one level deeper than the line before.
func stairs(count int) string {
	var out strings.Builder
	for i := range count {
		out.WriteString(strings.Repeat(" ", i+4) + "a\n")
	}
	return out.String()
}

// laughs is YAML that is a thousand million times as large once its aliases are expanded.
func laughs() string {
	var out strings.Builder
	out.WriteString("- a0: &a0 lol\n")
	for i := range 9 {
		fmt.Fprintf(&out, "- a%d: &a%[1]d [%s]\n", i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	return out.String() + "- set: {interface: *a9}\n"
}

// gnmiServer answers every Get alike.
type gnmiServer struct {
	gnmi.UnimplementedGNMIServer
	text string
	err  error
	wait bool
}

func (s *gnmiServer) Get(ctx context.Context, _ *gnmi.GetRequest) (*gnmi.GetResponse, error) {
	if s.wait {
		<-ctx.Done()
	}
	if s.err != nil || s.text == "" {
		return &gnmi.GetResponse{}, s.err
	}
	value := &gnmi.TypedValue{Value: &gnmi.TypedValue_JsonIetfVal{JsonIetfVal: []byte(s.text)}}
	return &gnmi.GetResponse{Notification: []*gnmi.Notification{{Update: []*gnmi.Update{{Path: &gnmi.Path{}, Val: value}}}}}, nil
}

func (s *gnmiServer) serve(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	server := grpc.NewServer(grpc.MaxSendMsgSize(64 << 20))
	gnmi.RegisterGNMIServer(server, s)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// unread has the first device of a rollout at another address, and checks what a survey reports of it and
// of the second.
func (l *lab) unread(t *testing.T, address string) {
	t.Helper()
	device, honest := l.rollout.Devices()[0], l.rollout.Devices()[1]
	a, err := live.ParseAddress(device + "=" + address)
	check(t, err)
	addresses := maps.Clone(l.addresses)
	addresses[device] = []*live.Address{a}
	naps := fakedevice.Naps()
	all, err := apply.Survey(t.Context(), l.rollout, apply.Options{Addresses: addresses, Answer: 2 * time.Second, Work: 2 * time.Second, Restart: 2 * time.Second})
	took := naps()
	check(t, err)
	if took > 4000 { // 40 s; a device has 2 s for each answer
		t.Errorf("it took %d naps of 10 ms", took)
	}
	for _, s := range all {
		said := s.Why + strings.Join(s.Lines, "\n")
		switch {
		case s.Device == device && s.Class != apply.Unknown && s.Class != apply.Drifted:
			t.Errorf("%s is %s", s.Device, s.Class)
		case s.Device == honest && s.Class != apply.Old:
			t.Errorf("%s is %s: %s", s.Device, s.Class, said)
		case strings.Contains(said, ofTheDevice) || strings.Contains(said, l.Password):
			t.Errorf("%s says %s", s.Device, said)
		case len(said) > 1<<20:
			t.Errorf("%s says %d bytes", s.Device, len(said))
		case s.Device == device:
			t.Logf("after %d naps: %s: %.300q", took, s.Class, said)
		}
	}
}

// A journal may come from others, as part of a repository. Only what this package wrote goes to a device. A
// journal of another rollout, or of states that do not exist, is refused before a device is asked.
func TestForgedJournals(t *testing.T) {
	l := newLab(t, sonicSample(t, "add switches or ports"))
	canary := filepath.Join(t.TempDir(), "canary")
	entry := func(rest string) string {
		return `{"time":"2026-01-02T03:04:05Z","event":"sending","rollout":"` + l.rollout.Name + `","step":"01-whole","device":"leaf-1"` + rest + "}\n"
	}
	const id = `,"change":"roceplan-0123456789"`
	for text, want := range map[string]string{
		entry(fmt.Sprintf(`,"change":%q`, "x\" 2>/dev/null; touch "+canary+"; : >\"/dev/null")): "journal:1: this is not an entry",
		entry(`,"change":"roceplan-0123456789\n$(touch ` + canary + `)"`):                       "journal:1: this is not an entry",
		entry(`,"change":"../../../../tmp/x"`):                                                  "journal:1: this is not an entry",
		entry(id + `,"from":-1`):                                                                "journal:1: this is not an entry",
		entry(id + `,"to":99`):                                                                  "a change of leaf-1 to state 100 of 2",
		entry(id + `,"from":99`):                                                                "a change of leaf-1 to state 100 of 2",
		strings.Replace(entry(id), l.rollout.Name, "another", 1):                                "another rollout that has not ended",
		`{"event":"began","rollout":"another","way":"there"}` + "\n":                            "another rollout that has not ended",
	} {
		for _, step := range []string{"01-whole", "99-none"} {
			d := rewritten(t, strings.ReplaceAll(text, "01-whole", step))
			l.Seen = 0
			err := l.carry(t, d, false, -1, fakedevice.None)
			if err == nil || !strings.Contains(err.Error(), want) || l.Seen > 0 {
				t.Errorf("%s%d messages, %v, not %q", text, l.Seen, err, want)
			}
			if _, err := os.Stat(canary); err == nil {
				t.Fatalf("%s runs on a device", text)
			}
		}
	}
}

// A file that is no journal stays as it is, and is not read into memory as a whole.
func TestNoJournal(t *testing.T) {
	for name, text := range map[string][]byte{"a key": []byte("-----BEGIN"), "lines": []byte("root:x:0:0\nbin:x:1:1\n"), "zeros": make([]byte, 100<<20), "JSON": []byte("{\"a\":1}\n[")} {
		file := filepath.Join(t.TempDir(), "file")
		check(t, os.WriteFile(file, text, 0o644))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := apply.OpenJournal(disk.System{}, file)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "is not an entry of a journal") {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
			t.Errorf("%s: %d bytes were allocated", name, took)
		}
		info, err := os.Stat(file)
		check(t, err)
		if left, err := os.ReadFile(file); err != nil || !bytes.Equal(left, text) || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %d bytes, %v, %v", name, len(left), info.Mode(), err)
		}
	}
}

// A journal is neither a link nor a pipe, and no other user can read or write it.
func TestJournalIsPrivate(t *testing.T) {
	folder := t.TempDir()
	victim, link, file := filepath.Join(folder, "victim"), filepath.Join(folder, "link"), filepath.Join(folder, "journal")
	check(t, os.WriteFile(victim, []byte("precious"), 0o666))
	check(t, os.Symlink(victim, link))
	if j, err := apply.OpenJournal(disk.System{}, link); err == nil {
		j.Close()
		t.Error("a link is a journal")
	}
	if text, err := os.ReadFile(victim); err != nil || !bytes.Equal(text, []byte("precious")) {
		t.Errorf("behind the link is %q, %v", text, err)
	}
	check(t, os.WriteFile(file, nil, 0o666))
	j, err := apply.OpenJournal(disk.System{}, file)
	check(t, err)
	defer j.Close()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the journal is %v, %v", info.Mode(), err)
	}
}
