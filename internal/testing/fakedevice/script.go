package fakedevice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// line runs the text of a script, which is the input of the only command line that is sent to servers. One line
// runs at a time, so the lock that scripts take is not needed, and descriptors above 2 are not supported here.
func (s *Host) line(command, input string) (output, wrong string, code int) {
	if s.Real {
		return s.exec(command, input, s.run)
	}
	if command != "sudo -n sh -s" {
		s.t.Errorf("a server runs the command %q, which its double does not know", command)
	}
	return s.interpret(s.folder, "sh", lockOpened.ReplaceAllString(input, ":"), nil)
}

var lockOpened = regexp.MustCompile(`(?m)^exec 9>>.*$`)

// interpret runs a script without processes. A real shell starts one for each setting, a hundred for
// a NIC. The tests of package emit/host run the scripts of NICs by a real shell.
func (s *Host) interpret(folder, name, text string, words []string) (output, wrong string, code int) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), name)
	check(s.t, err)
	var out, errs bytes.Buffer
	r, err := interp.New(interp.Dir(folder), interp.Env(expand.ListEnviron(s.env()...)), interp.Params(append([]string{"--"}, words...)...),
		interp.StdIO(nil, &out, &errs), interp.ExecHandlers(s.called), interp.CallHandler(noMask))
	check(s.t, err)
	err = r.Run(context.Background(), file)
	status, exits := errors.AsType[interp.ExitStatus](err)
	if err != nil && !exits {
		s.t.Error(name, err)
	}
	return out.String(), errs.String(), int(status)
}

// noMask leaves out umask, which the interpreter does not have: a process has one mask, and other tests run in it.
func noMask(_ context.Context, words []string) ([]string, error) {
	if words[0] == "umask" {
		return []string{"true"}, nil
	}
	return words, nil
}

// called runs the programs that scripts of NICs call.
func (s *Host) called(other interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, words []string) error {
		h, code := interp.HandlerCtx(ctx), 0
		in := func(path string) string {
			if filepath.IsAbs(path) {
				return path
			}
			return filepath.Join(h.Dir, path)
		}
		switch name := words[0]; {
		case slices.Contains(s.programs, name):
			var reply string
			reply, code = s.run(h.Dir, words)
			io.WriteString(h.Stdout, reply)
		case name == "sh":
			var reply, wrong string
			text, err := os.ReadFile(in(words[1]))
			check(s.t, err)
			reply, wrong, code = s.interpret(h.Dir, words[1], string(text), words[2:])
			io.WriteString(h.Stdout, reply)
			io.WriteString(h.Stderr, wrong)
		case name == "flock":
		case name == "cat" && len(words) == 2:
			text, err := os.ReadFile(in(words[1]))
			h.Stdout.Write(text)
			code = failed(h, err)
		case name == "cat" && len(words) == 1:
			_, err := io.Copy(h.Stdout, h.Stdin)
			code = failed(h, err)
		case name == "mktemp":
			path, err := os.MkdirTemp(h.Env.Get("TMPDIR").String(), "")
			fmt.Fprintln(h.Stdout, path)
			code = failed(h, err)
		case name == "rm" && words[1] == "-rf":
			code = failed(h, os.RemoveAll(in(words[2])))
		case name == "mkdir" && words[1] == "-p":
			code = failed(h, os.MkdirAll(in(words[2]), 0o777))
		case name == "mkdir":
			code = failed(h, os.Mkdir(in(words[1]), 0o777))
		case name == "rmdir":
			code = failed(h, os.Remove(in(words[1])))
		case name == "mv":
			code = failed(h, os.Rename(in(words[1]), in(words[2])))
		case name == "dirname":
			fmt.Fprintln(h.Stdout, filepath.Dir(words[1]))
		case name == "readlink" && words[1] == "-f":
			path, err := filepath.EvalSymlinks(words[2])
			fmt.Fprintln(h.Stdout, path)
			code = failed(h, err)
		case name == "grep" && words[1] == "-Eq":
			text, err := io.ReadAll(h.Stdin)
			if code = failed(h, err); !regexp.MustCompile("(?m)" + words[2]).Match(text) {
				code = 1
			}
		default:
			return other(ctx, words)
		}
		if code != 0 {
			return interp.ExitStatus(code)
		}
		return nil
	}
}

func failed(h interp.HandlerContext, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(h.Stderr, err)
	return 1
}
