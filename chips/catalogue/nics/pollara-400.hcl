nic "pollara-400" {
  title   = "AMD Pensando Pollara 400"
  vendor  = "AMD"
  aliases = ["pollara", "pollara400"]

  port_speeds {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "AMD, Pensando Pollara 400 product brief"
  }

  algorithm {
    value      = "dcqcn"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  clamp_tgt_rate {
    value      = false
    confidence = "published"
    source     = source.ionic-dcqcn
    note       = "absent from the defaults of the driver, so 0; a sample of the GPU operator enables it"
  }

  clamp_tgt_rate_after_time_inc {
    value      = true
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rpg_threshold {
    value      = 1
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rpg_time_reset {
    value      = "1us"
    confidence = "published"
    source     = source.ionic-dcqcn
    note       = "one interval of alpha, which is 1 us"
  }

  rpg_byte_reset {
    value      = "431068B"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rpg_ai_rate {
    value      = "160Mbps"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rpg_hai_rate {
    value      = "300Mbps"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rpg_gd {
    value      = 11
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rpg_min_dec_fac {
    value      = "50%"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rpg_min_rate {
    value      = "1Mbps"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  dce_tcp_g {
    value      = 512
    confidence = "inferred"
    source     = source.ionic-dcqcn
    note       = "the register goes to 1023, so it is taken to count like NVIDIA's; an older firmware of the vendor counted to 65,535"
  }

  dce_tcp_rtt {
    value      = "1us"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  rate_reduce_monitor_period {
    value      = "1us"
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  initial_alpha_value {
    value      = 64
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  cnp_scope {
    value      = "flow"
    confidence = "inferred"
    source     = "AMD Pensando P4 sources: dcqcn_cb_t keeps last_cnp_timestamp for each queue pair"
    note       = "the interval itself is not published"
  }

  cnp_dscp {
    value      = 46
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  cnp_802p_prio {
    value      = 6
    confidence = "published"
    source     = source.ionic-dcqcn
  }

  ack_class {
    value      = "data"
    confidence = "assumed"
    source     = "acknowledgements have the code point of the responder's queue pair (for ConnectX openucx/ucx pull request 7132), which connection managers make that of the data"
  }

  direct_placement {
    value      = true
    confidence = "published"
    source     = "AMD, Pensando Pollara 400 product brief: out-of-order packet handling and in-order message delivery"
  }
}
