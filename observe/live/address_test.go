package live

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// No message about an address shows the password in it, whatever is wrong with the address.
func TestAddressHidesPassword(t *testing.T) {
	for _, arg := range []string{
		"gnmi://admin:hunter2%ret@leaf:8080",      // a spelling that is not one
		"gnmi://admin:hunter2/ret@leaf:8080",      // what looks like a path
		"gnmi://admin:12/hunter2@leaf:8080",       // and a port
		"gnmi://admin:12?hunter2@leaf:8080",       // and a parameter
		"gnmi://admin:12?hunter2&a@leaf:8080",     // and two
		"gnmi://admin:12#hunter2@leaf:8080",       // and a fragment
		"gnmi://admin:hunter2@hunter2@leaf:8080",  // twice
		"gnmi://admin:hunter2 @leaf:8080",         // a blank
		"gnmi://admin:hunter2@leaf",               // without a port
		"gnmi://admin:hunter2@leaf:port",          // with a name for it
		"gnmi://admin:hunter2@leaf:8080/path",     // with a path
		"gnmi://admin:hunter2@leaf:8080?other=1",  // with an unknown parameter
		"gnmi://admin:hunter2@leaf:8080?%zz=1",    // with a malformed one
		"gnmi://admin:hunter2@:8080",              // without a host
		"gnmi://admin:hunter2@[::1:8080",          // a bracket that does not close
		"redis://:hunter2@leaf/counters",          // a database that is no number
		"redis://:hunter2@leaf/99999999999999999", // or no number of one
		"redis://:1/hunter2@leaf",                 // what looks like a database
		"redis+unix://:hunter2@/run/redis.sock",   // without a device
		"leaf=redis+unix://:hunter2@",             // without a path
		"gnmi://a:hunter2@leaf:1?password_env=A",  // two passwords
		"redis://:hunter2@leaf?ca_file=a",         // TLS where there is none
		"rediss://:hunter2@leaf?cert_file=a",      // half a certificate
		"http://admin:hunter2@leaf:8080",          // another scheme
		"leaf=https://admin:hunter2@leaf:8080",    // and a device
		"gnmi:admin:hunter2@leaf:8080",            // without slashes
		"redis:/admin:hunter2@leaf",               // with one
		"REDIS:admin:hunter2@leaf",                // without, and in capitals
		"redis:/admin:a=hunter2@leaf",             // and what looks like a device
		"admin:hunter2@leaf=redis://leaf",         // a user before the device
	} {
		if a, err := ParseAddress(arg); err == nil || !IsAddress(arg) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, %v", arg, a, err)
		}
	}
	for _, arg := range []string{"gnmi://admin:hunter2@leaf:8080", "gnmi://admin:hunter%32@leaf:8080", "redis://:hunter2@leaf", "rediss://x:hunter2@leaf/4", "leaf=redis+unix://x:hunter2@/run/s"} {
		a := address(t, arg)
		must.Equalf(t, a.password.Reveal(), "hunter2", "%s: the password is", arg)
		whole := struct {
			Address *Address
			inner   Address
			secret  Secret
			Secret  *Secret
		}{a, *a, a.password, &a.password}
		text := must.Get(json.Marshal(whole))(t)
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("asked", "address", a, "secret", a.password, "all", whole)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("asked", "address", a, "secret", a.password, "all", whole)
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
			fmt.Fprintf(&log, verb+verb+verb, whole, a.password, &a.password)
		}
		told := log.String() + string(text) + a.String() + fmt.Sprint(whole) + fmt.Errorf("%s: %w", a, os.ErrInvalid).Error()
		if strings.Contains(told, "hunter2") || strings.Contains(told, "68756e74657232") {
			t.Errorf("%s is printed as %s", arg, told)
		}
	}
}

