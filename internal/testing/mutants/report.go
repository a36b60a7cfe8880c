package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
)

//go:embed reasons.txt
var reasonsText string

// reasons returns the reasons why mutants may live, by their lines in the report.
func reasons() map[string]string {
	all := make(map[string]string)
	mutant := ""
	for line := range strings.Lines(reasonsText) {
		switch line = strings.TrimRight(line, "\n"); {
		case strings.HasPrefix(line, "#") || line == "":
		case strings.HasPrefix(line, "    "):
			all[mutant] = strings.TrimSpace(all[mutant] + " " + strings.TrimSpace(line))
		default:
			mutant = line
		}
	}
	return all
}

// report prints a table, and what lives.
func (r *runner) report(drawn []*area, outcomes []*outcome, path string) error {
	var out strings.Builder
	fmt.Fprintf(&out, "| area | mutants | tried | killed by the package's tests | by those of the program | same program | live | killed |\n|---|---|---|---|---|---|---|---|\n")
	why := reasons()
	var lives strings.Builder
	for _, a := range drawn {
		var own, other, same, live int
		for _, o := range outcomes {
			if !strings.HasPrefix(o.file.name, a.name+"/") {
				continue
			}
			reason := why[o.where()]
			switch {
			case o.by != "" && !o.second:
				own++
			case o.by != "":
				other++
			case reason != "":
				same++
				fmt.Fprintf(&lives, "- `%s`  \n  %s\n", o.where(), reason)
			default:
				live++
				fmt.Fprintf(&lives, "- `%s`  \n  **no reason known**\n", o.where())
			}
		}
		tried := own + other + same + live
		share := "-"
		if tried > same {
			share = fmt.Sprintf("%d %%", (own+other)*100/(tried-same))
		}
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %d | %d | %d | %s |\n", a.name, a.of, tried, own, other, same, live, share)
	}
	text := out.String()
	if lives.Len() > 0 {
		text += "\nAlive:\n\n" + lives.String()
	}
	fmt.Print("\n", text)
	if path == "" {
		return nil
	}
	return os.WriteFile(path, []byte(text), 0o666)
}
