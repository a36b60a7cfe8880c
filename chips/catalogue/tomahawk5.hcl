chip "tomahawk5" {
  title   = "Broadcom Tomahawk 5 (BCM78900)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th5", "bcm78900"]

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
    confidence = "measured"
    source     = source.qos-params-th5
  }

  packet_buffer {
    value      = "167546528B"
    confidence = "inferred"
    source     = "sonic-buildimage device/arista/x86_64-arista_7060x6_64pe: static_th of the egress lossless profile"
  }

  slices {
    value      = 2
    confidence = "measured"
    source     = source.qos-params-th5
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-th5
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th5
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

  pg_reserve {
    value      = "18796B"
    confidence = "measured"
    source     = source.qos-params-th5
    note       = "8636 B on one topology (lt2-p32o64)"
  }

  queue_reserve {
    value      = "1778B"
    confidence = "measured"
    source     = source.qos-params-th5
  }

  xon_offset {
    value      = "3556B"
    confidence = "measured"
    source     = source.qos-params-th5
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "22817B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dell_z9864f-r0/Dell-Z9864f-O64/pg_profile_lookup.ini: relative error at most 2.4 %"
  }

  headroom_response {
    value      = "2086ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dell_z9864f-r0/Dell-Z9864f-O64/pg_profile_lookup.ini: relative error at most 2.4 %"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dell_z9864f-r0/Dell-Z9864f-O64/pg_profile_lookup.ini: relative error at most 2.4 %"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dell_z9864f-r0/Dell-Z9864f-O64/pg_profile_lookup.ini: relative error at most 2.4 %"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the lane, not of the port"
  }
}
