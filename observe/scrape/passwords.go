package scrape

import (
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"net/netip"
	"sync"

	"golang.org/x/crypto/bcrypt"
)

// passwords remembers who gave the right one, since to check it takes some 70 ms. One is checked at
// a time, so that guessing takes no more than one processor; a remembered user does not wait, and another one not
// for all that a peer guesses.
type passwords struct {
	checking sync.Mutex

	lock    sync.Mutex
	salt    [32]byte
	right   map[string][sha256.Size]byte // by user: of the hash that is configured, and the password
	waiting map[netip.Prefix]int         // checks by the peer that asks for them
}

// mostWaiting are the passwords of one peer that are checked or wait for that. A pair of Prometheus servers on one
// machine gives two.
const mostWaiting = 4

func newPasswords() *passwords {
	p := &passwords{right: map[string][sha256.Size]byte{}, waiting: map[netip.Prefix]int{}}
	rand.Read(p.salt[:]) // which never fails
	return p
}

// allow returns the status of a request: that it comes from one of the users or everybody is allowed, that it
// does not, or that its peer guesses.
func (p *passwords) allow(r *http.Request, list users) (status int) {
	if len(list) == 0 {
		return http.StatusOK
	}
	user, password, given := r.BasicAuth()
	if !given {
		return http.StatusUnauthorized
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
		return http.StatusOK
	}
	peer := peerOf(r.RemoteAddr)
	if !p.wait(peer, 1) {
		return http.StatusTooManyRequests
	}
	defer p.wait(peer, -1)
	if !p.matches(hash, password) || !exists {
		return http.StatusUnauthorized
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.right[user] = digest
	return http.StatusOK
}

// wait counts the checks of a peer; false where it has too many.
func (p *passwords) wait(peer netip.Prefix, one int) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.waiting[peer]+one > mostWaiting {
		return false
	}
	if p.waiting[peer] += one; p.waiting[peer] == 0 {
		delete(p.waiting, peer)
	}
	return true
}

// remembers reports whether this password of the user was right before. It compares digests with a
// secret salt, so that its time says nothing.
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
