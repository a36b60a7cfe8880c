platform "as9716-32d" {
  title  = "Edgecore AS9716-32D"
  chip   = "tomahawk3"
  names  = ["x86_64-accton_as9716_32d-r0"]
  hwskus = ["Accton-AS9716-32D"]

  cages "qsfp-dd" {
    lanes      = 8
    first_port = 0

    first_lanes {
      value      = [
        73, 65, 81, 89, 97, 105, 113, 121, 41, 33, 49, 57, 129, 137, 145, 153,
        169, 161, 177, 185, 1, 9, 17, 25, 201, 193, 217, 209, 233, 225, 249, 241,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as9716_32d-r0/Accton-AS9716-32D/port_config.ini"
    }

    breakouts {
      value      = ["1x400G", "2x200G", "4x100G", "1x100G[40G](4)", "2x50G(4)", "4x25G[10G](4)"]
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as9716_32d-r0/platform.json"
    }

    alias {
      value      = "Eth{cage}(Port{cage})"
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as9716_32d-r0/Accton-AS9716-32D/port_config.ini"
    }

    part_alias {
      value      = "Eth{cage}/{part}(Port{cage})"
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as9716_32d-r0/platform.json"
    }
  }

  cages "sfp" {
    lanes       = 1
    first_port  = 256
    first_index = 33

    first_lanes {
      value      = [257, 258]
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as9716_32d-r0/Accton-AS9716-32D/port_config.ini"
    }

    alias {
      value      = "Eth{cage}(Port{cage})"
      confidence = "published"
      source     = "sonic-buildimage device/accton/x86_64-accton_as9716_32d-r0/Accton-AS9716-32D/port_config.ini"
    }
  }
}
