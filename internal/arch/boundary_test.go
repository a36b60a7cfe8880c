package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// A boundary is a kind of calls that go through few places, which guard them.
type boundary struct {
	what    string
	calls   []string          // package by its import path, and name
	instead string            // what others use
	places  map[string]string // where the calls are, and why; a folder ends with /
}

// programs are no part of roceplan: they are run by those who build it.
var programs = []string{"chips/genboxes/", "site/gen/", "packaging/release/", "internal/testing/mutants/", "internal/testing/markingstudy/", "internal/testing/chakratrace/write/", "examples/",
	// and these are for tests alone
	"internal/testing/diagtest/", "internal/testing/readtest/", "internal/testing/goldentest/", "internal/testing/plantest/", "internal/testing/oracle/", "internal/testing/yang/", "internal/testing/browser/", "internal/testing/testcerts/", "internal/testing/fakedevice/", "internal/testing/redisserver/", "internal/testing/year/"}

var boundaries = []boundary{
	{what: "writes", instead: "cmd/roceplan/whole: whole or not at all, and through no link",
		calls: []string{"os.WriteFile", "os.Create", "os.CreateTemp", "os.OpenFile", "os.Rename", "os.Symlink", "os.Link", "os.Mkdir", "os.MkdirAll", "os.MkdirTemp", "os.Remove", "os.RemoveAll", "os.Chmod", "os.Chown", "os.Chtimes", "os.Truncate", "os.CopyFS", "syscall.Rename", "syscall.Flock", "golang.org/x/sys/unix.Renameat2", "golang.org/x/sys/unix.RenamexNp", "golang.org/x/sys/unix.Syncfs", "golang.org/x/sys/unix.Statx", "golang.org/x/sys/unix.Llistxattr"},
		places: map[string]string{
			"internal/disk/":           "it has the calls of the system, which cmd/roceplan/whole uses",
			"internal/regular/":        "it opens files to be read",
			"internal/runs/":           "its files are named by the digest of what they are of, and put there by a rename",
			"cmd/roceplan/tune.go":     "it makes the folder of these files, in the folder for caches",
			"cmd/roceplan/diff_git.go": "it unpacks a revision into a temporary folder, below a root",
		}},
	{what: "reads", instead: "internal/regular: regular files, with a bound on their size",
		calls: []string{"os.ReadFile", "os.Open", "os.OpenRoot", "os.OpenInRoot", "os.DirFS", "os.ReadDir", "os.NewFile", "io/fs.ReadFile", "io.ReadAll", "path/filepath.WalkDir", "path/filepath.Glob", "golang.org/x/crypto/ssh/knownhosts.New"},
		places: map[string]string{
			"internal/disk/":               "it opens what it syncs and locks, and reads through a bound",
			"internal/regular/":            "it opens files to be read, and folders to read below",
			"internal/packed/":             "it unpacks what is in the program",
			"internal/runs/":               "it takes the digest of the program itself",
			"cmd/roceplan/whole/lock.go":   "it reads 32 bytes",
			"cmd/roceplan/input.go":        "it lists folders",
			"cmd/roceplan/configs.go":      "it hands folders to verify, which reads with internal/regular",
			"cmd/roceplan/diff_git.go":     "it writes a revision below a root",
			"cmd/roceplan/sim_workload.go": "it hands a folder to model/sim/workload",
			"cmd/roceplan/cabling.go":      "it lists the files below a folder",
			"cmd/roceplan/diff.go":         "it asks whether a folder has fabrics",
			"lsp/workspace.go":             "it lists the fabrics of a folder",
			"observe/live/ssh.go":          "it has the library read known_hosts, which internal/regular has read before",
			"model/sim/workload/read.go":   "it has a bound of its own, that of a trace",
			"policy/functions.go":          "it reads what file() names, with a bound",
		}},
	{what: "parses HCL", instead: "diag.ParseHCL, which bounds how deep a text nests: a stack that is exhausted ends the program",
		calls: []string{"github.com/hashicorp/hcl/v2/hclsyntax.ParseConfig", "github.com/hashicorp/hcl/v2/hclsyntax.ParseExpression", "github.com/hashicorp/hcl/v2/hclsyntax.ParseTemplate", "github.com/hashicorp/hcl/v2/hclsyntax.ParseTraversalAbs", "github.com/hashicorp/hcl/v2/hclwrite.ParseConfig"},
		places: map[string]string{
			"diag/bound.go":              "it has the bound",
			"policy/":                    "it asks diag.BoundHCL first",
			"calc/headroom/platforms.go": "it reads what is in the program",
			"calc/formulas/parse.go":     "it reads what is in the program",
		}},
	{what: "listens or dials", instead: "observe/live to ask devices and observe/scrape to be asked: nothing else knows the network",
		calls: []string{"net.Listen", "net.ListenConfig", "net.ListenPacket", "net.ListenTCP", "net.ListenUDP", "net.ListenUnix", "net.FileListener", "net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUDP", "net.DialUnix", "net.Dialer", "net.Resolver", "net.LookupHost", "net.LookupIP", "net.LookupAddr",
			"crypto/tls.Listen", "crypto/tls.NewListener", "crypto/tls.Dial", "crypto/tls.DialWithDialer", "crypto/tls.Dialer", "crypto/tls.Client", "crypto/tls.Server",
			"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm", "net/http.DefaultClient", "net/http.DefaultTransport", "net/http.Client", "net/http.Transport", "net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve", "net/http.Server"},
		places: map[string]string{
			"observe/live/":   "it asks devices, and reaches those that package apply changes, with bounds and deadlines",
			"observe/scrape/": "it serves figures, with bounds and deadlines",
		}},
	{what: "holds a standard stream", instead: "the terminal of cmd/roceplan, which shows what others wrote by internal/plain",
		calls: []string{"os.Stdin", "os.Stdout", "os.Stderr"},
		places: map[string]string{
			"cmd/roceplan/main.go": "it hands the streams to the terminal",
		}},
	{what: "prints past the escapes", instead: "the terminal's printf, linef, errorf and report",
		calls: []string{"fmt.Print", "fmt.Printf", "fmt.Println", "print", "println", "the terminal's err", "the terminal's tty", "a print to the terminal's out"},
		places: map[string]string{
			"cmd/roceplan/terminal.go": "it is the terminal",
			"cmd/roceplan/run.go":      "kong prints wrong calls there",
			"cmd/roceplan/fix.go":      "it shows findings, which escape, and asks a question of its own",
		}},
	{what: "logs", instead: "findings and errors: nothing logs",
		calls: []string{"log.New", "log.SetOutput"},
		places: map[string]string{
			"cmd/roceplan/main.go":     "it turns logging off",
			"observe/scrape/server.go": "it discards what net/http logs",
		}},
	{what: "runs a program", instead: "nothing: what is read makes roceplan run no program",
		calls: []string{"os/exec.Command", "os/exec.CommandContext", "os.StartProcess", "syscall.Exec", "syscall.ForkExec", "plugin.Open"},
		places: map[string]string{
			"cmd/roceplan/diff_git.go":    "it runs git, which diff --git asks for",
			"cmd/roceplan/apply_drain.go": "it runs the commands that the file of --devices names for apply to drain devices",
		}},
}

