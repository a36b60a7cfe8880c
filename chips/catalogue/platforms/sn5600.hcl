platform "sn5600" {
  title  = "NVIDIA SN5600"
  chip   = "spectrum4"
  names  = ["x86_64-nvidia_sn5600-r0"]
  hwskus = ["ACS-SN5600"]

  cages "osfp" {
    lanes      = 8
    first_port = 0

    first_lanes {
      value      = ["0..504/8"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/ACS-SN5600/port_config.ini"
    }

    breakouts {
      value      = ["1x800G[400G,200G,100G,50G,40G,25G,10G]", "2x400G[200G,100G,50G,40G,25G,10G]", "4x200G[100G,50G,25G,10G]"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/platform.json"
    }

    alias {
      value      = "etp{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/platform.json"
    }

    part_alias {
      value      = "etp{cage}{letter}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/platform.json"
    }
  }

  cages "sfp" {
    lanes       = 1
    first_port  = 512
    first_index = 65

    first_lanes {
      value      = [512]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/ACS-SN5600/port_config.ini"
    }

    breakouts {
      value      = ["1x25G[10G]"]
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/platform.json"
    }

    alias {
      value      = "etp{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/mellanox/x86_64-nvidia_sn5600-r0/platform.json"
    }
  }
}
