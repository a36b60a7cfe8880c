package lint

import "cmp"

// fabricBalancingDiffers compares how packets choose among equal paths.
func fabricBalancingDiffers(c *comparison) {
	if got, want := cmp.Or(c.got.LoadBalancing, "ecmp"), cmp.Or(c.want.LoadBalancing, "ecmp"); got != want {
		c.errorf(FabricBalancingDiffers, c.got.LoadBalancingAt, "packets choose among equal paths by %q; by the fabric by %q, which its NICs are set up for", got, want)
	}
}
