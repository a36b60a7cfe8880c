platform "7260cx3-64" {
  title  = "Arista 7260CX3-64"
  chip   = "tomahawk2"
  names  = ["x86_64-arista_7260cx3_64"]
  hwskus = ["Arista-7260CX3-C64"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = [
        77, 65, 85, 89, 109, 97, 5, 13, 25, 21, 37, 45, 57, 53, 117, 121,
        141, 133, 197, 205, 217, 213, 229, 237, 249, 245, 149, 153, 173, 161, 181, 185,
        69, 73, 93, 81, 101, 105, 9, 1, 17, 29, 41, 33, 49, 61, 125, 113,
        129, 137, 201, 193, 209, 221, 233, 225, 241, 253, 157, 145, 165, 169, 189, 177,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7260cx3_64/Arista-7260CX3-C64/port_config.ini"
    }

    breakouts {
      value      = ["1x100G[50G,40G,25G,10G]", "2x50G[40G,25G,10G]", "4x25G[10G]", "1x10G[1G](1)"]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7260cx3_64/platform.json"
    }

    alias {
      value      = "Ethernet{cage}/1"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7260cx3_64/Arista-7260CX3-C64/port_config.ini"
    }

    part_alias {
      value      = "Ethernet{cage}/{lane}"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7260cx3_64/platform.json"
    }
  }

  cages "sfp" {
    lanes       = 1
    first_port  = 256
    step        = 4
    first_index = 65

    first_lanes {
      value      = [257, 259]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7260cx3_64/Arista-7260CX3-C64/port_config.ini"
    }

    alias {
      value      = "Ethernet{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7260cx3_64/Arista-7260CX3-C64/port_config.ini"
    }
  }
}
