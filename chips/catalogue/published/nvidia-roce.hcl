published "nvidia-roce" {
  title  = "NVIDIA, what nv set qos roce sets on Cumulus Linux"
  vendor = "NVIDIA"

  kmin {
    value      = ["150kB"]
    confidence = "published"
    source     = source.cumulus-roce
    note       = "146.48 KB in the output of nv show qos roce; Spectrum-4 and 5 are programmed with 159,744 B, which the page says; the example for Onyx has the same 150 to 1500 (ansible-collections/mellanox.onyx, onyx_traffic_class)"
  }

  kmax {
    value      = ["1500kB"]
    confidence = "published"
    source     = source.cumulus-roce
    note       = "1.43 MB in the output of nv show qos roce; the table of the same page says 1,501,500 B"
  }

  pmax {
    value      = ["100%"]
    confidence = "published"
    source     = source.cumulus-roce
  }

  alpha {
    value      = "1"
    confidence = "published"
    source     = "NVIDIA, Cumulus Linux, /etc/mlx/datapath/qos/qos_infra.conf: flow_control has the ingress alpha ALPHA_1"
  }

  data_dscp {
    value      = 26
    confidence = "published"
    source     = source.cumulus-roce
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.cumulus-roce
  }

  data_share {
    value      = "50%"
    confidence = "published"
    source     = source.cumulus-roce
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = source.cumulus-roce
  }

  cnp_priority {
    value      = 6
    confidence = "published"
    source     = source.cumulus-roce
  }
}
