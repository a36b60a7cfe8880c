package verify

import (
	"fmt"

	"github.com/roceplan/roceplan/model/proof"
)

// repairOf says which change makes an obligation that fails hold, with the figure that it
// needs while all else stays. Another change may be the cheaper one.
func repairOf(o *proof.Obligation) string {
	left, right, short := Amount(o.Left.Value, o.Unit), Amount(o.Right.Value, o.Unit), Amount(-o.Slack(), o.Unit)
	switch o.ID {
	case proof.PauseReaches:
		return "enable PFC at the port for a priority of the group, or make the group lossy"
	case proof.Headroom:
		return fmt.Sprintf("give the group a headroom of at least %s, or a shorter cable", left)
	case proof.Resume:
		return fmt.Sprintf("let the group resume %s further below the level of its pause, or give it as much more headroom", short)
	case proof.HeadroomPool:
		return fmt.Sprintf("give the pool %s more headroom", short)
	case proof.QueueHolds:
		return fmt.Sprintf("let the queue hold %s more, or lower the alpha of the lossless groups", short)
	case proof.PortHolds:
		return fmt.Sprintf("let the port hold %s more of the pool, or lower the alpha of the lossless groups", short)
	case proof.EgressHolds:
		return fmt.Sprintf("give the egress pool %s more, or lower the alpha of the lossless groups", short)
	case proof.Memory:
		return fmt.Sprintf("take %s from the pools, their headroom and the reserves", short)
	case proof.LossyShare:
		return fmt.Sprintf("lower the alphas of lossy traffic until %s more are left, or take them from the headroom", short)
	case proof.MarkingOrder:
		return fmt.Sprintf("set Kmin to at most %s", right)
	case proof.MarkingBefore:
		// Without a share the group pauses at its reserve, which no curve of use is below.
		figure := map[string]int64{}
		for _, t := range o.Terms {
			figure[t.Symbol] = t.Value
		}
		if pool := figure["B"]; pool > 0 && figure["y"] >= pool {
			return fmt.Sprintf("lower the alphas of lossy traffic: it can fill the whole pool, and lossless groups then pause at their reserve, of %s here", right)
		}
		fallthrough
	case proof.MarkingQueue:
		return fmt.Sprintf("set Kmax to at most %s", right)
	case proof.Starvation:
		return fmt.Sprintf("cap the strict queues at %s together", right)
	case proof.WatchdogPause:
		return fmt.Sprintf("let the watchdog detect after %s or later", left)
	case proof.WatchdogPoll:
		return fmt.Sprintf("set the timers to at least %s, or poll more often", left)
	}
	return ""
}
