package arch

import (
	"go/ast"
	"strconv"
	"strings"
	"testing"
)

// A boundary is a kind of calls that go through few places, which guard them.
type boundary struct {
	what    string
	calls   []string          // package by its import path, and name
	instead string            // what others use
	places  map[string]string // where the calls are, and why; a folder ends with /
}

// programs are no part of roceplan: they are run by those who build it.
var programs = []string{"chips/genboxes/", "site/gen/", "packaging/release/", "internal/mutants/", "internal/manifests/", "internal/markingstudy/", "internal/chakratrace/write/", "examples/",
	// and these are for tests alone
	"internal/diagtest/", "internal/readtest/", "internal/goldentest/", "internal/plantest/", "internal/oracle/", "internal/browser/", "internal/testcerts/"}

var boundaries = []boundary{
	{what: "writes", instead: "cmd/roceplan/whole: whole or not at all, and through no link",
		calls: []string{"os.WriteFile", "os.Create", "os.CreateTemp", "os.OpenFile", "os.Rename", "os.Symlink", "os.Link", "os.Mkdir", "os.MkdirAll", "os.MkdirTemp", "os.Remove", "os.RemoveAll", "os.Chmod", "os.Chown", "os.Chtimes", "os.Truncate", "os.CopyFS", "syscall.Rename", "syscall.Open", "golang.org/x/sys/unix.Renameat2"},
		places: map[string]string{
			"internal/disk/":           "it has the calls of the system, which cmd/roceplan/whole uses",
			"internal/regular/":        "it opens files to be read",
			"internal/runs/":           "its files are named by the digest of what they are of, and put there by a rename",
			"cmd/roceplan/tune.go":     "it makes the folder of these files, in the folder for caches",
			"cmd/roceplan/diff_git.go": "it unpacks a revision into a temporary folder, below a root",
		}},
	{what: "reads", instead: "internal/regular: regular files, with a bound on their size",
		calls: []string{"os.ReadFile", "os.Open", "os.OpenRoot", "os.OpenInRoot", "os.DirFS", "os.ReadDir", "os.NewFile", "io/fs.ReadFile", "io.ReadAll"},
		places: map[string]string{
			"internal/disk/":               "it opens what it syncs and locks, and reads through a bound",
			"internal/packed/":             "it unpacks what is in the program",
			"internal/runs/":               "it takes the digest of the program itself",
			"cmd/roceplan/whole/lock.go":   "it reads 32 bytes",
			"cmd/roceplan/input.go":        "it opens the folder that file() reads below, and lists folders",
			"cmd/roceplan/configs.go":      "it hands folders to verify, which reads with internal/regular",
			"cmd/roceplan/mcp.go":          "it opens the folder that is served",
			"cmd/roceplan/diff_git.go":     "it unpacks what git prints, below a root",
			"cmd/roceplan/sim_workload.go": "it hands a folder to model/sim/workload",
			"model/sim/workload/read.go":   "it has a bound of its own, that of a trace",
			"model/sim/hpcc/words.go":      "it opens the folder of a configuration, and reads with internal/regular",
			"lsp/workspace.go":             "it opens the folder that file() reads below",
			"policy/functions.go":          "it reads what file() names, with a bound",
		}},
	{what: "listens or dials", instead: "observe/live to ask devices and observe/scrape to be asked: nothing else knows the network",
		calls: []string{"net.Listen", "net.ListenConfig", "net.ListenPacket", "net.ListenTCP", "net.ListenUDP", "net.ListenUnix", "net.FileListener", "net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUDP", "net.DialUnix", "net.Dialer", "net.Resolver", "net.LookupHost", "net.LookupIP", "net.LookupAddr",
			"crypto/tls.Listen", "crypto/tls.NewListener", "crypto/tls.Dial", "crypto/tls.DialWithDialer", "crypto/tls.Dialer", "crypto/tls.Client", "crypto/tls.Server",
			"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm", "net/http.DefaultClient", "net/http.DefaultTransport", "net/http.Client", "net/http.Transport", "net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve", "net/http.Server"},
		places: map[string]string{
			"observe/live/":   "it asks devices, with bounds and deadlines",
			"observe/scrape/": "it serves figures, with bounds and deadlines",
		}},
	{what: "prints past the escapes", instead: "the terminal of cmd/roceplan, which shows what others wrote by internal/plain",
		calls: []string{"os.Stdout", "os.Stderr", "fmt.Print", "fmt.Printf", "fmt.Println", "log.Print", "log.Printf", "log.Println", "log.Fatal", "log.Fatalf", "log.Default", "log/slog.Info", "log/slog.Warn", "log/slog.Error", "log/slog.Default"},
		places: map[string]string{
			"cmd/roceplan/main.go": "it hands the two streams to the terminal",
		}},
	{what: "runs a program", instead: "nothing: what is read makes roceplan run no program",
		calls: []string{"os/exec.Command", "os/exec.CommandContext", "os.StartProcess", "syscall.Exec", "syscall.ForkExec", "plugin.Open"},
		places: map[string]string{
			"cmd/roceplan/diff_git.go": "it runs git, which diff --git asks for",
		}},
}

