package scrape

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/testcerts"
	"github.com/roceplan/roceplan/observe/live"
)

func serve(t *testing.T, c *Config) *Server {
	t.Helper()
	s := must.Get(Serve("127.0.0.1:0", c))(t)
	t.Cleanup(func() { s.Close() })
	s.Set([]byte("roceplan_device_up 1\n"), func(out io.Writer, _ time.Time) { io.WriteString(out, "roceplan_data_age_seconds 5.000\n") })
	return s
}

// A client reads as Prometheus does: a new connection each time is the worst case for it.
func client(config *tls.Config) *http.Client {
	return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
}

// scraped returns the status and the text of an answer.
func scraped(c *http.Client, url string, change func(*http.Request)) (status int, text string, err error) {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	change(r)
	answer, err := c.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body), err
}

func as(user, password string) func(*http.Request) {
	return func(r *http.Request) {
		if user != "" {
			r.SetBasicAuth(user, password)
		}
	}
}

func TestServe(t *testing.T) {
	s := serve(t, &Config{headers: map[string]string{"X-Frame-Options": "deny"}})
	for _, c := range []struct {
		method, path string
		status       int
	}{{"GET", "/metrics", 200}, {"HEAD", "/metrics", 200}, {"POST", "/metrics", 405}, {"GET", "/", 404}, {"GET", "/metrics/", 404}} {
		answer := must.Get(client(nil).Transport.RoundTrip(mustRequest(t, c.method, strings.TrimSuffix(s.URL(), "/metrics")+c.path)))(t)
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != c.status || answer.Header.Get("X-Frame-Options") != "deny" {
			t.Errorf("%s %s: %d, %v, %v", c.method, c.path, answer.StatusCode, answer.Header, err)
		}
		if want := "roceplan_device_up 1\nroceplan_data_age_seconds 5.000\n"; c.method == "GET" && c.status == 200 && string(text) != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

func mustRequest(t *testing.T, method, url string) *http.Request {
	t.Helper()
	r := must.Get(http.NewRequest(method, url, nil))(t)
	return r
}

// Only who has a certificate of the authority, with the right name, and the right password, reads.
// What the configuration says later counts from then on, also for who was remembered.
func TestServeTLS(t *testing.T) {
	ca, other := testcerts.New(t), testcerts.New(t)
	cert, _ := ca.Issue(t, "server")
	dir := filepath.Dir(cert)
	config := func(password string) *Config {
		c := must.Get(Load(write(t, dir, "tls_server_config: {cert_file: server.pem, key_file: server.key, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ca.pem, client_allowed_sans: [prometheus]}\nbasic_auth_users: {alice: "+hash(t, password)+"}\n")))(t)
		return c
	}
	s := serve(t, config("hunter2"))
	pool := x509.NewCertPool()
	text := must.Get(os.ReadFile(ca.File))(t)
	pool.AppendCertsFromPEM(text)
	with := func(a *testcerts.Authority, name string) *http.Client {
		pair := must.Get(live.KeyPair(a.Issue(t, name)))(t)
		return client(&tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}})
	}
	right := with(ca, "prometheus")
	for name, c := range map[string]struct {
		client         *http.Client
		user, password string
		status         int // 0: no answer
	}{
		"all is right":          {right, "alice", "hunter2", 200},
		"it is still":           {right, "alice", "hunter2", 200},
		"another password":      {right, "alice", "hunter3", 401},
		"another user":          {right, "bob", "hunter2", 401},
		"no user":               {right, "", "", 401},
		"another name":          {with(ca, "grafana"), "alice", "hunter2", 0},
		"another authority":     {with(other, "prometheus"), "alice", "hunter2", 0},
		"no certificate":        {client(&tls.Config{RootCAs: pool}), "alice", "hunter2", 0},
		"a server of no repute": {client(nil), "alice", "hunter2", 0},
	} {
		if status, _, err := scraped(c.client, s.URL(), as(c.user, c.password)); status != c.status || (err == nil) != (c.status > 0) {
			t.Errorf("%s: %d, %v, want %d", name, status, err, c.status)
		}
	}
	must.Do(t, s.Change(config("hunter4")))
	for password, want := range map[string]int{"hunter2": 401, "hunter4": 200} {
		if status, _, err := scraped(right, s.URL(), as("alice", password)); status != want {
			t.Errorf("%s: %d, %v, want %d", password, status, err, want)
		}
	}
	if err := s.Change(&Config{}); err == nil {
		t.Error("TLS was turned off")
	}
}

// Clients that hold connections, send thousands of requests and read nothing, or never end a request
// keep no client from reading metrics of a large fabric, nor from replacing them.
func TestHostileClients(t *testing.T) {
	s := serve(t, &Config{})
	large := []byte(strings.Repeat("roceplan_headroom_used_bytes{device=\"leaf-1\",port=\"Ethernet0\",pg=\"3\"} 1024\n", 1<<16)) // 5 MB
	s.Set(large, func(io.Writer, time.Time) {})
	host := s.listener.Addr().String()
	requests := strings.Repeat("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", 20_000)
	begin := func(text string) {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { conn.Close() })
		go io.WriteString(conn, text) // which ends with the connection
	}
	for round := range 4 {
		for range 100 {
			begin(requests)
			begin("GET /metrics HTTP/1.1\r\nHost: ")
			begin("")
		}
		s.Set(large, func(out io.Writer, _ time.Time) { fmt.Fprintf(out, "round %d\n", round) })
		status, text, err := scraped(client(nil), s.URL(), as("", ""))
		if want := fmt.Sprintf("round %d\n", round); err != nil || status != 200 || len(text) != len(large)+len(want) || !strings.HasSuffix(text, want) {
			t.Fatalf("round %d: %d, %d bytes, %v", round, status, len(text), err)
		}
	}
}

