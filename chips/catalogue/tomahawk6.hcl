chip "tomahawk6" {
  title   = "Broadcom Tomahawk 6 (BCM78910)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th6", "tomahawk-6", "bcm78910", "bcm78914"]

  capacity {
    value      = "102.4Tbps"
    confidence = "published"
    source     = source.sth-th6
  }

  port_speeds {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps", "1.6Tbps"]
    confidence = "published"
    source     = source.sth-th6
  }

  lane_rate {
    value      = "200Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 512 serdes of 200G, or 1,024 of 100G"
  }

  max_ports {
    value      = 512
    confidence = "published"
    source     = source.sth-th6
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
    value      = "420B"
    confidence = "measured"
    source     = source.qos-params-th6
    note       = "a few values of the same test data count cells of 254 B"
  }

  packet_buffer {
    value      = "265332900B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU NH-4210-F-O256: buffers_defaults_t0.j2, static_th of egress_lossless_profile: 631,745 cells"
    note       = "at least this much; the size of the part is not published"
  }

  usable_buffer {
    value      = "249964680B"
    confidence = "inferred"
    source     = "sonic-buildimage#29565, open: 595,154 cells, by Broadcom's recommendations"
    note       = "tables that ship distribute more: NH-4210-F-O256 258,035,400 B, Nokia IXR7220-H6 257,154,240 B; sonic-buildimage#28657 reports size plus xoff beyond the chip"
  }

  slices {
    value      = 1
    confidence = "inferred"
    source     = source.qos-params-th6
    note       = "thresholds fit one pool to 0.05-1 %, within the margins of 100 to 500 packets that the test allows"
  }

  max_packet {
    value      = "9416B"
    confidence = "assumed"
    source     = "by analogy with all XGS chips of OpenBCM"
  }

  packet_metadata {
    value      = "64B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 5"
  }

  pool_size {
    value      = "gross-pool"
    confidence = "inferred"
    source     = source.qos-params-th6
    note       = "thresholds are rounded to hundreds of packets there: whether reserves come out of the pool too cannot be told"
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th6
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "420B"
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
  }

  marking_steps {
    value      = ["0%", "1%", "2%", "3%", "4%", "5%", "6%", "7%", "8%", "9%", "10%", "25%", "50%", "75%", "100%"]
    confidence = "assumed"
    source     = "by analogy with Tomahawk to Tomahawk 4 and Trident II to 4, which all have these 15"
    note       = "the public SDK has no code of this chip"
  }

  marking_lag {
    value      = "8us"
    confidence = "assumed"
    source     = "by analogy with Tomahawk: OpenBCM"
    note       = "the public SDK has no code of this chip that sets it"
  }

  pg_reserve {
    value      = "8400B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7220-H6-O256: pg_profile_lookup.ini"
    note       = "twenty cells"
  }

  queue_reserve {
    value      = "2940B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 5: seven cells"
  }

  xon_offset {
    value      = "4200B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7220-H6-O256: pg_profile_lookup.ini"
    note       = "ten cells"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU NH-4210-F-O256 pg_profile_lookup.ini, relative error at most 2.1 %"
  }

  headroom_fixed {
    value      = "18022B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU NH-4210-F-O256 pg_profile_lookup.ini, relative error at most 2.1 %"
    note       = "disputed: the table of Nokia-IXR7220-H6-O256 lies between a half and five sixths of this, and does not rise with speed from 50G to 100G"
  }

  headroom_response {
    value      = "2216ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU NH-4210-F-O256 pg_profile_lookup.ini, relative error at most 2.1 %"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU NH-4210-F-O256 pg_profile_lookup.ini, relative error at most 2.1 %"
    note       = "84 B is a packet of 64 B with preamble and gap"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps", "1.6Tbps"]
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU NH-4210-F-O256 pg_profile_lookup.ini, relative error at most 2.1 %"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the serdes lane"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
