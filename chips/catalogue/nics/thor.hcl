nic "thor" {
  title   = "Broadcom Thor (BCM57508)"
  vendor  = "Broadcom"
  aliases = ["bcm57508"]

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps"]
    confidence = "published"
    source     = "Broadcom, BCM57508 product brief"
  }

  algorithm {
    value      = "dcqcn"
    confidence = "published"
    source     = source.bnxt-setupcc
    note       = "cc_mode 1, probabilistic marking; its registers (init_cr, ai_rate_incr, fr_num_rtt …) differ from DCQCN as published, and their values are not public"
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = source.bnxt-setupcc
  }

  cnp_802p_prio {
    value      = 7
    confidence = "published"
    source     = source.bnxt-setupcc
  }

  ack_class {
    value      = "data"
    confidence = "assumed"
    source     = "acknowledgements have the code point of the responder's queue pair (for ConnectX openucx/ucx pull request 7132), which connection managers make that of the data"
  }
}
