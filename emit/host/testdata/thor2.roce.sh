#!/bin/sh
# RoCE settings of nic nic (thor2). Made by roceplan; do not edit.
#
# What the switches expect of this NIC:
#   priority 0  DSCP 0-25,27-47,49-63  rest: lossy, 40 %
#   priority 3  DSCP 26  rdma: lossless, 60 %, RDMA with ToS 106
#   priority 6  DSCP 48  cnp: lossy, strict, CNPs
#
# It may run again at any time, and has to after a reboot or a reload of the driver.

set -eu

usage() {
  cat <<END
sh ${0##*/} [options] INTERFACE [RDMA-DEVICE]

Sets INTERFACE, such as eth2, and its RDMA device, such as bnxt_re0, which is found where
it is not named.

  --dry-run    change nothing, say what would be done
  --tool NAME  dcb or niccli; default: the first of them that is installed
  --flush      remove the APP entries of others first (dcb)
END
}

dry='' tool='' if='' rdma='' status=0 flush='' writes=0
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
  writes=$((writes + 1))
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

# put_if is put for files that not every driver has.
put_if() {
  if [ -n "$dry" ] || [ -w "$2" ]; then
    put "$1" "$2"
  fi
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
  if [ "$(cat "$sys/class/net/$if/mtu")" != 9194 ]; then
    run ip link set dev "$if" mtu 9194
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
  put 106 "$dir/ports/1/default_roce_tos"
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
    --flush) flush=1 ;;
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

# The driver wants RDMA in traffic class 1, CNPs in 2, all else in 0. CNPs come last.
with_dcb() {
  [ -z "$flush" ] || run dcb app flush dev "$if"
  run dcb ets set dev "$if" prio-tc all:0 3:1 6:2 tc-tsa 0:ets 1:ets 2:strict tc-bw 0:40 1:60
  run dcb pfc set dev "$if" prio-pfc all:off 3:on
  run dcb app replace dev "$if" dgram-port-prio 4791:3
  run dcb app replace dev "$if" dscp-prio 26:3
  run dcb app replace dev "$if" dscp-prio 48:6
}

# tlv adds an APP entry. niccli would keep a second copy, so it is removed first.
tlv() {
  if [ -z "$dry" ]; then
    niccli --dev "$pci" qos --apptlv --del --app "$1" >/dev/null 2>&1 || :
  fi
  run niccli --dev "$pci" qos --apptlv --add --app "$1"
}

with_niccli() {
  run niccli --dev "$pci" qos --ets --tsa 0:ets,1:ets,2:strict --up2tc 0:0,1:0,2:0,3:1,4:0,5:0,6:2,7:0 --tcbw 40,60
  run niccli --dev "$pci" qos --pfc --enable 3
  tlv 3,3,4791
  tlv 3,5,26
  tlv 6,5,48
}

# congestion sets DCQCN by the configfs of bnxt_re. What is written takes effect when
# `apply` is.
congestion() {
  if [ ! -d "$sys/kernel/config/bnxt_re" ]; then
    lack "congestion control: $sys/kernel/config/bnxt_re is not there (modprobe bnxt_re; mount -t configfs none /sys/kernel/config)"
    return
  fi
  folder "$sys/kernel/config/bnxt_re/$rdma"
  cc=$dir/ports/1/cc
  before=$writes
  put_if 0x1 "$cc/disable_prio_vlan_tx"
  put 0x1 "$cc/ecn_marking"
  put 0x1 "$cc/ecn_enable"
  put 1 "$cc/cc_mode"
  put_if 0x6 "$cc/cnp_prio"
  put_if 0x30 "$cc/cnp_dscp"
  put_if 0x3 "$cc/roce_prio"
  put_if 0x1a "$cc/roce_dscp"
  if [ "$writes" != "$before" ]; then
    write 0x1 "$cc/apply"
  fi
  unfolder
}

choose_tool dcb niccli
common
case $tool in
  niccli) with_niccli ;;
  *) with_dcb ;;
esac
congestion
rdma_cm
exit "$status"
