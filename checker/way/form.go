package main

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// The form. Fields are called as on the page.

const holds, conditional, unjudged, fails = "holds", "conditional", "cannot be judged", "fails"

type certificate struct {
	Schema, Verdict        string
	Moments                []moment
	Before, After, Stopped []int
	Assumed                []string
	Drained                []struct {
		Step    int
		Devices []string
		Because string
	}
	Chains []chain
	Views  []view
	Links  []link
	Pairs  []pairs
	Proofs struct{ File, SHA256 string }
	proofs
}

type moment struct {
	Step             string
	Lossless, Silent []int
	Frame            int64
}

type chain struct {
	Devices []string
	NIC     bool
	States  []state
	Ports   []kind
}

type state struct {
	Step         int
	Phase, Proof string
	Gone         bool
	Sends        []int
	Frame        int64
}

type kind struct {
	Names []string
	Views []int
}

type link struct {
	A, B  [2]int
	Links int
	Ends  [2]string
	Cable []int64
	Lossy [][]int
}

type pairs struct {
	Link, Step, Pairs, Down int
	Verdict                 string
	Fails                   []failure
}

type failure struct {
	A, B, DSCP int
	Because    string
}

type view struct {
	Speed, Frame   int64
	FEC            string
	PFC, Lossless  uint8
	Groups, Queues [8]uint8
	In, Out        sets
}

// Sets are bits by code point.
type sets map[int]uint16

func (s *sets) UnmarshalJSON(text []byte) error {
	named := map[string]uint16{}
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	*s = sets{}
	for name, bits := range named {
		d, err := strconv.Atoi(name)
		if err != nil || d < 0 || d > 63 || strconv.Itoa(d) != name {
			return fmt.Errorf("%q is no code point", name)
		}
		(*s)[d] = bits
	}
	return nil
}

// Of the certificates of the states, what the way depends on.
type proofs struct {
	of    map[string]*proof
	lacks map[string]bool
}

type proof struct {
	Switches []string
	Verdict  string
	Coverage struct {
		DSCPs string `json:"lossless_dscps"`
	}
	Model struct {
		Ports []struct {
			Name     string
			Link     struct{ Rate, Cable int64 }
			Pausable uint8
			Groups   []struct{ Lossless bool }
		}
	}
}
