# A rail of eight servers on Juniper QFX5240 (Tomahawk 5) with Junos Evolved: 400G to the
# servers and to two spines.
#
# Junos computes headroom from the cable length; partitions and marking thresholds are
# whole per cents. The verdict is conditional on the results.

fabric "rail" {
  mtu             = "9216B"
  lossless_frame  = "4200B" # RoCE MTU 4096 with its headers
  purpose         = training
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
  os   = junos
  role = "leaf"

  port_group "servers" {
    ports  = "et-0/0/[0..7]"
    speed  = "400Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.cx7
  }

  port_group "spines" {
    ports  = "et-0/0/[32..33]"
    speed  = "400Gbps"
    cable  = "40m"
    medium = fiber
  }
}
