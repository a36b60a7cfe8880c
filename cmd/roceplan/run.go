package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/internal/target"
)

// Exit codes. Scripts decide by them whether to look at the findings or at the call.
const (
	exitFine     = 0
	exitFindings = 1 // errors in the input, or a difference that --check found
	exitTrouble  = 2 // a wrong call, or a file that cannot be read or written

	exitInterrupted = 130 // the code of shells for a program that SIGINT ended
)

// commandLine is all commands; kong reads it.
type commandLine struct {
	JSON bool `name:"json" help:"Print results and findings as JSON on standard output."`

	All bool `name:"all" help:"Print every finding; by default equal ones are printed once, and 20 at most."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version, and do nothing else."`

	Compile    compileCmd    `cmd:"" help:"Write the configuration of every switch of a fabric."`
	Check      checkCmd      `cmd:"" help:"Find mistakes in a fabric, and write nothing."`
	Explain    explainCmd    `cmd:"" help:"Show the derivation of a number."`
	Calc       calcCmd       `cmd:"" help:"Answer single questions by the formulas that compile uses."`
	Fmt        fmtCmd        `cmd:"" name:"fmt" help:"Format fabric files."`
	New        newCmd        `cmd:"" help:"Write the fabric for a number of GPUs or hosts, or of a published design."`
	Init       initCmd       `cmd:"" help:"Write a fabric file to start from."`
	Chips      chipsCmd      `cmd:"" help:"List the chips, or the data of one."`
	Platforms  platformsCmd  `cmd:"" help:"List the boxes with known lanes and labels, or the ports of one."`
	NICs       nicsCmd       `cmd:"" name:"nics" help:"List the network cards, or the constants of one."`
	Targets    targetsCmd    `cmd:"" help:"List the settings that each target supports."`
	Sim        simCmd        `cmd:"" name:"sim" help:"Send packets through a fabric and measure."`
	Compare    compareCmd    `cmd:"" help:"Compare completion under the compiled settings with settings that vendors, guides and papers publish."`
	Tune       tuneCmd       `cmd:"" help:"Search settings under which traffic finishes sooner, within the inequalities."`
	Merge      mergeCmd      `cmd:"" help:"Join the parts of a sweep that --shard ran."`
	Probe      probeCmd      `cmd:"" help:"Find the packet at which a switch pauses, drops and resumes."`
	Verify     verifyCmd     `cmd:"" help:"Prove configuration files lossless, or show what fails."`
	Replay     replayCmd     `cmd:"" help:"Replay a counterexample."`
	Margins    marginsCmd    `cmd:"" help:"Show the limits of cables, fan-in, MTU and classes."`
	Report     reportCmd     `cmd:"" help:"Draw a fabric on one page: topology, buffers, inequalities, verdicts."`
	Audit      auditCmd      `cmd:"" help:"Find mistakes in existing configuration, worst first."`
	AuditHost  auditHostCmd  `cmd:"" name:"audit-host" help:"Compare a server's NIC with the expectations of its switches."`
	Import     importCmd     `cmd:"" help:"Write the fabric of running switches, from their configuration."`
	Cabling    cablingCmd    `cmd:"" help:"Compare installed cables with those of the fabric."`
	Alerts     alertsCmd     `cmd:"" help:"Write Prometheus rules and a Grafana dashboard that check measurements against the plan."`
	Observe    observeCmd    `cmd:"" help:"Compare counters of devices with the plan."`
	Patch      patchCmd      `cmd:"" help:"Change a running SONiC switch to the fabric."`
	Diff       diffCmd       `cmd:"" help:"Show the differences of two fabrics, their reasons, and a safe order of the change."`
	Apply      applyCmd      `cmd:"" help:"Carry out a change on running devices, step by step, with a way back."`
	LSP        lspCmd        `cmd:"" name:"lsp" help:"Serve an editor over the Language Server Protocol."`
	MCP        mcpCmd        `cmd:"" name:"mcp" help:"Serve a language model over the Model Context Protocol, read-only."`
	Schema     schemaCmd     `cmd:"" help:"Print the JSON Schema of a command's --json."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
	Man        manCmd        `cmd:"" help:"Write the manual pages."`
	Complete   completeCmd   `cmd:"" hidden:"" help:"List completions of the last word of a command line."`
	Help       helpCmd       `cmd:"" help:"Explain a command, or the language."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
}

const description = `roceplan compiles one description of a RoCE fabric into the QoS and buffer configuration of every switch.

Exit codes: 0 all is well; 1 there are findings, or --check found a difference; 2 the call was wrong, or a file could not be read or written; 130 a signal ended the program.`

// errFindings ends a command whose findings are printed already.
var errFindings = roceplan.ErrFindings

