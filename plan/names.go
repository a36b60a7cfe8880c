package plan

import (
	"fmt"
	"slices"
	"strings"
)

// QueueName returns the name of an egress queue on targets that have names for queues: that
// of the first class that is sent from it. Names of classes differ, so do these.
func (s *Switch) QueueName(queue uint8) string {
	for _, c := range s.Classes {
		if s.Maps.TCToQueue[c.TrafficClass&7] == queue {
			return c.Name
		}
	}
	return s.nameless("queue", queue)
}

// TrafficClassName returns the name of a traffic class on targets that have names for them: that of its
// first class.
func (s *Switch) TrafficClassName(tc uint8) string {
	if c := s.Class(tc); c != nil {
		return c.Name
	}
	return s.nameless("tc", tc)
}

// nameless returns a name for what no class names. A class can be called "queue-5" too: then it is another one.
func (s *Switch) nameless(what string, number uint8) string {
	name := fmt.Sprintf("%s-%d", what, number)
	for slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Name == name }) {
		name = "no-" + name
	}
	return name
}

// ClassNames names the classes that fit, joined by "+"; several may share a priority group.
func (s *Switch) ClassNames(fits func(Class) bool) string {
	var names []string
	for _, c := range s.Classes {
		if fits(c) {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, "+")
}

// Abbreviate writes sorted names of one kind in a few characters: "leaf-1 … leaf-8".
func Abbreviate(names []string) string {
	if len(names) <= 2 {
		return strings.Join(names, " ")
	}
	return names[0] + " … " + names[len(names)-1]
}

// Ranges writes sorted numbers in a few characters: 0-25,27.
func Ranges(numbers []uint8) string {
	var out strings.Builder
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		fmt.Fprint(&out, numbers[i])
		if j > i {
			fmt.Fprintf(&out, "-%d", numbers[j])
		}
		i = j + 1
	}
	return out.String()
}
