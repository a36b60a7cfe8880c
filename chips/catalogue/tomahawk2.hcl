chip "tomahawk2" {
  title   = "Broadcom Tomahawk 2 (BCM56970)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th2", "tomahawk-2", "bcm56970"]

  capacity {
    value      = "6.4Tbps"
    confidence = "published"
    source     = source.fwd-tomahawk2
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = source.fwd-tomahawk2
  }

  max_ports {
    value      = 118
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7260CX3-D108C10: port_config.ini"
    note       = "at least as many"
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
    source     = [source.qos-params-th2, source.juniper-qfx5k]
  }

  packet_buffer {
    value      = "42MiB"
    confidence = "published"
    source     = source.fwd-tomahawk2
    note       = "42 MB, and binary: 43,481,152 B ship as a pool"
  }

  usable_buffer {
    value      = "43481152B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7260CX3-C64: buffers_defaults_t1.j2, egress_lossless_pool: 209,044 cells"
    note       = "42,349,632 B in other renderings of the same file"
  }

  slices {
    value      = 4
    confidence = "measured"
    source     = source.qos-params-th2
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "net"
    confidence = "measured"
    source     = source.qos-params-th2
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th2
  }

  admission {
    value      = "with_cell"
    confidence = "inferred"
    source     = source.qos-params-th2
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-th2
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
    source     = source.qos-params-th2
    note       = "six cells"
  }

  queue_reserve {
    value      = "1664B"
    confidence = "measured"
    source     = source.qos-params-th2
    note       = "pkts_num_fill_min of the lossy tests: eight cells"
  }

  xon_offset {
    value      = "2496B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7260CX3-C64: pg_profile_lookup.ini"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
  }

  headroom_fixed {
    value      = "10234B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
    note       = "disputed: DellEMC-Z9264f-C64 fits 10,900 B, 3150 ns and 84 B with 5.2 %, nearly twice as much; Arista-7260CX3-D96C16 ships the values of Tomahawk"
  }

  headroom_response {
    value      = "2527ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
  }

  headroom_wire_per_cell {
    value      = "163B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
    note       = "the table reckons with packets longer than 64 B: 84 B of wire per cell would be the worst case"
  }

  headroom_speed_classes {
    value      = ["40Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
    note       = "the table gives 50G the value of 100G"
  }
}
