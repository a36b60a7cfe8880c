package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/roceplan/roceplan/model/adversary"
)

// attack looks for lost packets in every shape that an obligation of losslessness fails
// for, and writes the first that it finds to a file, if one is named.
func (r *verification) attack(path string) error {
	written := false
	for i, j := range r.judged {
		if j.report == nil || j.report.Model == nil || !j.report.LosesPackets() {
			continue
		}
		result, err := adversary.Search(j.report.Model, adversary.Options{Seed: 1})
		if err != nil {
			return err
		}
		if result.Found == nil {
			r.Switches[i].timeline = "  adversary: " + result.String() + "\n"
			continue
		}
		text, err := result.Found.Marshal()
		if err != nil {
			return err
		}
		r.Switches[i].Lost = result.Found.Loss
		if r.Switches[i].timeline, err = timelineOf(text, result.Found.Attack); err != nil {
			return err
		}
		if path != "" && !written {
			written = true
			if err := os.WriteFile(path, text, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// timelineOf plays a counterexample and tells it in lines.
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
