package dcb

import "github.com/roceplan/roceplan/internal/posjson"

// dialect bounds a file: all that dcb prints of a NIC are some kilobytes, three levels deep.
func dialect() *posjson.Dialect {
	return &posjson.Dialect{
		MaxSize: 1 << 20, MaxDepth: 16, MaxNodes: 1 << 16,
		Invalid: JSON, TooLarge: JSON, TooDeep: JSON, Duplicate: JSON, InvalidUTF8: JSON,
	}
}
