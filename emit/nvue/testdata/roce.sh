#!/bin/sh
# QoS of leaf-1. It prints what would change; then: nv config apply
set -e
nv set qos roce mode lossless
nv set qos roce cable-length 5
nv set qos pfc-watchdog polling-interval 100
nv set qos pfc-watchdog robustness 2
nv set interface swp1-2 qos pfc-watchdog state enable
nv set interface swp1-2 router adaptive-routing state enabled
nv set interface swp1-2 link mtu 9194
nv set router adaptive-routing state enabled
nv config diff
