// Command genboxes packs what sonic-buildimage knows of the boxes that SONiC runs on into
// the file that the catalogue embeds:
//
//	go run ./chips/genboxes -chips chips/genboxes/chips.txt platforms.json > chips/boxes.bin
//
// platforms.json holds, by platform, vendor, ASIC family, default_sku, cages (the
// interfaces of platform.json: lanes, index, breakout modes with their aliases) and hwskus
// (rows of port_config.ini: name, lanes, alias, index, speed; default_breakout of
// hwsku.json; or same_as, "PLATFORM/HWSKU", where a folder is a link).
//
// The output is an index, a line for each platform, and the platforms' descriptions one after the
// other, each compressed by itself, so that a program reads the one that it needs. The size of the
// compressed index precedes it, in a line of its own. See package chips for both forms.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/packed"
)

type platform struct {
	Vendor  string           `json:"vendor"`
	ASIC    string           `json:"asic"`
	Default string           `json:"default_sku"`
	Cages   map[string]cage  `json:"cages"`
	SKUs    map[string]hwsku `json:"hwskus"`
}

type cage struct {
	Index string             `json:"index"`
	Lanes string             `json:"lanes"`
	Modes map[string]aliases `json:"modes"`
}

type hwsku struct {
	Ports    [][]*string       `json:"ports"`
	Breakout map[string]string `json:"default_breakout"`
	SameAs   string            `json:"same_as"`
}

// aliases are the labels of the parts, which some platforms give as one text.
type aliases []string

func (a *aliases) UnmarshalJSON(text []byte) error {
	var all []string
	if json.Unmarshal(text, &all) == nil {
		*a = all
		return nil
	}
	var joined string
	err := json.Unmarshal(text, &joined)
	for part := range strings.SplitSeq(joined, ",") {
		*a = append(*a, strings.TrimSpace(part))
	}
	return err
}

// A chipRule is a line of chips.txt.
type chipRule struct{ glob, chip, basis string }

func main() {
	chipsFile := flag.String("chips", "chips/genboxes/chips.txt", "which chip each platform has")
	flag.Parse()
	if err := run(*chipsFile, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "genboxes:", err)
		os.Exit(1)
	}
}

func run(chipsFile, platformsFile string) error {
	rules, err := readRules(chipsFile)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(platformsFile)
	if err != nil {
		return err
	}
	var all map[string]platform
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	var index, bodies bytes.Buffer
	for names := range slices.Chunk(slices.Sorted(maps.Keys(all)), 32) {
		var together, lines bytes.Buffer
		for _, name := range names {
			p := all[name]
			body := p.describe()
			chip, basis := chipOf(rules, name)
			family, _, _ := strings.Cut(p.ASIC, "\n")
			fmt.Fprintln(&lines, strings.Join([]string{name, p.Vendor, family, chip, basis, p.Default, strconv.Itoa(len(body)),
				strings.Join(slices.Sorted(maps.Keys(p.SKUs)), " ")}, "\t"))
			together.Write(body)
		}
		group, err := packed.Pack(packed.FoldRows(together.String()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&index, "%d\n%s", len(group), lines.Bytes())
		bodies.Write(group)
	}
	table, err := packed.Pack(index.String())
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%d\n%s%s", len(table), table, bodies.Bytes())
	return err
}

func readRules(name string) ([]chipRule, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var rules []chipRule
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 3 {
			return nil, fmt.Errorf("%s: %q is not a rule", name, line)
		}
		rules = append(rules, chipRule{f[0], f[1], f[2]})
	}
	return rules, nil
}

func chipOf(rules []chipRule, platform string) (chip, basis string) {
	for _, r := range rules {
		if ok, err := path.Match(r.glob, platform); err == nil && ok {
			return r.chip, r.basis
		}
	}
	return "", ""
}

// describe writes a platform in lines, whose fields are apart by tabs:
//
//	C port lanes index      a cage
//	M mode alias,alias      a way to use the cage of the line before
//	K hwsku PLATFORM/HWSKU  a HwSKU; the second is empty unless it is a link
//	T name lanes alias index speed   a row of its port_config.ini
//	B cage mode             a line of its default_breakout
func (p platform) describe() []byte {
	var out bytes.Buffer
	line := func(fields ...string) { out.WriteString(strings.Join(fields, "\t") + "\n") }
	for _, port := range slices.Sorted(maps.Keys(p.Cages)) {
		c := p.Cages[port]
		index, _, _ := strings.Cut(c.Index, ",")
		line("C", port, fold(c.Lanes), index)
		for _, mode := range slices.Sorted(maps.Keys(c.Modes)) {
			line("M", mode, strings.Join(c.Modes[mode], ","))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.SKUs)) {
		sku := p.SKUs[name]
		line("K", name, sku.SameAs)
		for _, row := range sku.Ports {
			fields := []string{"T"}
			for i, field := range row {
				text := ""
				if field != nil {
					text = *field
				}
				if i == 1 {
					text = fold(text)
				}
				fields = append(fields, text)
			}
			line(fields...)
		}
		for _, port := range slices.Sorted(maps.Keys(sku.Breakout)) {
			line("B", port, sku.Breakout[port])
		}
	}
	return out.Bytes()
}

// fold writes consecutive lanes as a range, "1-4"; others stay a list.
func fold(lanes string) string {
	all := strings.Split(lanes, ",")
	for i := 1; i < len(all); i++ {
		before, err1 := strconv.Atoi(all[i-1])
		n, err2 := strconv.Atoi(all[i])
		if err1 != nil || err2 != nil || n != before+1 {
			return lanes
		}
	}
	if len(all) < 2 {
		return lanes
	}
	return all[0] + "-" + all[len(all)-1]
}
