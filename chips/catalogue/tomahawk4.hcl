chip "tomahawk4" {
  title   = "Broadcom Tomahawk 4 (BCM56990)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th4", "bcm56990"]

  queues {
    value      = 8
    confidence = "inferred"
    source     = "SONiC BUFFER_QUEUE and QUEUE tables of Broadcom platforms: 0-7 unicast"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "254B"
    confidence = "inferred"
    source     = "sonic-buildimage device/dell/x86_64-dellemc_z9664f_c3758-r0/DellEMC-Z9664f-O64/buffers_defaults_t0.j2: pool sizes are multiples of 254 B"
  }

  packet_buffer {
    value      = "113620296B"
    confidence = "inferred"
    source     = "sonic-buildimage device/dell/x86_64-dellemc_z9664f_c3758-r0/DellEMC-Z9664f-O64/buffers_defaults_t0.j2"
  }

  slices {
    value      = 2
    confidence = "inferred"
    source     = "egress pool of Nokia IXR7220-H4 is half of the ingress pool"
  }

  pool_size {
    value      = "gross"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 3 and Tomahawk 5"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage device/dell/x86_64-dellemc_z9664f_c3758-r0"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "EOS offers these eleven steps on Trident and Tomahawk; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "254B"
    confidence = "assumed"
    source     = "thresholds of queues are held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact in any case"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "18058B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_z9664f_c3758-r0/DellEMC-Z9664f-O64/pg_profile_lookup.ini: relative error at most 2.8 %"
  }

  headroom_response {
    value      = "2011ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_z9664f_c3758-r0/DellEMC-Z9664f-O64/pg_profile_lookup.ini: relative error at most 2.8 %"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_z9664f_c3758-r0/DellEMC-Z9664f-O64/pg_profile_lookup.ini: relative error at most 2.8 %"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_z9664f_c3758-r0/DellEMC-Z9664f-O64/pg_profile_lookup.ini: relative error at most 2.8 %"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the lane, not of the port"
  }
}
