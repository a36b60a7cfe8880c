// Package browser has pages opened by Chromium, which find nobody but this machine. Only tests
// import it.
package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// Add adds a test's own script to a page, and lets the policy of the page allow it.
func Add(page, script string) string {
	digest := sha256.Sum256([]byte(script))
	page = strings.Replace(page, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"' ", 1)
	return strings.Replace(page, "</body>", "<script>"+script+"</script></body>", 1)
}

// Look opens a page in Chromium, and returns its elements as they are in the end, and the lines of
// its console.
func Look(t testing.TB, address string) (dom, console string) {
	t.Helper()
	// A frame in a process of its own would not keep the clock of the page waiting.
	c := exec.CommandContext(t.Context(), oracle.Command(t, "chromium", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--disable-features=IsolateSandboxedIframes", "--enable-logging=stderr",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=60000", "--dump-dom", address)
	var out, log bytes.Buffer
	c.Stdout, c.Stderr = &out, &log
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return out.String(), console
}

// Ask serves what a handler has, opens one of its addresses in Chromium, and returns what the page
// there sends to /told. Flags are Chromium's.
func Ask(t testing.TB, handler http.Handler, path string, flags ...string) string {
	t.Helper()
	told := make(chan string, 1)
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("POST /told", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		told <- string(text)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	c := exec.Command(oracle.Command(t, "chromium", "chromium"), append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-port=0", "--user-data-dir="+t.TempDir(), server.URL+path)...)
	var log bytes.Buffer
	c.Stderr = &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	}()
	select {
	case text := <-told:
		return text
	case <-time.After(5 * time.Minute):
		t.Fatalf("the page says nothing\n%s", log.String())
		return ""
	}
}