// run returns the whole program: arguments in, exit code out.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer endAnyway()()
	shown := &plain.Writer{To: stdout}
	out := bufio.NewWriterSize(shown, 64<<10)
	t := &terminal{Context: ctx, in: stdin, out: out, err: &plain.Writer{To: stderr}, tty: stderr, disk: disk.System{},
		plain: shown, shown: isTerminal(stdout),
		colour:   isTerminal(stderr) && env("NO_COLOR") == "" && env("TERM") != "dumb",
		width:    widthOf(stdout),
		progress: isTerminal(stderr), asks: isTerminal(stdin) && isTerminal(stderr)}
	t.json = slices.Contains(args, "--json") // a call that cannot be read is reported in JSON too
	err := dispatch(args, t)
	t.tellTrouble(err)
	if failed := errors.Join(out.Flush(), shown.End()); failed != nil && !errors.Is(failed, syscall.EPIPE) && (err == nil || errors.Is(err, errFindings)) {
		err = failed
	}
	return t.exitCode(err)
}

// grace is the time for which a command may continue after a signal.
const grace = 2 * time.Second

// endAnyway ends the program when a signal came and the command ignores it, as in the midst of a
// long evaluation. The caller calls ended when the command has ended.
func endAnyway() (ended func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-done:
			return
		case <-signals:
		}
		select {
		case <-done:
		case <-signals: // a second one is not to wait
			os.Exit(exitInterrupted)
		case <-time.After(grace):
			os.Exit(exitInterrupted)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// dispatch finds the command and runs it.
func dispatch(args []string, t *terminal) error {
	var line commandLine
	helped := false
	if len(args) == 0 {
		args = []string{"--help"}
	}
	grammar := grammarOf(&line, args[0])
	call, err := newParser(grammar.Interface(), t, func(int) { helped = true }).Parse(args)
	if helped {
		return nil
	}
	if err != nil {
		words := strings.Replace(err.Error(), `must be one of "",`, "must be one of ", 1) // an empty one is no choice
		return misusef("%s; see roceplan %s--help", words, commandOf(err))
	}
	for _, f := range reflect.VisibleFields(grammar.Elem().Type()) {
		reflect.ValueOf(&line).Elem().FieldByName(f.Name).Set(grammar.Elem().FieldByIndex(f.Index))
	}
	t.json, t.all = line.JSON, line.All
	return call.Run(&line)
}

// grammarOf returns the grammar for kong: the flags of all commands and the command that the first word names,
// since to make all commands takes longer than to run most of them. Where it names none, or one that describes the
// others, the grammar is the whole command line.
func grammarOf(line *commandLine, word string) reflect.Value {
	whole := reflect.ValueOf(line)
	var fields []reflect.StructField
	found := false
	for _, f := range reflect.VisibleFields(whole.Type().Elem()) {
		_, isCommand := f.Tag.Lookup("cmd")
		named := cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)) == word
		if !isCommand || named {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		}
		found = found || isCommand && named
	}
	if !found || slices.Contains([]string{"complete", "help", "man"}, word) {
		return whole
	}
	return reflect.New(reflect.StructOf(fields))
}

func newParser(grammar any, t *terminal, exit func(int)) *kong.Kong {
	parser, err := kong.New(grammar,
		kong.Name("roceplan"), kong.Description(description),
		kong.Writers(t.out, t.err), kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Bind(t), quantityFlags(),
		kong.Vars{"version": stampedVersion().String(), "forms": strings.Join(target.FormNames(), ",")},
	)
	if err != nil {
		panic(err) // the structs of the commands do not make a command line
	}
	return parser
}

// commandOf names the command that was called wrongly, with a space, for the hint.
func commandOf(err error) string {
	var failed *kong.ParseError
	if !errors.As(err, &failed) || failed.Context == nil || failed.Context.Selected() == nil {
		return ""
	}
	return strings.TrimPrefix(failed.Context.Selected().FullPath(), "roceplan ") + " "
}

// halted is the error of a command that a signal ended in the midst of what it changes.
type halted struct{ error }

// misuse is an error of the call, not of the input.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

func misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// tellTrouble gives a program that asked for JSON the error as JSON, unless the command
// has given it a result already.
func (t *terminal) tellTrouble(err error) {
	if code, message := verdict(err); t.json && code >= exitTrouble && t.out.Buffered() == 0 {
		t.printJSON(failure{message, diag.List{}}) // a failure of out comes to light when it is flushed
	}
}

// verdict returns the exit code of an error, and its message in one line; empty where all has been
// printed.
func verdict(err error) (code int, message string) {
	switch {
	case err == nil:
		return exitFine, ""
	case errors.Is(err, errFindings):
		return exitFindings, ""
	case errors.Is(err, syscall.EPIPE):
		return exitFine, "" // head has seen enough
	case errors.As(err, new(halted)):
		return exitInterrupted, oneLine(err)
	case errors.Is(err, context.Canceled):
		return exitInterrupted, "interrupted; nothing was written"
	}
	return exitTrouble, oneLine(err)
}

// exitCode prints what is not printed yet, in one line, and gives the code.
func (t *terminal) exitCode(err error) int {
	code, message := verdict(err)
	if message != "" {
		t.errorf("roceplan: %s", message)
	}
	return code
}

// oneLine returns the message of an error. That of the system names the file and the reason,
// and not the call that failed.
func oneLine(err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) && err.Error() == failed.Error() {
		return plain.Line(failed.Path + ": " + failed.Err.Error())
	}
	return plain.Line(strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
}
