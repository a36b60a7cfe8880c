nic "connectx-6" {
  title   = "NVIDIA ConnectX-6"
  vendor  = "NVIDIA"
  aliases = ["cx6", "cx-6", "connectx-6dx"]

  port_speeds {
    value      = ["1Gbps", "10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps"]
    confidence = "published"
    source     = "NVIDIA, ConnectX-6 and ConnectX-6 Dx product briefs"
  }

  algorithm {
    value      = "dcqcn"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  dcqcn_settings {
    value      = "mlx5"
    confidence = "published"
    source     = "Linux, drivers/infiniband/hw/mlx5/cong.c: cc_params of each port, where the device has cc_modify_allowed and cc_query_allowed"
  }

  clamp_tgt_rate {
    value      = false
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  clamp_tgt_rate_after_time_inc {
    value      = true
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rpg_threshold {
    value      = 1
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rpg_time_reset {
    value      = "300us"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rpg_byte_reset {
    value      = "2097088B"
    confidence = "inferred"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
    note       = "the register says 32,767 and mlxconfig's help bytes, but Spirent's RoCEv2 tester has 2 MB as its default, which is 32,767 times 64 B; with 32,767 B flows above 6 Gb/s would regain between two CNPs what the last one took, and no incast of 32 would slow down: docs/dcqcn.md"
  }

  rpg_ai_rate {
    value      = "5Mbps"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rpg_hai_rate {
    value      = "50Mbps"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rpg_gd {
    value      = 11
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rpg_min_dec_fac {
    value      = "50%"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rpg_min_rate {
    value      = "1Mbps"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  dce_tcp_g {
    value      = 1019
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  dce_tcp_rtt {
    value      = "1us"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  rate_reduce_monitor_period {
    value      = "4us"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  initial_alpha_value {
    value      = 1023
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  min_time_between_cnps {
    value      = "4us"
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  cnp_scope {
    value      = "flow"
    confidence = "assumed"
    source     = "Zhu et al., DCQCN, SIGCOMM 2015, section 3.1: one CNP per flow and interval"
    note       = "firmware has ROCE_CC_CNP_MODERATION, left at the default of the device, which is not said; mlxconfig calls the interval one of the port"
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  cnp_802p_prio {
    value      = 6
    confidence = "published"
    source     = [source.mlxconfig-cx6, source.doca-dcqcn]
  }

  ack_class {
    value      = "data"
    confidence = "assumed"
    source     = "acknowledgements have the code point of the responder's queue pair (for ConnectX openucx/ucx pull request 7132), which connection managers make that of the data"
  }
}
