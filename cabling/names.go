package cabling

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fold is how names of devices are compared: DNS does not know upper case.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// spellings returns the names that a device may be meant by: with its domain and without.
func spellings(name string) []string {
	full := fold(name)
	host, _, qualified := strings.Cut(full, ".")
	if !qualified || host == "" {
		return []string{full}
	}
	return []string{full, host}
}

// usual are names under which the tables of a device are in a folder that is called like it.
var usual = []string{
	"lldp", "lldpctl", "lldp_table", "show_lldp_table", "lldp_neighbors", "lldp_neighbors_detail", "show_lldp_neighbors_detail",
	"neighbors", "appl_db", "state_db", "dump", "transceivers", "transceiver_info",
}

// endings of file names that name their contents and not their device.
var endings = []string{".json", ".json0", ".txt", ".dump", ".lldp", ".lldpctl", ".appl_db", ".state_db", ".transceivers"}

// deviceOf returns the device that a file is of, by its name, where its text does not say it:
// leaf-1.lldp.json, lldp/leaf-1.txt or leaf-1/lldp.json.
func deviceOf(file string) string {
	file = filepath.ToSlash(file)
	base := stem(file)
	if !slices.Contains(usual, strings.ReplaceAll(strings.ToLower(base), "-", "_")) {
		return base
	}
	if folder := path.Base(path.Dir(file)); !slices.Contains([]string{".", "..", "/"}, folder) {
		return folder
	}
	return base
}

// stem returns the last part of a path without the endings that say what is in the file.
func stem(file string) string {
	base := path.Base(filepath.ToSlash(file))
	for {
		ext := path.Ext(base)
		if ext == base || !slices.Contains(endings, strings.ToLower(ext)) {
			return base
		}
		base = strings.TrimSuffix(base, ext)
	}
}
