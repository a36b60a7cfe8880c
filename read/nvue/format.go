package nvue

import (
	"bytes"
	"regexp"

	"github.com/roceplan/roceplan/read"
)

// Format returns the YAML of NVUE.
func Format() read.Format {
	// The first operation, after comments and the start of a document; and where our
	// files, and those of a switch, say whose they are.
	begins := regexp.MustCompile(`^(#[^\n]*\n|---[^\n]*\n|\s*\n)*(-\s+|\[\s*\{\s*["']?)(set|unset|header)["']?\s*:`)
	host := regexp.MustCompile(`(?m)(?:^ +|[{,]\s*)["']?hostname["']?: *["']?([\w.-]+)`)
	command := regexp.MustCompile(`(?m)^\s*(?:\S+\$ )?nv +set +system +hostname +["']?([\w.-]+)`)
	comment := regexp.MustCompile(`\A(?:#!/bin/sh\n)?# QoS of ([\w.-]*\w)`)
	return read.Format{
		Name: "nvue", Title: "NVUE", Files: []string{"nvue.yaml", "nvue.sh", "startup.yaml"}, // the last in /etc/nvue.d of a switch
		Shows: "the header of `nv config show` names the box",
		// Cumulus Linux 5.14, RDMA over Converged Ethernet; Priority Flow Control: without
		// port-buffer and xoff-threshold both follow from cable-length.
		OwnHeadroom: "Cumulus Linux computes it from the speed and cable-length, by figures that are not published",
		Recognize: func(head []byte) []byte {
			for _, way := range []*regexp.Regexp{begins, firstCommand} {
				if at := way.FindIndex(head[:min(len(head), 4096)]); at != nil {
					return read.LineWith(head, at[1]-1)
				}
			}
			return nil
		},
		Device: func(text []byte) (string, int) {
			first := bytes.Index(text, []byte("hostname"))
			if first >= 0 {
				first = bytes.LastIndexByte(text[:first], '\n') + 1 // the expressions need no line before
				for _, where := range []*regexp.Regexp{host, command} {
					if all := where.FindAllSubmatchIndex(text[first:], -1); all != nil {
						m := all[len(all)-1] // of operations on one leaf the last counts
						return string(text[first+m[2] : first+m[3]]), first + m[2]
					}
				}
			}
			if m := comment.FindSubmatchIndex(text); m != nil {
				return string(text[m[2]:m[3]]), m[2]
			}
			return "", 0
		},
		Read: func(name string, text []byte, _ read.Options) read.Result {
			return readFile(name, text)
		},
		Neutral: neutralRules(),
	}
}
