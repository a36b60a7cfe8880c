package main

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/verify"
)

// attack looks for lost packets in every shape that an obligation of losslessness fails
// for, and writes the first that it finds to a file, if one is named. It returns how they are
// lost, in lines; where a file is named and there is nothing to write, it says so.
func attack(t *terminal, report *verify.Report, path string) (map[*verify.Switch]string, error) {
	timelines, attacked := map[*verify.Switch]string{}, 0
	for _, s := range report.Switches {
		result, err := s.Attack(adversary.Options{Seed: 1})
		if err != nil {
			return nil, err
		}
		if result == nil {
			continue
		}
		attacked++
		if result.Found == nil {
			timelines[s] = "  adversary: " + result.String() + "\n"
			continue
		}
		text, err := result.Found.Marshal()
		if err != nil {
			return nil, err
		}
		if timelines[s], err = timelineOf(text, result.Found.Attack); err != nil {
			return nil, err
		}
		if path != "" {
			if err := whole.Write(t.disk, path, text); err != nil {
				return nil, err
			}
			path = ""
		}
	}
	switch {
	case path != "" && attacked == 0:
		t.errorf("%s is not written: no obligation of losslessness fails, so there is no counterexample", path)
	case path != "":
		t.errorf("%s is not written: no counterexample was found, though obligations of losslessness fail", path)
	}
	return timelines, nil
}

// timelineOf replays a counterexample and prints it in lines.
func timelineOf(text []byte, attack string) (string, error) {
	played, err := adversary.Replay(text)
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	if err := played.Write(&lines); err != nil {
		return "", err
	}
	return fmt.Sprintf("  a packet is lost (%s):\n%s", attack, indented(lines.String())), nil
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
