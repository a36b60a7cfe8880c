package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/roceplan/roceplan/observe/live"
)

// gnmiSystem changes devices by SetRequests below a path. A device makes one as a whole; with the
// extension of confirmed commits it takes it back unless it is confirmed (openconfig/reference,
// gnmi-commit-confirmed.md). A device without the extension gets the way back first, as a trial: it runs
// that already. Saving is the server's, such as commit-save of SR Linux.
func gnmiSystem(root string) *system {
	return &system{
		scheme: live.GNMI, open: openGNMI,
		pull: message{command: "get " + root},
		send: func(c *change) []message {
			return []message{{command: "try " + c.ID, text: c.file(undo + changeFile)},
				{command: fmt.Sprintf("commit %s %d", c.ID, c.Minutes), text: c.file(changeFile)}}
		},
		back: func(c *change) []message {
			return []message{{command: "back " + c.ID, text: c.file(undo + changeFile)}}
		},
		confirm: func(c *change) []message { return []message{{command: "confirm " + c.ID}} },
		save:    always(),
	}
}

// A gnmiLink sends requests. The command of a message says which: "get PATH", "try ID", "commit ID
// MINUTES", "confirm ID" or "back ID"; its text is a request as gnmic reads it.
type gnmiLink struct {
	address *live.Address
	plain   bool // after a trial: the device has no confirmed commits
}

func openGNMI(_ context.Context, a *live.Address) (link, error) { return &gnmiLink{address: a}, nil }

// Close does nothing: each call has a connection of its own.
func (*gnmiLink) Close() {}

func (l *gnmiLink) ask(ctx context.Context, m message) ([]byte, error) {
	verb, id, _ := strings.Cut(m.command, " ")
	if verb == "get" {
		text, err := l.address.Config(ctx, id)
		return text, lost(err)
	}
	var c live.Commit
	var set live.Set
	switch verb {
	case "confirm":
		_, err := l.ends(ctx, live.Commit{ID: id, Confirm: true})
		return nil, err // it was confirmed or taken back; what runs shows which
	case "try", "back":
		var err error
		l.plain, err = l.cancel(ctx, id)
		if errors.As(err, new(*Refusal)) && verb == "try" {
			return nil, nil // it knows what a cancel is
		}
		if err != nil || !l.plain {
			return nil, err
		}
	default:
		var minutes int
		if _, err := fmt.Sscan(id, &c.ID, &minutes); err != nil {
			return nil, err
		}
		if c.For = time.Duration(minutes) * time.Minute; l.plain {
			c = live.Commit{}
		}
	}
	if err := request(m.text, &set); err != nil {
		return nil, err
	}
	return nil, lost(l.address.Set(ctx, set, c))
}

// cancel ends a commit that may wait to be confirmed, and reports whether the device has no such
// commits. One that has them refuses to cancel what does not wait.
func (l *gnmiLink) cancel(ctx context.Context, id string) (plain bool, err error) {
	plain, err = l.ends(ctx, live.Commit{ID: id, Cancel: true})
	if plain && err == nil { // it was canceled, or the extension was ignored
		plain, err = l.ends(ctx, live.Commit{ID: id, Cancel: true})
	}
	return plain, err
}

// ends confirms or cancels a commit, and reports whether that was done, ignored, or is not known to the
// device. It is false where no commit waits: FAILED_PRECONDITION or NOT_FOUND. INVALID_ARGUMENT is that
// another one waits, or that a device without the extension sees an empty request.
func (l *gnmiLink) ends(ctx context.Context, c live.Commit) (bool, error) {
	err := l.address.Set(ctx, live.Set{}, c)
	var refused *live.StatusError
	if errors.As(err, &refused) {
		switch refused.Code {
		case live.NotFound, live.FailedPrecondition:
			return false, nil
		case live.InvalidArgument, live.Unimplemented:
			return true, nil
		}
	}
	return err == nil, lost(err)
}

// lost returns a refusal where the target refuses, and errLost where a connection ended.
func lost(err error) error {
	var refused *live.StatusError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused) && refused.Code != live.Unavailable:
		return refusal(refused.Message)
	}
	return fmt.Errorf("%w: %w", errLost, err)
}

// request reads a request.
func request(text string, set *live.Set) error {
	type value struct {
		Path  string
		Value json.RawMessage
	}
	var r struct {
		Deletes           []string
		Replaces, Updates []value
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	set.Deletes = r.Deletes
	for _, v := range r.Replaces {
		set.Replaces = append(set.Replaces, live.Value{Path: v.Path, JSON: v.Value})
	}
	for _, v := range r.Updates {
		set.Updates = append(set.Updates, live.Value{Path: v.Path, JSON: v.Value})
	}
	return nil
}
