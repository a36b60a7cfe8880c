package live

import (
	"fmt"
	"strconv"
	"strings"
)

// A Secret is a password. It prints as such whatever prints it, also as a field of something
// else: its value is in a function, into which neither fmt nor reflect nor an encoder looks.
type Secret struct{ tell func() string }

// NewSecret keeps a text.
func NewSecret(text string) Secret { return Secret{func() string { return text }} }

// Reveal returns the text; empty where there is none.
func (s Secret) Reveal() string {
	if s.tell == nil {
		return ""
	}
	return s.tell()
}

// given reports whether there is one.
func (s Secret) given() bool { return s.tell != nil }

const hidden = "(secret)"

// Format prints that there is a secret, for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, hidden) }

// MarshalText writes that there is a secret.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Hide returns an error whose message does not show the password of the address. Some servers repeat
// what they do not understand: Redis the arguments of an unknown command, such as a disabled AUTH.
func (a *Address) Hide(err error) error {
	if err == nil {
		return nil
	}
	password, _ := a.secret() // without one there is nothing to hide
	text := password.Reveal()
	if text == "" {
		return err
	}
	shown := err.Error()
	for range 3 { // as it is, quoted, and quoted by the server too
		shown = strings.ReplaceAll(shown, text, hidden)
		text = strconv.Quote(text)
		text = text[1 : len(text)-1]
	}
	if shown != err.Error() {
		return &hiding{shown, err}
	}
	return err
}

// hiding is an error with another message.
type hiding struct {
	message string
	err     error
}

func (h *hiding) Error() string { return h.message }
func (h *hiding) Unwrap() error { return h.err }