// sealed are packages that reach files, network, terminal and programs. Of each only these names, and
// those that a boundary guards, are used: another call must be added here first.
var sealed = map[string][]string{
	"os": {"Args", "Executable", "Exit", "File", "Getenv", "Getpid", "Getwd", "Interrupt", "LinkError", "LookupEnv", "Lstat", "Root", "SameFile", "Signal", "Stat", "UserCacheDir",
		"O_CREATE", "O_EXCL", "O_RDONLY", "O_RDWR", "O_WRONLY"},
	"net":                      {"Addr", "Conn", "Listener", "JoinHostPort", "SplitHostPort"},
	"net/http":                 {"Error", "Header", "MethodGet", "MethodHead", "MethodPost", "NewRequestWithContext", "NotFound", "Protocols", "Request", "Response", "ResponseWriter", "StatusMethodNotAllowed", "StatusOK", "StatusText", "StatusTooManyRequests", "StatusUnauthorized"},
	"crypto/tls":               {"Certificate", "ClientAuthType", "ClientHelloInfo", "Config", "ConnectionState", "NoClientCert", "RequireAndVerifyClientCert", "RequireAnyClientCert", "VerifyClientCertIfGiven", "VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13", "X509KeyPair"},
	"os/exec":                  {"ErrNotFound", "ExitError"},
	"os/signal":                {"Ignore", "Notify", "NotifyContext", "Stop"},
	"log":                      {},
	"runtime/debug":            {"ReadBuildInfo", "SetGCPercent", "Stack"},
	"syscall":                  {"EACCES", "EBUSY", "EINVAL", "EIO", "EMLINK", "ENOSPC", "ENOSYS", "ENOTDIR", "ENOTEMPTY", "ENOTSUP", "EPERM", "EPIPE", "EWOULDBLOCK", "EXDEV", "LOCK_EX", "LOCK_NB", "O_NOFOLLOW", "O_NONBLOCK", "SIGPIPE", "SIGTERM", "Stat_t"},
	"golang.org/x/sys/unix":    {"AT_FDCWD", "AT_SYMLINK_NOFOLLOW", "IoctlGetWinsize", "RENAME_EXCHANGE", "RENAME_SWAP", "STATX_ATTR_MOUNT_ROOT", "Statx_t", "TIOCGWINSZ"},
	"C":                        {},
	"golang.org/x/sys/windows": {"ConsoleScreenBufferInfo", "GetConsoleScreenBufferInfo", "Handle"},
	"io/ioutil":                {},
	"log/slog":                 {},
	"log/syslog":               {},
	"net/http/httptest":        {},
	"net/http/httputil":        {},
	"net/http/pprof":           {},
	"net/rpc":                  {},
	"net/smtp":                 {},
	"plugin":                   {},
	"runtime/pprof":            {},
	"runtime/trace":            {},
	"unsafe":                   {"Sizeof"},

	"crypto/x509":                {"Certificate", "NewCertPool"},
	"html/template":              {"FuncMap", "HTML", "HTMLEscapeString", "JS", "Must", "New", "ParseFS", "Template"},
	"path/filepath":              {"Abs", "Base", "Clean", "Dir", "Ext", "FromSlash", "IsAbs", "IsLocal", "Join", "Match", "Rel", "Separator", "Split", "ToSlash"},
	"text/template":              {"FuncMap", "Must", "New", "ParseFS", "Template"},
	"github.com/alecthomas/kong": {"Application", "Bind", "ConfigureHelp", "Context", "DecodeContext", "Description", "Exit", "Flag", "HelpOptions", "Kong", "MapperFunc", "Name", "New", "Node", "Option", "OptionFunc", "ParseError", "TypeMapper", "Value", "Vars", "VersionFlag", "Writers"},
	"github.com/modelcontextprotocol/go-sdk/mcp": {"AddTool", "CallToolRequest", "CallToolResult", "IOTransport", "Implementation", "NewServer", "Server", "Tool", "ToolAnnotations", "Transport"},
	"golang.org/x/crypto/ssh": {"Channel", "Client", "ClientConfig", "FingerprintSHA256", "HostKeyCallback", "KeyAlgoRSA", "KeyAlgoRSASHA256", "KeyAlgoRSASHA512", "KeyboardInteractive", "Marshal", "NewClient", "NewClientConn", "OpenChannelError",
		"ParsePrivateKey", "ParsePrivateKeyWithPassphrase", "PassphraseMissingError", "Password", "PublicKey", "PublicKeys", "PublicKeysCallback", "Request", "Signature", "Signer"},
	"golang.org/x/crypto/ssh/agent":      {"NewClient"},
	"golang.org/x/crypto/ssh/knownhosts": {"KeyError"},
}

