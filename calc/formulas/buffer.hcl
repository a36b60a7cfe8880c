# The shared buffer: what is reserved, what is shared, and which threshold acts first.

formula "frame-reserve" {
  title = "Reserve of one largest frame"
  text  = "A PG or queue that can always take one frame makes progress however full the shared buffer is. Rounded up to cells, with the metadata that the chip adds to a packet."
  unit  = "bytes"
  inputs = {
    frame    = "64..9416 bytes"
    metadata = "0..128 bytes"
    cell     = "32..4096 bytes: cell size of the chip"
  }
  expression = ceilto(frame + metadata, cell)
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: guarantees are one max frame or the factory default"
  }
  example {
    inputs = { frame = 9216, metadata = 0, cell = 256 }
    result = 9216
    source = "36 cells of 256 B"
  }
}

formula "xon-offset" {
  title = "XON offset: how far below XOFF the PG resumes"
  text  = "Two largest lossless frames, so that PFC does not flap on each packet. Rounded up to cells."
  unit  = "bytes"
  inputs = {
    frame = "64..9416 bytes"
    cell  = "32..4096 bytes: cell size of the chip"
  }
  expression = ceilto(2 * frame, cell)
  source {
    document = "Zhu et al., DCQCN, SIGCOMM 2015"
    locator  = "section 4: RESUME two MTU below the PFC threshold"
  }
  example {
    inputs = { frame = 1500, cell = 208 }
    result = 3120
    source = "2 x 1500 B = 3000 B, 15 cells of 208 B on Trident2"
  }
}

formula "headroom-margin" {
  title = "Headroom with the margin that the fabric asks for"
  unit  = "bytes"
  inputs = {
    headroom = "0..200000000 bytes"
    margin   = "0..1000000000 ppb: share on top"
    extra    = "0..100000000 bytes: bytes on top"
    cell     = "32..4096 bytes: cell size of the chip"
  }
  expression = ceilto(headroom + ceildiv(headroom * margin, 1000000000) + extra, cell)
  source {
    document = "UCloud, RoCE network design"
    locator  = "Headroom: compute, then add a margin"
  }
  example {
    inputs = { headroom = 104448, margin = 50000000, extra = 0, cell = 256 }
    result = 109824
    source = "408 cells and 5 %: 428.4, so 429 cells"
  }
}

formula "shared-buffer" {
  title = "Shared buffer of one slice, net of everything reserved"
  text  = "Rounded down to cells in every slice."
  unit  = "bytes"
  inputs = {
    usable   = "0..10000000000 bytes: buffer that configuration can distribute"
    reserved = "0..1000000000 bytes: all PG reserves, and queue reserves once for every slice"
    headroom = "0..1000000000 bytes: headroom pool, or all headroom that PGs own"
    slices   = "1..8 count"
    cell     = "32..4096 bytes: cell size of the chip"
  }
  expression = floorto(floordiv(max(0, usable - reserved - headroom), slices), cell)
  source {
    document = "sonic-mgmt"
    locator  = "tests/qos/files/qos_params.th5.yaml, qos_params.th3.yaml: measured thresholds fit (size - xoff - ports*(2*pg_min + 2*5*q_min)) / 2 ITMs"
  }
  example {
    inputs = { usable = 32712448, reserved = 0, headroom = 1613312, slices = 1, cell = 256 }
    result = 31099136
    source = "Trident3, 39-to-1: 127,783 - 6,302 = 121,481 cells"
  }
}

