package lint

import "cmp"

// fabricBalancingDiffers compares how packets choose among equal paths.
func fabricBalancingDiffers(c *comparison) {
	if got, want := cmp.Or(c.got.LoadBalancing, "ecmp"), cmp.Or(c.want.LoadBalancing, "ecmp"); got != want {
		c.errorf(FabricBalancingDiffers, c.got.LoadBalancingAt, "packets choose among equal paths by %q, but the fabric and its NICs use %q", got, want)
	}
}
