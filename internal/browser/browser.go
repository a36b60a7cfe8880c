// Package browser has pages opened by Chromium, which find nobody but this machine. Only tests
// import it.
package browser

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"

	"github.com/roceplan/roceplan/internal/oracle"
)

// Ask serves what a handler has, opens one of its addresses in Chromium, and returns what the page
// there sends to /told.
func Ask(t testing.TB, handler http.Handler, path string) string {
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
	c := exec.Command(oracle.Command(t, "chromium", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-port=0", "--user-data-dir="+t.TempDir(), server.URL+path)
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
	case <-time.After(2 * time.Minute):
		t.Fatalf("the page says nothing\n%s", log.String())
		return ""
	}
}
