nic "e810" {
  title   = "Intel E810"
  vendor  = "Intel"
  aliases = ["e810-c", "intel-e810"]

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = "Intel, Ethernet Controller E810 product brief"
  }

  algorithm {
    value      = "dcqcn"
    confidence = "published"
    source     = source.irdma-freebsd
    note       = "where dcqcn_enable is set; the parameters count once cc_cfg_valid is set. Rates rise by segments of a window, 1 in additive and 5 in hyper increase, which are not rates"
  }

  rpg_threshold {
    value      = 5
    confidence = "published"
    source     = source.irdma-freebsd
  }

  rpg_time_reset {
    value      = "55us"
    confidence = "published"
    source     = source.irdma-freebsd
  }

  rpg_byte_reset {
    value      = "150000B"
    confidence = "published"
    source     = source.irdma-freebsd
    note       = "help texts disagree; read as bytes"
  }

  rpg_min_dec_fac {
    value      = "1%"
    confidence = "published"
    source     = source.irdma-freebsd
  }

  rate_reduce_monitor_period {
    value      = "50us"
    confidence = "published"
    source     = source.irdma-freebsd
  }

  ack_class {
    value      = "data"
    confidence = "assumed"
    source     = "acknowledgements have the code point of the responder's queue pair (for ConnectX openucx/ucx pull request 7132), which connection managers make that of the data"
  }
}