formula "lossy-pool" {
  title = "Buffer that lossy queues may hold together"
  text  = "Lossy classes get the share of the shared buffer that their DWRR weights give them of the bandwidth, and at least one largest frame for each lossy queue of a port; the rest is safe from them. They get more, up to three quarters, where lossless queues still mark before they pause with all of it in use: then the weights are the parts of such a share. That groups are stuck while lossy traffic holds more than its share by weight is not planned for. Rounded down to cells."
  unit  = "bytes"
  inputs = {
    shared       = "0..10000000000 bytes: shared buffer of the whole chip"
    lossy_weight = "0..800 count"
    all_weight   = "1..800 count"
    least        = "0..1000000000 bytes: one frame for each lossy queue of a port"
    cell         = "32..4096 bytes: cell size of the chip"
  }
  expression = floorto(max(floordiv(shared * min(lossy_weight, all_weight), all_weight), min(least, shared)), cell)
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: lossy Queue-Share is limited"
  }
  example {
    inputs = { shared = 1000000, lossy_weight = 40, all_weight = 100, least = 0, cell = 250 }
    result = 400000
    source = "40 of 100"
  }
}

formula "pg-share" {
  title = "Threshold of N equal PGs that share a buffer"
  text  = "The fixed point of T = alpha (B - N T). Rounded down to cells."
  unit  = "bytes"
  inputs = {
    shared    = "0..10000000000 bytes: B"
    alpha_num = "1..128 count"
    alpha_den = "1..128 count"
    n         = "1..4096 count: PGs that fill at once"
    cell      = "32..4096 bytes: cell size of the chip"
  }
  expression = floorto(floordiv(alpha_num * shared, alpha_den + alpha_num * n), cell)
  source {
    document = "Choudhury, Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 1998"
    locator  = "section III: T = alpha B / (1 + alpha N)"
  }
  example {
    inputs = { shared = 72263508, alpha_num = 1, alpha_den = 1, n = 1, cell = 254 }
    result = 36131754
    source = "Tomahawk5: sonic-mgmt qos_params.th5.yaml measures 142,285 with 34 cells reserved"
  }
}

inequality "pg-before-queue" {
  title = "PFC stops the senders before their queue drops"
  text  = "N PGs that fill one queue hold at most their share, reserve and headroom each; the lossless queue has to take all of it."
  unit  = "bytes"
  inputs = {
    share         = "0..10000000000 bytes: shared buffer that each of N PGs may take"
    reserve       = "0..1000000 bytes"
    headroom      = "0..1000000000 bytes: sum of the N largest headrooms"
    n             = "1..4096 count: fan-in"
    queue_share   = "0..10000000000 bytes: what the queue may take of the shared buffer"
    queue_reserve = "0..1000000 bytes"
  }
  left  = (share + reserve) * n + headroom
  right = queue_share + queue_reserve
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: (PG-Share + PG-Guaranteed + Headroom) * N <= Queue-Share + Queue-Guaranteed"
  }
}

inequality "buffer-fits" {
  title = "Reserves and headroom leave shared buffer to work with"
  text  = "At least one largest frame for every port has to stay shared."
  unit  = "bytes"
  inputs = {
    reserved     = "0..1000000000 bytes"
    headroom     = "0..1000000000 bytes"
    least_shared = "0..1000000000 bytes: one largest frame for every port"
    usable       = "0..10000000000 bytes"
  }
  left  = reserved + headroom + least_shared
  right = usable
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: guarantees, headroom and shared buffer are one memory"
  }
  source {
    document = "sonic-buildimage issue 28657"
    locator  = "size + xoff beyond the chip aborts the switch"
    url      = "https://github.com/sonic-net/sonic-buildimage/issues/28657"
  }
}

inequality "xon-below-xoff" {
  title = "The XON offset lies within the PG's threshold"
  text  = "Otherwise a PG that paused its peer could resume only when it is empty."
  unit  = "bytes"
  inputs = {
    xon_offset = "0..1000000 bytes"
    share      = "0..10000000000 bytes"
    reserve    = "0..1000000 bytes"
  }
  left  = xon_offset
  right = share + reserve
  source {
    document = "Zhu et al., DCQCN, SIGCOMM 2015"
    locator  = "section 4"
  }
}

