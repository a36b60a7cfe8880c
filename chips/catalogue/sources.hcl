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

source "eos-mmu" {
  document = "Arista AVD, eos_cli_config_gen schema platform.trident.mmu: threshold values"
  url      = "https://github.com/aristanetworks/avd"
}

source "headroom-lua" {
  document = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
  url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_mellanox.lua"
}

source "ieee-8021q" {
  document = "IEEE 802.1Q-2018, clause 36 (PFC) and clause 8.6.6: eight priorities"
}

source "juniper-cells" {
  document = "Juniper, Understanding CoS Buffer Configuration, QFX5220: cells and the 40 B of packet metadata"
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

source "saibuffer" {
  document = "SAI inc/saibuffer.h, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, and SONiC dynamic_th"
  url      = "https://github.com/opencomputeproject/SAI/blob/master/inc/saibuffer.h"
}
