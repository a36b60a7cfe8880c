# Documents that several data cite. Versions: sonic-buildimage 086b03bd, sonic-swss e6b0c5b5,
# sonic-mgmt b4ba9de3.

source "arista-7050x" {
  document = "Arista, 7050X data sheet, as quoted by J. Warner, Packet Buffers, UC Santa Cruz"
  url      = "https://people.ucsc.edu/~warner/Bufs/Arista-7050X"
}

source "arista-reference" {
  document = "Arista, AI Network Fabric Deployment Guide, as quoted by texts on RoCE with EOS 4.36: qos profile ROCE-LEAF"
  url      = "https://manuals.plus/so/arista/ai-network-fabric-deployment-manual"
}

source "asics-2020" {
  document = "J. Pietsch, 2020 High Speed Ethernet ASICs"
  url      = "https://gist.github.com/jopietsch/c1573518516af6071ae9cd0462ff0fd3"
}

source "azure-local-nxos" {
  document = "Microsoft, Azure Local, Network design for Rack Aware Cluster, appendix Cisco switch configuration"
  url      = "https://github.com/MicrosoftDocs/azure-stack-docs/blob/main/azure-local/plan/rack-aware-clustering-network-design-switch-configuration.md"
}

source "azure-local-os10" {
  document = "Microsoft, generator of switch configurations for Azure Local (MIT), expected output std_dell_os10_fc: wred ecn"
}

source "barefoot-lua" {
  document = "sonic-swss cfgmgr/buffer_headroom_barefoot.lua"
  url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_barefoot.lua"
}

source "barefoot-sigcomm18" {
  document = "M. Sharif (Barefoot Networks), Programmable Data Plane at Terabit Speeds, SIGCOMM 2018, slide 6: 260 serdes of 25G, one shared packet buffer"
  url      = "https://conferences.sigcomm.org/sigcomm/2018/files/slides/p4/P4Barefoot.pdf"
}

source "bnxt-setupcc" {
  document = "Broadcom bnxt_setupcc.sh 236.1.155.0, as in Juniper, JVD AI cluster with AMD: CNPs with DSCP 48 at priority 7"
}

source "broadcom-j3ai" {
  document = "Broadcom, Jericho3-AI (BCM88890) product brief: 144 serdes of 106 Gb/s, 14.4 Tb/s of ports of up to 800G, HBM"
}

source "buffer-pool-lua" {
  document = "sonic-swss cfgmgr/buffer_pool_mellanox.lua"
  url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_pool_mellanox.lua"
}

source "cisco-ai-blueprint" {
  document = "Cisco, Data Center Networking Blueprint for AI/ML Applications, updated 2024-03-29: policy-map type queuing QOS_EGRESS_PORT, network-qos"
  url      = "https://www.cisco.com/c/en/us/td/docs/dcn/whitepapers/cisco-data-center-networking-blueprint-for-ai-ml-applications.html"
}

source "cisco-roce-script" {
  document = "P. Gupta, roce_enable.py 0.22, 2026-03-27: applies PFC and ECN for RoCEv2 on NX-OS"
}

source "csdn-tofino2" {
  document = "HeyKith, Tofino (a summary of the Tofino 2 device overview): 32 groups of 400G, 64 MB of packet buffer"
  url      = "https://blog.csdn.net/HeyKith/article/details/128227142"
}

source "cumulus-roce" {
  document = "NVIDIA, Cumulus Linux 5.14 User Guide, RDMA over Converged Ethernet - RoCE: Default RoCE Configuration, Verify RoCE Configuration"
  url      = "https://docs.nvidia.com/networking-ethernet-software/cumulus-linux-514/Layer-1-and-Switch-Ports/Quality-of-Service/RDMA-over-Converged-Ethernet-RoCE/"
}

source "doca-dcqcn" {
  document = "NVIDIA DOCA SDK documentation, DCQCN CC Parameters: ConnectX-4 and later"
  url      = "https://networking-docs.nvidia.com/doca/archive/3-4-0/dcqcn-cc-parameters"
}

source "eos-dcb-pfc" {
  document = "Arista YANG EOS-4.36.1F, arista-dcb-pfc.yang: pause-alpha"
  url      = "https://github.com/aristanetworks/yang"
}

source "eos-mmu" {
  document = "Arista AVD, eos_cli_config_gen, schema of platform trident mmu: the thresholds that EOS takes"
  url      = "https://github.com/aristanetworks/avd"
}

source "fwd-tomahawk2" {
  document = "forwardingplane.net, Broadcom Tomahawk 2 Architecture"
  url      = "https://port-buffers.forwardingplane.net/concepts/broadcom-tomahawk2/"
}

source "fwd-trident2" {
  document = "forwardingplane.net, Broadcom Trident II (BCM56850) and Trident II+ (BCM56860)"
  url      = "https://port-buffers.forwardingplane.net/concepts/trident-ii"
}

source "fwd-trident3" {
  document = "forwardingplane.net, Broadcom Trident 3"
  url      = "https://port-buffers.forwardingplane.net/concepts/broadcom-trident3"
}