// harmless are packages that reach none of these but through what they are handed. Another package must
// be added here, or to those above, before it is imported.
var harmless = strings.Fields(`bufio bytes cmp compress/flate container/heap container/list context crypto/rand crypto/sha256 embed
	encoding encoding/base64 encoding/binary encoding/csv encoding/hex encoding/json encoding/xml errors fmt hash hash/crc32 hash/fnv html io io/fs iter maps
	math math/big math/bits math/rand/v2 net/netip net/url path reflect regexp runtime slices sort strconv strings sync sync/atomic syscall/js testing text/tabwriter time
	unicode unicode/utf16 unicode/utf8 github.com/agext/levenshtein github.com/aymanbagabas/go-udiff github.com/evanphx/json-patch/v5
	github.com/google/jsonschema-go/jsonschema github.com/hashicorp/hcl/v2 github.com/hashicorp/hcl/v2/ext/tryfunc github.com/hashicorp/hcl/v2/ext/typeexpr
	github.com/hashicorp/hcl/v2/gohcl github.com/hashicorp/hcl/v2/hclsyntax github.com/hashicorp/hcl/v2/hclwrite github.com/mattn/go-isatty
	github.com/zclconf/go-cty/cty github.com/zclconf/go-cty/cty/convert github.com/zclconf/go-cty/cty/function github.com/zclconf/go-cty/cty/function/stdlib
	go.yaml.in/yaml/v4 golang.org/x/crypto/bcrypt golang.org/x/sys/cpu google.golang.org/protobuf/encoding/protowire pgregory.net/rapid`)