inequality "lossy-leaves-lossless" {
  title = "Lossy traffic at its limit leaves the lossless PGs what they need"
  text  = "With all lossy buffer taken, one largest lossless frame for every lossless PG must still be shared."
  unit  = "bytes"
  inputs = {
    lossy  = "0..10000000000 bytes: pool of the lossy queues"
    least  = "0..1000000000 bytes: one largest frame for every lossless PG"
    shared = "0..10000000000 bytes: shared buffer of the whole chip"
  }
  left  = lossy + least
  right = shared
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: lossy Queue-Share is limited, so that it cannot eat the lossless share"
  }
}

inequality "voq-leaves-lossless" {
  title = "Lossy virtual output queues leave the lossless PGs their share"
  text  = "Where packets wait at ingress, one pool accounts groups and queues alike, and none bounds lossy queues together. So the alpha of each does: with all of them as long as they may be, at once, they hold no more than their share."
  unit  = "bytes"
  inputs = {
    value = "0..10000000000 bytes: share of each lossy queue, by pg-share"
    times = "1..4096 count: lossy queues of all ports"
    lossy = "0..10000000000 bytes: what lossy queues may hold together, by lossy-pool"
  }
  left  = value * times
  right = lossy
  source {
    document = "Choudhury, Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 1998"
    locator  = "section III: n queues at their threshold hold n alpha B / (1 + n alpha)"
  }
}

inequality "headroom-covers" {
  title = "Given headroom covers what may still arrive"
  unit  = "bytes"
  inputs = {
    needed   = "0..1000000000 bytes"
    headroom = "0..1000000000 bytes"
  }
  left  = needed
  right = headroom
  source {
    document = "IEEE 802.1Q-2018"
    locator  = "Annex N: buffer requirements for PFC"
  }
}

# Sums, products and roundings that stand between other numbers.

formula "reserved" {
  title = "Reserves of all PGs and queues"
  text  = "A queue's reserve is taken once in every slice, since a port sends from each. A pool is cut into equal parts, each with what the fullest can share: so PGs count in every slice as often as in the one that has most of them. Where the pipes of the ports are not known, that is as many as have place at the pipes of one slice."
  unit  = "bytes"
  inputs = {
    pgs           = "0..8192 count: lossless PGs of the slice with most of them, times the slices"
    pg_reserve    = "0..1000000 bytes"
    queues        = "0..8192 count"
    queue_reserve = "0..1000000 bytes"
    slices        = "1..8 count"
  }
  expression = pgs * pg_reserve + queues * slices * queue_reserve
  source {
    document = "sonic-mgmt"
    locator  = "tests/qos/files/qos_params.th5.yaml and qos_params.th3.yaml fit only when q_min is taken in both ITMs"
  }
  source {
    document = "OpenBCM 6d2330ce1, sdk-6.5.27"
    locator  = "src/soc/esw/tomahawk3/traffic_manager/traffic_manager_thresholds.c:344-383: the shared limit of the least part is written to all"
  }
  example {
    inputs = { pgs = 512, pg_reserve = 18796, queues = 1280, queue_reserve = 1778, slices = 2 }
    result = 14175232
    source = "Tomahawk5 topo-t0-standalone: 256 ports, 2 PGs and 5 lossy queues each, 2 slices"
  }
}

formula "whole-cells" {
  title = "Rounded up to whole cells"
  unit  = "bytes"
  inputs = {
    bytes = "0..10000000000 bytes"
    cell  = "32..4096 bytes: cell size of the chip"
  }
  expression = ceilto(bytes, cell)
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { bytes = 1000, cell = 256 }
    result = 1024
    source = "4 cells"
  }
}

formula "product" {
  title = "Product"
  unit  = "bytes"
  inputs = {
    value = "0..10000000000 bytes"
    times = "0..4096 count"
  }
  expression = value * times
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { value = 7, times = 6 }
    result = 42
    source = "6 x 7"
  }
}

