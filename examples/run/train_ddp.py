"""Trains a small network with PyTorch over several processes, to be run under another arithmetic.

    binade run --quiet --arith bf16:bf16 -- torchrun --nproc-per-node 2 examples/run/train_ddp.py [STEPS]

Ranks have a batch each, and gloo sums their gradients. Everything is binary32 and seeded; at the end each rank prints the
SHA-256 of its weights, which must be the same on all. Needs torch.
"""

import hashlib
import sys

import torch
from torch import distributed, nn
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 50
BATCH, RATE = 64, 0.1

torch.set_num_threads(1)
distributed.init_process_group("gloo")
rank, ranks = distributed.get_rank(), distributed.get_world_size()
torch.manual_seed(1)
network = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))
model = DistributedDataParallel(network)
optimizer = torch.optim.SGD(model.parameters(), lr=RATE, momentum=0.9)
teacher = torch.randn(32, 8)
draws = torch.Generator().manual_seed(2 + rank)
for step in range(STEPS):
    examples = torch.randn(BATCH, 32, generator=draws)
    loss = functional.cross_entropy(model(examples), (examples @ teacher).argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weights = b"".join(parameter.detach().numpy().tobytes() for parameter in model.parameters())
# One write, so that the lines of ranks do not mix.
sys.stdout.write(f"rank {rank} of {ranks}: loss {loss.item():.6f}, weights {hashlib.sha256(weights).hexdigest()}\n")
sys.stdout.flush()
distributed.destroy_process_group()
