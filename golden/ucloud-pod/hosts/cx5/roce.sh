#!/bin/sh
# RoCE settings of nic cx5 (connectx-5). Made by roceplan; do not edit.
#
# What the switches expect of this NIC:
#   priority 2  DSCP 0-45,47,49-63  rest: lossy, 40 %
#   priority 5  DSCP 46  rdma: lossless, 60 %, RDMA with ToS 186
#   priority 6  DSCP 48  cnp: lossy, strict, CNPs
#
# It may run again at any time, and has to after a reboot or a reload of the driver.

set -eu

usage() {
  cat <<END
sh ${0##*/} [options] INTERFACE [RDMA-DEVICE]

Sets INTERFACE, such as eth2, and its RDMA device, such as mlx5_0, which is found where
it is not named.

  --dry-run    change nothing, say what would be done
  --tool NAME  mlnx_qos or dcb; default: the first of them that is installed
  --persist    keep the settings of CNPs in the firmware too (mlxconfig)
  --port N     which port of the NIC that is, for --persist; default: 1
  --buffers    divide the receive buffer evenly; default: as the driver does
END
}

dry='' tool='' if='' rdma='' status=0 persist='' port=1 buffers=''
sys=${ROCE_SYSFS:-/sys}

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# lack says what cannot be set here; the script goes on, and ends with 3.
lack() {
  printf '%s: cannot set %s\n' "${0##*/}" "$*" >&2
  status=3
}

# run executes a command, or says which.
run() {
  if [ -n "$dry" ]; then
    say "would run: $*"
  else
    say "run: $*"
    "$@"
  fi
}

# write writes a value into a file of the kernel.
write() {
  if [ -n "$dry" ]; then
    say "would write: $1 > $2"
  else
    say "write: $1 > $2"
    printf '%s' "$1" >"$2"
  fi
}

# put writes a value unless the file holds it. Some files answer NAME=VALUE.
put() {
  if [ -e "$2" ]; then
    read -r have <"$2" || :
    if [ "${have##*=}" = "$1" ]; then
      say "unchanged: $2 is $1"
      return
    fi
  elif [ -z "$dry" ]; then
    lack "$2 to $1: it is not there"
    return
  fi
  write "$1" "$2"
}

# folder opens a folder of configfs, in which the kernel makes files; unfolder closes
# what was opened. The settings stay.
folder() {
  dir=$1 made=''
  if [ ! -d "$dir" ] && [ -z "$dry" ]; then
    mkdir "$dir"
    made=1
  fi
}
unfolder() { [ -z "$made" ] || rmdir "$dir"; }

# choose_tool takes the first program that is installed.
choose_tool() {
  for name in "$@"; do
    if [ -n "$tool" ] && [ "$tool" != "$name" ]; then
      continue
    fi
    if command -v "$name" >/dev/null; then
      tool=$name
      return
    fi
  done
  fail "none of these is installed: ${tool:-$*}"
}

# common is what every NIC needs: no global pause beside PFC, and the fabric's MTU.
common() {
  if command -v ethtool >/dev/null; then
    if ethtool -a "$if" 2>/dev/null | grep -Eq '^[RT]X:.*on'; then
      run ethtool -A "$if" rx off tx off
    fi
  else
    lack "global pause off: ethtool is not installed"
  fi
  if [ "$(cat "$sys/class/net/$if/mtu")" != 1500 ]; then
    run ip link set dev "$if" mtu 1500
  fi
}

# rdma_cm sets what connections of rdma_cm get that name no ToS.
rdma_cm() {
  if [ ! -d "$sys/kernel/config/rdma_cm" ]; then
    lack "the ToS of rdma_cm: $sys/kernel/config/rdma_cm is not there (modprobe rdma_cm; mount -t configfs none /sys/kernel/config)"
    return
  fi
  folder "$sys/kernel/config/rdma_cm/$rdma"
  put 'RoCE v2' "$dir/ports/1/default_roce_mode"
  put 186 "$dir/ports/1/default_roce_tos"
  unfolder
}

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry=1 ;;
    --tool)
      [ $# -gt 1 ] || fail "--tool needs a name"
      tool=$2
      shift
      ;;
    --persist) persist=1 ;;
    --port)
      [ $# -gt 1 ] || fail "--port needs a number"
      port=$2
      shift
      ;;
    --buffers) buffers=1 ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*) fail "there is no option $1; see --help" ;;
    *)
      if [ -z "$if" ]; then
        if=$1
      elif [ -z "$rdma" ]; then
        rdma=$1
      else
        fail "there is one argument too many, $1; see --help"
      fi
      ;;
  esac
  shift
