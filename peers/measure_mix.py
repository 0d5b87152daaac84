"""Table 2 and Table 6 of "A BF16 FMA is all you need for DNN training", as PyTorch trains here: the mix of instructions of
training steps, and how much faster a program would be whose multiply-adds were an operator's.

    python peers/measure_mix.py [--binade PATH] [--seconds N] [--python PYTHON] [NETWORK…]

Each network trains on numbers from a generator for N seconds, in one thread, under `binade mix`, which steps through windows of
instructions at random moments. The speed-up is Amdahl's, of an operator that is as large as binary32's multiply-add: the ratio of
their areas for the share of multiply-adds (`binade study cost --mix`). The paper has its multiply-adds 2.8 times as fast in its
simulator, where memory bounds them; `--fma-speed-up` takes that in place of the ratio of areas.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = """
import sys, time, torch
from torch import nn
torch.set_num_threads(1); torch.manual_seed(0)
network, seconds = sys.argv[1], float(sys.argv[2])

def convolution(i, o, size=3, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, size, stride, size // 2, bias=False), nn.BatchNorm2d(o))

class Residual(nn.Module):
    def __init__(self, i, o, stride, bottleneck):
        super().__init__()
        if bottleneck:
            m = o // 4
            parts = [convolution(i, m, 1), nn.ReLU(), convolution(m, m, 3, stride), nn.ReLU(), convolution(m, o, 1)]
        else:
            parts = [convolution(i, o, 3, stride), nn.ReLU(), convolution(o, o)]
        self.long = nn.Sequential(*parts)
        self.short = convolution(i, o, 1, stride) if (i, stride) != (o, 1) else nn.Identity()
    def forward(self, x):
        return torch.relu(self.long(x) + self.short(x))

def resnet(blocks, bottleneck):
    parts, width = [convolution(3, 64), nn.ReLU()], 64
    for stage, count in enumerate(blocks):
        out = (64 << stage) * (4 if bottleneck else 1)
        for block in range(count):
            parts.append(Residual(width, out, 2 if stage and not block else 1, bottleneck)); width = out
    return nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))

class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.lstm, self.output = nn.Embedding(10000, 650), nn.LSTM(650, 650, 2, dropout=0.5), nn.Linear(650, 10000)
    def forward(self, x):
        return self.output(self.lstm(self.embedding(x))[0]).flatten(0, 1)

class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.output = nn.Embedding(8000, 512), nn.Linear(512, 8000)
        self.layers = nn.Transformer(512, 8, 6, 6, 2048, batch_first=True)
    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.output(self.layers(self.embedding(x), self.embedding(x), tgt_mask=mask)).flatten(0, 1)

if network == "alexnet":
    layers = [nn.Conv2d(3, 64, 11, 4, 2), nn.ReLU(), nn.MaxPool2d(3, 2), nn.Conv2d(64, 192, 5, 1, 2), nn.ReLU(), nn.MaxPool2d(3, 2)]
    for i, o in ((192, 384), (384, 256), (256, 256)):
        layers += [nn.Conv2d(i, o, 3, 1, 1), nn.ReLU()]
    layers += [nn.MaxPool2d(3, 2), nn.Flatten(), nn.Linear(9216, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 1000)]
    model, x, y = nn.Sequential(*layers), torch.randn(32, 3, 224, 224), torch.randint(1000, (32,))
elif network == "resnet18":
    model, x, y = resnet((2, 2, 2, 2), False), torch.randn(32, 3, 32, 32), torch.randint(10, (32,))
elif network == "resnet101":
    model, x, y = resnet((3, 4, 23, 3), True), torch.randn(16, 3, 32, 32), torch.randint(10, (16,))
elif network == "lstmx2":
    model, x, y = Words(), torch.randint(10000, (35, 20)), torch.randint(10000, (700,))
else:
    model, x, y = Translator(), torch.randint(8000, (8, 32)), torch.randint(8000, (256,))
optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
end = time.monotonic() + seconds
while time.monotonic() < end:
    optimizer.zero_grad(); nn.functional.cross_entropy(model(x), y).backward(); optimizer.step()
"""

NETWORKS = ["alexnet", "resnet18", "resnet101", "lstmx2", "transformer"]
OPERATORS = ["bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3", "bf16x2:bf16x2/4"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binade", default=os.environ.get("BINADE", "binade"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--fma-speed-up", type=float)
    parser.add_argument("networks", nargs="*", metavar="NETWORK")
    options = parser.parse_args()
    unknown = set(options.networks) - set(NETWORKS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: networks are {', '.join(NETWORKS)}")
    print("| network | FMA, % | other floating point, % | all else, % | " + " | ".join(OPERATORS) + " |")
    print("|---|" + "--:|" * (3 + len(OPERATORS)))
    with tempfile.TemporaryDirectory() as scratch:
        for network in options.networks or NETWORKS:
            kept = Path(scratch, f"{network}.json")
            train = [options.python, "-c", STEPS, network, str(options.seconds)]
            subprocess.run([options.binade, "mix", "-o", kept, "--", *train], check=True, stdout=subprocess.DEVNULL)
            mix = json.loads(kept.read_text())

            def percent(name):
                low, high = mix[name]["confidence_95"]
                return f"{100 * mix[name]['share']:.1f} ± {50 * (high - low):.1f}"

            faster = ["--fma-speed-up", str(options.fma_speed_up)] if options.fma_speed_up else []
            cost = [options.binade, "study", "cost", "--mix", kept, *faster, "--json", *OPERATORS]
            operators = json.loads(subprocess.run(cost, check=True, capture_output=True, text=True).stdout)["operators"]
            speed_ups = [f"{operator['program_speed_up']:.2f}" for operator in operators]
            print(f"| {network} | " + " | ".join([percent("fma"), percent("other_fp"), percent("non_fp"), *speed_ups]) + " |", flush=True)


if __name__ == "__main__":
    main()
