chip "silicon-one-g100" {
  title   = "Cisco Silicon One G100"
  vendor  = "Cisco"
  family  = "silicon-one"
  aliases = ["g100", "gr"]

  capacity {
    value      = "25.6Tbps"
    confidence = "published"
    source     = "The Next Gen Tech Insider, Why Cisco's Silicon One P200 matters now, 2025: twice the 25.6 Tb/s of the G100"
  }

  port_speeds {
    value      = ["100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "sonic-mgmt ansible/group_vars/sonic/variables: HwSKUs Cisco-8111-O32 and O64; the slower ones by breakout"
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
    value      = "92274816B"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "what all PGs hold when the last one pauses, lossy traffic included; 83,886,720 B with lossless alone"
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
    value      = "24576000B"
    confidence = "measured"
    source     = source.qos-generator-cisco
  }

  pause_depth {
    value      = "92.51875%"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "1 - 0.0748125 of the depth, less xoff"
  }

  threshold_bits {
    value      = 5
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "mantissa of 16 to 31, rounded down"
  }

  resume_of {
    value      = "10485760B"
    confidence = "measured"
    source     = source.qos-generator-cisco
    note       = "held in five bits too"
  }
}
