chip "silicon-one-q200" {
  title   = "Cisco Silicon One Q200"
  vendor  = "Cisco"
  family  = "silicon-one"
  aliases = ["q200", "gb"]

  capacity {
    value      = "12.8Tbps"
    confidence = "published"
    source     = "IDC Nova, Cisco Unveils Silicon One Chip, 2025: models of the family"
  }

  port_speeds {
    value      = ["25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "sonic-mgmt ansible/group_vars/sonic/variables: HwSKUs Cisco-8101-O32, C64, O8V48, 8101C01-C28S4 and 8102-C64; 40G and 25G by breakout"
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
    value      = "384B"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "buffer_unit of the tests: a packet occupies whole units, and nothing is added to it"
  }

  packet_buffer {
    value      = "75497472B"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "what all PGs hold when the last one pauses, lossy traffic included; 67,109,376 B with lossless alone; 46,661,760 B on 8102. External memory comes beside"
  }

  packet_metadata {
    value      = "0B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  pool_size {
    value      = "net"
    confidence = "assumed"
    source     = "the tests take alpha of the whole size of the pool, whatever it holds"
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "no headroom table of the chip is public: device/cisco of sonic-buildimage is empty"
  }

  threshold_of {
    value      = "pool"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "alpha times the pool, a fixed share; regions of the total occupancy lower it, whose borders are not written out"
  }

  queue_depth {
    value      = "6144000B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  pause_depth {
    value      = "92.51875%"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "1 - 0.0748125 of the depth, less xoff"
  }

  resume_at {
    value      = "3145728B"
    confidence = "measured"
    source     = [source.qos-generator-cisco, source.qos-params-gb]
    note       = "2,359,296 B on 8102, with the smaller memory"
  }
}
