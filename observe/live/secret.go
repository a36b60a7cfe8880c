package live

import "fmt"

// A Secret is a password. It prints as such whatever prints it, also as a field of something
// else: its value is in a function, into which neither fmt nor reflect nor an encoder looks.
type Secret struct{ tell func() string }

// NewSecret keeps a text.
func NewSecret(text string) Secret { return Secret{func() string { return text }} }

// Reveal is the text; empty where there is none.
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
