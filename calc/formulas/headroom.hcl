# Headroom: what still arrives after the pause threshold. Times in picoseconds, lengths in
# millimetres, so that 10 x length is the time of light there and back at 2e8 m/s.

formula "pause-window" {
  title = "How long after the decision to pause further frames may begin to come in"
  text  = "The pause frame of 84 B on the wire waits behind the largest frame, with a clock that is 100 ppm slow; cable and gearboxes count both ways."
  unit  = "ps"
  inputs = {
    port_mtu  = "64..65536 bytes: largest frame of the port"
    rate      = "1000000..10000000000000 bps: port speed"
    length    = "0..1000000000 mm: length of the cable, one way"
    gearbox   = "0..1000000000 ps: one passage through the gearboxes of both ends"
    interface = "0..100000000000 ps: the port's own layers, out and in together"
    response  = "0..1000000000000 ps: from the pause frame at the peer to the last frame that it starts"
  }
  expression = ceildiv((port_mtu + 20 + 84) * 80000000000000000, rate * 9999) + 10 * length + 2 * gearbox + interface + response
  source {
    document = "IEEE 802.1Q-2018"
    locator  = "Annex N"
  }
  source {
    document = "IEEE 802.3-2018"
    locator  = "31B.3.7 and 4.4.2"
  }
  example {
    inputs = { port_mtu = 9216, rate = 100000000000, length = 100000, gearbox = 0, interface = 1228800, response = 2017280 }
    result = 4991755
    source = "9320 B at 99.99 Gb/s are 745,675 ps; 1,000,000 ps of cable; 122,880 bit times; 394 quanta"
  }
}

formula "pause-bytes" {
  title = "Bytes that arrive in a time, at a clock that is 100 ppm fast"
  unit  = "bytes"
  inputs = {
    window = "0..2000000000000 ps"
    rate   = "1000000..10000000000000 bps: port speed"
  }
  expression = floordiv(window * rate * 10001, 80000000000000000)
  source {
    document = "IEEE 802.3-2018"
    locator  = "4.4.2: the rate is within 100 ppm"
  }
  example {
    inputs = { window = 4991755, rate = 100000000000 }
    result = 62403
    source = "4,991,755 ps at 100.01 Gb/s"
  }
}

