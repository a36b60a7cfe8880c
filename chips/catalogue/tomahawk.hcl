chip "tomahawk" {
  title   = "Broadcom Tomahawk (BCM56960)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th", "th1", "tomahawk1", "tomahawk-1", "bcm56960"]

  capacity {
    value      = "3.2Tbps"
    confidence = "published"
    source     = source.ipspace-tomahawk
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = source.ipspace-tomahawk
  }

  max_ports {
    value      = 128
    confidence = "published"
    source     = source.ipspace-tomahawk
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "unicast queues that SONiC configures; the chips have more for multicast and the CPU"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "208B"
    confidence = "measured"
    source     = [source.qos-params-th, source.juniper-qfx5k]
  }

  packet_buffer {
    value      = "15982720B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7060CX-32S-C32: buffers_defaults_t0.j2, egress_lossless_pool: 76,840 cells"
    note       = "at least this much; vendors say 16 MB"
  }

  usable_buffer {
    value      = "15982720B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7060CX-32S-C32: buffers_defaults_t0.j2, egress_lossless_pool: 76,840 cells"
  }

  slices {
    value      = 4
    confidence = "measured"
    source     = source.qos-params-th
    note       = "exact to the packet with size/4"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "net"
    confidence = "measured"
    source     = source.qos-params-th
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th
  }

  admission {
    value      = "before_cell"
    confidence = "inferred"
    source     = source.qos-params-th
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-th
    note       = "from the distance between first pause and first drop: the headroom, and one more packet"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "208B"
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
  }

  pg_reserve {
    value      = "1248B"
    confidence = "measured"
    source     = source.qos-params-th
    note       = "six cells"
  }

  queue_reserve {
    value      = "1664B"
    confidence = "measured"
    source     = source.qos-params-th
    note       = "pkts_num_fill_min of the lossy tests: eight cells, which hold the 1518 B of egress_lossy_profile"
  }

  xon_offset {
    value      = "2288B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7060CX-32S-C32: pg_profile_lookup.ini"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, but for 25G at 40 m, which repeats 5 m in the table"
  }

  headroom_fixed {
    value      = "9216B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, but for 25G at 40 m, which repeats 5 m in the table"
    note       = "one largest frame"
  }

  headroom_response {
    value      = "3915ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, but for 25G at 40 m, which repeats 5 m in the table"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "74B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, but for 25G at 40 m, which repeats 5 m in the table"
    note       = "fewer bytes than a smallest packet takes on the wire, 84: the table is more cautious than packets can be"
  }

  headroom_speed_classes {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, but for 25G at 40 m, which repeats 5 m in the table"
    note       = "speeds that the table has"
  }

  headroom_responses {
    value      = ["2735ns", "3045ns", "2840ns", "3605ns", "3915ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, but for 25G at 40 m, which repeats 5 m in the table"
    note       = "one constant for all lengths of cable of a speed; the same times come out of the 10G to 50G rows of Nokia-IXR7220-H6-O256 within 0.14 us"
  }
}
