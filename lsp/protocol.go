package lsp

// The part of the Language Server Protocol 3.17 that is spoken here.

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in UTF-16 code units
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type diagnostic struct {
	Range    span      `json:"range"`
	Severity int       `json:"severity"` // 1 error, 2 warning
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishDiagnostics struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
	Text    string `json:"text"`
}

type didOpen struct {
	Document textDocument `json:"textDocument"`
}

type didChange struct {
	Document textDocument `json:"textDocument"`
	Changes  []struct {
		Range *span  `json:"range"`
		Text  string `json:"text"`
	} `json:"contentChanges"`
}

type didClose struct {
	Document textDocument `json:"textDocument"`
}

// at is the parameters of all that is asked of a place.
type at struct {
	Document textDocument `json:"textDocument"`
	Position position     `json:"position"`
	Range    span         `json:"range"`
	NewName  string       `json:"newName"`
	Context  struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	} `json:"context"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) markup { return markup{"markdown", text} }

// Kinds of completions.
const (
	kindValue     = 12
	kindProperty  = 10
	kindClass     = 7
	kindReference = 18
)

type completion struct {
	Label         string  `json:"label"`
	Kind          int     `json:"kind"`
	Detail        string  `json:"detail,omitempty"`
	Documentation *markup `json:"documentation,omitempty"`
	InsertText    string  `json:"insertText,omitempty"`
}

type textEdit struct {
	Range span   `json:"range"`
	Text  string `json:"newText"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	Edit        workspaceEdit `json:"edit"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	PaddingLeft bool     `json:"paddingLeft"`
}
