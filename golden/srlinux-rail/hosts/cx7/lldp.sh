#!/bin/sh
# LLDP announcements (DCBX) of nic cx7 (connectx-7) by lldpad. Made by roceplan; do
# not edit. The switches need none of this; it tells them, and whoever looks, what the
# NIC does, and keeps lldpad from overwriting what roce.sh has set.
#
#     sh lldp.sh [--dry-run] INTERFACE
#
# lldpad keeps these settings, so running it again changes nothing.
set -eu

dry='' if=''
say() { printf '%s\n' "$*"; }
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}
run() {
  if [ -n "$dry" ]; then
    say "would run: $*"
  else
    say "run: $*"
    "$@"
  fi
}

for word in "$@"; do
  case $word in
    --dry-run) dry=1 ;;
    -h | --help)
      say "sh ${0##*/} [--dry-run] INTERFACE"
      exit 0
      ;;
    -*) fail "there is no option $word" ;;
    *)
      [ -z "$if" ] || fail "there is one argument too many, $word"
      if=$word
      ;;
  esac
done
[ -n "$if" ] || fail "name the interface"
[ -n "$dry" ] || command -v lldptool >/dev/null || fail "lldptool is not installed"

run lldptool -L -i "$if" adminStatus=rxtx
run lldptool -T -i "$if" -V IEEE-DCBX mode=reset
run lldptool -T -i "$if" -V ETS-CFG enableTx=yes willing=no tsa=0:ets,1:strict,2:strict,3:ets,4:strict,5:strict,6:strict,7:strict up2tc=0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0 tcbw=20,0,0,80,0,0,0,0
run lldptool -T -i "$if" -V ETS-REC enableTx=yes tsa=0:ets,1:strict,2:strict,3:ets,4:strict,5:strict,6:strict,7:strict up2tc=0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0 tcbw=20,0,0,80,0,0,0,0
run lldptool -T -i "$if" -V PFC enableTx=yes willing=no enabled=3
run lldptool -T -i "$if" -V APP enableTx=yes
run lldptool -T -i "$if" -V APP app=3,3,4791
run lldptool -T -i "$if" -V APP app=3,5,26
run lldptool -T -i "$if" -V APP app=6,5,48
