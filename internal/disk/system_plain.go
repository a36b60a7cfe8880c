//go:build !linux && !darwin

package disk

import "errors"

func exchange(string, string) error { return errors.ErrUnsupported }

func syncAll(string) error { return errors.ErrUnsupported }

func attributes(string) string { return "" }

func mounted(string) (root, known bool) { return false, false }