formula "headroom-worst-case" {
  title = "Headroom that suffices whatever a conforming peer does"
  text  = "All bytes in packets of the size that takes most cells for its bytes on the wire, and the largest frames beside them."
  unit  = "cells"
  inputs = {
    bytes        = "0..10000000000 bytes: what arrives until the last frame begins"
    worst_packet = "64..4097 bytes: packet that takes most cells per byte on the wire"
    frame        = "64..65536 bytes: largest lossless frame"
    frames       = "1..2 count: largest frames on top of the window: the last one, and the deciding one where its last byte decides"
    metadata     = "0..128 bytes: what the chip adds to a packet"
    cell         = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = floordiv(bytes * ceildiv(worst_packet + metadata, cell), worst_packet + 20) + frames * ceildiv(frame + metadata, cell)
  source {
    document = "IEEE 802.1Q-2018"
    locator  = "Annex N"
  }
  source {
    document = "IEEE 802.3-2018"
    locator  = "31B.3.7"
  }
  example {
    inputs = { bytes = 62403, worst_packet = 64, frame = 9216, frames = 1, metadata = 64, cell = 256 }
    result = 779
    source = "62,403 B hold 742 packets of 84 B; the last frame has 37 cells"
  }
}

formula "headroom-worst-mix" {
  title = "Headroom that suffices for a declared mix of packets"
  text  = "As headroom-worst-case, but of the packets at most the share is of the smallest size, and the others are of the largest: mixed is the most cells of such packets in so many bytes on the wire."
  unit  = "cells"
  inputs = {
    bytes         = "0..10000000000 bytes: what arrives until the last frame begins"
    small_packets = "0..999999999 ppb: share of smallest packets, by count"
    frame         = "64..65536 bytes: largest lossless frame"
    frames        = "1..2 count: largest frames on top of the window: the last one, and the deciding one where its last byte decides"
    metadata      = "0..128 bytes: what the chip adds to a packet"
    cell          = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = mixed(bytes, cell, metadata, frame, small_packets, frames) + frames * ceildiv(frame + metadata, cell)
  source {
    document = "IEEE 802.1Q-2018"
    locator  = "Annex N"
  }
  example {
    inputs = { bytes = 62403, small_packets = 500000000, frame = 9216, frames = 1, metadata = 64, cell = 256 }
    result = 266
    source = "6 frames of 9236 B leave room for 7 packets of 84 B, one for each and for the last frame: 6 x 37 + 7 cells, and 37 of the last frame"
  }
}

formula "mix-wire-per-cell" {
  title = "Bytes on the wire that bring a cell in a mix of smallest and largest packets"
  text  = "On average, rounded down."
  unit  = "bytes"
  inputs = {
    small_packets = "0..1000000000 ppb: share of smallest packets, by count"
    lossless_mtu  = "64..65536 bytes: largest frame of the lossless class"
    metadata      = "0..128 bytes: what the chip adds to a packet"
    cell          = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = floordiv(small_packets * 84 + (1000000000 - small_packets) * (lossless_mtu + 20), small_packets * ceildiv(64 + metadata, cell) + (1000000000 - small_packets) * ceildiv(lossless_mtu + metadata, cell))
  source {
    document = "sonic-buildimage"
    locator  = "files/build_templates/buffers_config.j2: LOSSLESS_TRAFFIC_PATTERN, the form of the declaration"
  }
  example {
    inputs = { small_packets = 500000000, lossless_mtu = 9216, metadata = 64, cell = 256 }
    result = 245
    source = "84 B and 9236 B bring 1 and 37 cells"
  }
}

formula "wire-cells" {
  title = "Cells of bytes on the wire"
  unit  = "cells"
  inputs = {
    bytes    = "0..10000000000 bytes"
    per_cell = "1..100000 bytes: bytes on the wire that bring a cell"
  }
  expression = ceildiv(bytes, per_cell)
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { bytes = 1000, per_cell = 245 }
    result = 5
    source = "four cells have 980 B"
  }
}

formula "headroom-floor" {
  title = "Headroom of at least what the vendor of the chip gives"
  text  = "The vendor's figure is the default of its SDK, or what its shipped tables or its calculator say. It is a floor where the fabric names no method."
  unit  = "bytes"
  inputs = {
    needed = "0..100000000000 bytes: what may still arrive after a pause"
    vendor = "0..100000000000 bytes"
  }
  expression = max(needed, vendor)
  source {
    document = "Broadcom OpenBCM SDK 6.5"
    locator  = "src/soc/esw, _soc_*_default_pg_headroom"
  }
  source {
    document = "sonic-buildimage"
    locator  = "device/*/*/*/pg_profile_lookup.ini"
  }
  example {
    inputs = { needed = 120320, vendor = 146944 }
    result = 146944
    source = "Trident 3: 574 cells of 256 B at 100G by default, against 470"
  }
}

formula "headroom-ucloud" {
  title = "Headroom after UCloud"
  text  = "Every smallest packet takes one cell. Tm1 + Tm2 is a response of 1.5 us and two frames of 1500 B where nothing else is known: with them both printed results come out."
  unit  = "cells"
  inputs = {
    rate     = "1000000..10000000000000 bps: port speed"
    length   = "0..1000000000 mm: length of the cable, one way"
    response = "0..1000000000 ps: what both ends take besides cable and frames"
    frame    = "64..65536 bytes: largest lossless frame"
    slot     = "64..1024 bytes: smallest packet on the wire"
  }
  expression = ceildiv(rate * (response + 10 * length) + 2 * frame * 8 * 1000000000000, slot * 8 * 1000000000000)
  source {
    document = "UCloud, RoCE network design"
    locator  = "PFC headroom: H = (Tm1 + Tm2 + 2L/v) * R / bits(64 B)"
  }
  example {
    inputs = { rate = 100000000000, length = 100000, response = 1500000, frame = 1500, slot = 84 }
    result = 408
    source = "UCloud prints 408 cells for 100G and 100 m"
  }
  example {
    inputs = { rate = 25000000000, length = 15000, response = 1500000, frame = 1500, slot = 84 }
    result = 98
    source = "UCloud prints 98 cells for 25G and 15 m"
  }
}

formula "cells-to-bytes" {
  title = "Headroom in bytes"
  unit  = "bytes"
  inputs = {
    cells = "0..1000000000 cells"
    cell  = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = cells * cell
  source {
    document = "UCloud, RoCE network design"
    locator  = "PFC headroom: H = (Tm1 + Tm2 + 2L/v) * R / bits(64 B)"
  }
  example {
    inputs = { cells = 408, cell = 256 }
    result = 104448
    source = "408 cells of 256 B"
  }
}

formula "own-headroom" {
  title = "Size of a PG that owns its headroom"
  text  = "Where there is no headroom pool, reserve and headroom are one allocation."
  unit  = "bytes"
  inputs = {
    reserve  = "0..1000000000 bytes: what the PG owns besides"
    headroom = "0..1000000000 bytes"
  }
  expression = reserve + headroom
  source {
    document = "SAI inc/saibuffer.h"
    locator  = "SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE"
    url      = "https://github.com/opencomputeproject/SAI/blob/master/inc/saibuffer.h"
  }
  example {
    inputs = { reserve = 1248, headroom = 45136 }
    result = 46384
    source = "sonic-buildimage Arista-7050-QX32 pg_profile_lookup.ini, 40G and 5 m"
  }
}

formula "headroom-xgs" {
  title = "Headroom of Broadcom chips"
  text  = "The linear form that the tables of XGS and DNX chips follow; no vendor has published it. Light goes there and back at 2e8 m/s."
  unit  = "cells"
  inputs = {
    fixed         = "0..100000 bytes: largest frames, once or twice"
    rate          = "1000000..10000000000000 bps: port speed"
    response      = "0..1000000000 ps: what both ends take besides cable and frames"
    length        = "0..1000000000 mm: length of the cable, one way"
    wire_per_cell = "32..4096 bytes: wire bytes that fill one cell at the worst packet size"
  }
  expression = ceildiv(rate * (response + 10 * length) + fixed * 8 * 1000000000000, wire_per_cell * 8 * 1000000000000)
  source {
    document = "sonic-buildimage device/*/*/*/pg_profile_lookup.ini"
    locator  = "form and constants fitted, chip by chip"
  }
  example {
    inputs = { fixed = 18832, rate = 400000000000, response = 2173000, length = 300000, wire_per_cell = 84 }
    result = 3304
    source = "Dell-Z9864f-O64, Tomahawk 5, 400G and 300 m: 839,216 B are 3304 cells of 254 B"
  }
  example {
    inputs = { fixed = 18832, rate = 25000000000, response = 1897000, length = 40000, wire_per_cell = 84 }
    result = 310
    source = "DellEMC-Z9664f-O64, Tomahawk 4, 25G and 40 m: 78,740 B are 310 cells of 254 B"
  }
}

formula "near-response" {
  title = "Response where the peer is a host"
  unit  = "ps"
  inputs = {
    response = "0..1000000000 ps: what both ends take besides cable and frames"
    saving   = "0..1000000000 ps: how much faster a host responds than a switch"
  }
  expression = max(response - saving, 0)
  source {
    document = "sonic-buildimage HwSKU Arista-7260CX3-D96C16 pg_profile_lookup.ini"
    locator  = "5 m against 40 m and 300 m"
  }
  example {
    inputs = { response = 3915000, saving = 1955000 }
    result = 1960000
    source = "3.915 us less 1.955 us"
  }
}

formula "headroom-spectrum" {
  title = "Headroom by NVIDIA's calculator"
  text  = "Everything in 1/50,688,000 byte, in which each term is whole: light at 1.98e8 m/s, gearbox divided by 8 x 1024, 0.8 KiB of MAC and PHY, tiles of Spectrum-4 and 5. Times the cell occupancy: the share of small packets by bytes is 64 B over the mean packet, as the calculator has it. 800G responds in the quanta of 400G."
  unit  = "bytes"
  inputs = {
    port_mtu      = "64..65536 bytes: largest frame of the port"
    lossless_mtu  = "64..65536 bytes: largest frame of the lossless class"
    rate          = "1000000..10000000000000 bps: port speed"
    length        = "0..1000000000 mm: length of the cable, one way"
    gearbox       = "0..1000000000 ps: one passage through a gearbox, whole ns"
    response      = "0..1000000000 fifths of a byte: what arrives while the peer responds, times five"
    tile          = "0..1000000000 ps: delay between tiles, whole ns"
    small_packets = "0..1000000000 ppb: share of smallest packets, by count"
    cell          = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = ceilto(lossless_mtu + ceildiv((port_mtu * 50688000 + length * floordiv(rate, 1000000) * 64 + floordiv(rate, 1000000) * floordiv(gearbox, 1000) * 12375 + (4096 + response) * 10137600 + floordiv(rate, 1000000) * floordiv(tile, 1000) * 6336) * ((small_packets * 64 + (1000000000 - small_packets) * lossless_mtu) + 1000000000 * 64 * (max(ceildiv(cell, 64), 2) - 1)), (small_packets * 64 + (1000000000 - small_packets) * lossless_mtu) * 50688000), 1024)
  source {
    document = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
    url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_mellanox.lua"
  }
  source {
    document = "sonic-buildimage platform/mellanox/asic_table.j2"
    locator  = "mac_phy_delay, peer_response_time"
  }
  example {
    inputs = { port_mtu = 9100, lossless_mtu = 1024, rate = 800000000000, length = 300000, gearbox = 0, response = 289600, tile = 120000, small_packets = 500000000, cell = 192 }
    result = 474112
    source = "sonic-swss#3235: SPC4, 800G, 300 m: xoff 474112"
  }
}

formula "headroom-spectrum-static" {
  title = "Headroom by the tool behind NVIDIA's static tables"
  text  = "As headroom-spectrum, but small packets count by number, cells per worst packet are not rounded, and the gearbox is divided by 8 x 1000."
  unit  = "bytes"
  inputs = {
    port_mtu      = "64..65536 bytes: largest frame of the port"
    lossless_mtu  = "64..65536 bytes: largest frame of the lossless class"
    rate          = "1000000..10000000000000 bps: port speed"
    length        = "0..1000000000 mm: length of the cable, one way"
    gearbox       = "0..1000000000 ps: one passage through a gearbox, whole ns"
    response      = "0..1000000000 fifths of a byte: what arrives while the peer responds, times five"
    tile          = "0..1000000000 ps: delay between tiles, whole ns"
    small_packets = "0..1000000000 ppb: share of smallest packets, by count"
    cell          = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = ceilto(lossless_mtu + ceildiv((port_mtu * 50688000 + length * floordiv(rate, 1000000) * 64 + floordiv(rate, 1000000) * floordiv(gearbox, 1000) * 12672 + (4096 + response) * 10137600 + floordiv(rate, 1000000) * floordiv(tile, 1000) * 6336) * ((1000000000 - small_packets) * (cell > 128 ? 64 : cell + 1) + small_packets * (cell > 128 ? cell : 2 * cell)), 1000000000 * (cell > 128 ? 64 : cell + 1) * 50688000), 1024)
  source {
    document = "sonic-buildimage device/mellanox/*/*/pg_profile_lookup.ini"
    locator  = "static tables of 2020 and 2021"
  }
  example {
    inputs = { port_mtu = 9216, lossless_mtu = 1024, rate = 100000000000, length = 300000, gearbox = 0, response = 19456, tile = 0, small_packets = 1000000000, cell = 144 }
    result = 117760
    source = "ACS-MSN3700 pg_profile_lookup.ini, 100G and 300 m: 117760"
  }
}

formula "headroom-spectrum-additions" {
  title = "What NVIDIA's calculator adds"
  unit  = "bytes"
  inputs = {
    headroom     = "0..1000000000 bytes"
    extra        = "0..1000000 bytes: of the chip"
    compensation = "0..1000000 bytes: for fewer small packets than all"
  }
  expression = headroom + extra + compensation
  source {
    document = "sonic-swss#4797"
    locator  = "18 KiB on Spectrum-6"
    url      = "https://github.com/sonic-net/sonic-swss/pull/4797"
  }
  source {
    document = "sonic-swss#4757"
    locator  = "2 KiB for fewer small packets"
    url      = "https://github.com/sonic-net/sonic-swss/pull/4757"
  }
  example {
    inputs = { headroom = 118784, extra = 0, compensation = 2048 }
    result = 120832
    source = "sonic-mgmt#26696: 118784 became 120832"
  }
}

formula "headroom-spectrum-xon" {
  title = "xon of a port with eight lanes"
  text  = "Such a port has two buffer units."
  unit  = "bytes"
  inputs = {
    latency = "1024..1000000 bytes: pipeline latency"
    overlap = "0..1024 bytes: 1 KiB before sonic-swss#3235, 0 since"
  }
  expression = 2 * latency - overlap
  source {
    document = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
    url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_mellanox.lua"
  }
  example {
    inputs = { latency = 19456, overlap = 0 }
    result = 38912
    source = "sonic-swss#3235: SPC3, 400G: xon 38912"
  }
}

formula "headroom-spectrum-size" {
  title = "Size of a PG that owns its headroom, on Spectrum"
  unit  = "bytes"
  inputs = {
    headroom = "0..1000000000 bytes"
    xon      = "0..1000000 bytes"
    overhead = "0..65536 bytes: port MTU on 8 lanes"
  }
  expression = ceilto(headroom + xon + overhead, 1024)
  source {
    document = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
    url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_mellanox.lua"
  }
  example {
    inputs = { headroom = 474112, xon = 38912, overhead = 9100 }
    result = 522240
    source = "sonic-swss#3235: SPC4, 800G, 300 m: size 522240"
  }
}

formula "response-bytes" {
  title = "What arrives while the peer responds"
  unit  = "bytes"
  inputs = {
    rate     = "1000000..10000000000000 bps: port speed"
    response = "0..1000000000 ps: what both ends take besides cable and frames"
  }
  expression = ceildiv(rate * response, 8 * 1000000000000)
  source {
    document = "IEEE 802.3-2018"
    locator  = "31B.3.7: the response is counted at the connector"
  }
  example {
    inputs = { rate = 100000000000, response = 2017280 }
    result = 25216
    source = "394 quanta of 512 bits at 100G"
  }
}

formula "response-fifths" {
  title = "What arrives while the peer responds, in fifths of a byte"
  unit  = "fifths of a byte"
  inputs = {
    rate     = "1000000..10000000000000 bps: port speed"
    response = "0..1000000000 ps: what both ends take besides cable and frames"
  }
  expression = 5 * ceildiv(rate * response, 8 * 1000000000000)
  source {
    document = "IEEE 802.3-2018"
    locator  = "31B.3.7: the response is counted at the connector"
  }
  example {
    inputs = { rate = 100000000000, response = 2017280 }
    result = 126080
    source = "5 x 25,216 B"
  }
}

formula "pfc-delay-value" {
  title = "Delay value of PFC without the last frame"
  text  = "The frame ahead of the pause frame, the pause frame, the interface, the cable there and back, and the response."
  unit  = "bytes"
  inputs = {
    port_mtu  = "64..65536 bytes: largest frame of the port"
    pause     = "84..84 bytes: pause frame with preamble and gap"
    interface = "0..1000000 bytes: what the layers below the MAC delay"
    length    = "0..1000000000 mm: length of the cable, one way"
    rate      = "1000000..10000000000000 bps: port speed"
    response  = "0..1000000000 bytes: what arrives while the peer responds"
  }
  expression = ceildiv(rate * 10 * length + (port_mtu + 20 + pause + interface + response) * 8 * 1000000000000, 8 * 1000000000000)
  source {
    document = "IEEE 802.1Q-2018"
    locator  = "Annex N"
  }
  source {
    document = "IEEE 802.3-2018"
    locator  = "31B.3.7"
  }
  example {
    inputs = { port_mtu = 9216, pause = 84, interface = 15360, length = 100000, rate = 100000000000, response = 25216 }
    result = 62396
    source = "9236 + 84 + 15,360 + 12,500 + 25,216 B"
  }
}

formula "headroom-ieee8021q" {
  title = "Headroom that any conforming peer keeps"
  text  = "The delay value in packets of the worst size, and the frame that the peer starts last."
  unit  = "cells"
  inputs = {
    delay_value  = "0..1000000000 bytes: what arrives before the last frame"
    worst_packet = "64..4097 bytes: packet that takes most cells per byte on the wire"
    lossless_mtu = "64..65536 bytes: largest frame of the lossless class"
    metadata     = "0..128 bytes: what the chip adds to a packet"
    cell         = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = ceildiv(delay_value * ceildiv(worst_packet + metadata, cell), worst_packet + 20) + ceildiv(lossless_mtu + metadata, cell)
  source {
    document = "IEEE 802.1Q-2018"
    locator  = "Annex N"
  }
  source {
    document = "IEEE 802.3-2018"
    locator  = "31B.3.7"
  }
  example {
    inputs = { delay_value = 62396, worst_packet = 64, lossless_mtu = 9216, metadata = 0, cell = 254 }
    result = 780
    source = "62,396 B are 743 slots of 84 B; 9216 B are 37 cells"
  }
}

formula "headroom-ieee8021q-mix" {
  title = "Headroom that any conforming peer keeps, for a declared mix of packets"
  unit  = "cells"
  inputs = {
    delay_value   = "0..1000000000 bytes: what arrives before the last frame"
    wire_per_cell = "1..100000 bytes: bytes on the wire that bring a cell"
    lossless_mtu  = "64..65536 bytes: largest frame of the lossless class"
    metadata      = "0..128 bytes: what the chip adds to a packet"
    cell          = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = ceildiv(delay_value, wire_per_cell) + ceildiv(lossless_mtu + metadata, cell)
  source {
    document = "IEEE 802.1Q-2018"
    locator  = "Annex N"
  }
  example {
    inputs = { delay_value = 62396, wire_per_cell = 245, lossless_mtu = 9216, metadata = 0, cell = 254 }
    result = 292
    source = "255 cells and 37"
  }
}

formula "headroom-cisco" {
  title = "Headroom after Cisco Press, on the wire"
  unit  = "bytes"
  inputs = {
    port_mtu     = "64..65536 bytes: largest frame of the port"
    pause        = "84..84 bytes: pause frame with preamble and gap"
    interface    = "0..1000000 bytes: what the layers below the MAC delay"
    rate         = "1000000..10000000000000 bps: port speed"
    length       = "0..1000000000 mm: length of the cable, one way"
    response     = "0..1000000000 bytes: what arrives while the peer responds"
    lossless_mtu = "64..65536 bytes: largest frame of the lossless class"
  }
  expression = ceildiv(rate * 10 * length + (port_mtu + lossless_mtu + 40 + pause + interface + response) * 8 * 1000000000000, 8 * 1000000000000)
  source {
    document = "Gupta and Mazurek, Detecting, Troubleshooting, and Preventing Congestion in Storage Networks, Cisco Press 2023"
    locator  = "chapter 7"
  }
  example {
    inputs = { port_mtu = 9216, pause = 84, interface = 15360, rate = 100000000000, length = 100000, response = 25216, lossless_mtu = 9216 }
    result = 71632
    source = "73,888 + 672 + 122,880 + 2 x 50,000 + 201,728 + 73,888 bit times"
  }
}

formula "headroom-hpcc" {
  title = "Headroom of HPCC's simulation"
  text  = "Three times what is on the cable, one way; no frame and no response."
  unit  = "bytes"
  inputs = {
    rate   = "1000000..10000000000000 bps: port speed"
    length = "0..1000000000 mm: length of the cable, one way"
  }
  expression = ceildiv(rate * 3 * 5 * length, 8 * 1000000000000)
  source {
    document = "alibaba-edu/High-Precision-Congestion-Control"
    locator  = "simulation/scratch/third.cc"
  }
  example {
    inputs = { rate = 100000000000, length = 200000 }
    result = 37500
    source = "1 us of delay at 100G"
  }
}

formula "headroom-tofino" {
  title = "Headroom by Barefoot's calculator"
  text  = "Everything in 1/4,055,040 byte. The cable is divided by 8 x 1024 too, small packets count by number, and the MAC and PHY delay of 0.8 KiB is assumed."
  unit  = "bytes"
  inputs = {
    port_mtu      = "64..65536 bytes: largest frame of the port"
    lossless_mtu  = "64..65536 bytes: largest frame of the lossless class"
    rate          = "1000000..10000000000000 bps: port speed"
    length        = "0..1000000000 mm: length of the cable, one way"
    gearbox       = "0..1000000000 ps: one passage through a gearbox, whole ns"
    response      = "0..1000000000 bytes: what arrives while the peer responds, twice that at 400G"
    small_packets = "0..1000000000 ppb: share of smallest packets, by count"
    cell          = "32..4096 bytes: cell size of the chip, or its unit of headroom"
  }
  expression = ceilto(lossless_mtu + ceildiv((port_mtu * 4055040 + length * floordiv(rate, 1000000) * 5 + floordiv(rate, 1000000) * floordiv(gearbox, 1000) * 990 + 4096 * 811008 + response * 4055040) * ((1000000000 - small_packets) * (cell > 128 ? 64 : cell + 1) + small_packets * (cell > 128 ? cell : 2 * cell)), 1000000000 * (cell > 128 ? 64 : cell + 1) * 4055040), 1024)
  source {
    document = "sonic-swss cfgmgr/buffer_headroom_barefoot.lua"
    url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_barefoot.lua"
  }
  example {
    inputs = { port_mtu = 9100, lossless_mtu = 1024, rate = 100000000000, length = 0, gearbox = 0, response = 25216, small_packets = 0, cell = 176 }
    result = 36864
    source = "1024 + 9100 + 819.2 + 25,216 B, up to 1 KiB"
  }
}

formula "headroom-mlx5" {
  title = "Room above the pause threshold in a ConnectX port"
  text  = "The Linux driver rounds term by term; lengths are whole metres, speeds at least 40 Gb/s."
  unit  = "bytes"
  inputs = {
    rate   = "1000000..10000000000000 bps: port speed"
    length = "0..1000000000 mm: length of the cable, one way"
    frame  = "64..65536 bytes: largest lossless frame"
  }
  expression = floordiv((301 + floordiv(216 * floordiv(length, 1000), 100)) * floordiv(max(rate, 40000000000), 1000000), 1000) + floordiv(272 * frame, 100)
  source {
    document = "Linux drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c"
    locator  = "calculate_xoff"
    url      = "https://github.com/torvalds/linux/blob/master/drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c"
  }
  example {
    inputs = { rate = 100000000000, length = 7000, frame = 1500 }
    result = 35680
    source = "(301 + 15) x 100 + 4080"
  }
}
