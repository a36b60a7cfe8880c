# NVMe over RDMA on Spectrum-4 with Cumulus Linux: ConnectX-6 in the clients,
# BlueField-3 in the targets. NVUE has headroom per port and pools in per cent;
# compile reports settings that it cannot express.

fabric "storage" {
  mtu            = "9216B"
  lossless_frame = "4200B"
  purpose        = storage
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "2Gbps"
}

traffic_class "nvme" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 70
  congestion_control = "dcqcn"
  queue_pairs        = 8
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 30
}

nic "cx6" {
  model    = "connectx-6"
  roce_mtu = "4096B"
}

nic "bf3" {
  model    = "bluefield-3"
  roce_mtu = "4096B"
}

switch "leaf-[1..4]" {
  chip = "spectrum-4"
  os   = cumulus

  # NVUE has pools in per cent of the memory, and port buffers are part of it. With this lossy pool lossless groups
  # pause from 18.5 MB on, with the default of 64 MB from 12.5 MB. The late curve of a storage fabric marks every
  # packet from 12 MB on.
  lossy_pool = "34MB"
  role       = "leaf"

  port_group "clients" {
    ports  = "swp[1..32]"
    speed  = "200Gbps"
    cable  = "3m"
    medium = copper
    peer   = nic.cx6
  }

  port_group "targets" {
    ports  = "swp[33..48]"
    speed  = "400Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.bf3
  }

  port_group "spines" {
    ports  = "swp[49..78]"
    speed  = "800Gbps"
    cable  = "40m"
    medium = fiber
    peer   = switch.spine
    # IEEE 802.3's time for 800G is not public. NVIDIA counts with 579 ns, the 905 quanta of 400G (sonic-swss#2860).
    # Declared is twice that, what IEEE 802.3 allows a port of 400G.
    pause_response = "1159ns"
  }
}

switch "spine-[1..2]" {
  chip = "spectrum-4"
  os   = cumulus

  # as on the leaves
  lossy_pool = "25MB"
  role       = "spine"

  port_group "leaves" {
    ports  = "swp[1..60]"
    speed  = "800Gbps"
    cable  = "40m"
    medium = fiber
    peer   = switch.leaf
    # as at the leaves
    pause_response = "1159ns"
  }
}

clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = 15
}
