"""The two networks: the finder sees where tiles lie, the reader names one tile's face."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def device() -> torch.device:
    """Return where networks are trained: on the graphics card where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def short_numbers(where: torch.device) -> torch.autocast:
    """Return a context in which a network multiplies numbers of 16 bits, if the device is quicker with them.

    A processor without instructions for them would take ten times as long.
    """
    quick = where.type != "cpu" or bool(torch.cpu.get_capabilities().get("avx512_bf16", False))
    return torch.autocast(where.type, dtype=torch.bfloat16, enabled=quick)


CROP_PX = 80
"""Side of the square picture that the reader takes."""
FACE_SHARE = 0.8
"""The share of a crop's side that the face takes; the rest is what lies round it."""
FINDER_STRIDE = 8
EMBEDDING = 128
"""Numbers in the embedding of a face."""
READER_SHAPE, SECOND_SHAPE = (32, 56, 128, 2), (48, 80, 176, 4)
"""Of the reader, and of its second network, which is asked less often."""
FEATURES = (128, 5, 5)
"""Maps, rows and columns of what the reader hands to the place head of a crop."""


def pooled_features(maps: Tensor) -> Tensor:
    """Return the reader's maps (N, 128, 10, 10) as features (N, *FEATURES)."""
    return nn.functional.avg_pool2d(maps, 2)


def _conv(before: int, after: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(True),
    )


class _Residual(nn.Module):
    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = _conv(channels, channels, 1, dilation)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, features: Tensor) -> Tensor:
        return torch.relu(features + self.second(self.first(features)))


class FinderNet(nn.Module):
    """A picture in, one value set for each cell of 8 x 8 pixels out.

    Input (N, 3, H, W) RGB in 0..1, H and W multiples of 8. Output (N, 18, H / 8, W / 8): the logit that a
    tile's centre lies in the cell; eight corner offsets from the cell's centre, in units of 32 pixels,
    ordered from the corner at the top left when the tile is turned by at most 45 degrees (`plain`); eight
    more ordered for tiles turned between 0 and 90 degrees (`turned`); the logit that `turned` holds.
    """

    def __init__(self) -> None:
        """Make the layers, 0.33 million parameters."""
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 2),
            _conv(16, 32, 2),
            _conv(32, 64, 2),
            _Residual(64),
            _Residual(64, 2),
            _Residual(64, 3),
            _Residual(64, 2),
        )
        self.head = nn.Conv2d(64, 18, 1)
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, picture: Tensor) -> Tensor:
        """Return the maps for pictures, as the class says."""
        return self.head(self.body((picture - 0.45) * 4))


class ReaderNet(nn.Module):
    """One tile's crop in; weight, colour, tile or not, covered, which way is up, corners and embedding out.

    Input (N, 3, CROP_PX, CROP_PX) RGB in 0..1. Outputs: weight (N, 13), colour (N, 5), tile (N, 1), covered
    (N, 1), up (N, 4) logits that the face's own top left is the crop's corner 0, -1, -2, -3, corners (N, 8)
    offsets of the true corners in face sides, embedding (N, EMBEDDING) of length 1; then, while training, the
    map (N, 14, 10, 10) of weights by place, and else the features (N, *FEATURES) that the place head takes.
    """

    def __init__(self, shape: tuple[int, int, int, int] = READER_SHAPE) -> None:
        """Make the layers; with READER_SHAPE 1.5 million parameters, with SECOND_SHAPE 3.0.

        Args:
            shape: How many maps there are at a half, a quarter and an eighth of the crop's side, and how many
                pairs of layers at a quarter.
        """
        super().__init__()
        first, second, last, pairs = self.shape = shape
        self.body = nn.Sequential(
            _conv(3, first, 2),
            _conv(first, second, 2),
            *(_Residual(second) for _ in range(pairs)),
            _conv(second, last, 2),
            _Residual(last),
            _Residual(last),
            _Residual(last),
            _Residual(last),
        )
        self.by_place = nn.Conv2d(last, 14, 1)
        self.weight = nn.Linear(last, 13)
        self.colour = nn.Linear(2 * last, 5)
        self.tile = nn.Linear(2 * last, 2)
        self.up = nn.Linear(2 * last, 4)
        self.corners = nn.Linear(last * 4, 8)
        self.narrow = _conv(last, 40, 2)
        self.form = nn.Linear(40 * 25, 96)
        self.tint = nn.Linear(2 * last, EMBEDDING - 96)

    def maps(self, crop: Tensor) -> Tensor:
        """Return what the body sees in crops, (N, widths[2], 10, 10)."""
        seen: Tensor = self.body((crop - 0.45) * 4)
        return seen

    def forward(self, crop: Tensor) -> tuple[Tensor, ...]:
        """Return the answers for crops, as the class says."""
        features = self.maps(crop)
        places = self.by_place(features)
        seen = torch.logsumexp((places[:, :13] - places[:, 13:]).flatten(2), 2)
        mean = features.mean((2, 3))
        pooled = torch.cat([mean, features.amax((2, 3))], 1)
        tile = self.tile(pooled)
        embedding = torch.cat([self.form(self.narrow(features).flatten(1)), self.tint(pooled)], 1).float()
        answers = (
            seen + self.weight(mean),
            self.colour(pooled),
            tile[:, :1],
            tile[:, 1:],
            self.up(pooled),
            self.corners(nn.functional.avg_pool2d(features, 5).flatten(1)) * 0.1,
            embedding / embedding.norm(dim=1, keepdim=True),
        )
        return (*answers, places if self.training else pooled_features(features))


def second_net() -> ReaderNet:
    """Return a second network that has learned nothing yet."""
    return ReaderNet(SECOND_SHAPE)