// What an address is asked as is what it says, by the names that it has in Prometheus.
func TestParseAddress(t *testing.T) {
	for arg, want := range map[string]string{
		"redis://leaf-1":                           "leaf-1 redis://leaf-1:6379",
		"redis://leaf-1:99/2":                      "leaf-1 redis://leaf-1:99",
		"x=rediss://leaf-1/4":                      "x rediss://leaf-1:6379/4",
		"redis://[::1]":                            "::1 redis://[::1]:6379",
		"GNMI://leaf-1:8080":                       "leaf-1 gnmi://leaf-1:8080",
		"x=redis+unix:///run/redis%40a.sock":       "x redis+unix:///run/redis@a.sock",
		"gnmi://leaf-1:8080":                       "leaf-1 gnmi://leaf-1:8080",
		"gnmi+plaintext://admin:%2540@leaf-1:8080": "leaf-1 gnmi+plaintext://leaf-1:8080",
	} {
		if a := address(t, arg); a.Device+" "+a.String() != want {
			t.Errorf("%s: %s %s, want %s", arg, a.Device, a, want)
		}
	}
	a := address(t, "gnmi://admin@leaf-1:8080?ca_file=/a%26b.pem&cert_file=c&key_file=k&server_name=s")
	if a.user != "admin" || a.ca != "/a&b.pem" || a.cert != "c" || a.key != "k" || a.server != "s" {
		t.Errorf("%+v", a)
	}
}

// A password from a file is what the file holds now, one from the environment what that holds. One
// that is not there is an error, and no connection without a password.
func TestPasswords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	of := address(t, "gnmi://admin@leaf-1:8080?password_file="+file)
	if _, err := of.secret(); err == nil {
		t.Error("a file that is not there has a password")
	}
	for _, want := range []string{"first", "second"} {
		must.Do(t, os.WriteFile(file, []byte(want+"\n"), 0o600))
		if s, err := of.secret(); err != nil || s.Reveal() != want {
			t.Errorf("%q, %v, want %q", s.Reveal(), err, want)
		}
	}
	of = address(t, "gnmi://admin@leaf-1:8080?password_env=ROCEPLAN_TEST_PASSWORD")
	if _, err := of.secret(); err == nil || !strings.Contains(err.Error(), "ROCEPLAN_TEST_PASSWORD") {
		t.Error(err)
	}
	t.Setenv("ROCEPLAN_TEST_PASSWORD", " with blanks ")
	if s, err := of.secret(); err != nil || s.Reveal() != " with blanks " {
		t.Errorf("%q, %v", s.Reveal(), err)
	}
}

// What an address says of a server's NICs goes into commands that the server runs: names and paths, and
// nothing that a shell takes for more. The kernel takes names of 15 characters (Linux if.h, IFNAMSIZ).
func TestAddressOfServer(t *testing.T) {
	a := address(t, "server-1=ssh://root@192.0.2.31?nic=cx&interfaces=eth2,enp3s0f0np0&script=/etc/roce/cx-1.sh")
	if a.NIC != "cx" || a.Interfaces != "eth2,enp3s0f0np0" || a.Script != "/etc/roce/cx-1.sh" || a.Counts() {
		t.Errorf("%+v", a)
	}
	for parameters, want := range map[string]string{
		"nic=cx":                              "nic and interfaces are given together",
		"interfaces=eth2":                     "nic and interfaces are given together",
		"script=/etc/cx.sh":                   "nic and interfaces are given together",
		"nic=cx&interfaces=eth2,":             "interfaces are names",
		"nic=cx&interfaces=eth2%20eth3":       "interfaces are names",
		"nic=cx&interfaces=$(reboot)":         "interfaces are names",
		"nic=cx&interfaces=enp130s0f0np0x12":  "interfaces are names",
		"nic=cx&interfaces=e&script=cx.sh":    "script is a path",
		"nic=cx&interfaces=e&script=/a/../b":  "script is a path",
		"nic=cx&interfaces=e&script=/a%3Bb":   "script is a path",
		"nic=cx&interfaces=e&script=/etc/a'b": "script is a path",
	} {
		if a, err := ParseAddress("ssh://root@server-1?" + parameters); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", parameters, a, err, want)
		}
	}
	if _, err := ParseAddress("gnmi://leaf-1:8080?nic=cx&interfaces=eth2"); err == nil || !strings.Contains(err.Error(), "are for ssh") {
		t.Error(err)
	}
}
