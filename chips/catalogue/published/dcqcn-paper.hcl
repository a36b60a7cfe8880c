published "dcqcn-paper" {
  title  = "DCQCN paper"
  vendor = "Microsoft"

  for_speeds {
    value      = ["40Gbps"]
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  kmin {
    value      = ["5kB"]
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  kmax {
    value      = ["200kB"]
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  pmax {
    value      = ["1%"]
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  clamp_tgt_rate {
    value      = true
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
    note       = "the target becomes the current rate at every decrease: equation 1"
  }

  rpg_threshold {
    value      = 5
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  rpg_time_reset {
    value      = "55us"
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  rpg_byte_reset {
    value      = "10MB"
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  rpg_ai_rate {
    value      = "40Mbps"
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  dce_tcp_g {
    value      = 1020
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
    note       = "g is 1/256"
  }

  dce_tcp_rtt {
    value      = "55us"
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  rate_reduce_monitor_period {
    value      = "50us"
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }

  min_time_between_cnps {
    value      = "50us"
    confidence = "published"
    source     = "Zhu et al., Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015, section 5: parameters of the testbed"
  }
}
