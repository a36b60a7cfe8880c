package main

import (
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/outdir"
	"github.com/roceplan/roceplan/plan"
)

// linkTexts writes cables as "leaf-1:Ethernet0 tor-1:Ethernet8"; one that leaves the
// fabric has one end.
func linkTexts(links []plan.Link) (texts []string) {
	for _, l := range links {
		text := l.A.Switch + ":" + l.A.Port
		if l.B.Switch != "" {
			text += " " + l.B.Switch + ":" + l.B.Port
		}
		texts = append(texts, text)
	}
	return texts
}

// compiledLinks returns the cables of a folder that compile wrote, none of another folder. Lines of the
// manifest that are not links are skipped, since anyone can edit that file.
func compiledLinks(folder string) []plan.Link {
	texts, err := outdir.Links(folder)
	if err != nil {
		return nil // then it is not a folder that compile wrote
	}
	var links []plan.Link
	for _, text := range texts {
		a, b, _ := strings.Cut(text, " ")
		link := plan.Link{A: linkEnd(a), B: linkEnd(b)}
		if link.A.Port != "" && (b == "" || link.B.Port != "") {
			links = append(links, link)
		}
	}
	return links
}

func linkEnd(text string) plan.LinkEnd {
	name, port, _ := strings.Cut(text, ":")
	return plan.LinkEnd{Switch: name, Port: port}
}
