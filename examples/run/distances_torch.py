"""Features by a convolution, and distances between them by a matrix product, in binary32 with PyTorch: prints the distances' mean.

The distances are √(|x|² + |y|² − 2 x·y), where most bits cancel.
"""

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
images = torch.rand(32, 8, 12, 12)
convolution = torch.nn.Conv2d(8, 16, 3)
with torch.no_grad():
    features = convolution(images).flatten(1)
    distances = torch.cdist(features, features, compute_mode="use_mm_for_euclid_dist")
off_diagonal = distances[~torch.eye(32, dtype=torch.bool)]
print(f"features {features.abs().mean():.6f}")
print(f"distances {off_diagonal.mean():.6f} {off_diagonal.min():.6f}")
