#!/bin/bash
# Each task searches with different random numbers.
#SBATCH --job-name=roceplan-tune
#SBATCH --array=0-7
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=01:00:00
# The script passes its arguments to roceplan: sbatch slurm-tune.sh --time 1ms
set -euo pipefail

parts=8 # as many as the array has tasks
fabric=${FABRIC:-fabric.hcl}
results=${RESULTS:-results}

mkdir -p "$results"
part="$results/tune-$SLURM_ARRAY_TASK_ID.jsonl"
roceplan tune "$fabric" --budget 400 --shard "$SLURM_ARRAY_TASK_ID/$parts" "$@" --json-lines >"$part.new"
mv "$part.new" "$part"
