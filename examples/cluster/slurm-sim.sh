#!/bin/bash
# Each task runs an eighth of all scenarios, ten times each.
#SBATCH --job-name=roceplan-sim
#SBATCH --array=0-7
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=01:00:00
# The script passes its arguments to roceplan: sbatch slurm-sim.sh --time 1ms
set -euo pipefail

parts=8 # as many as the array has tasks
fabric=${FABRIC:-fabric.hcl}
results=${RESULTS:-results}

mkdir -p "$results"
part="$results/sim-$SLURM_ARRAY_TASK_ID.jsonl"
roceplan sim "$fabric" --size 4x16 --seeds 10 --shard "$SLURM_ARRAY_TASK_ID/$parts" "$@" --json-lines >"$part.new"
mv "$part.new" "$part"
