package junos

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// A remark that never ends swallows what follows it. Junos refuses such a text.
func TestARemarkThatNeverEnds(t *testing.T) {
	readtest.Tales(t, Format(), []readtest.Tale{
		{"at the end", "system { host-name a; }\n/* what follows\nclass-of-service { x; }\n", "2:1-3; error[junos-read-syntax] this comment is never closed"},
		{"it opens alone", "system { host-name a; }\n/*/", "2:1; this comment is never closed"},
		{"among commands", "set system host-name a\n/* x\nset class-of-service x\n", "2:1; this comment is never closed"},
		{"closed", "system { host-name a; }\n/* x */", "!never closed"},
	})
}

// A pause that stops two queues is not modelled for either: a plan has one queue for a priority.
func TestAPauseThatStopsTwoQueues(t *testing.T) {
	const before, behind = "class-of-service { congestion-notification-profile x { output { ieee-802.1 { code-point 011 { flow-control-queue ", "; } } } } }\n"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"another one behind", before + "[ 3 6 ]" + behind, "not modelled: the pause stops a second queue, but a plan has only one; touches queues 1001000"},
		{"another one before", before + "[ 6 3 ]" + behind, "not modelled: the pause stops a second queue, but a plan has only one; touches queues 1001000"},
		{"the same twice", before + "[ 3 3 ]" + behind, "!not modelled"},
	})
}
