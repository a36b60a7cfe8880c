package fakedevice

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A shell runs command lines by a real shell, in a folder with programs of the device. A function
// answers the calls of these.
type shell struct {
	t        testing.TB
	folder   string
	programs []string
}

// newShell has sudo and programs of these names.
func newShell(t testing.TB, programs ...string) shell {
	t.Helper()
	s := shell{t, t.TempDir(), programs}
	for _, name := range []string{"bin", "tmp"} {
		check(t, os.MkdirAll(filepath.Join(s.folder, name), 0o777))
	}
	s.program("sudo", "#!/bin/sh\n[ \"$1\" = -n ] && shift\nexec \"$@\"\n")
	for _, name := range programs {
		s.program(name, "#!/bin/sh\nprintf '%s\\t' \"$PWD\" \"${0##*/}\" \"$@\" >&3\necho >&3\nread -r code <&4\n[ ! -s \"$FAKE/reply\" ] || while IFS= read -r line || [ -n \"$line\" ]; do printf '%s\\n' \"$line\"; done <\"$FAKE/reply\"\nexit \"$code\"\n")
	}
	return s
}

func (s *shell) program(name, text string) {
	check(s.t, os.WriteFile(filepath.Join(s.folder, "bin", name), []byte(text), 0o777))
}

func (s *shell) env() []string {
	return []string{"PATH=" + filepath.Join(s.folder, "bin") + ":" + os.Getenv("PATH"), "FAKE=" + s.folder, "HOME=" + s.folder, "TMPDIR=" + filepath.Join(s.folder, "tmp"), "ROCEPLAN_RUN=" + s.folder, "ROCE_SYSFS=" + filepath.Join(s.folder, "sys")}
}

// exec runs a command line. run answers programs by the folder that they are called in and their words.
func (s *shell) exec(command, input string, run func(folder string, words []string) (reply string, code int)) (output, wrong string, code int) {
	asks, asked, err := os.Pipe()
	check(s.t, err)
	answers, answered, err := os.Pipe()
	check(s.t, err)
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = s.folder
	cmd.Env = s.env()
	cmd.ExtraFiles = []*os.File{asked, answers}
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	go func() {
		for lines := bufio.NewScanner(asks); lines.Scan(); {
			words := strings.Split(strings.TrimSuffix(lines.Text(), "\t"), "\t")
			reply, code := run(words[0], words[1:])
			os.WriteFile(filepath.Join(s.folder, "reply"), []byte(reply), 0o666)
			fmt.Fprintln(answered, code)
		}
	}()
	err = cmd.Run()
	for _, f := range []*os.File{asks, asked, answers, answered} {
		f.Close()
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return out.String(), errs.String(), exit.ExitCode()
	}
	if err != nil {
		return "", err.Error(), 127
	}
	return out.String(), errs.String(), 0
}