source "headroom-lua" {
  document = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
  url      = "https://github.com/sonic-net/sonic-swss/blob/master/cfgmgr/buffer_headroom_mellanox.lua"
}

source "hpcc-run" {
  document = "alibaba-edu/High-Precision-Congestion-Control, simulation/run.py: kmin_map, kmax_map, pmax_map, cc dcqcn"
  url      = "https://github.com/alibaba-edu/High-Precision-Congestion-Control/blob/master/simulation/run.py"
}

source "ieee-8021q" {
  document = "IEEE 802.1Q-2022, clause 36: PFC carries eight priorities"
}

source "ionic-dcqcn" {
  document = "AMD ionic driver, drivers/infiniband/hw/ionic/ionic_dcqcn.c: dcqcn_defaults; `nicctl show dcqcn` prints the same values in the AMD Instinct cluster guide"
  url      = "https://instinct.docs.amd.com/projects/cluster-documentation"
}

source "ipinfusion-th4" {
  document = "IP Infusion, Broadcom Tomahawk 4: 64 ports of 400G, up to 256 logical ports (Edgecore AS9736-64D)"
  url      = "https://www.ipinfusion.com/technology/tomahawk-4/"
}

source "ipinfusion-th5" {
  document = "IP Infusion, Broadcom Tomahawk 5: 64 ports of 800G, 320 logical ports (Edgecore AIS800-64D)"
  url      = "https://www.ipinfusion.com/technology/tomahawk-5/"
}

source "ipspace-tomahawk" {
  document = "I. Pepelnjak, Broadcom Tomahawk 101, ipSpace.net, 2015-12"
  url      = "http://blog.ipspace.net/2015/12/broadcom-tomahawk-101.html"
}

source "irdma-freebsd" {
  document = "FreeBSD sys/dev/irdma/fbsd_kcompat.c: irdma_dcqcn_tunables_init"
  url      = "https://github.com/freebsd/freebsd-src"
}

source "juniper-jvd-rocev2" {
  document = "Juniper, validated designs, data_center/aidc/aiml_multitenancy_backend/configuration/snips/evo/cos/rdma-rocev2-lossless.conf"
  url      = "https://github.com/Juniper/jvd/blob/main/data_center/aidc/aiml_multitenancy_backend/configuration/snips/evo/cos/rdma-rocev2-lossless.conf"
}

source "juniper-qfx5k" {
  document = "Juniper, QFX5K-Series Switches Packet Buffer Architecture, 2025-04-25, section Packet Buffers"
  url      = "https://community.juniper.net/blogs/parthipan-ts/2025/04/25/qfx5k-series-switches-packet-buffer-architecture"
}

source "linley-spectrum2" {
  document = "L. Wirbel, Spectrum-2 Debuts 200GbE, Linley Newsletter, 31 July 2017"
  url      = "https://www.linleygroup.com/newsletters/newsletter_detail.php?num=5734&year=2017&tag=3"
}

source "mellanox-asic-table" {
  document = "sonic-buildimage device/mellanox, ASIC_TABLE that the headroom calculator reads"
  url      = "https://github.com/sonic-net/sonic-buildimage/tree/master/device/mellanox"
}

source "mellanox-sai" {
  document = "Mellanox SAI-Implementation mlnx_sai/src/mlnx_sai_buffer.c, sai_buffer_alpha_bounds_t"
  url      = "https://github.com/Mellanox/SAI-Implementation/blob/master/mlnx_sai/src/mlnx_sai_buffer.c"
}

source "mlxconfig-cx4" {
  document = "linux-rdma, 2019-07-01, mstconfig of a ConnectX-4 Lx"
  url      = "https://lore.kernel.org/linux-rdma/13dde97d-77a7-7663-1766-068082342e05@gmail.com"
}

source "mlxconfig-cx5" {
  document = "linux-rdma 2020, mlxconfig of a ConnectX-5 Ex MCX516A-CDA"
}

source "mlxconfig-cx6" {
  document = "mlxconfig dumps of ConnectX-6 and later in public bug reports: the same values with MIN_TIME_BETWEEN_CNPS 4"
}

source "nextplatform-g300" {
  document = "The Next Platform, Cisco Doubles Up The Switch Bandwidth, 2026-02-10: the G300 has 102.4 Tb/s, twice the G200"
  url      = "https://www.nextplatform.com/connect/2026/02/10/cisco-doubles-up-the-switch-bandwidth-to-take-on-ai-scale-out-and-eventually-scale-up/4092125"
}

source "openbcm-cells" {
  document = "OpenBCM 6d2330ce1, sdk-6.5.27 src/bcm/esw/trident3/cosq.c:4838-4866, src/bcm/esw/tomahawk/cosq.c:5305-5316, src/soc/esw/tomahawk3/thresholds.c:2523-2548: steps of the limits"
  url      = "https://github.com/Broadcom-Network-Switching-Software/OpenBCM"
}

