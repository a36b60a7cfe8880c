package lsp

import (
	"slices"
	"strings"
	"testing"
)

// held is a server whose trials of each text say that they are about to begin, and wait until they may.
func held(t *testing.T) (c *client, begin, may chan struct{}) {
	begin, may = make(chan struct{}), make(chan struct{})
	return startWith(t, func() { begin <- struct{}{}; <-may }), begin, may
}

// While edits are tried, a request for actions is answered with those that are ready: none. When there are some, the
// findings are published again as they were, and the action is there.
func TestActionsDoNotWaitForTrials(t *testing.T) {
	path, text := pod(t)
	c, begin, may := held(t)
	defer c.stop()
	found := c.opens(path, strings.Replace(text, `"trident3"`, `"tridnet3"`, 1))
	<-begin
	if list := c.actions(path, span{}, found); len(list) != 0 {
		t.Fatalf("before anything was tried there is %+v", list)
	}
	delete(c.published, uriOf(path))
	close(may)
	if again := c.findings(path, 1); !slices.EqualFunc(again, found, func(a, b diagnostic) bool { return a.Range == b.Range && a.Message == b.Message }) {
		t.Errorf("published again are %+v, want %+v", again, found)
	}
	list := c.actions(path, span{}, found)
	if len(list) != 1 || list[0].Edit.Changes[uriOf(path)][0].Text != `"trident3"` {
		t.Errorf("after the trials there is %+v", list)
	}
}

// A change of the text does not wait for trials of the text before. Nothing that was tried of that is offered.
func TestChangesDoNotWaitForTrials(t *testing.T) {
	path, text := pod(t)
	c, begin, may := held(t)
	defer c.stop()
	broken := strings.Replace(text, `"trident3"`, `"tridnet3"`, 1)
	before := c.opens(path, broken)
	<-begin
	found := c.types(path, 2, "# a remark\n"+broken)
	if len(found) != 1 || found[0].Range.Start.Line != before[0].Range.Start.Line+1 {
		t.Fatalf("while edits of the text before are tried there is %+v", found)
	}
	if list := c.actions(path, span{}, found); len(list) != 0 {
		t.Errorf("before anything was tried there is %+v", list)
	}
	may <- struct{}{}
	<-begin // those of this text
	close(may)
	list := c.offered(path, span{}, found)
	if len(list) != 1 || list[0].Edit.Changes[uriOf(path)][0] != (textEdit{found[0].Range, `"trident3"`}) {
		t.Errorf("after the trials there is %+v", list)
	}
}
