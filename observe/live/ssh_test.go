package live_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/roceplan/roceplan/internal/testing/fakedevice"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/observe/live"
)

const config = `{"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}}}`

// ask logs in at an address and asks what runs.
func ask(t *testing.T, address string) (string, error) {
	t.Helper()
	a := must.Get(live.ParseAddress(address))(t)
	shell, err := a.OpenSSH(context.Background())
	if err != nil {
		return "", err
	}
	defer shell.Close()
	ran, err := shell.Run(context.Background(), "sudo -n sonic-cfggen -d --print-data", nil)
	return string(ran.Output), err
}

// A connection is made when known_hosts has the key of the server. Otherwise nothing is sent, and the
// message has the key and what to do.
func TestHostKeys(t *testing.T) {
	fleet := fakedevice.NewFleet(t)
	host := fleet.Serve("leaf-1", fakedevice.NewSonic(t, []byte(config), "202505"))
	other := fleet.Serve("leaf-2", fakedevice.NewSonic(t, []byte(config), "202505"))
	with := func(known string) string {
		return "ssh://admin@" + host + "?key_file=" + fleet.Key + "&known_hosts=" + known
	}
	if text, err := ask(t, with(fleet.KnownHosts)); err != nil || !strings.Contains(text, "leaf-1") {
		t.Errorf("%q, %v", text, err)
	}
	folder := t.TempDir()
	unknown, changed := filepath.Join(folder, "unknown"), filepath.Join(folder, "changed")
	lines, err := os.ReadFile(fleet.KnownHosts)
	check(t, err)
	_, port, _ := net.SplitHostPort(host)
	_, otherPort, _ := net.SplitHostPort(other)
	var wrong []string
	for line := range strings.Lines(string(lines)) {
		if strings.Contains(line, otherPort) {
			wrong = append(wrong, strings.ReplaceAll(line, otherPort, port))
		}
	}
	check(t, os.WriteFile(unknown, nil, 0o600))
	check(t, os.WriteFile(changed, []byte(strings.Join(wrong, "")), 0o600))
	for known, want := range map[string]string{
		unknown:                       "is not in " + unknown + "; it is ssh-ed25519 SHA256:",
		changed:                       changed + ":1 has another",
		filepath.Join(folder, "none"): "known_hosts, which has the keys of SSH servers",
	} {
		if _, err := ask(t, with(known)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// A key, a password from a file, or the agent logs in, and no message shows a password.
func TestLogins(t *testing.T) {
	fleet := fakedevice.NewFleet(t)
	host := fleet.Serve("leaf-1", fakedevice.NewSonic(t, []byte(config), "202505"))
	folder := t.TempDir()
	right, wrong := filepath.Join(folder, "right"), filepath.Join(folder, "wrong")
	check(t, os.WriteFile(right, []byte(fleet.Password+"\n"), 0o600))
	check(t, os.WriteFile(wrong, []byte("hunter2"), 0o600))
	with := func(rest string) string { return "ssh://admin@" + host + "?known_hosts=" + fleet.KnownHosts + rest }
	t.Setenv("SSH_AUTH_SOCK", "")
	for rest, want := range map[string]string{
		"&key_file=" + fleet.Key: "", "&password_file=" + right: "",
		"&password_file=" + wrong: "unable to authenticate", "": "there is no way to log in", "&key_file=" + right: "key_file " + right,
	} {
		_, err := ask(t, with(rest))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", rest, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), fleet.Password)) {
			t.Errorf("a message shows a password: %v", err)
		}
	}
	socket := filepath.Join(folder, "agent")
	listener, err := net.Listen("unix", socket)
	check(t, err)
	defer listener.Close()
	ring := agent.NewKeyring()
	text, err := os.ReadFile(fleet.Key)
	check(t, err)
	key, err := ssh.ParseRawPrivateKey(text)
	check(t, err)
	_, decoy, err := ed25519.GenerateKey(rand.Reader)
	check(t, err)
	check(t, ring.Add(agent.AddedKey{PrivateKey: decoy}))
	check(t, ring.Add(agent.AddedKey{PrivateKey: key}))
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go agent.ServeAgent(ring, conn)
		}
	}()
	t.Setenv("SSH_AUTH_SOCK", socket)
	if _, err := ask(t, with("")); err != nil {
		t.Errorf("by the agent: %v", err)
	}
}

// Addresses of SSH and what each may have after the host.
func TestSSHAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"ssh://admin@leaf-1":                      "",
		"leaf-1=ssh://admin@192.0.2.1:2222":       "",
		"ssh://leaf-1":                            "there is no user",
		"ssh://admin@leaf-1/etc":                  "nothing may follow the port",
		"ssh://admin@leaf-1?ca_file=x":            "ssh has key_file and known_hosts",
		"gnmi://leaf-1:57400?known_hosts=x":       "known_hosts is for ssh",
		"ssh://a:b@leaf-1?password_file=x":        "a password is given once",
		"ssh://admin@leaf-1?known_hosts=x&port=1": "each of these may occur once",
	} {
		a, err := live.ParseAddress(address)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", address, err, want)
		}
		if err == nil && (a.Device != "leaf-1" || a.Counts()) {
			t.Errorf("%s is of %s", address, a.Device)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	must.Do(t, err)
}
