package scrape

import (
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"sync"

	"golang.org/x/crypto/bcrypt"
)

// passwords remembers who gave the right one, since to check it takes some 70 ms. One is checked at
// a time, so that guessing takes no more than one processor; a remembered user does not wait.
type passwords struct {
	checking sync.Mutex

	lock  sync.Mutex
	salt  [32]byte
	right map[string][sha256.Size]byte // by user: of the hash that is configured, and the password
}

func newPasswords() *passwords {
	p := &passwords{right: map[string][sha256.Size]byte{}}
	rand.Read(p.salt[:]) // which never fails
	return p
}

// allow reports whether a request comes from one of the users, or everybody is allowed.
func (p *passwords) allow(r *http.Request, list users) bool {
	if len(list) == 0 {
		return true
	}
	user, password, given := r.BasicAuth()
	if !given {
		return false
	}
	hash, exists := list[user]
	if !exists {
		for _, other := range list { // so that it takes as long
			hash = other
			break
		}
	}
	digest := sha256.Sum256(append(append(append([]byte(hash), 0), p.salt[:]...), password...))
	if exists && p.remembers(user, digest) {
		return true
	}
	if !p.matches(hash, password) || !exists {
		return false
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.right[user] = digest
	return true
}

// remembers reports whether this password of the user was right before. What is compared are digests
// with a secret salt, so that the time it takes says nothing.
func (p *passwords) remembers(user string, digest [sha256.Size]byte) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	have, ok := p.right[user]
	return ok && have == digest
}

func (p *passwords) matches(hash, password string) bool {
	p.checking.Lock()
	defer p.checking.Unlock()
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}