done

[ -n "$if" ] || fail "name the interface; see --help"
[ -e "$sys/class/net/$if/mtu" ] || fail "there is no interface $if"
if [ -z "$rdma" ]; then
  for path in "$sys/class/net/$if/device/infiniband/"*; do
    [ -e "$path" ] || fail "$if has no RDMA device; is its driver loaded?"
    rdma=${path##*/}
  done
fi
[ -d "$sys/class/infiniband/$rdma" ] || fail "there is no RDMA device $rdma"
pci=$(readlink -f "$sys/class/net/$if/device")
pci=${pci##*/}

# mlnx_qos tells the NIC by NVIDIA's tool, one setting at a time: --trust excludes
# --dscp2prio, and --cable_len without --pfc would turn PFC off.
with_mlnx_qos() {
  run mlnx_qos -i "$if" -d os
  run mlnx_qos -i "$if" --trust dscp
  for pair in 0,2 1,2 2,2 3,2 4,2 5,2 6,2 7,2 8,2 9,2 10,2 11,2 12,2 13,2 14,2 15,2 16,2 17,2 18,2 19,2 20,2 21,2 22,2 23,2 24,2 25,2 26,2 27,2 28,2 29,2 30,2 31,2 32,2 33,2 34,2 35,2 36,2 37,2 38,2 39,2 40,2 41,2 42,2 43,2 44,2 45,2 46,5 47,2 48,6 49,2 50,2 51,2 52,2 53,2 54,2 55,2 56,2 57,2 58,2 59,2 60,2 61,2 62,2 63,2; do
    run mlnx_qos -i "$if" --dscp2prio "set,$pair"
  done
  run mlnx_qos -i "$if" -p 2,2,2,2,2,5,6,2 -s strict,strict,ets,strict,strict,ets,strict,strict -t 0,0,40,0,0,60,0,0
  run mlnx_qos -i "$if" --pfc 0,0,0,0,0,1,0,0 --cable_len 15
}

# dcb tells it by the kernel. The first DSCP entry makes the driver trust DSCP; the
# delay of PFC is the length of the cable in metres to it.
with_dcb() {
  run dcb dcbx set dev "$if" host ieee
  run dcb app replace dev "$if" dscp-prio 0:2 1:2 2:2 3:2 4:2 5:2 6:2 7:2 8:2 9:2 10:2 11:2 12:2 13:2 14:2 15:2 16:2 17:2 18:2 19:2 20:2 21:2 22:2 23:2 24:2 25:2 26:2 27:2 28:2 29:2 30:2 31:2 32:2 33:2 34:2 35:2 36:2 37:2 38:2 39:2 40:2 41:2 42:2 43:2 44:2 45:2 46:5 47:2 48:6 49:2 50:2 51:2 52:2 53:2 54:2 55:2 56:2 57:2 58:2 59:2 60:2 61:2 62:2 63:2
  run dcb ets set dev "$if" willing off prio-tc 0:2 1:2 2:2 3:2 4:2 5:5 6:6 7:2 tc-tsa 0:strict 1:strict 2:ets 3:strict 4:strict 5:ets 6:strict 7:strict tc-bw 0:0 1:0 2:40 3:0 4:0 5:60 6:0 7:0
  run dcb pfc set dev "$if" prio-pfc all:off 5:on delay 15
}

# buffers gives lossy traffic and each lossless priority equal parts of the receive
# buffer, in whole cells of 128 bytes.
buffers() {
  case $tool in
    mlnx_qos) total=$(mlnx_qos -i "$if" | sed -n 's/.*total_size=\([0-9]*\).*/\1/p') ;;
    *) total=$(dcb -j buffer show dev "$if" total-size | sed -n 's/.*"total_size": *\([0-9]*\).*/\1/p') ;;
  esac
  if [ -z "$total" ]; then
    lack "the receive buffer: $tool does not tell its size"
    return
  fi
  part=$((total / 2 / 128 * 128))
  if [ "$part" -lt 26803 ]; then
    fail "a lossless priority needs a buffer of 26803 bytes, and an even part of $total is $part"
  fi
  case $tool in
    mlnx_qos) run mlnx_qos -i "$if" --prio2buffer 0,0,0,0,0,1,0,0 --buffer_size "$part,$part,0,0,0,0,0,0" ;;
    *) run dcb buffer set dev "$if" prio-buffer all:0 5:1 buffer-size all:0 0:"$part" 1:"$part" ;;
  esac
}

