chip "tomahawk4" {
  title   = "Broadcom Tomahawk 4 (BCM56990)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th4", "tomahawk-4", "bcm56990"]

  capacity {
    value      = "25.6Tbps"
    confidence = "published"
    source     = source.ipinfusion-th4
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "published"
    source     = source.ipinfusion-th4
  }

  max_ports {
    value      = 256
    confidence = "published"
    source     = source.ipinfusion-th4
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
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: pg_profile_lookup.ini and buffers_defaults_t0.j2, all sizes are multiples of 254 B"
    note       = "Habana documents EOS headroom on an Arista 7060PX5 in the same cells"
  }

  packet_buffer {
    value      = "113620296B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: buffers_defaults_t0.j2, ingress_lossless_pool: 447,324 cells"
    note       = "at least this much; vendors say 113 MB or 114 MB"
  }

  usable_buffer {
    value      = "113620296B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: buffers_defaults_t0.j2, ingress_lossless_pool"
    note       = "Nokia IXR7220-H4-64D distributes 113,143,792 B; H4-32D 57,482,232 B of a chip with half the lanes"
  }

  slices {
    value      = 2
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7220-H4-64D: buffers_defaults_t0.j2, egress pool 56,571,896 B is half of the ingress pool"
  }

  packet_metadata {
    value      = "64B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 5"
  }

  pool_size {
    value      = "gross"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: buffers_defaults_t0.j2, ingress and egress pool have the same size although the ingress one has an xoff"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: buffers_defaults_t0.j2, xoff of the ingress pool"
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
    value      = "9144B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: pg_profile_lookup.ini"
    note       = "36 cells; Nokia H4 ships the table of Tomahawk (208 B cells)"
  }

  queue_reserve {
    value      = "1778B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 3 and Tomahawk 5"
  }

  xon_offset {
    value      = "9144B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: pg_profile_lookup.ini"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
  }

  headroom_fixed {
    value      = "18832B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "two frames of 9416 B; Nokia-IXR7220-H4 ships a table of Tomahawk"
  }

  headroom_response {
    value      = "2029ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "a packet of 64 B with preamble and gap"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the serdes lane"
  }

  headroom_responses {
    value      = ["1897ns", "1785ns", "1853ns", "2029ns", "2029ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "one constant for all lengths of cable of a speed"
  }
}
