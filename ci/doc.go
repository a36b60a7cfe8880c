// Package ci is the folder of what runs roceplan in pull requests; of Go it has tests alone, which
// run the script against stubs of the code hosts.
package ci
