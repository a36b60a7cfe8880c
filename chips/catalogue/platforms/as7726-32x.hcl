platform "as7726-32x" {
  title  = "Edgecore AS7726-32X"
  chip   = "trident3"
  names  = ["x86_64-accton_as7726_32x-r0"]
  hwskus = ["Accton-AS7726-32X"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = ["1..125/4"]
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as7726_32x-r0/Accton-AS7726-32X/port_config.ini"
    }

    breakouts {
      value      = ["1x100G[40G]", "2x50G", "4x25G", "4x10G"]
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as7726_32x-r0/platform.json"
    }

    alias {
      value      = "Eth{cage}(Port{cage})"
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as7726_32x-r0/Accton-AS7726-32X/port_config.ini"
    }

    part_alias {
      value      = "Eth{cage}/{part}(Port{cage})"
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as7726_32x-r0/platform.json"
    }
  }
}
