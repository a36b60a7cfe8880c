// Package scrape serves metrics to Prometheus, and to no other client if the configuration says so: over TLS, to
// clients with a certificate or a password, by the file that exporters of Prometheus share. No client
// can hold up another one, or the program.
package scrape

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v4"
	"golang.org/x/crypto/bcrypt"

	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/observe/live"
)

// A Config is who may read metrics, and how. The zero one is anybody, without TLS.
type Config struct {
	tls     *tls.Config       // nil: without
	users   map[string]string // password by user, hashed by bcrypt
	headers map[string]string
}

// file is the part of Prometheus's web configuration that is supported (exporter-toolkit v0.20,
// docs/web-configuration.md). Other settings of the format are errors: an ignored one could leave
// open an access that its author closed.
type file struct {
	TLS   *tlsServer `yaml:"tls_server_config"`
	HTTP  httpServer `yaml:"http_server_config"`
	Users users      `yaml:"basic_auth_users"`
}

type users map[string]string

type tlsServer struct {
	Cert     string   `yaml:"cert_file"`
	Key      string   `yaml:"key_file"`
	Auth     string   `yaml:"client_auth_type"`
	CA       string   `yaml:"client_ca_file"`
	Names    []string `yaml:"client_allowed_sans"`
	LeastTLS string   `yaml:"min_version"`
	MostTLS  string   `yaml:"max_version"`
}

type httpServer struct {
	HTTP2   *bool             `yaml:"http2"` // HTTP/1.1 is spoken, whatever it says
	Headers map[string]string `yaml:"headers"`
}

// Load reads a web configuration with the files that it names, which are relative to its folder.
func Load(name string) (*Config, error) {
	text, err := regular.Read(name)
	if err != nil {
		return nil, err
	}
	var f file
	if len(bytes.TrimSpace(text)) > 0 {
		if err := yaml.Load(text, &f, yaml.WithKnownFields()); err != nil {
			return nil, fmt.Errorf("%s: a setting that is not supported is an error: %w", name, err)
		}
	}
	c := &Config{users: f.Users, headers: f.HTTP.Headers}
	err = errors.Join(checkUsers(f.Users), checkHeaders(f.HTTP.Headers))
	if f.TLS != nil {
		var wrong error
		c.tls, wrong = f.TLS.load(filepath.Dir(name))
		err = errors.Join(err, wrong)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

func checkUsers(list users) (err error) {
	for _, user := range slices.Sorted(maps.Keys(list)) {
		if _, wrong := bcrypt.Cost([]byte(list[user])); wrong != nil {
			err = errors.Join(err, fmt.Errorf("basic_auth_users: the value of %q is not a password hashed by bcrypt; htpasswd -nBC 10 \"\" makes one", user))
		}
	}
	return err
}

// checkHeaders accepts the headers that the format has.
func checkHeaders(list map[string]string) (err error) {
	known := map[string][]string{"Content-Security-Policy": nil, "X-Frame-Options": {"", "deny", "sameorigin"}, "X-Content-Type-Options": {"", "nosniff"}, "X-XSS-Protection": nil, "Strict-Transport-Security": nil}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		values, ok := known[name]
		switch {
		case !ok:
			err = errors.Join(err, fmt.Errorf("headers: %q is not one of %q", name, slices.Sorted(maps.Keys(known))))
		case values != nil && !slices.Contains(values, list[name]):
			err = errors.Join(err, fmt.Errorf("headers: %s is %q, but must be one of %q", name, list[name], values[1:]))
		}
	}
	return err
}

// load makes the configuration of TLS; files are relative to a folder.
func (s *tlsServer) load(folder string) (*tls.Config, error) {
	if s.Cert == "" || s.Key == "" {
		return nil, errors.New("tls_server_config: cert_file and key_file are needed")
	}
	pair, err := live.KeyPair(in(folder, s.Cert), in(folder, s.Key))
	if err != nil {
		return nil, fmt.Errorf("tls_server_config: %w", err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}}
	if err := errors.Join(s.versions(c), s.clients(c, folder)); err != nil {
		return nil, fmt.Errorf("tls_server_config: %w", err)
	}
	return c, nil
}

func in(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

// versions sets which versions of TLS are spoken.
func (s *tlsServer) versions(c *tls.Config) error {
	known := map[string]uint16{"TLS10": tls.VersionTLS10, "TLS11": tls.VersionTLS11, "TLS12": tls.VersionTLS12, "TLS13": tls.VersionTLS13}
	c.MinVersion, c.MaxVersion = tls.VersionTLS12, tls.VersionTLS13
	for _, v := range []struct {
		key, name string
		to        *uint16
	}{{"min_version", s.LeastTLS, &c.MinVersion}, {"max_version", s.MostTLS, &c.MaxVersion}} {
		if v.name == "" {
			continue
		}
		number, ok := known[v.name]
		if !ok {
			return fmt.Errorf("%s is %q, but must be one of %q", v.key, v.name, slices.Sorted(maps.Keys(known)))
		}
		*v.to = number
	}
	if c.MinVersion > c.MaxVersion {
		return fmt.Errorf("min_version is %s and max_version %s: no version is between them", s.LeastTLS, s.MostTLS)
	}
	return nil
}

// clients sets which certificates clients must show.
func (s *tlsServer) clients(c *tls.Config, folder string) error {
	known := map[string]tls.ClientAuthType{"": tls.NoClientCert}
	for t := tls.NoClientCert; t <= tls.RequireAndVerifyClientCert; t++ {
		known[t.String()] = t
	}
	auth, ok := known[s.Auth]
	if !ok {
		return fmt.Errorf("client_auth_type is %q, and must be one of %q", s.Auth, slices.Sorted(maps.Keys(known))[1:])
	}
	c.ClientAuth = auth
	switch verifies := auth == tls.VerifyClientCertIfGiven || auth == tls.RequireAndVerifyClientCert; {
	case verifies && s.CA == "":
		return fmt.Errorf("client_auth_type is %s, which needs client_ca_file", s.Auth)
	case s.CA != "" && auth == tls.NoClientCert:
		return errors.New("there is a client_ca_file, but client_auth_type asks for no certificate: it must be RequireAndVerifyClientCert")
	case len(s.Names) > 0 && auth != tls.RequireAndVerifyClientCert && auth != tls.RequireAnyClientCert:
		return errors.New("client_allowed_sans needs a client_auth_type that requires a certificate: RequireAndVerifyClientCert")
	}
	if s.CA != "" {
		text, err := regular.Read(in(folder, s.CA))
		if err != nil {
			return fmt.Errorf("client_ca_file: %w", err)
		}
		c.ClientCAs = x509.NewCertPool()
		if !c.ClientCAs.AppendCertsFromPEM(text) {
			return fmt.Errorf("client_ca_file: %s has no certificate in PEM", s.CA)
		}
	}
	if len(s.Names) > 0 {
		c.VerifyConnection = s.named
	}
	return nil
}

// named checks that a client's certificate has one of the names that are allowed. It is asked of
// sessions that are resumed too.
func (s *tlsServer) named(state tls.ConnectionState) error {
	if len(state.PeerCertificates) > 0 {
		for _, name := range namesOf(state.PeerCertificates[0]) {
			if slices.Contains(s.Names, name) {
				return nil
			}
		}
	}
	return errors.New("the client's certificate has none of the names in client_allowed_sans")
}

func namesOf(cert *x509.Certificate) []string {
	names := slices.Concat(cert.DNSNames, cert.EmailAddresses)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	for _, uri := range cert.URIs {
		names = append(names, uri.String())
	}
	return names
}
