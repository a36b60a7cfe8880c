chip "tomahawk5" {
  title   = "Broadcom Tomahawk 5 (BCM78900)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th5", "tomahawk-5", "bcm78900"]

  capacity {
    value      = "51.2Tbps"
    confidence = "published"
    source     = source.ipinfusion-th5
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "published"
    source     = source.ipinfusion-th5
  }

  lane_rate {
    value      = "100Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 512 serdes of 100G"
  }

  max_ports {
    value      = 512
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7060X6-64PE-B-C512S2: port_config.ini"
    note       = "512 of 100G and two for management; IP Infusion's table says 320, of the first silicon"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "unicast queues that SONiC configures; the chips have more for multicast and the CPU"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "254B"
    confidence = "measured"
    source     = [source.qos-params-th5, source.juniper-qfx5k]
  }

  packet_buffer {
    value      = "167546528B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU NH-4010: buffers_defaults_t0.j2, static_th of egress_lossless_profile: 659,632 cells"
    note       = "at least this much; vendors say 165 MB. The static limit of other SKUs is 165,867,080 B, or 82,434,938 B: one slice"
  }

  usable_buffer {
    value      = "166115492B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7060X6-64PE-O128: buffers_defaults_t0.j2, ingress_lossless_pool"
    note       = "the largest ingress pool that ships; other SKUs of the whole chip distribute 161,176,208 to 165,660,324 B"
  }

  slices {
    value      = 2
    confidence = "measured"
    source     = source.qos-params-th5
    note       = "exact to the packet"
  }

  static_limits {
    value      = "either"
    confidence = "published"
    source     = "sonic-buildimage pull requests 25451, 25559, 25560 and 27504: Broadcom's SAI 14 changes how static thresholds are used"
    note       = "of the whole chip before SAI 14, of each part of the buffer from SAI 14 on: the tables were halved then"
  }

  max_packet {
    value      = "9416B"
    confidence = "assumed"
    source     = "by analogy with all XGS chips of OpenBCM"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
    note       = "QFX5230 and QFX5240"
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-th5
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th5
  }

  admission {
    value      = "with_cell"
    confidence = "inferred"
    source     = source.qos-params-th5
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-th5
    note       = "from the distance between first pause and first drop: the headroom, and one more packet"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "254B"
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
  }

  marking_steps {
    value      = ["0%", "1%", "2%", "3%", "4%", "5%", "6%", "7%", "8%", "9%", "10%", "25%", "50%", "75%", "100%"]
    confidence = "assumed"
    source     = "by analogy with Tomahawk to Tomahawk 4 and Trident II to 4, which all have these 15"
    note       = "the public SDK has no code of this chip"
  }

  marking_lag {
    value      = "8us"
    confidence = "assumed"
    source     = "by analogy with Tomahawk: OpenBCM"
    note       = "the public SDK has no code of this chip that sets it"
  }

  pg_reserve {
    value      = "18796B"
    confidence = "measured"
    source     = source.qos-params-th5
    note       = "74 cells; 8636 B (34 cells) in topology lt2-p32o64"
  }

  queue_reserve {
    value      = "1778B"
    confidence = "measured"
    source     = source.qos-params-th5
    note       = "seven cells"
  }

  xon_offset {
    value      = "3556B"
    confidence = "measured"
    source     = source.qos-params-th5
    note       = "14 cells"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
  }

  headroom_fixed {
    value      = "18832B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "two frames of 9416 B; Arista, Nexthop and Nokia tables of the chip are flat or belong to other chips"
  }

  headroom_response {
    value      = "2174ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "a packet of 64 B with preamble and gap"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the serdes lane"
  }

  headroom_responses {
    value      = ["3587ns", "2588ns", "2330ns", "2229ns", "2173ns", "2174ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "one constant for all lengths of cable of a speed; it falls as speed rises"
  }

  headroom_long_cable {
    value      = "300m"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "the table has one value at 300 m for all speeds up to 100G, that of 100G: optics of that reach start there"
  }

  headroom_long_speed {
    value      = "100Gbps"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Dell-Z9864f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
