package calc

import (
	"github.com/roceplan/roceplan/plan"
)

// declared returns the assumptions about the peers of a kind of port, and about their traffic, that
// the fabric declares for a verifier to rely on; nil if it declares none. The assumptions of a
// headroom method do not belong here: a figure is not proved by the inputs it was computed from.
func (s *shape) declared(k *kind) *plan.Assumed {
	a := &plan.Assumed{}
	if response := PeerResponse(k.group); response.Set {
		a.Declared, a.Response = true, plan.Of(response.Value, given("pause_response", response, response.Value, ""))
	}
	if frame := s.fabric.LosslessFrame; frame.Set {
		a.LosslessFrame = plan.Of(frame.Value, given("lossless_frame", frame, frame.Value, ""))
	}
	if share := s.fabric.SmallPackets; share.Set {
		a.SmallPackets = plan.Of(share.Value, given("small_packets", share, share.Value, ""))
	}
	if *a == (plan.Assumed{}) {
		return nil
	}
	return a
}
