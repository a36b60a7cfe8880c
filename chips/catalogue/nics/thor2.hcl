nic "thor2" {
  title   = "Broadcom Thor 2 (BCM57608)"
  vendor  = "Broadcom"
  aliases = ["thor-2", "bcm57608"]

  port_speeds {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "Broadcom, BCM57608 product brief"
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
