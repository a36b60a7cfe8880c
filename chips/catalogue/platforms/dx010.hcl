platform "dx010" {
  title  = "Celestica Seastone DX010"
  chip   = "tomahawk"
  names  = ["x86_64-cel_seastone-r0"]
  hwskus = ["Seastone-DX010"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = [
        65, 69, 73, 77, 33, 37, 41, 45, 49, 53, 57, 61, 81, 85, 89, 93,
        97, 101, 105, 109, 1, 5, 9, 13, 17, 21, 25, 29, 113, 117, 121, 125,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/celestica/x86_64-cel_seastone-r0/Seastone-DX010/port_config.ini"
    }

    breakouts {
      value      = ["1x100G[40G]", "2x50G", "4x25G[10G]"]
      confidence = "published"
      source     = "sonic-buildimage device/celestica/x86_64-cel_seastone-r0/platform.json"
    }

    alias {
      value      = "Eth{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/celestica/x86_64-cel_seastone-r0/Seastone-DX010/port_config.ini"
    }

    part_alias {
      value      = "Eth{cage}/{lane}"
      confidence = "published"
      source     = "sonic-buildimage device/celestica/x86_64-cel_seastone-r0/platform.json"
    }
  }
}
