package verify

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/lint"
)

// A lossless class that arrives at ports which pause another priority alone is found in the file of
// each system that can say so, without a fabric. SONiC's is buildimage#11569 in shipped-fixes.txt.
// NX-OS has one set of priorities for all ports, and OpenConfig has no PFC.
func TestClassUnpaused(t *testing.T) {
	for file, edit := range map[string]func(string) string{
		"tomahawk-eos-pod/leaf-1/eos.cfg":  onPort("no priority-flow-control priority 3\n   priority-flow-control priority 4 no-drop"),
		"cumulus-storage/leaf-1/nvue.yaml": swap("        targets:\n          switch-priority:\n            '3': {}", "        targets:\n          switch-priority:\n            '4': {}"),
		"junos-rail/leaf-1/junos.conf": each(
			swap("class cnp queue-num 6;", "class cnp queue-num 6;\n        class more queue-num 4 no-loss pfc-priority 4;"),
			last("code-point 011010 {\n                        pfc;", "code-point 101110 {\n                        pfc;"),
			last("code-point 011 {\n                        flow-control-queue 3;", "code-point 100 {\n                        flow-control-queue 4;"),
			swap(" 101110 ", " "), swap("            forwarding-class rdma {\n                loss", "            forwarding-class more {\n                loss-priority low code-points 101110;\n            }\n            forwarding-class rdma {\n                loss")),
		"srlinux-rail/leaf-1/srlinux.json": each(
			put("srl_nokia-qos:qos/queues/pfc-queue/+", `{"pfc-queue-name": "pfc6", "queue-index": 6}`),
			put("srl_nokia-qos:qos/pfc-mapping-profile/+", `{"name": "other", "received-traffic": {"unicast-mapping": {"pfc-queue": [{"pfc-queue-name": "pfc6", "forwarding-class": ["cnp"], "pfc-pause-frame-priority": 6}]}},
				"received-pfc-pause-frames": {"queue": [{"queue-name": "cnp", "pfc-pause-frame-priority": 6, "enable-pfc": true}]}}`),
			put("srl_nokia-qos:qos/interfaces/interface/0/pfc/pfc-mapping-profile", `"other"`)),
	} {
		s := redSubjectOf(t, file)
		edited := edit(s.text)
		if edited == s.text {
			t.Errorf("%s: the edit changes nothing", file)
			continue
		}
		found := judge(t, s.options[0], Text(file, []byte(edited))).Findings
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == lint.ClassUnpaused }) {
			t.Errorf("%s: nothing says that the class is not paused: %v", file, found)
		}
	}
}