# dcqcn sets the notification point and the reaction point: by the sysfs of MLNX_OFED,
# else by the debugfs of the kernel, which knows no priorities.
dcqcn() {
  ecn=$sys/class/net/$if/ecn
  cc=$sys/kernel/debug/mlx5/$pci/cc_params
  if [ -d "$ecn/roce_np" ]; then
    put 0 "$ecn/roce_np/enable/0"
    put 0 "$ecn/roce_rp/enable/0"
    put 0 "$ecn/roce_np/enable/1"
    put 0 "$ecn/roce_rp/enable/1"
    put 0 "$ecn/roce_np/enable/2"
    put 0 "$ecn/roce_rp/enable/2"
    put 0 "$ecn/roce_np/enable/3"
    put 0 "$ecn/roce_rp/enable/3"
    put 0 "$ecn/roce_np/enable/4"
    put 0 "$ecn/roce_rp/enable/4"
    put 1 "$ecn/roce_np/enable/5"
    put 1 "$ecn/roce_rp/enable/5"
    put 0 "$ecn/roce_np/enable/6"
    put 0 "$ecn/roce_rp/enable/6"
    put 0 "$ecn/roce_np/enable/7"
    put 0 "$ecn/roce_rp/enable/7"
    put 48 "$ecn/roce_np/cnp_dscp"
    put 6 "$ecn/roce_np/cnp_802p_prio"
    put 4 "$ecn/roce_np/min_time_between_cnps"
    put 0 "$ecn/roce_rp/clamp_tgt_rate"
    put 5 "$ecn/roce_rp/dce_tcp_rtt"
    put 1 "$ecn/roce_rp/rate_reduce_monitor_period"
    put 250 "$ecn/roce_rp/rpg_ai_rate"
    put 10 "$ecn/roce_rp/rpg_gd"
    put 2500 "$ecn/roce_rp/rpg_hai_rate"
    put 10 "$ecn/roce_rp/rpg_min_dec_fac"
    put 5 "$ecn/roce_rp/rpg_threshold"
    put 11 "$ecn/roce_rp/rpg_time_reset"
  elif [ -d "$cc" ]; then
    put 48 "$cc/np_cnp_dscp"
    put 6 "$cc/np_cnp_prio"
    put 4 "$cc/np_min_time_between_cnps"
    put 0 "$cc/rp_clamp_tgt_rate"
    put 5 "$cc/rp_dce_tcp_rtt"
    put 1 "$cc/rp_rate_reduce_monitor_period"
    put 250 "$cc/rp_ai_rate"
    put 10 "$cc/rp_gd"
    put 2500 "$cc/rp_hai_rate"
    put 10 "$cc/rp_min_dec_fac"
    put 5 "$cc/rp_threshold"
    put 11 "$cc/rp_time_reset"
  else
    lack "congestion control: neither $ecn nor $cc is there"
  fi
}

# traffic_class forces the ToS of all RDMA traffic that names none. Drivers without
# the file leave that to applications.
traffic_class() {
  if [ -e "$sys/class/infiniband/$rdma/tc/1/traffic_class" ]; then
    put 186 "$sys/class/infiniband/$rdma/tc/1/traffic_class"
  else
    lack "a ToS for all RDMA traffic: $rdma has no tc/1/traffic_class; let applications set 186"
  fi
}

# firmware makes the settings of CNPs those of the NIC after its next reset.
firmware() {
  run mlxconfig -y -d "$pci" set "CNP_DSCP_P$port=48" "CNP_802P_PRIO_P$port=6" "ROCE_CC_PRIO_MASK_P$port=32"
  say "the firmware takes these after: mlxfwreset -d $pci reset"
}

choose_tool mlnx_qos dcb
common
case $tool in
  mlnx_qos) with_mlnx_qos ;;
  *) with_dcb ;;
esac
[ -z "$buffers" ] || buffers
dcqcn
traffic_class
rdma_cm
[ -z "$persist" ] || firmware
exit "$status"
