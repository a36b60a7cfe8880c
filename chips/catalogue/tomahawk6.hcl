chip "tomahawk6" {
  title   = "Broadcom Tomahawk 6 (BCM78910)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th6", "bcm78910"]

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
    value      = "420B"
    confidence = "measured"
    source     = source.qos-params-th6
  }

  packet_buffer {
    value      = "265332900B"
    confidence = "inferred"
    source     = "sonic-buildimage device/nokia/x86_64-nokia_ixr7220_h6: static_th of the egress lossless profile"
  }

  slices {
    value      = 1
    confidence = "measured"
    source     = source.qos-params-th6
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-th6
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
    note       = "EOS offers these eleven steps on Trident and Tomahawk; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "420B"
    confidence = "assumed"
    source     = "thresholds of queues are held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact in any case"
  }

  pg_reserve {
    value      = "8400B"
    confidence = "inferred"
    source     = "sonic-buildimage device/nokia/x86_64-nokia_ixr7220_h6_128-r0"
  }

  xon_offset {
    value      = "4200B"
    confidence = "inferred"
    source     = "sonic-buildimage device/nokia/x86_64-nokia_ixr7220_h6_128-r0"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "18022B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/nexthop/x86_64-nexthop_4210-r0/pg_profile_lookup.ini: relative error at most 2.1 %"
  }

  headroom_response {
    value      = "2216ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/nexthop/x86_64-nexthop_4210-r0/pg_profile_lookup.ini: relative error at most 2.1 %"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/nexthop/x86_64-nexthop_4210-r0/pg_profile_lookup.ini: relative error at most 2.1 %"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/nexthop/x86_64-nexthop_4210-r0/pg_profile_lookup.ini: relative error at most 2.1 %"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the lane, not of the port"
  }
}
