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

// A gnmiLink sends SetRequests with the extension of confirmed commits. The command of a message says
// which: "get", "commit ID MINUTES", "confirm ID" or "cancel ID"; its text is a request as gnmic reads
// it.
type gnmiLink struct{ address *live.Address }

func openGNMI(_ context.Context, a *live.Address) (link, error) { return gnmiLink{a}, nil }

// Close does nothing: each call has a connection of its own.
func (gnmiLink) Close() {}

func (l gnmiLink) ask(ctx context.Context, m message) ([]byte, error) {
	if m.command == "get" {
		text, err := l.address.Config(ctx)
		return text, lost(err)
	}
	verb, rest, _ := strings.Cut(m.command, " ")
	c := live.Commit{ID: rest, Confirm: verb == "confirm", Cancel: verb == "cancel"}
	var set live.Set
	if verb == "commit" {
		var minutes int
		if _, err := fmt.Sscan(rest, &c.ID, &minutes); err != nil {
			return nil, err
		}
		c.For = time.Duration(minutes) * time.Minute
		if err := request(m.text, &set); err != nil {
			return nil, err
		}
	}
	err := l.address.Set(ctx, set, c)
	var refused *live.StatusError
	if verb != "commit" && errors.As(err, &refused) && refused.NothingWaits() {
		return nil, nil // it was confirmed or taken back; what runs shows which
	}
	return nil, lost(err)
}

// lost returns a refusal where the target refuses, and errLost where a connection ended.
func lost(err error) error {
	const unavailable = "14" // gRPC status codes, UNAVAILABLE: a connection ended
	var refused *live.StatusError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused) && refused.Code != unavailable:
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
