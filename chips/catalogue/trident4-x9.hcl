chip "trident4-x9" {
  title   = "Broadcom Trident 4 X9 (BCM56780)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td4-x9", "bcm56780"]

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
    source     = "sonic-buildimage device/dell and nokia platforms with Trident 4: sizes are multiples of 254 B"
    note       = "the table of headroom of Dell counts cells of 318 B"
  }

  packet_buffer {
    value      = "82MiB"
    confidence = "published"
    source     = "Broadcom, BCM56880 series product brief"
  }

  slices {
    value      = 2
    confidence = "assumed"
    source     = "by analogy with Tomahawk 3"
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
    value      = "18476B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_s5448f_c3758-r0/pg_profile_lookup.ini: relative error at most 2.3 %"
  }

  headroom_response {
    value      = "2046ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_s5448f_c3758-r0/pg_profile_lookup.ini: relative error at most 2.3 %"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_s5448f_c3758-r0/pg_profile_lookup.ini: relative error at most 2.3 %"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_s5448f_c3758-r0/pg_profile_lookup.ini: relative error at most 2.3 %"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the lane, not of the port"
  }
}
