package scrape

import (
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// How long a client may take. Prometheus gives up after 10 s itself (its scrape_timeout).
const (
	headTime  = 10 * time.Second
	readTime  = 10 * time.Second
	writeTime = 30 * time.Second
	idleTime  = 2 * time.Minute // Prometheus asks again within a minute
	mostHead  = 16 << 10        // bytes of the header of a request
)

// A Server serves what it was given last.
type Server struct {
	listener net.Listener
	http     *http.Server
	config   atomic.Pointer[Config]
	page     atomic.Pointer[page]
	known    *passwords
}

// Serve listens at an address, such as ":9742", and answers until it is closed.
func Serve(address string, c *Config) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return ServeOn(listener, c), nil
}

// ServeOn is Serve on a listener, which ends with the server.
func ServeOn(listener net.Listener, c *Config) *Server {
	s := &Server{listener: listener, known: newPasswords()}
	s.config.Store(c)
	s.Set(nil, func(io.Writer, time.Time) {})
	var from net.Listener = newLimited(listener, mostConnections)
	if c.tls != nil {
		from = tls.NewListener(from, &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return s.config.Load().tls, nil }})
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // of which a connection has one request at a time
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: mostHead, Protocols: protocols, ErrorLog: log.New(io.Discard, "", 0)} // of what clients do wrong
	go s.http.Serve(from) // its error is that it was closed
	return s
}

// URL is where the metrics are.
func (s *Server) URL() string {
	if s.config.Load().tls != nil {
		return "https://" + s.listener.Addr().String() + "/metrics"
	}
	return "http://" + s.listener.Addr().String() + "/metrics"
}

// Set replaces what is served. Requests that are being answered get what was served before. The
// tail is written by several goroutines at once.
func (s *Server) Set(text []byte, tail func(io.Writer, time.Time)) {
	s.page.Store(newPage(text, tail))
}

// Change replaces who is served, and how.
func (s *Server) Change(c *Config) error {
	if (c.tls == nil) != (s.config.Load().tls == nil) {
		return errors.New("TLS cannot be turned on or off while the program runs: start it again")
	}
	s.config.Store(c)
	return nil
}

// Close ends the server and its connections.
func (s *Server) Close() error { return s.http.Close() }

// ServeHTTP answers a request. Nothing is locked while a client reads.
func (s *Server) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	c := s.config.Load()
	for name, value := range c.headers {
		if value != "" {
			out.Header().Set(name, value)
		}
	}
	switch allowed := s.known.allow(r, c.users); {
	case allowed != http.StatusOK:
		if allowed == http.StatusUnauthorized {
			out.Header().Set("WWW-Authenticate", "Basic")
		}
		http.Error(out, http.StatusText(allowed), allowed)
	case r.URL.Path != "/metrics":
		http.NotFound(out, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		out.Header().Set("Allow", "GET, HEAD")
		http.Error(out, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	default:
		out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		s.page.Load().serve(out, r)
	}
}
