"""Trains a small convolutional network on 8×8 digits with PyTorch, to be run under another arithmetic.

    binade run --arith bf16x2:bf16x2/3 -- python examples/run/train_torch.py [EPOCHS]

Everything is binary32 and seeded. Needs torch, numpy and scikit-learn.
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[1]))
from digits import load

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 10
BATCH, RATE, MOMENTUM = 32, 0.05, 0.9

torch.manual_seed(1)
torch.set_num_threads(1)
images, labels, test_images, test_labels = (torch.from_numpy(x) for x in load())
images, test_images = (x.reshape(-1, 1, 8, 8) for x in (images, test_images))
model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(32 * 4 * 4, 10),
)
optimizer = torch.optim.SGD(model.parameters(), lr=RATE, momentum=MOMENTUM)
for epoch in range(1, EPOCHS + 1):
    total = 0.0
    for batch in torch.randperm(len(images)).split(BATCH):
        loss = functional.cross_entropy(model(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
    with torch.no_grad():
        accuracy = (model(test_images).argmax(1) == test_labels).double().mean().item()
    print(f"epoch {epoch:2}: loss {total / len(images):.6f}, test accuracy {accuracy:.4f}", flush=True)
