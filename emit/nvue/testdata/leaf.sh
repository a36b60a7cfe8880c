#!/bin/sh
# QoS of leaf-1. It prints what would change; then: nv config apply
set -e
nv set qos mapping default-global trust l3
nv set qos mapping default-global dscp 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63 switch-priority 0
nv set qos mapping default-global dscp 26 switch-priority 3
nv set qos mapping default-global dscp 48 switch-priority 6
nv set qos egress-queue-mapping default-global switch-priority 0,1,2,4,5,7 traffic-class 0
nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3
nv set qos egress-queue-mapping default-global switch-priority 6 traffic-class 6
nv set qos pfc servers switch-priority 3
nv set qos pfc servers tx enable
nv set qos pfc servers rx enable
nv set qos pfc servers cable-length 5
nv set qos pfc servers port-buffer 71808
nv set qos pfc servers xoff-threshold 19584
nv set qos pfc servers xon-threshold 19584
nv set qos pfc uplinks switch-priority 3
nv set qos pfc uplinks tx enable
nv set qos pfc uplinks rx enable
nv set qos pfc uplinks cable-length 40
nv set qos pfc uplinks port-buffer 106752
nv set qos pfc uplinks xoff-threshold 19584
nv set qos pfc uplinks xon-threshold 19584
nv set qos congestion-control servers traffic-class 3 min-threshold 249984
nv set qos congestion-control servers traffic-class 3 max-threshold 999936
nv set qos congestion-control servers traffic-class 3 probability 34
nv set qos congestion-control uplinks traffic-class 3 min-threshold 499968
nv set qos congestion-control uplinks traffic-class 3 max-threshold 1999872
nv set qos congestion-control uplinks traffic-class 3 probability 34
nv set qos egress-scheduler servers traffic-class 0,3 mode dwrr
nv set qos egress-scheduler servers traffic-class 0 bw-percent 30
nv set qos egress-scheduler servers traffic-class 3 bw-percent 70
nv set qos egress-scheduler servers traffic-class 6 mode strict
nv set qos egress-scheduler uplinks traffic-class 0,3 mode dwrr
nv set qos egress-scheduler uplinks traffic-class 0 bw-percent 30
nv set qos egress-scheduler uplinks traffic-class 3 bw-percent 70
nv set qos egress-scheduler uplinks traffic-class 6 mode strict
nv set qos egress-shaper servers traffic-class 6 max-rate 2000000
nv set qos egress-shaper uplinks traffic-class 6 max-rate 2000000
nv set qos advance-buffer-config default-global ingress-lossy-buffer priority-group bulk service-pool 0
nv set qos advance-buffer-config default-global ingress-lossy-buffer priority-group bulk shared-alpha alpha_infinity
nv set qos advance-buffer-config default-global ingress-lossy-buffer priority-group bulk switch-priority 0,1,2,4,5,6,7
nv set qos advance-buffer-config default-global ingress-lossless-buffer service-pool 0
nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_1_2
nv set qos advance-buffer-config default-global egress-lossy-buffer traffic-class 0,6 service-pool 0
nv set qos advance-buffer-config default-global egress-lossy-buffer traffic-class 0,6 shared-alpha alpha_1
nv set qos advance-buffer-config default-global egress-lossless-buffer service-pool 1
nv set qos advance-buffer-config default-global egress-lossless-buffer shared-alpha alpha_infinity
nv set qos advance-buffer-config default-global egress-service-pool 1 mode dynamic
nv set qos advance-buffer-config default-global egress-service-pool 1 infinite true
nv set qos advance-buffer-config default-global egress-service-pool 1 shared-alpha alpha_infinity
nv set qos advance-buffer-config default-global egress-service-pool 0 mode dynamic
nv set qos advance-buffer-config default-global egress-service-pool 0 memory-percent 27
nv set qos advance-buffer-config default-global egress-service-pool 0 reserved 9216
nv set qos advance-buffer-config default-global egress-service-pool 0 shared-alpha alpha_infinity
nv set qos advance-buffer-config default-global ingress-service-pool 0 mode dynamic
nv set qos advance-buffer-config default-global ingress-service-pool 0 memory-percent 91
nv set qos advance-buffer-config default-global ingress-service-pool 0 shared-alpha alpha_infinity
nv set qos pfc-watchdog polling-interval 100
nv set qos pfc-watchdog robustness 2
nv set interface swp1-2 qos pfc profile servers
nv set interface swp1-2 qos congestion-control profile servers
nv set interface swp1-2 qos egress-scheduler profile servers
nv set interface swp1-2 qos egress-shaper profile servers
nv set interface swp1-4 qos pfc-watchdog state enable
nv set interface swp1-4 router adaptive-routing state enabled
nv set interface swp1-4 link mtu 9194
nv set interface swp3-4 qos pfc profile uplinks
nv set interface swp3-4 qos congestion-control profile uplinks
nv set interface swp3-4 qos egress-scheduler profile uplinks
nv set interface swp3-4 qos egress-shaper profile uplinks
nv set router adaptive-routing state enabled
nv config diff
