platform "sn3700" {
  title  = "NVIDIA SN3700"
  chip   = "spectrum2"
  names  = ["x86_64-mlnx_msn3700-r0"]
  hwskus = ["ACS-MSN3700"]

  cages "qsfp" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = ["0..124/4"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn3700-r0/platform.json"
    }

    breakouts {
      value      = ["1x200G[100G,50G,40G,25G,10G,1G]", "2x100G[50G,25G,10G,1G]", "4x50G[25G,10G,1G]"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn3700-r0/platform.json"
    }

    alias {
      value      = "etp{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn3700-r0/platform.json"
    }

    part_alias {
      value      = "etp{cage}{letter}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn3700-r0/platform.json"
    }
  }
}
