package mmu

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
)

func TestConfigJSON(t *testing.T) {
	c := sketch(2, 100, 1000)
	c.Rules = Rules{Admission: BeforeCell, Pause: OnExcess, Resume: BelowCurrentLimit}
	text, err := json.Marshal(c)
	must.Do(t, err)
	if want := `"rules":{"admission":"before_cell","pause":"on_excess","resume":"below_current_limit"}`; !strings.Contains(string(text), want) {
		t.Errorf("got %s, want %s in it", text, want)
	}
	var back Config
	must.Do(t, json.Unmarshal(text, &back))
	must.NoDiff(t, cmp.Diff(c, &back))
	err = json.Unmarshal([]byte(`{"rules":{"pause":"later"}}`), &back)
	if err == nil || !strings.Contains(err.Error(), `"later" is none of [when_full on_excess]`) {
		t.Errorf("an unknown rule gives %v", err)
	}
	if _, err := json.Marshal(Rules{Pause: 7}); err == nil {
		t.Error("a rule without name was written")
	}
}
