platform "sn2700" {
  title  = "NVIDIA SN2700"
  chip   = "spectrum1"
  names  = ["x86_64-mlnx_msn2700-r0"]
  hwskus = ["ACS-MSN2700", "Mellanox-SN2700", "Mellanox-SN2700-C28D8", "Mellanox-SN2700-D40C8S8", "Mellanox-SN2700-D44C10", "Mellanox-SN2700-D48C8"]

  cages "qsfp" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = ["0..124/4"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn2700-r0/platform.json"
    }

    breakouts {
      value      = ["1x100G[50G,40G,25G,10G]", "2x50G[25G,10G]"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn2700-r0/platform.json"
    }

    alias {
      value      = "etp{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn2700-r0/platform.json"
    }

    part_alias {
      value      = "etp{cage}{letter}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn2700-r0/platform.json"
    }
  }
}
