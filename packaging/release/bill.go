package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// The types of a bill of materials by CycloneDX 1.6 (ECMA-424), as far as it is used here.
type (
	bill struct {
		Format       string         `json:"bomFormat"`
		Spec         string         `json:"specVersion"`
		Serial       string         `json:"serialNumber"`
		Version      int            `json:"version"`
		Metadata     billMetadata   `json:"metadata"`
		Components   []component    `json:"components"`
		Dependencies []dependencies `json:"dependencies"`
	}
	billMetadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Ref        string     `json:"bom-ref"`
		Type       string     `json:"type"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Licenses   []license  `json:"licenses,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	license struct {
		License struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependencies struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

// bill writes what a program is made of, as the program itself says. The serial number is made from
// the program's digest, so that one program has one.
func (r *release) bill(b built) error {
	digest := sha256.Sum256(b.data)
	main := component{Type: "application", Name: "roceplan", Version: "v" + r.stamp.version, PURL: purl(b.info.Main.Path, "v"+r.stamp.version),
		Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", digest)}}, Licenses: make([]license, 1)}
	main.Ref, main.Licenses[0].License.ID = main.PURL, "Apache-2.0"
	for _, s := range b.info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || strings.HasPrefix(s.Key, "vcs.") {
			main.Properties = append(main.Properties, property{"roceplan:build:" + s.Key, s.Value})
		}
	}
	parts := []component{library(&debug.Module{Path: "std", Version: strings.TrimPrefix(b.info.GoVersion, "go")})}
	for _, m := range b.info.Deps {
		parts = append(parts, library(m))
	}
	// Which module needs which the program does not say: the relation given is that all are in it.
	on := dependencies{Ref: main.Ref}
	for _, p := range parts {
		on.On = append(on.On, p.Ref)
	}
	text, err := json.MarshalIndent(bill{
		Format: "CycloneDX", Spec: "1.6", Version: 1, Serial: uuid(digest),
		Metadata:   billMetadata{r.stamp.at.UTC().Format(time.RFC3339), main},
		Components: parts, Dependencies: []dependencies{on},
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.put(fmt.Sprintf("roceplan_%s_%s_%s.cdx.json", r.stamp.version, b.os, b.arch), append(text, '\n'))
}

func library(m *debug.Module) component {
	c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: purl(m.Path, m.Version)}
	c.Ref = c.PURL
	if m.Sum != "" {
		c.Properties = []property{{"go.sum", m.Sum}}
	}
	return c
}

// purl names a Go module as package-url has it.
func purl(path, version string) string {
	return "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
}

// uuid returns a UUID of version 8 (RFC 9562, section 5.8) with the bits of a digest.
func uuid(digest [sha256.Size]byte) string {
	u := digest[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
