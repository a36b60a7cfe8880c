# A rail of eight servers on Nokia 7220 IXR-H5 (Tomahawk 5) with SR Linux: 400G to the
# servers, 800G to two spines.
#
# SR Linux takes headroom, limits and marking thresholds in bytes. It has no dynamic
# threshold with a number, so alpha is written as the static limit that it results in.

fabric "rail" {
  mtu            = "9216B"
  lossless_frame = "4200B" # RoCE MTU 4096 with its headers
  purpose        = training
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "8Gbps"
}

traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = dcqcn
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}

pfc_watchdog {
  detection   = "200ms"
  restoration = "400ms"
  action      = forward
}

nic "cx7" {
  model    = "connectx-7"
  roce_mtu = "4096B"
}

switch "leaf-[1..2]" {
  chip = "tomahawk5"
  os   = srlinux
  role = "leaf"

  port_group "servers" {
    ports  = "ethernet-1/[1..8]"
    speed  = "400Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.cx7
  }

  port_group "spines" {
    ports  = "ethernet-1/[33..34]"
    speed  = "800Gbps"
    cable  = "40m"
    medium = fiber
    # IEEE 802.3's time for 800G is not public. NVIDIA counts with 579 ns, the 905 quanta of 400G (sonic-swss#2860).
    # Declared is twice that, what IEEE 802.3 allows a port of 400G.
    pause_response = "1159ns"
  }
}
