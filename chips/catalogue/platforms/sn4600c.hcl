platform "sn4600c" {
  title  = "NVIDIA SN4600C"
  chip   = "spectrum3"
  names  = ["x86_64-mlnx_msn4600c-r0"]
  hwskus = ["ACS-MSN4600C"]

  cages "qsfp" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = ["0..504/8"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4600c-r0/platform.json"
    }

    breakouts {
      value      = ["1x100G[50G,40G,25G,10G,1G]", "2x50G[25G,10G,1G]"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4600c-r0/platform.json"
    }

    alias {
      value      = "etp{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4600c-r0/platform.json"
    }

    part_alias {
      value      = "etp{cage}{letter}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4600c-r0/platform.json"
    }
  }
}