formula "leftover" {
  title = "Shared buffer of one slice when lossy traffic holds all it may"
  text  = "A packet that lies in the reserve of its queue at egress counts against the shared buffer at ingress all the same, since a lossy PG has no reserve of its own there."
  unit  = "bytes"
  inputs = {
    shared        = "0..10000000000 bytes: of one slice"
    lossy         = "0..10000000000 bytes: pool of all lossy queues"
    queues        = "0..8192 count: lossy queues of all ports"
    queue_reserve = "0..1000000 bytes: of each, in every slice"
    slices        = "1..8 count"
  }
  expression = max(0, shared - floordiv(lossy, slices) - queues * queue_reserve)
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { shared = 1000, lossy = 600, slices = 2, queues = 4, queue_reserve = 25 }
    result = 600
    source = "half of the lossy pool lies in each of two slices, and four reserves of 25 B"
  }
}

formula "all-headroom" {
  title = "Headroom of all lossless PGs"
  text  = "Summed over the kinds of ports; each has its own speed and cable."
  unit  = "bytes"
  inputs = {
    first    = "0..10000000000 bytes: headroom of the kinds before"
    headroom = "0..100000000 bytes: of one PG of this kind"
    pgs      = "0..8192 count: PGs of this kind"
  }
  expression = first + headroom * pgs
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { first = 0, headroom = 104448, pgs = 8 }
    result = 835584
    source = "eight uplinks of 408 cells of 256 B"
  }
}

formula "whole-cells-down" {
  title = "Rounded down to whole cells"
  unit  = "bytes"
  inputs = {
    bytes = "0..10000000000 bytes"
    cell  = "32..4096 bytes: cell size of the chip"
  }
  expression = floorto(bytes, cell)
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { bytes = 1000, cell = 256 }
    result = 768
    source = "3 cells"
  }
}

formula "fit-sum" {
  title = "Reserves, headroom and one largest frame for every port"
  unit  = "bytes"
  inputs = {
    reserved     = "0..10000000000 bytes"
    headroom     = "0..10000000000 bytes"
    least_shared = "0..1000000000 bytes"
  }
  expression = reserved + headroom + least_shared
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: guarantees, headroom and shared buffer are one memory"
  }
  example {
    inputs = { reserved = 1, headroom = 2, least_shared = 3 }
    result = 6
    source = "1 + 2 + 3"
  }
}

formula "lossy-sum" {
  title = "Lossy pool and one largest lossless frame for every lossless PG"
  unit  = "bytes"
  inputs = {
    lossy = "0..10000000000 bytes"
    least = "0..1000000000 bytes"
  }
  expression = lossy + least
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: lossy Queue-Share is limited"
  }
  example {
    inputs = { lossy = 1, least = 2 }
    result = 3
    source = "1 + 2"
  }
}

formula "pg-sum" {
  title = "What N PGs hold when all of them are paused and their headroom is full"
  unit  = "bytes"
  inputs = {
    share    = "0..1000000000 bytes"
    reserve  = "0..1000000 bytes"
    headroom = "0..1000000000 bytes: sum of the N largest headrooms"
    n        = "1..4096 count: fan-in"
  }
  expression = (share + reserve) * n + headroom
  source {
    document = "UCloud, RoCE network design"
    locator  = "MMU: (PG-Share + PG-Guaranteed + Headroom) * N"
  }
  example {
    inputs = { share = 777472, reserve = 0, headroom = 1613312, n = 39 }
    result = 31934720
    source = "Trident3, 39 to 1, alpha 1, B = 121,481 cells: 39 x 3,037 + 6,302 = 124,745 cells of 256 B"
  }
}