source "openbcm-wred" {
  document = "OpenBCM 6d2330ce1, sdk-6.5.27 src/bcm/esw/tomahawk/cosq.c:406-436: the rates that a curve of WRED can have, which the comment says are those of Trident II"
  url      = "https://github.com/Broadcom-Network-Switching-Software/OpenBCM"
}

source "openbcm-wred-refresh" {
  document = "OpenBCM cc870eaeb, sdk-6.5.20 src/bcm/esw/tomahawk/cosq.c: the comment in bcm_th_cosq_discard_port_get has the average of a queue calculated anew every 8 us; bcm_th_cosq_gport_discard_set takes 1 to 64 us"
}

source "qos-generator-barefoot" {
  document = "sonic-mgmt tests/qos/files/barefoot/qos_param_generator.py"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/barefoot/qos_param_generator.py"
}

source "qos-generator-cisco" {
  document = "sonic-mgmt tests/qos/files/cisco/qos_param_generator.py"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/cisco/qos_param_generator.py"
}

source "qos-generator-mellanox" {
  document = "sonic-mgmt tests/qos/files/mellanox/qos_param_generator.py"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/mellanox/qos_param_generator.py"
}

source "qos-generator-teralynx" {
  document = "sonic-mgmt tests/qos/files/marvell-teralynx/qos_param_generator.py"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/marvell-teralynx/qos_param_generator.py"
}

source "qos-params-gb" {
  document = "sonic-mgmt tests/qos/files/qos_params.gb.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.gb.yaml"
}

source "qos-params-j2c" {
  document = "sonic-mgmt tests/qos/files/qos_params.j2c.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.j2c.yaml"
}

source "qos-params-jr2" {
  document = "sonic-mgmt tests/qos/files/qos_params.jr2.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.jr2.yaml"
}

source "qos-params-q3d" {
  document = "sonic-mgmt tests/qos/files/qos_params.q3d.yaml"
  url      = "https://github.com/sonic-net/sonic-mgmt/blob/master/tests/qos/files/qos_params.q3d.yaml"
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

source "rocm-roce" {
  document = "AMD, GPU cluster networking with ROCm, docs/how-to/roce-network-config.rst: Match switch QoS configuration to NIC for DCQCN"
  url      = "https://github.com/ROCm/gpu-cluster-networking/blob/develop/docs/how-to/roce-network-config.rst"
}

source "sdxcentral-td5" {
  document = "SDxCentral, Broadcom aims to make network switches smarter with an on-chip neural network, 2023: Trident 5-X12"
  url      = "https://www.sdxcentral.com/news/broadcom-aims-to-make-network-switches-smarter-with-an-on-chip-neural-network"
}

source "siliconangle-p200" {
  document = "SiliconANGLE, Cisco's 51.2T Silicon One P200 chip, 2025-10-08: 64 ports of 800G"
  url      = "https://siliconangle.com/?p=715208"
}

source "sonic-pfcwd" {
  document = "sonic-utilities pfcwd/main.py: start_default"
  url      = "https://github.com/sonic-net/sonic-utilities/blob/master/pfcwd/main.py"
}

source "sonic-qos-config" {
  document = "sonic-buildimage files/build_templates/qos_config.j2: WRED_PROFILE AZURE_LOSSLESS, DSCP_TO_TC_MAP AZURE, PORT_QOS_MAP"
  url      = "https://github.com/sonic-net/sonic-buildimage/blob/master/files/build_templates/qos_config.j2"
}

source "sonic-queue-tables" {
  document = "sonic-buildimage device/*/*/buffers_defaults_*.j2 and qos.json.j2: BUFFER_QUEUE and QUEUE of ports 0-7"
  url      = "https://github.com/sonic-net/sonic-buildimage/tree/master/device"
}

source "sonic-queues" {
  document = "SONiC doc/qos/reclaim-reserved-buffer.md: queues 8-15 are set up by the SDK, 0-7 by configuration"
  url      = "https://github.com/sonic-net/SONiC/blob/master/doc/qos/reclaim-reserved-buffer.md"
}

source "sth-th6" {
  document = "ServeTheHome, Broadcom Tomahawk 6 Launched for 1.6TbE Generation, 2025-06: 64 ports of 1.6T or 512 of 200G"
  url      = "https://www.servethehome.com/broadcom-tomahawk-6-launched-for-1-6tbe-generation"
}

source "techinsights-j3ai" {
  document = "TechInsights, Broadcom Retargets Jericho at AI Clusters, 2023"
  url      = "https://www-prod.techinsights.com/blog/broadcom-retargets-jericho-ai-clusters"
}

source "ucsc-trident3" {
  document = "UC Santa Cruz, J. Warner, Packet buffers: Trident 3"
  url      = "https://people.ucsc.edu/~warner/Bufs/trident3.html"
}

source "ucsc-trident4" {
  document = "UC Santa Cruz, J. Warner, Packet buffers: Trident-4 BCM56880"
  url      = "https://people.ucsc.edu/~warner/Bufs/Trident-4.html"
}
