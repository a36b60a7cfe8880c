package sonic

import "github.com/roceplan/roceplan/internal/posjson"

// dialect bounds a file: the ConfigDB of the largest chassis has some megabytes and four
// levels of nesting.
func dialect() *posjson.Dialect {
	return &posjson.Dialect{
		MaxSize: 16 << 20, MaxDepth: 32, MaxNodes: 2 << 20,
		Invalid: JSONInvalid, TooLarge: TooLarge, TooDeep: TooDeep, Duplicate: DuplicateKey, InvalidUTF8: InvalidUTF8,
	}
}
