platform "7060cx-32s" {
  title  = "Arista 7060CX-32S"
  chip   = "tomahawk"
  names  = ["x86_64-arista_7060_cx32s"]
  hwskus = ["Arista-7060CX-32S-C32"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = [
        33, 37, 41, 45, 49, 53, 57, 61, 65, 69, 73, 77, 81, 85, 89, 93,
        97, 101, 105, 109, 113, 117, 121, 125, 1, 5, 9, 13, 17, 21, 25, 29,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060_cx32s/Arista-7060CX-32S-C32/port_config.ini"
    }

    breakouts {
      value      = ["1x100G[50G,40G,25G,10G]", "2x50G[40G,25G,10G]", "4x25G[10G]"]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060_cx32s/platform.json"
    }

    alias {
      value      = "Ethernet{cage}/1"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060_cx32s/Arista-7060CX-32S-C32/port_config.ini"
    }

    part_alias {
      value      = "Ethernet{cage}/{lane}"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060_cx32s/platform.json"
    }
  }
}
