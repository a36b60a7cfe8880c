chip "trident4-x11" {
  title   = "Broadcom Trident 4 X11 (BCM56880)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td4-x11", "trident-4-x11", "bcm56880"]

  capacity {
    value      = "12.8Tbps"
    confidence = "published"
    source     = source.ucsc-trident4
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = source.ucsc-trident4
  }

  max_ports {
    value      = 128
    confidence = "published"
    source     = source.ucsc-trident4
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
    confidence = "published"
    source     = source.juniper-qfx5k
    note       = "QFX5130-32CD. The smaller X9 is measured at 318 B"
  }

  packet_buffer {
    value      = "132MiB"
    confidence = "published"
    source     = source.ucsc-trident4
    note       = "132 MB"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "gross"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_pool {
    value      = true
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
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

  headroom_method {
    value      = "xgs"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_fixed {
    value      = "18476B"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_response {
    value      = "2046ns"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }
}
