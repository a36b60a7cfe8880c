package calc

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// planMaps fills the classification tables. A code point that no class claims goes to
// the class that takes the rest, or to traffic class 0; traffic classes, priorities
// and queues that no class uses map to themselves, and to PG 0 at ingress.
func planMaps(classes []*policy.Class) plan.Maps {
	var maps plan.Maps
	for i := range uint8(8) {
		maps.TCToQueue[i], maps.PFCToQueue[i], maps.PFCToPG[i] = i, i, i
	}
	rest := restTrafficClass(classes)
	for dscp := range maps.DSCPToTC {
		maps.DSCPToTC[dscp] = rest
	}
	for _, class := range classes {
		for _, dscp := range class.DSCPs.Value {
			maps.DSCPToTC[dscp] = class.TrafficClass.Value
		}
		maps.TCToQueue[class.TrafficClass.Value] = class.Queue.Value
		maps.TCToPG[class.TrafficClass.Value] = class.PriorityGroup.Value
		if class.Lossless.Value {
			maps.PFCToQueue[class.PFC.Value] = class.Queue.Value
			maps.PFCToPG[class.PFC.Value] = class.PriorityGroup.Value
		}
	}
	return maps
}

// maps returns the maps of the switch. SONiC's own map gives traffic class 7 the priority group 7, though no code
// point is of it (sonic-buildimage, files/build_templates/qos_config.j2, generate_tc_to_pg_map).
func (s *shape) maps() plan.Maps {
	maps := planMaps(s.classes)
	unused := !slices.ContainsFunc(s.classes, func(c *policy.Class) bool { return c.TrafficClass.Value == 7 })
	if s.fabric.Running.Value && s.sw.OS.Value == "sonic" && unused {
		maps.TCToPG[7] = 7
	}
	return maps
}

func restTrafficClass(classes []*policy.Class) uint8 {
	for _, class := range classes {
		if class.Rest {
			return class.TrafficClass.Value
		}
	}
	return 0
}

// planMarking gives the rules of the ports that do not trust the sender, nil where
// every port of the switch trusts DSCP.
func planMarking(f *policy.Fabric, sw *policy.Switch) *plan.Marking {
	if f.Marking == nil || !anyUntrusted(sw) {
		return nil
	}
	marking := &plan.Marking{Default: f.Marking.Rewrite.Value, DefaultTC: restTrafficClass(f.Classes), Range: f.Marking.Range}
	if f.Marking.Class != nil {
		marking.DefaultTC = f.Marking.Class.TrafficClass.Value
	}
	for _, rule := range f.Marking.Rules {
		marking.Rules = append(marking.Rules, plan.MarkRule{
			UDPPort: f.Marking.UDPPort.Value, DSCP: rule.DSCP.Value, TC: rule.Class.TrafficClass.Value,
		})
	}
	return marking
}

func anyUntrusted(sw *policy.Switch) bool {
	return slices.ContainsFunc(sw.Groups, func(g *policy.PortGroup) bool { return g.Trust.Value == "marking" })
}
