platform "sn4700" {
  title  = "NVIDIA SN4700"
  chip   = "spectrum3"
  names  = ["x86_64-mlnx_msn4700-r0"]
  hwskus = ["ACS-MSN4700"]

  cages "qsfp-dd" {
    lanes      = 8
    first_port = 0

    first_lanes {
      value      = ["0..248/8"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4700-r0/ACS-MSN4700/port_config.ini"
    }

    breakouts {
      value      = ["1x400G[200G,100G,50G,40G,25G,10G,1G]", "2x200G[100G,50G,40G,25G,10G,1G]", "4x100G[50G,25G,10G,1G]", "4x25G(4)[10G,1G]"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4700-r0/platform.json"
    }

    alias {
      value      = "etp{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4700-r0/platform.json"
    }

    part_alias {
      value      = "etp{cage}{letter}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-mlnx_msn4700-r0/platform.json"
    }
  }
}
