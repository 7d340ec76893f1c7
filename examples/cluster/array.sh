#!/usr/bin/env bash
# A job array for Slurm: each job plays one of 20 parts into the same store.  A part that was killed is handed in again;
# what it had finished is not played again.
#   sbatch array.sh
#   jawari merge plane.zarr --shards 20     # which parts are missing
#SBATCH --job-name=plane
#SBATCH --array=1-20
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
#SBATCH --requeue
set -euo pipefail
jawari sweep plan.toml --shard "${SLURM_ARRAY_TASK_ID:?}/${SLURM_ARRAY_TASK_COUNT:-20}" --workers "${SLURM_CPUS_PER_TASK:-1}" --quiet
