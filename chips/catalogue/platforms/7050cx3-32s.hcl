platform "7050cx3-32s" {
  title  = "Arista 7050CX3-32S"
  chip   = "trident3"
  names  = ["x86_64-arista_7050cx3_32s"]
  hwskus = ["Arista-7050CX3-32S-C32"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = [
        1, 5, 9, 13, 21, 17, 25, 29, 37, 33, 41, 45, 53, 49, 57, 61,
        69, 65, 73, 77, 85, 81, 89, 93, 101, 97, 105, 109, 117, 113, 121, 125,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7050cx3_32s/Arista-7050CX3-32S-C32/port_config.ini"
    }

    breakouts {
      value      = ["1x100G[50G,40G,25G,10G]", "2x50G[40G,25G,10G]", "4x25G[10G]"]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7050cx3_32s/platform.json"
    }

    alias {
      value      = "Ethernet{cage}/1"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7050cx3_32s/Arista-7050CX3-32S-C32/port_config.ini"
    }

    part_alias {
      value      = "Ethernet{cage}/{lane}"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7050cx3_32s/platform.json"
    }
  }
}
