package apply

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/roceplan/roceplan/observe/live"
)

// A message is one request to a device.
type message struct {
	command string // of a shell; empty: the text goes to the command line of the system
	text    string
	private bool // the output is what a device runs, which no message shows
}

// A link is a connection to a device.
type link interface {
	// ask sends a message and returns the answer. If the device refuses, the error is a *Refusal. Any
	// other error is one of the connection: whether the device did what was asked is then unknown.
	ask(ctx context.Context, m message) ([]byte, error)
	Close()
}

// A Refusal reports that a device did not do what it was asked.
type Refusal struct{ Answer string }

func (r *Refusal) Error() string { return "it refuses: " + r.Answer }

// refusal keeps the end of an answer, which gives the reason.
func refusal(answer string) *Refusal {
	const most = 400 // bytes: some five lines of a terminal
	answer = strings.TrimSpace(answer)
	if len(answer) > most {
		answer = "… " + strings.ToValidUTF8(answer[len(answer)-most:], "")
	}
	return &Refusal{answer}
}

// errLost reports that the connection to a device ended.
var errLost = errors.New("the connection is lost")

// A shellLink runs commands.
type shellLink struct {
	*live.Shell
	refused *regexp.Regexp // an output that matches is a refusal; nil: the exit code decides
}

func openShell(refused *regexp.Regexp) func(context.Context, *live.Address) (link, error) {
	return func(ctx context.Context, a *live.Address) (link, error) {
		shell, err := a.OpenSSH(ctx)
		if err != nil {
			return nil, err
		}
		return shellLink{shell, refused}, nil
	}
}

func (l shellLink) ask(ctx context.Context, m message) ([]byte, error) {
	ran, err := l.Run(ctx, m.command, []byte(m.text))
	told := ran.Output
	if m.private { // lines of banners can look like a refusal
		told, _, _ = bytes.Cut(told, []byte("! Command: show running-config"))
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errLost, err)
	case l.refused != nil && l.refused.Match(told):
		return nil, refusal(string(l.refused.Find(told)))
	case ran.Code != 0 && m.private:
		return nil, refusal(fmt.Sprintf("exit code %d: %s", ran.Code, ran.Errors))
	case ran.Code != 0:
		return nil, refusal(fmt.Sprintf("exit code %d: %s%s", ran.Code, ran.Output, ran.Errors))
	}
	return ran.Output, nil
}
