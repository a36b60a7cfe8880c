package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A host is a stub of a code host's comments: 150 of others, which are two pages, and what is added.
type host struct {
	sync.Mutex
	comments map[int]string
	calls    []string // method and path of what changed something
	wrong    []string // what a real host would refuse
}

func newHost(t *testing.T, header, value string, mux func(*host, *http.ServeMux)) (*host, string) {
	h := &host{comments: map[int]string{}}
	for i := range 150 {
		h.comments[i+1] = fmt.Sprintf("comment %d", i)
	}
	routes := http.NewServeMux()
	mux(h, routes)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.Lock()
		defer h.Unlock()
		if r.Header.Get(header) != value {
			h.wrong = append(h.wrong, r.URL.Path+" without the token")
			http.Error(w, "{}", http.StatusUnauthorized)
			return
		}
		if r.Method != http.MethodGet {
			h.calls = append(h.calls, r.Method+" "+r.URL.Path)
		}
		routes.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return h, server.URL
}

func (h *host) list(w http.ResponseWriter, r *http.Request) {
	type comment struct {
		ID   int    `json:"id"`
		Body string `json:"body"`
	}
	page, _ := strconv.Atoi(r.FormValue("page"))
	size, _ := strconv.Atoi(r.FormValue("per_page"))
	all := []comment{}
	for _, id := range slices.Sorted(maps.Keys(h.comments)) {
		all = append(all, comment{id, h.comments[id]})
	}
	from, to := min((page-1)*size, len(all)), min(page*size, len(all))
	json.NewEncoder(w).Encode(all[from:to])
}

func (h *host) put(id int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		at := id
		if at == 0 {
			at, _ = strconv.Atoi(r.PathValue("id"))
		}
		var sent struct{ Body string }
		text, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(text, &sent); err != nil || sent.Body == "" || len(sent.Body) > 65536 {
			h.wrong = append(h.wrong, fmt.Sprintf("a body of %d bytes: %v", len(sent.Body), err))
		}
		h.comments[at] = sent.Body
		w.Write([]byte("{}"))
	}
}

func github(h *host, mux *http.ServeMux) {
	mux.HandleFunc("GET /repos/o/r/issues/7/comments", h.list)
	mux.HandleFunc("POST /repos/o/r/issues/7/comments", h.put(1001))
	mux.HandleFunc("PATCH /repos/o/r/issues/comments/{id}", h.put(0))
}

func gitlab(h *host, mux *http.ServeMux) {
	mux.HandleFunc("GET /projects/5/merge_requests/7/notes", h.list)
	mux.HandleFunc("POST /projects/5/merge_requests/7/notes", h.put(1001))
	mux.HandleFunc("PUT /projects/5/merge_requests/7/notes/{id}", h.put(0))
}

func TestPullRequest(t *testing.T) {
	for _, tool := range []string{"bash", "git", "jq", "curl"} {
		oracle.Command(t, tool, tool)
	}
	program := filepath.Join(t.TempDir(), "roceplan")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/roceplan").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, test := range map[string]func(*testing.T, string){
		"GitHub": testGitHub, "GitLab": testGitLab, "refused": testRefused, "drift": testDrift, "stale": testStale, "links": testLinks,
	} {
		t.Run(name, func(t *testing.T) { test(t, program) })
	}
}

// A request that lengthens a cable gets one comment with the change and the proof; a second run,
// with an error in the fabric, updates it and fails.
func testGitHub(t *testing.T, program string) {
	w := newWork(t, program)
	h, url := newHost(t, "Authorization", "Bearer secret", github)
	event := filepath.Join(w.dir, "event.json")
	write(t, event, fmt.Sprintf(`{"pull_request": {"number": 7, "base": {"sha": %q}}}`, w.base))
	summary := filepath.Join(w.dir, "summary.md")
	env := []string{"GITHUB_EVENT_PATH=" + event, "GITHUB_API_URL=" + url, "GITHUB_REPOSITORY=o/r", "GITHUB_STEP_SUMMARY=" + summary, "TOKEN=secret"}
	w.twice(t, h, env, "POST /repos/o/r/issues/7/comments", "PATCH /repos/o/r/issues/comments/1001")
	if text := read(t, summary); !strings.Contains(text, "is fine") || !strings.Contains(text, "needs work") {
		t.Errorf("the summary has not both runs:\n%s", text)
	}
}

