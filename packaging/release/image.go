package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Media types of the OCI image format, version 1.1.
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type index struct {
	Schema    int          `json:"schemaVersion"`
	MediaType string       `json:"mediaType"`
	Manifests []descriptor `json:"manifests"`
}

// A layout is the content of an OCI image layout.
type layout struct {
	files []file
}

// blob adds content under its digest.
func (l *layout) blob(mediaType string, data []byte) descriptor {
	digest := fmt.Sprintf("%x", sha256.Sum256(data))
	path := "blobs/sha256/" + digest
	if !slices.ContainsFunc(l.files, func(f file) bool { return f.path == path }) {
		l.files = append(l.files, file{path: path, data: data})
	}
	return descriptor{MediaType: mediaType, Digest: "sha256:" + digest, Size: len(data)}
}

func (l *layout) document(mediaType string, value any) descriptor {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // the types of this file can be marshalled
	}
	return l.blob(mediaType, data)
}

// image packs one image for all architectures as an OCI layout in a tar, which skopeo, podman and
// crane read. It holds the program, its licences, and nothing else.
func (r *release) image(linux []built) error {
	var l layout
	all := index{Schema: 2, MediaType: typeIndex}
	for _, b := range linux {
		manifest, err := r.manifest(&l, b)
		if err != nil {
			return err
		}
		all.Manifests = append(all.Manifests, manifest)
	}
	top := l.document(typeIndex, all)
	// Tags have no plus.
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": strings.ReplaceAll(r.stamp.version, "+", "-")}
	entry, err := json.Marshal(index{Schema: 2, MediaType: typeIndex, Manifests: []descriptor{top}})
	if err != nil {
		return err
	}
	slices.SortFunc(l.files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	l.files = append(l.files, file{path: "index.json", data: entry}, file{path: "oci-layout", data: []byte(`{"imageLayoutVersion":"1.0.0"}`)})
	data, err := tarred(l.files, r.stamp.at)
	if err != nil {
		return err
	}
	return r.put(fmt.Sprintf("roceplan_%s_image.tar", r.stamp.version), data)
}

func (r *release) manifest(l *layout, b built) (descriptor, error) {
	files := []file{{path: "usr/bin/roceplan", executable: true, data: b.data}}
	for _, f := range r.extra {
		if f.path == "LICENSE" || f.path == "THIRD-PARTY.txt" {
			f.path = "usr/share/doc/roceplan/" + f.path
			files = append(files, f)
		}
	}
	content, err := tarred(files, r.stamp.at)
	if err != nil {
		return descriptor{}, err
	}
	packed, err := gzipped(content)
	if err != nil {
		return descriptor{}, err
	}
	labels := map[string]string{
		"org.opencontainers.image.title":    "roceplan",
		"org.opencontainers.image.version":  r.stamp.version,
		"org.opencontainers.image.revision": r.stamp.revision,
		"org.opencontainers.image.source":   "https://github.com/roceplan/roceplan",
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
	created := r.stamp.at.UTC().Format(time.RFC3339)
	config := l.document(typeConfig, map[string]any{
		"created": created, "os": b.os, "architecture": b.arch,
		"config": map[string]any{
			"Entrypoint": []string{"/usr/bin/roceplan"}, "WorkingDir": "/work", "User": "65532:65532", "Labels": labels,
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(content))}},
		"history": []map[string]string{{"created": created, "created_by": "packaging/release"}},
	})
	m := l.document(typeManifest, map[string]any{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []descriptor{l.blob(typeLayer, packed)}, "annotations": labels,
	})
	m.Platform = map[string]string{"os": b.os, "architecture": b.arch}
	return m, nil
}
