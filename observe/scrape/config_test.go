package scrape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/testcerts"
)

func hash(t *testing.T, password string) string {
	t.Helper()
	text := must.Get(bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost))(t)
	return string(text)
}

func write(t *testing.T, dir, text string) string {
	t.Helper()
	name := filepath.Join(dir, "web.yml")
	must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// What a configuration asks for and the server cannot do is an error, never passed over.
func TestConfigErrors(t *testing.T) {
	ca := testcerts.New(t)
	cert, key := ca.Issue(t, "roceplan")
	pair := "tls_server_config: {cert_file: " + cert + ", key_file: " + key
	for text, want := range map[string]string{
		"basic_auth_users: {alice: plaintext}":                   "alice",
		"basic_auth_user: {}":                                    "basic_auth_user",
		"rate_limit: {interval: 1s}":                             "rate_limit",
		"tls_server_config: {}":                                  "cert_file and key_file",
		"tls_server_config: {cert_file: a}":                      "cert_file and key_file",
		"tls_server_config: {cert: a}":                           "cert",
		pair + "x}":                                              "key_file",
		pair + ", cipher_suites: []}":                            "cipher_suites",
		pair + ", min_version: TLS9}":                            "TLS9",
		pair + ", min_version: TLS13, max_version: TLS12}":       "between",
		pair + ", client_auth_type: Always}":                     "Always",
		pair + ", client_auth_type: RequireAndVerifyClientCert}": "client_ca_file",
		pair + ", client_ca_file: " + ca.File + "}":              "asks for no certificate",
		pair + ", client_auth_type: RequireAndVerifyClientCert, client_ca_file: none.pem}":    "none.pem",
		pair + ", client_auth_type: RequireAndVerifyClientCert, client_ca_file: " + key + "}": "no certificate in PEM",
		pair + ", client_allowed_sans: [prometheus]}":                                         "client_allowed_sans",
		"http_server_config: {headers: {X-Other: a}}":                                         "X-Other",
		"http_server_config: {headers: {X-Frame-Options: allow}}":                             "allow",
		"- a": "web.yml",
		"\t":  "",
	} {
		_, err := Load(write(t, t.TempDir(), text))
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is a configuration")
	}
}

// The sample configuration of exporter-toolkit's format is accepted, but for what is not supported.
// Files are relative to the folder of the configuration.
func TestConfig(t *testing.T) {
	ca := testcerts.New(t)
	cert, _ := ca.Issue(t, "server")
	c := must.Get(Load(write(t, filepath.Dir(cert), `
tls_server_config:
  cert_file: server.pem
  key_file: server.key
  client_auth_type: "RequireAndVerifyClientCert"
  client_ca_file: ca.pem
  client_allowed_sans: [prometheus]
  min_version: TLS13
http_server_config:
  http2: true
  headers:
    X-Frame-Options: deny
basic_auth_users:
  alice: `+hash(t, "hunter2")+`
`)))(t)
	if len(c.users) != 1 || c.tls == nil || c.tls.VerifyConnection == nil || c.headers["X-Frame-Options"] != "deny" {
		t.Errorf("%+v", c)
	}
}