func testGitLab(t *testing.T, program string) {
	w := newWork(t, program)
	h, url := newHost(t, "Private-Token", "secret", gitlab)
	env := []string{"CI_MERGE_REQUEST_IID=7", "CI_PROJECT_ID=5", "CI_API_V4_URL=" + url, "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + w.base, "TOKEN=secret"}
	w.twice(t, h, env, "POST /projects/5/merge_requests/7/notes", "PUT /projects/5/merge_requests/7/notes/1001")
	var quality []struct {
		Check    string `json:"check_name"`
		Severity string
		Location struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	must.Do(t, json.Unmarshal([]byte(read(t, filepath.Join(w.results, "codequality.json"))), &quality))
	misspelt := 1 + strings.Count(strings.SplitAfter(read(t, filepath.Join(w.repo, "pod/fabric.hcl")), "wieght")[0], "\n")
	found := false
	for _, q := range quality {
		found = found || q.Check == "unknown-attribute" && q.Severity == "major" && q.Location.Path == "pod/fabric.hcl" && q.Location.Lines.Begin == misspelt
	}
	if !found {
		t.Errorf("findings for GitLab: %+v", quality)
	}
}

// A token that may not comment does not spoil the judgement; without a token nobody is asked.
func testRefused(t *testing.T, program string) {
	w := newWork(t, program)
	h, url := newHost(t, "Authorization", "Bearer secret", github)
	event := filepath.Join(w.dir, "event.json")
	write(t, event, fmt.Sprintf(`{"pull_request": {"number": 7, "base": {"sha": %q}}}`, w.base))
	env := []string{"GITHUB_EVENT_PATH=" + event, "GITHUB_API_URL=" + url, "GITHUB_REPOSITORY=o/r"}
	if out, code := w.run(t, append(env, "TOKEN=other")...); code != 0 || !strings.Contains(out, "the comment could not be written") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	refused := len(h.wrong)
	if _, code := w.run(t, append(env, "TOKEN=")...); code != 0 || len(h.wrong) != refused || refused == 0 {
		t.Errorf("exit code %d, refused %v", code, h.wrong)
	}
}

// Committed configuration that is not what the fabric compiles to fails, and the comment shows how.
func testDrift(t *testing.T, program string) {
	w := newWork(t, program)
	if out, err := exec.Command(w.program, "compile", filepath.Join(w.repo, "pod"), "-o", filepath.Join(w.repo, "configs")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, code := w.run(t, "CONFIGS=configs"); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	path := filepath.Join(w.repo, "configs/tor-01/config_db.json")
	write(t, path, strings.Replace(read(t, path), `"ecn": "ecn_all"`, `"ecn": "ecn_none"`, 1))
	if out, code := w.run(t, "CONFIGS=configs"); code != 1 || !strings.Contains(out, "the configuration in configs is not what the fabric compiles to") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	comment := read(t, filepath.Join(w.results, "comment.md"))
	if !strings.Contains(comment, `+`) || !strings.Contains(comment, "ecn_none") {
		t.Errorf("the comment does not show the difference:\n%s", comment)
	}
	inBrief(t, comment)
}

// A change of ten metres beside configuration of before it: the comment has what changes in its first ten
// lines, the drift as the lines that differ, and the verdict of what the fabric compiles to.
func testStale(t *testing.T, program string) {
	w := newWork(t, program)
	w.git(t, "checkout", "-q", w.base)
	if out, err := exec.Command(w.program, "compile", filepath.Join(w.repo, "pod"), "-o", filepath.Join(w.repo, "configs")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w.git(t, "checkout", "-q", "main")
	event := filepath.Join(w.dir, "event.json")
	write(t, event, fmt.Sprintf(`{"pull_request": {"number": 7, "base": {"sha": %q}}}`, w.base))
	if out, code := w.run(t, "CONFIGS=configs", "GITHUB_EVENT_PATH="+event); code != 1 || !strings.Contains(out, "is not what the fabric compiles to") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	comment := read(t, filepath.Join(w.results, "comment.md"))
	inBrief(t, comment)
	first := strings.Join(strings.SplitAfterN(comment, "\n", 11)[:10], "")
	for _, want := range []string{"Verdicts: proved: 0; conditional: 24", "as before", "100m → 120m", "headroom"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first ten lines do not say %q:\n%s", want, first)
		}
	}
	for line := range strings.Lines(read(t, filepath.Join(w.results, "drift.diff"))) {
		if came, ok := strings.CutPrefix(line, "+"); ok && strings.Contains(came, `"dscp_to_tc_map"`) {
			t.Fatalf("what did not change is in the difference: %s", line)
		}
	}
}

// inBrief demands a comment that a person reads, with every fold closed.
func inBrief(t *testing.T, comment string) {
	t.Helper()
	if len(comment) > 4000 || strings.Count(comment, "<details") != strings.Count(comment, "</details>") || strings.Count(comment, "\n```")%2 != 0 {
		t.Errorf("a comment of %d bytes:\n%s", len(comment), comment)
	}
}

// Links of the checkout, in the place of the results, on the way to it or in it, are refused; what
// they lead to stays as it is.
func testLinks(t *testing.T, program string) {
	for link, results := range map[string]string{"results": "results", "way": "way/results", "folder/check.txt": "folder"} {
		w := newWork(t, program)
		elsewhere := filepath.Join(w.dir, "elsewhere")
		target := elsewhere
		if link == "folder/check.txt" {
			target = filepath.Join(elsewhere, "precious")
		}
		write(t, filepath.Join(elsewhere, "precious"), "precious")
		place := filepath.Join(w.repo, link)
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.Symlink(target, place)); err != nil {
			oracle.Missing(t, err.Error())
		}
		if out, code := w.run(t, "RESULTS="+results); code != 2 || !strings.Contains(out, "symbolic link") {
			t.Errorf("%s: exit code %d:\n%s", link, code, out)
		}
		left, err := os.ReadDir(elsewhere)
		if err != nil || len(left) != 1 || read(t, filepath.Join(elsewhere, "precious")) != "precious" {
			t.Errorf("%s: where the link leads are %v, %v", link, left, err)
		}
	}
}

// A work is a repository with a fabric in two commits: its base, and longer cables between switches.
type work struct{ dir, repo, results, program, base string }

func newWork(t *testing.T, program string) work {
	dir := t.TempDir()
	w := work{dir: dir, repo: filepath.Join(dir, "repo"), results: filepath.Join(dir, "results"), program: program}
	fabric := read(t, "../examples/ucloud-pod/fabric.hcl")
	longer := strings.Replace(fabric, `"100m"`, `"120m"`, -1)
	if longer == fabric {
		t.Fatal("the example has no cable of 100m")
	}
	write(t, filepath.Join(w.repo, "pod/fabric.hcl"), fabric)
	w.git(t, "init", "-q", "-b", "main")
	w.git(t, "add", "-A")
	w.git(t, "commit", "-q", "-m", "base")
	w.base = strings.TrimSpace(w.git(t, "rev-parse", "HEAD"))
	write(t, filepath.Join(w.repo, "pod/fabric.hcl"), longer)
	w.git(t, "commit", "-q", "-a", "-m", "longer")
	return w
}

func (w work) git(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=nobody", "-c", "user.email=nobody@example.org"}, args...)...)
	c.Dir = w.repo
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// run runs the script in a shell that knows of no code host but what env says.
func (w work) run(t *testing.T, env ...string) (string, int) {
	t.Helper()
	script := must.Get(filepath.Abs("pull-request"))(t)
	c := exec.Command(script)
	c.Dir = w.repo
	c.Env = append([]string{"PATH=" + filepath.Dir(w.program) + ":" + os.Getenv("PATH"), "HOME=" + w.dir, "FABRIC=pod", "RESULTS=" + w.results}, env...)
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState.ExitCode() < 0 {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// twice runs the script on the request, and again after an error was made.
func (w work) twice(t *testing.T, h *host, env []string, first, second string) {
	t.Helper()
	if out, code := w.run(t, env...); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	for _, want := range []string{"<!-- roceplan: pod -->", "pod is fine", "120m", "headroom", "<summary>Proof</summary>"} {
		if !strings.Contains(h.comments[1001], want) {
			t.Errorf("the comment does not say %q:\n%s", want, h.comments[1001])
		}
	}
	inBrief(t, h.comments[1001])
	for _, name := range []string{"report.html", "roceplan.sarif", "configs/tor-01/config_db.json"} {
		if _, err := os.Stat(filepath.Join(w.results, name)); err != nil {
			t.Error(err)
		}
	}
	path := filepath.Join(w.repo, "pod/fabric.hcl")
	write(t, path, strings.Replace(read(t, path), "weight", "wieght", 1))
	if out, code := w.run(t, env...); code != 1 || !strings.Contains(out, "the fabric has errors") {
		t.Errorf("with an error: exit code %d:\n%s", code, out)
	}
	if c := h.comments[1001]; !strings.Contains(c, "did you mean weight?") || strings.Contains(c, "is fine") {
		t.Errorf("the comment was not brought up to date:\n%s", c)
	}
	if !slices.Equal(h.calls, []string{first, second}) || len(h.wrong) > 0 || len(h.comments) != 151 {
		t.Errorf("calls %v, wrong %v, %d comments", h.calls, h.wrong, len(h.comments))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	return string(text)
}
