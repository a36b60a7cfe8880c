//go:build !unix

package regular

const patient = 0
