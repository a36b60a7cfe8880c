chip "silicon-one-g200" {
  title   = "Cisco Silicon One G200"
  vendor  = "Cisco"
  family  = "silicon-one"
  aliases = ["g200", "gr2"]

  capacity {
    value      = "51.2Tbps"
    confidence = "published"
    source     = source.nextplatform-g300
  }

  port_speeds {
    value      = ["100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "sonic-mgmt ansible/group_vars/sonic/variables: HwSKUs Cisco-8122-O64, O64S2, O128, O128S2; and 100G by breakout of a lane"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "unicast queues that SONiC configures"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "512B"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "buffer_unit of the tests: a packet occupies whole units, and nothing is added to it"
  }

  headroom_cell_size {
    value      = "32B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  packet_metadata {
    value      = "0B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  pool_size {
    value      = "gross-pool"
    confidence = "inferred"
    source     = source.qos-generator-cisco
    note       = "the size of the pool holds the shared headroom: (size - xoff) alpha/(1+alpha)"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = source.qos-generator-cisco
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "no headroom table of the chip is public: device/cisco of sonic-buildimage is empty"
  }

  threshold_of {
    value      = "free"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  threshold_bits {
    value      = 5
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "mantissa of 16 to 31, rounded down"
  }

  queue_code {
    value      = "next"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "the lossy egress drop is expected one step above; the older sonic-mgmt 0136ac56 expects the step below"
  }

  headroom_overhead {
    value      = "64B"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "two units of 32 B for each packet"
  }

  egress_kept {
    value      = "12582912B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }
}