formula "marking-room" {
  title = "Queue at which PFC begins to stop its senders"
  text  = "N senders fill M queues with equal parts; at the first pause each PG holds alpha*B/(1+alpha*N)."
  unit  = "bytes"
  inputs = {
    from      = "1..4096 count: N, senders"
    to        = "1..4096 count: M, queues"
    alpha_num = "1..128 count"
    alpha_den = "1..128 count"
    shared    = "0..10000000000 bytes: B, shared buffer of one slice with lossy traffic at its limit"
  }
  expression = floordiv(from * alpha_num * shared, to * (alpha_den + alpha_num * from))
  source {
    document = "Choudhury, Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 1998"
    locator  = "section III: T = alpha B / (1 + alpha N)"
  }
  source {
    document = "Zhu et al., DCQCN, SIGCOMM 2015"
    locator  = "section 4: t_ECN < beta (B - 8 n t_flight) / (8 n (beta + 1))"
  }
  example {
    inputs = { from = 1, to = 1, alpha_num = 1, alpha_den = 1, shared = 72263508 }
    result = 36131754
    source = "Tomahawk5: sonic-mgmt qos_params.th5.yaml, half of 284,502 cells"
  }
}

formula "static-room" {
  title = "Queue at which static limits begin to stop its senders"
  text  = "N senders fill M queues with equal parts. A system without dynamic thresholds, SR Linux, gets for each group the limit that it has at its alpha when all lossless groups fill at once, so that they never take more than there is. A sender fills the part of the limit that is in its slice."
  unit  = "bytes"
  inputs = {
    from      = "1..4096 count: N, senders"
    to        = "1..4096 count: M, queues"
    groups    = "1..4096 count: lossless groups of the switch"
    alpha_num = "1..128 count"
    alpha_den = "1..128 count"
    shared    = "0..10000000000 bytes: shared buffer of one slice"
  }
  expression = floordiv(from * alpha_num * shared, to * (alpha_den + alpha_num * groups))
  source {
    document = "Choudhury, Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 1998"
    locator  = "section III: T = alpha B / (1 + alpha N)"
  }
  example {
    inputs = { from = 1, to = 1, groups = 10, alpha_num = 1, alpha_den = 4, shared = 78265782 }
    result = 5590413
    source = "78,265,782 B / (4 + 10)"
  }
}

formula "slice-fan-in" {
  title = "Senders of a fan-in that write to one slice"
  text  = "By the pipes of the ports where they are known. Otherwise as many ports as have place at the pipes that write to one slice, which on a chip of which half is in use may be all. Where a pipe writes to two slices, by where packets leave, all that comes in may lie in either."
  unit  = "count"
  inputs = {
    fan_in = "1..4096 count"
    ports  = "1..4096 count: lossless ports that may write to one slice"
  }
  expression = min(fan_in, ports)
  source {
    document = "Broadcom, BCM56980 (Tomahawk 3) data sheet, public part"
    locator  = "ITM: each serves half of the pipes"
  }
  source {
    document = "OpenBCM 6d2330ce1, sdk-6.5.27"
    locator  = "src/soc/esw/tomahawk.c:1813-1862: of the four XPEs of a Tomahawk, 0 and 1 take pipes 0 and 3, 2 and 3 take pipes 1 and 2"
  }
  example {
    inputs = { fan_in = 95, ports = 48 }
    result = 48
    source = "half of the ports of a Tomahawk5 leaf"
  }
}

formula "slice-part" {
  title = "Part of one slice"
  text  = "Rounded down to cells."
  unit  = "bytes"
  inputs = {
    whole  = "0..10000000000 bytes"
    slices = "1..8 count"
    cell   = "32..4096 bytes: cell size of the chip"
  }
  expression = floorto(floordiv(whole, slices), cell)
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { whole = 1000, slices = 2, cell = 256 }
    result = 256
    source = "500 B hold one cell of 256 B"
  }
}

formula "less" {
  title = "Whole without a part"
  unit  = "bytes"
  inputs = {
    whole = "0..10000000000 bytes"
    part  = "0..10000000000 bytes"
  }
  expression = whole - part
  source {
    document = "roceplan"
    locator  = "the arithmetic that connects other documents"
  }
  example {
    inputs = { whole = 7, part = 3 }
    result = 4
    source = "7 - 3"
  }
}

