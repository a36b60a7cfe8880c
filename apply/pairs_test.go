package apply

import (
	"slices"
	"testing"
)

// Which lines of rdma are queue pairs that have a ToS and may carry traffic. The lines of the kernel's own are
// those of the commit that shows them (rdma, "Add an option to display driver-specific QPs in the rdmatool").
func TestPairsOf(t *testing.T) {
	const own = `link ibp8s0f1/1 lqpn 360 type UD state RTS sq-psn 0 comm [mlx5_ib]
link ibp8s0f1/1 lqpn 465 type DRIVER subtype REG_UMR state RTS sq-psn 0 comm [mlx5_ib]
link ibp8s0f1/1 lqpn 0 type SMI state RTS sq-psn 0 comm [ib_core]
link ibp8s0f1/1 lqpn 1 type GSI state RTS sq-psn 0 comm [ib_core]
`
	for line, want := range map[string][]string{
		"": nil,
		"link mlx5_0/1 lqpn 178 rqpn 9021 type RC state RTS rq-psn 7 sq-psn 66 pid 4242 comm python3":                         {"mlx5_0/1 178 of python3 (pid 4242)"},
		"link mlx5_0/1 lqpn 178 rqpn 9021 type RC state RTS rq-psn 9 path-mig-state MIGRATED sq-psn 70 pid 4242 comm python3": {"mlx5_0/1 178 of python3 (pid 4242)"},
		"link mlx5_0/1 lqpn 179 rqpn 9022 type RC state RTR rq-psn 0 sq-psn 0 comm [nvme_rdma]":                               {"mlx5_0/1 179 of [nvme_rdma]"},
		"link mlx5_0/1 lqpn 180 type UD state RTS sq-psn 0 pid 17 comm ucx_perftest":                                          {"mlx5_0/1 180 of ucx_perftest (pid 17)"},
		"link mlx5_0/1 lqpn 181 type RC state INIT sq-psn 0 pid 17 comm ucx_perftest":                                         nil,
		"link mlx5_0/1 lqpn 182 type RC state ERR sq-psn 0 pid 17 comm ucx_perftest":                                          nil,
	} {
		if got := pairsOf(own + line); !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
}
