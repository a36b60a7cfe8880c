package live

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"

	"github.com/roceplan/roceplan/internal/regular"
)

// tls returns the settings of a connection over TLS. Files are read for each connection, so that
// new certificates need no restart.
func (a *Address) tls() (*tls.Config, error) {
	host, _, err := net.SplitHostPort(a.host)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host}
	if a.server != "" {
		config.ServerName = a.server
	}
	if a.ca != "" {
		text, err := regular.Read(a.ca)
		if err != nil {
			return nil, fmt.Errorf("ca_file: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("ca_file: %s has no certificate in PEM", a.ca)
		}
	}
	if a.cert != "" {
		pair, err := KeyPair(a.cert, a.key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// KeyPair reads a certificate and its key from regular files.
func KeyPair(cert, key string) (tls.Certificate, error) {
	certificate, err := regular.Read(cert)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cert_file: %w", err)
	}
	private, err := regular.Read(key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("key_file: %w", err)
	}
	pair, err := tls.X509KeyPair(certificate, private)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cert_file %s and key_file %s: %w", cert, key, err)
	}
	return pair, nil
}
