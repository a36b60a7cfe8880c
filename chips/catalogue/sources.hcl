# Documents that several data cite. Versions: sonic-buildimage 086b03bd, sonic-swss e6b0c5b5,
# sonic-mgmt b4ba9de3.

source "barefoot-lua" {
  document = "sonic-swss cfgmgr/buffer_headroom_barefoot.lua"
  url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_barefoot.lua"
}

source "buffer-pool-lua" {
  document = "sonic-swss cfgmgr/buffer_pool_mellanox.lua"
  url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_pool_mellanox.lua"
}

source "eos-dcb-pfc" {
  document = "Arista YANG EOS-4.36.1F, arista-dcb-pfc.yang: pause-alpha"
  url      = "https://github.com/aristanetworks/yang"
}

source "eos-mmu" {
  document = "Arista AVD, eos_cli_config_gen, schema of platform trident mmu: the thresholds that EOS takes"
  url      = "https://github.com/aristanetworks/avd"
}

source "headroom-lua" {
  document = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
  url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_mellanox.lua"
}

source "ieee-8021q" {
  document = "IEEE 802.1Q-2022, clause 36: PFC carries eight priorities"
}

source "juniper-qfx5k" {
  document = "Juniper, QFX5K-Series Switches Packet Buffer Architecture, 2025-04-25, section Packet Buffers"
  url      = "https://community.juniper.net/blogs/parthipan-ts/2025/04/25/qfx5k-series-switches-packet-buffer-architecture"
}

source "mellanox-asic-table" {
  document = "sonic-buildimage device/mellanox, ASIC_TABLE that the headroom calculator reads"
  url      = "https://github.com/sonic-net/sonic-buildimage/tree/master/device/mellanox"
}

source "mellanox-sai" {
  document = "Mellanox SAI-Implementation mlnx_sai/src/mlnx_sai_buffer.c, sai_buffer_alpha_bounds_t"
  url      = "https://github.com/Mellanox/SAI-Implementation/blob/master/mlnx_sai/src/mlnx_sai_buffer.c"
}

source "qos-generator-barefoot" {
  document = "sonic-mgmt tests/qos/files/barefoot/qos_param_generator.py"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/barefoot/qos_param_generator.py"
}

source "qos-generator-mellanox" {
  document = "sonic-mgmt tests/qos/files/mellanox/qos_param_generator.py"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/mellanox/qos_param_generator.py"
}

source "qos-generator-teralynx" {
  document = "sonic-mgmt tests/qos/files/marvell-teralynx/qos_param_generator.py"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/marvell-teralynx/qos_param_generator.py"
}

source "qos-params-j2c" {
  document = "sonic-mgmt tests/qos/files/qos_params.j2c.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.j2c.yaml"
}

source "qos-params-jr2" {
  document = "sonic-mgmt tests/qos/files/qos_params.jr2.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.jr2.yaml"
}

source "qos-params-td2" {
  document = "sonic-mgmt tests/qos/files/qos_params.td2.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.td2.yaml"
}

source "qos-params-td3" {
  document = "sonic-mgmt tests/qos/files/qos_params.td3.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.td3.yaml"
}

source "qos-params-td4" {
  document = "sonic-mgmt tests/qos/files/qos_params.td4.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.td4.yaml"
}

source "qos-params-th" {
  document = "sonic-mgmt tests/qos/files/qos_params.th.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.th.yaml"
}

source "qos-params-th2" {
  document = "sonic-mgmt tests/qos/files/qos_params.th2.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.th2.yaml"
}

source "qos-params-th3" {
  document = "sonic-mgmt tests/qos/files/qos_params.th3.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.th3.yaml"
}

source "qos-params-th5" {
  document = "sonic-mgmt tests/qos/files/qos_params.th5.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.th5.yaml"
}

source "qos-params-th6" {
  document = "sonic-mgmt tests/qos/files/qos_params.th6.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.th6.yaml"
}

source "sonic-queue-tables" {
  document = "sonic-buildimage device/*/*/buffers_defaults_*.j2 and qos.json.j2: BUFFER_QUEUE and QUEUE of ports 0-7"
  url      = "https://github.com/sonic-net/sonic-buildimage/tree/master/device"
}

source "sonic-queues" {
  document = "SONiC doc/qos/reclaim-reserved-buffer.md: queues 8-15 are set up by the SDK, 0-7 by configuration"
  url      = "https://github.com/sonic-net/SONiC/blob/master/doc/qos/reclaim-reserved-buffer.md"
}

source "ucsc-trident3" {
  document = "UC Santa Cruz, J. Warner, Packet buffers: Trident 3"
  url      = "https://people.ucsc.edu/~warner/Bufs/trident3.html"
}

source "ucsc-trident4" {
  document = "UC Santa Cruz, J. Warner, Packet buffers: Trident-4 BCM56880"
  url      = "https://people.ucsc.edu/~warner/Bufs/Trident-4.html"
}
