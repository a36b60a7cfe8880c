# Constants of headroom method "xgs" as single platforms' tables have them, where they
# differ from the chip's own in the catalogue. Fitted to pg_profile_lookup.ini of
# sonic-buildimage 086b03bd (2026-08); the response of a speed is one constant for all
# lengths of cable. Inferred, not published.

platform "trident3" "arista" {
  source = "sonic-buildimage HwSKU Arista-7050SX3-48YC8 pg_profile_lookup.ini"
  note   = "a table in 208 B cells, those of Tomahawk; 50G at 300 m does not follow its own 5 m and 40 m"
  fixed  = "9216B"
  speed "10Gbps" {
    response      = "2721ns"
    wire_per_cell = "91B"
  }
  speed "25Gbps" {
    response      = "3039ns"
    wire_per_cell = "91B"
  }
  speed "40Gbps" {
    response      = "2830ns"
    wire_per_cell = "91B"
  }
  speed "50Gbps" {
    response      = "2997ns"
    wire_per_cell = "91B"
  }
  speed "100Gbps" {
    response      = "3912ns"
    wire_per_cell = "91B"
  }
}

platform "tomahawk2" "arista-d96c16" {
  source = "sonic-buildimage HwSKU Arista-7260CX3-D96C16 pg_profile_lookup.ini"
  note   = "40 m and 300 m are the table of Tomahawk; at 5 m, where servers are, both speeds respond 1.96 us faster"
  fixed  = "9216B"
  speed "50Gbps" {
    response      = "3592ns"
    wire_per_cell = "74B"
  }
  speed "100Gbps" {
    response      = "3915ns"
    wire_per_cell = "74B"
  }
  near_cable  = "5m"
  near_saving = "1955ns"
}

platform "tomahawk6" "nokia" {
  source = "sonic-buildimage HwSKU Nokia-IXR7220-H6-O256 pg_profile_lookup.ini"
  note   = "from 100G on, the worst packet has 260 B on 1.4 % more wire: the chip does not take smaller packets at line rate; that is why 100G needs less than 50G"
  fixed  = "9216B"
  speed "10Gbps" {
    response      = "2822ns"
    wire_per_cell = "100B"
  }
  speed "25Gbps" {
    response      = "2975ns"
    wire_per_cell = "100B"
  }
  speed "40Gbps" {
    response      = "2881ns"
    wire_per_cell = "100B"
  }
  speed "50Gbps" {
    response      = "3628ns"
    wire_per_cell = "100B"
  }
  speed "100Gbps" {
    response      = "5910ns"
    wire_per_cell = "280B"
  }
  speed "200Gbps" {
    response      = "6551ns"
    wire_per_cell = "280B"
  }
  speed "400Gbps" {
    response      = "5962ns"
    wire_per_cell = "280B"
  }
  speed "800Gbps" {
    response      = "5175ns"
    wire_per_cell = "280B"
  }
}

platform "trident4-x9" "nokia" {
  source = "sonic-buildimage HwSKU Nokia-IXR7220-D4-36D pg_profile_lookup.ini"
  note   = "the worst packet is 257 B, not 64 B as in Dell's table of the chip, which needs three times as much"
  fixed  = "18432B"
  speed "10Gbps" {
    response      = "6224ns"
    wire_per_cell = "277B"
  }
  speed "25Gbps" {
    response      = "2783ns"
    wire_per_cell = "277B"
  }
  speed "40Gbps" {
    response      = "4315ns"
    wire_per_cell = "277B"
  }
  speed "100Gbps" {
    response      = "3763ns"
    wire_per_cell = "277B"
  }
  speed "400Gbps" {
    response      = "2318ns"
    wire_per_cell = "277B"
  }
}
