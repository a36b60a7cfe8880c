package headroom

import "github.com/roceplan/roceplan/units"

// Host is the receive buffer of a ConnectX port, as the Linux driver mlx5 computes it where the
// user asks it to (dcb buffer, mlnx_qos --cable_len). It is the other end of the cable: the buffer
// that the NIC keeps so that it can pause the switch.
type Host struct {
	XOff   units.Bytes // room above the pause threshold
	Buffer units.Bytes // the smallest lossless buffer that the driver accepts
}

// HostSource is the source of the formula of [MLX5].
const HostSource = "Linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c, calculate_xoff and update_xoff_threshold"

// The driver's constants: ((301 + 2.16·len[m])·speed[Gb/s] + 2.72·MTU), with a speed of
// at least 40 Gb/s, and a netdev's largest MTU of at least 9216 B.
const (
	mlx5LeastSpeed = 40 * units.Gbps
	mlx5LeastMTU   = units.Bytes(9216)
)

// MLX5 returns the buffer of a port of a speed with a cable and an MTU; cell is the
// unit of the NIC's buffer. It rounds where the kernel does, in 64 instead of the
// kernel's 32 bits: term by term, downwards, lengths in whole metres. The error is an
// *OutOfRange.
func MLX5(speed units.BitRate, cable units.Length, mtu, cell units.Bytes) (Host, error) {
	in := Input{Speed: speed, Cable: cable, PortMTU: mtu, LosslessMTU: mtu, Lanes: 1}
	if err := in.check(); err != nil {
		return Host{}, err
	}
	mbps, metres := int64(max(speed, mlx5LeastSpeed)/units.Mbps), int64(cable/units.Metre)
	xoff := units.Bytes((301+216*metres/100)*mbps/1000) + 272*mtu/100
	return Host{XOff: xoff, Buffer: xoff + max(mtu, mlx5LeastMTU) + cell}, nil
}