// Files, network, terminal and programs are reached through few places, so that a promise about them
// is kept in one place. What goes round them fails here.
func TestBoundaries(t *testing.T) {
	used := map[string]bool{}
	for file, tree := range parseTree(t, ".") {
		if among(file, programs) || strings.HasPrefix(file, "checker/") {
			continue
		}
		for _, call := range foreign(tree) {
			for _, b := range boundaries {
				if place, why := b.judge(file, call); why != "" {
					t.Errorf("%s %s", file, why)
				} else if place != "" {
					used[b.what+" "+place] = true
				}
			}
		}
	}
	for _, b := range boundaries {
		for place := range b.places {
			if !used[b.what+" "+place] {
				t.Errorf("%s no longer %s: take it from the list", place, b.what)
			}
		}
	}
}

// judge returns the place of the list that a call is in, or why it must not be there.
func (b boundary) judge(file, call string) (place, why string) {
	for _, name := range b.calls {
		if name != call {
			continue
		}
		for place := range b.places {
			if file == place || strings.HasSuffix(place, "/") && strings.HasPrefix(file, place) {
				return place, ""
			}
		}
		return "", b.what + " with " + call + "; use " + b.instead
	}
	return "", ""
}

func among(file string, folders []string) bool {
	for _, folder := range folders {
		if strings.HasPrefix(file, folder) {
			return true
		}
	}
	return false
}

// foreign lists what a file names of other packages, by their import paths. Imports under another
// name and with a dot are seen too.
func foreign(tree *ast.File) (names []string) {
	paths := map[string]string{}
	for _, spec := range tree.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			names = append(names, "a dot import of "+path)
		}
		paths[name] = path
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if from, ok := s.X.(*ast.Ident); ok && from.Obj == nil && paths[from.Name] != "" {
				names = append(names, paths[from.Name]+"."+s.Sel.Name)
			}
		}
		return true
	})
	return names
}

// The rules themselves: what goes round a boundary is found, also under another name.
func TestWaysRoundAreFound(t *testing.T) {
	for _, c := range []struct{ file, call string }{
		{"read/sonic/read.go", "os.ReadFile"}, {"roceplan.go", "io/fs.ReadFile"}, {"cmd/roceplan/alerts.go", "os.ReadFile"},
		{"cmd/roceplan/init.go", "os.OpenFile"}, {"lsp/wire.go", "net.Listen"}, {"mcp/mcp.go", "net/http.Get"}, {"cmd/roceplan/observe.go", "net.Dialer"},
		{"verify/verify.go", "fmt.Println"}, {"cmd/roceplan/run.go", "os.Stdout"}, {"policy/load.go", "os/exec.Command"},
	} {
		found := false
		for _, b := range boundaries {
			_, why := b.judge(c.file, c.call)
			found = found || why != ""
		}
		if !found {
			t.Errorf("%s may use %s", c.file, c.call)
		}
	}
}
