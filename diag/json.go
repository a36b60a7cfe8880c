package diag

import (
	"encoding/json"
	"reflect"
)

type jsonPlace struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
	Message   string `json:"message"`
}

func newJSONPlace(r Range, message string) jsonPlace {
	return jsonPlace{r.Filename, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, message}
}

// MarshalJSON writes the finding as one flat object.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	related := make([]jsonPlace, len(d.Related))
	for i, n := range d.Related {
		related[i] = newJSONPlace(n.Range, n.Message)
	}
	edits := make([]jsonEdit, len(d.Edits))
	for i, e := range d.Edits {
		edits[i] = e.json()
	}
	return json.Marshal(jsonDiagnostic{d.Severity.String(), d.Code, newJSONPlace(d.Subject, d.Message), d.Fix, edits, d.Follows, related})
}

// MarshalJSON writes the edit as one flat object.
func (e Edit) MarshalJSON() ([]byte, error) { return json.Marshal(e.json()) }

func (e Edit) json() jsonEdit {
	return jsonEdit{e.Range.Filename, e.Range.Start.Line, e.Range.Start.Column, e.Range.End.Line, e.Range.End.Column, e.Text}
}

type jsonDiagnostic struct {
	Severity string `json:"severity"`
	Code     Code   `json:"code"`
	jsonPlace
	Fix     string      `json:"fix,omitempty"`
	Edits   []jsonEdit  `json:"edits,omitempty"`
	Follows bool        `json:"follows,omitempty"`
	Related []jsonPlace `json:"related,omitempty"`
}

type jsonEdit struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Text      string `json:"text"`
}

// JSONType returns the form that [Diagnostic.MarshalJSON] writes, for code that describes it.
func JSONType() reflect.Type { return reflect.TypeFor[jsonDiagnostic]() }

// EditJSONType returns the form that [Edit.MarshalJSON] writes.
func EditJSONType() reflect.Type { return reflect.TypeFor[jsonEdit]() }
