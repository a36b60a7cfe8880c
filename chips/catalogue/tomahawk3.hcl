chip "tomahawk3" {
  title   = "Broadcom Tomahawk 3 (BCM56980)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th3", "tomahawk-3", "bcm56980"]

  capacity {
    value      = "12.8Tbps"
    confidence = "published"
    source     = source.asics-2020
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = source.asics-2020
  }

  max_ports {
    value      = 128
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Silverstone_v2_128X100G: port_config.ini"
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
    value      = "254B"
    confidence = "measured"
    source     = [source.qos-params-th3, source.juniper-qfx5k]
  }

  packet_buffer {
    value      = "64MiB"
    confidence = "published"
    source     = source.asics-2020
    note       = "64 MB; a static threshold of 67,117,468 B ships (Dell Z9332f), 8,604 B more than 64 MiB"
  }

  usable_buffer {
    value      = "66394076B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9332f-O32: buffers_defaults_t0.j2, ingress_lossless_pool: 261,394 cells"
  }

  slices {
    value      = 2
    confidence = "measured"
    source     = source.qos-params-th3
  }

  packet_metadata {
    value      = "40B"
    confidence = "published"
    source     = source.juniper-qfx5k
    note       = "QFX5220; 64 B on the other chips of that table"
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-th3
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th3
  }

  admission {
    value      = "below_with_cell"
    confidence = "inferred"
    source     = source.qos-params-th3
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "on_excess"
    confidence = "inferred"
    source     = source.qos-params-th3
    note       = "from the distance between first pause and first drop: the headroom, and no more"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "254B"
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
  }

  pg_reserve {
    value      = "2540B"
    confidence = "measured"
    source     = source.qos-params-th3
    note       = "ten cells"
  }

  queue_reserve {
    value      = "1778B"
    confidence = "measured"
    source     = source.qos-params-th3
    note       = "seven cells"
  }

  xon_offset {
    value      = "2540B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Quanta-IX9-32X: pg_profile_lookup.ini"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
  }

  headroom_fixed {
    value      = "24123B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
    note       = "Quanta-IX9-32X ships 190,500 B for every speed and length"
  }

  headroom_response {
    value      = "2169ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
  }

  headroom_wire_per_cell {
    value      = "192B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
    note       = "the table reckons with packets longer than 64 B: 84 B of wire per cell would be the worst case"
  }
}