// unknown lists imports that are neither ours, sealed nor harmless.
func unknown(tree *ast.File) (paths []string) {
	for _, spec := range tree.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err == nil && sealed[path] == nil && !slices.Contains(harmless, path) && !strings.HasPrefix(path, "github.com/roceplan/roceplan") {
			paths = append(paths, path)
		}
	}
	return paths
}

// unsealed returns why a name of a sealed package must not be used.
func unsealed(call string) string {
	for path, names := range sealed {
		name, ok := strings.CutPrefix(call, path+".")
		if !ok || strings.Contains(name, "/") || slices.Contains(names, name) {
			continue
		}
		if !slices.ContainsFunc(boundaries, func(b boundary) bool { return slices.Contains(b.calls, call) }) {
			return "uses " + call + ", which is not on the list: add it to a boundary, or to the harmless ones"
		}
	}
	return ""
}

// Files, network, terminal and programs are reached through few places, so that a promise about them
// is kept in one place. What goes round them fails here.
func TestBoundaries(t *testing.T) {
	used := map[string]bool{}
	for file, tree := range parseTree(t, ".") {
		if among(file, programs) || strings.HasPrefix(file, "checker/") {
			continue
		}
		for _, path := range unknown(tree) {
			t.Errorf("%s imports %s, which is not on the list: add it to those that are sealed, or to the harmless ones", file, path)
		}
		for _, call := range slices.Concat(foreign(tree), own(file, tree)) {
			must.Equalf(t, unsealed(call), "", "%s", file)
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
		if name == "." || name == "_" {
			names = append(names, path+".an import without a name")
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

// own lists what prints without a package: the functions of the language, and the streams of the
// terminal of cmd/roceplan.
func own(file string, tree *ast.File) (names []string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Obj == nil && (f.Name == "print" || f.Name == "println") {
				names = append(names, f.Name)
			}
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(f.Sel.Name, "Fprint") && len(n.Args) > 0 {
				if to, ok := n.Args[0].(*ast.SelectorExpr); ok && to.Sel.Name == "out" && strings.HasPrefix(file, "cmd/roceplan/") {
					names = append(names, "a print to the terminal's out")
				}
			}
		case *ast.SelectorExpr:
			of := ""
			switch x := n.X.(type) {
			case *ast.Ident:
				of = x.Name
			case *ast.SelectorExpr:
				of = x.Sel.Name
			}
			if strings.HasPrefix(file, "cmd/roceplan/") && of == "t" && (n.Sel.Name == "err" || n.Sel.Name == "tty") {
				names = append(names, "the terminal's "+n.Sel.Name)
			}
		}
		return true
	})
	return names
}

// The rules themselves: what goes round a boundary is found, also under another name.
func TestWaysRoundAreFound(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"read/sonic/read.go", `import "os"; var _ = os.ReadFile`},
		{"read/sonic/read.go", `import o "os"; var read = o.ReadFile`},
		{"roceplan.go", `import "io/fs"; var _ = fs.ReadFile`},
		{"roceplan.go", `import "io/ioutil"; var _ = ioutil.ReadAll`},
		{"cmd/roceplan/alerts.go", `import . "os"; var _ = ReadFile`},
		{"cmd/roceplan/init.go", `import "os"; var _ = os.OpenFile`},
		{"cmd/roceplan/init.go", `import "syscall"; var _ = syscall.Open`},
		{"cmd/roceplan/input.go", `import "os"; var _ = os.Stdin`},
		{"lsp/wire.go", `import "net"; var _ = net.Listen`},
		{"lsp/wire.go", `import "net"; var _ = net.DialIP`},
		{"mcp/mcp.go", `import "net/http"; var _ = http.Get`},
		{"mcp/mcp.go", `import _ "net/http/pprof"`},
		{"cmd/roceplan/observe.go", `import "net"; var _ net.Dialer`},
		{"verify/verify.go", `import "fmt"; var _ = fmt.Println`},
		{"verify/verify.go", `func f() { println(1) }`},
		{"verify/verify.go", `import "log/slog"; var _ = slog.New`},
		{"verify/verify.go", `import "runtime/debug"; var _ = debug.PrintStack`},
		{"cmd/roceplan/run.go", `import "os"; var _ = os.Stdout`},
		{"cmd/roceplan/observe.go", `import "fmt"; func f(t *terminal) { fmt.Fprintln(t.err, 1) }`},
		{"cmd/roceplan/observe.go", `import "fmt"; func (w *watch) f() { fmt.Fprintln(w.t.tty, 1) }`},
		{"policy/load.go", `import "os/exec"; var _ = exec.Command`},
		{"policy/load.go", `import "plugin"; var _ plugin.Plugin`},
		{"policy/load.go", `import "github.com/hashicorp/hcl/v2/hclparse"; var _ = hclparse.NewParser`},
		{"read/sonic/read.go", `import "archive/zip"; var _ = zip.OpenReader`},
		{"read/sonic/read.go", `import "path/filepath"; var _ = filepath.EvalSymlinks`},
		{"verify/verify.go", `import "path/filepath"; var _ = filepath.WalkDir`},
		{"report/report.go", `import "html/template"; var _ = template.ParseFiles`},
		{"apply/link.go", `import "golang.org/x/crypto/ssh"; var _ = ssh.Dial`},
		{"lsp/wire.go", `import "golang.org/x/net/websocket"; var _ = websocket.Dial`},
		{"mcp/mcp.go", `import sdk "github.com/modelcontextprotocol/go-sdk/mcp"; var _ sdk.CommandTransport`},
		{"cmd/roceplan/observe.go", `import "fmt"; func f(t *terminal) { fmt.Fprintln(t.out, 1) }`},
		{"cmd/roceplan/observe.go", `import "fmt"; func (w *watch) f() { fmt.Fprint(w.t.out, 1) }`},
	} {
		tree := must.Get(parser.ParseFile(token.NewFileSet(), c.file, "package p; "+c.text, 0))(t)
		found := len(unknown(tree)) > 0
		for _, call := range slices.Concat(foreign(tree), own(c.file, tree)) {
			found = found || unsealed(call) != ""
			for _, b := range boundaries {
				_, why := b.judge(c.file, call)
				found = found || why != ""
			}
		}
		if !found {
			t.Errorf("%s may have %s", c.file, c.text)
		}
	}
}