// Who asks for gzip gets what others get, in one stream that is whole.
func TestPacked(t *testing.T) {
	s := serve(t, &Config{})
	for accepts, packed := range map[string]bool{"gzip": true, "GZIP;q=0.5": true, "br, gzip;q=1.0": true, "gzip;q=0": false, "gzip; q=0.000": false, "br": false, "identity": false, "xgzip": false} {
		r := mustRequest(t, "GET", s.URL())
		r.Header.Set("Accept-Encoding", accepts)
		answer := must.Get(client(nil).Transport.RoundTrip(r))(t)
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || (answer.Header.Get("Content-Encoding") == "gzip") != packed || answer.ContentLength != int64(len(body)) {
			t.Errorf("%q: %v, %v", accepts, answer.Header, err)
		}
		if packed {
			in := bytes.NewReader(body)
			unpacked, err := gzip.NewReader(in)
			must.Do(t, err)
			unpacked.Multistream(false) // which some clients cannot
			if body, err = io.ReadAll(unpacked); err != nil || in.Len() > 0 {
				t.Errorf("%q: %v, %d bytes are left", accepts, err, in.Len())
			}
		}
		must.Equalf(t, string(body), "roceplan_device_up 1\nroceplan_data_age_seconds 5.000\n", "%q: %q:", accepts, body)
	}
}

// However often one peer comes, it takes its own connections, and another reads metrics to the end. IPv6 has
// networks of 2^64 addresses for a peer.
func TestPeersComeAgain(t *testing.T) {
	if runtime.GOOS != "linux" {
		oracle.Missing(t, "this system has one loopback address")
	}
	s := serve(t, &Config{})
	large := []byte(strings.Repeat("roceplan_rounds_total 1\n", 1<<18))
	s.Set(large, func(io.Writer, time.Time) {})
	honest := must.Get(net.Dial("tcp", s.listener.Addr().String()))(t)
	defer honest.Close()
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	for i := range 2 * mostConnections {
		conn, err := from.Dial("tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(i, err)
		}
		defer conn.Close()
	}
	fmt.Fprint(honest, "GET /metrics HTTP/1.0\r\n\r\n")
	if text, err := io.ReadAll(honest); err != nil || !bytes.HasSuffix(text, large) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for a, b := range map[string]string{"[2001:db8::1]:1": "[2001:db8::ffff:2]:7", "[::ffff:192.0.2.1]:9": "192.0.2.1:3", "192.0.2.1:3": "192.0.2.1:4"} {
		if peerOf(a) != peerOf(b) {
			t.Errorf("%s and %s are two peers", a, b)
		}
	}
	if peerOf("192.0.2.1:3") == peerOf("192.0.2.2:3") {
		t.Error("two peers are one")
	}
}

// A peer that guesses passwords without end does not delay the first login of another peer.
func TestGuesses(t *testing.T) {
	if runtime.GOOS != "linux" {
		oracle.Missing(t, "this system has one loopback address")
	}
	slow := must.Get(bcrypt.GenerateFromPassword([]byte("hunter2"), bcrypt.DefaultCost))(t)
	s := serve(t, &Config{users: users{"alice": string(slow)}})
	alice := &http.Client{Transport: &http.Transport{}}
	if status, _, err := scraped(alice, s.URL(), as("", "")); status != http.StatusUnauthorized { // and has a connection
		t.Fatal(status, err)
	}
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	var refused, wrong atomic.Int32
	guess := make(chan struct{})
	for i := range 100 {
		go func() {
			c := &http.Client{Transport: &http.Transport{DialContext: from.DialContext}}
			for t.Context().Err() == nil {
				switch status, _, _ := scraped(c, s.URL(), as("alice", fmt.Sprint(i))); status {
				case http.StatusTooManyRequests:
					refused.Add(1)
					time.Sleep(100 * time.Millisecond)
				case http.StatusUnauthorized:
					wrong.Add(1)
				}
				select {
				case guess <- struct{}{}:
				default:
				}
			}
		}()
	}
	for range 100 {
		<-guess
	}
	begin := wrong.Load()
	if status, _, err := scraped(alice, s.URL(), as("alice", "hunter2")); status != 200 {
		t.Error(status, err)
	}
	if waited := wrong.Load() - begin; waited > 2*mostWaiting || refused.Load() == 0 {
		t.Errorf("it waited for %d guesses, and %d were refused", waited, refused.Load())
	}
}

// There are never more connections than the limit: the oldest ends for the newest.
func TestLimitedListener(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	l := newLimited(listener, 2)
	defer l.Close()
	var ours, theirs []net.Conn
	open := func() {
		c := must.Get(net.Dial("tcp", listener.Addr().String()))(t)
		accepted := must.Get(l.Accept())(t)
		ours, theirs = append(ours, accepted), append(theirs, c)
	}
	ended := func(i int) bool {
		ours[i].SetReadDeadline(time.Now().Add(10 * time.Second))
		go io.WriteString(theirs[i], "a")
		_, err := bufio.NewReader(ours[i]).ReadByte()
		return err != nil
	}
	open()
	open()
	open()
	if !ended(0) || ended(1) || ended(2) || l.open.Len() != 2 {
		t.Errorf("%d connections are open", l.open.Len())
	}
	ours[0].Close()
	ours[1].Close()
	ours[1].Close()
	open()
	if ended(2) || ended(3) || l.open.Len() != 2 {
		t.Errorf("%d connections are open", l.open.Len())
	}
}