formula "spectrum-reserved" {
  title = "What NVIDIA's calculator takes from the buffer besides headroom"
  unit  = "bytes"
  inputs = {
    pgs        = "0..10000000000 bytes"
    lossy      = "0..10000000000 bytes"
    egress     = "0..10000000000 bytes"
    management = "0..10000000000 bytes"
    mirror     = "0..10000000000 bytes"
    pools      = "0..10000000000 bytes"
  }
  expression = pgs + lossy + egress + management + mirror + pools
  source {
    document = "sonic-swss"
    locator  = "cfgmgr/buffer_pool_mellanox.lua"
  }
  example {
    inputs = { pgs = 1, lossy = 2, egress = 3, management = 4, mirror = 5, pools = 6 }
    result = 21
    source = "1 + ... + 6"
  }
}

formula "slice-headroom" {
  title = "Headroom that suffices in every slice"
  text  = "Slices (ITMs) share nothing and the pool is divided evenly over them, so each part has to hold the headroom of the ports of the fullest slice. Which those are say their pipes where they are known; otherwise they are those that need most, as many as have place at the pipes of one slice: half of a full chip with two, and all of a chip of which half is in use. Where a pipe writes to two slices (Tomahawk, Tomahawk 2: XPE 0 and 1 take pipes 0 and 3, XPE 2 and 3 take 1 and 2), by where packets leave, all that comes in may lie in either, so that each of four holds what half of the ports need."
  unit  = "bytes"
  inputs = {
    all     = "0..10000000000 bytes: headroom of all lossless PGs"
    largest = "0..10000000000 bytes: headroom of the most demanding ports of one slice"
    slices  = "1..8 count"
    cell    = "32..4096 bytes: cell size of the chip"
  }
  expression = max(ceilto(all, slices * cell), largest * slices)
  source {
    document = "sonic-mgmt"
    locator  = "tests/qos/files/qos_params.th5.yaml: the headroom pool test fills xoff / ITMs"
  }
  source {
    document = "OpenBCM 6d2330ce1"
    locator  = "sdk-6.5.27 src/soc/esw/tomahawk.c:1813-1862, tomahawk3.c:1884-1901 and sdk-6.5.20 bcm56990_a0_tm_thd.c:41-57: pipes and parts; tomahawk3/traffic_manager/traffic_manager_thresholds.c:408-419: the headroom pool is that of the largest part"
  }
  example {
    inputs = { all = 100000, largest = 80000, slices = 2, cell = 100 }
    result = 160000
    source = "two slices, one of which may have to hold 80,000 B"
  }
}

formula "headroom-by-ratio" {
  title = "Pool of headroom that is smaller than all headroom by a ratio"
  text  = "Not all groups are paused at once, and a pool may count on that: it holds one part of what suffices in every slice without sharing, rounded up to a cell in every slice, and in each slice at least what the group needs that needs most."
  unit  = "bytes"
  inputs = {
    all     = "0..10000000000 bytes: headroom that suffices in every slice"
    ratio   = "1..64 count"
    largest = "0..100000000 bytes: headroom of the PG that needs most"
    slices  = "1..8 count"
    cell    = "32..4096 bytes: cell size of the chip"
  }
  expression = max(ceilto(ceildiv(all, ratio), slices * cell), largest * slices)
  source {
    document = "sonic-buildimage"
    locator  = "device buffer templates: the headroom pool (xoff of ingress_lossless_pool) is smaller than all xoff together; Tomahawk 5 ships 17.96 MB"
  }
  example {
    inputs = { all = 69400000, ratio = 4, largest = 877316, slices = 2, cell = 254 }
    result = 17350232
    source = "17,350,000 B are 34,153.5 times 508 B; 34,154 x 508"
  }
}
