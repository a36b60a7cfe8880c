// Package arch is the architecture as tests: which package may import which, where
// floating point has no place, and that every code of a finding is documented and
// shown. It holds no code of its own.
package arch
