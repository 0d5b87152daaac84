#!/bin/bash
# A sweep as a Slurm array: 24 cells (4 arithmetics, 6 seeds) by 8 tasks. Submit it with
#     sbatch examples/cluster/slurm.sh /shared/sweep
# from a machine where `binade` is on the path; the folder must be one that all nodes see. A task takes cells until none is left,
# and follows tasks that died. Submitting it again goes on with what is there.
#SBATCH --job-name=binade
#SBATCH --array=0-7
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=INT@60

set -eu

shared=${1:?usage: sbatch slurm.sh FOLDER}

# Slurm's INT, a minute before the time is over, keeps what has been trained: exec, so that it reaches binade.
# One cell for each task instead: --array=0-23, and --cell "$SLURM_ARRAY_TASK_ID" below.
exec srun --ntasks=1 binade train mlp \
    --arith f32 --arith bf16:f32 --arith bf16:bf16 --arith bf16:bf16x2 --seeds 6 \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --shared "$shared" --heartbeat 30
