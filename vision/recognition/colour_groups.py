"""Four colours for one table: tiles that look alike in colour form groups, and each group has one name.

An artist's yellow may look blue to the network, but then all yellow tiles of the table do. So the tiles are
not named one by one. With x the centred log-chances of the four colours of a tile by itself, (4,):

- A group's tiles lie about its mean, x ~ N(m, s² I), in the three dimensions that centring leaves. How much
  they vary, s, differs from artist to artist, so several values are tried. The mean of a group may lie
  anywhere, m ~ N(0, S² I). Two tiles of one weight are hardly in one group, for each tile exists once.
- A group is called k with log-chance x̄[k], x̄ the mean of its tiles, plus for each tile the log-chance that
  its weight exists in colour k. What misleads about one tile of a group misleads about all: many tiles make
  the mean surer, but count no more than one.
- Two groups share a name only where an artist drew a colour in two ways, at a price.

Every partition of a dendrogram (Ward) into at most five groups is weighed with every s and every naming, by
its likelihood with the means integrated out. A tile's chances are the sums over all of them; in each it may
also change to another group, whose mean is then that of the other tiles. Nothing is said of how many tiles of
a colour there are.

In a game, some tiles of earlier tables are among those of a table, with the names that they have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import perm

import numpy as np
from numpy.typing import NDArray

from referee.rules.tiles import CODES
from vision.recognition.assignment import KEPT_ALTERNATIVE, AssignedCode, log_softmax
from vision.recognition.reading import ColourGroup, Tint

COLOURS = "YRGB"
"""The colours that form groups; the millstone is alone in its own."""
ALIKE = (0.4, 0.8, 1.6)
"""Standard deviations of a group's tiles, the values of s, in units of log-chance."""
APART = 2.5
"""Standard deviation of the groups' means, S."""
SHARED_NAME = 3.0
"""What it costs, in logs, that two groups share a name."""
SAME_WEIGHT = 0.95
"""How far two tiles are believed to have one weight, at most; the reading of one may be wrong."""
_LEAST_LOG = -4.6
"""No weight is taken to be less likely in a colour than this, in logs, for the same reason."""
AGREED = 0.75
"""What would be sure by a tile's face, by its group or by pictures of its set is in doubt if one of them
gives it a smaller chance. Chosen on 43 films, of which 16 had shown the fault (docs/decisions/0026)."""
CERTAINLY_ALIKE = 0.98
"""A tile belongs to a group from this chance on."""
_KNOWN_NAME = -6.0
"""How likely, in logs, a tile of an earlier table has another colour than it was known by."""
_OPEN_SHARE = 0.2
"""So much of the chances by all names is left where the likeliest names are taken: they may contradict a
weight that is there twice."""
LEAST_CHANCE = 1e-6
_WORTH_NAMING = 0.02
"""A colour that is less likely is not asked about."""
_MOST_GROUPS = 5
_DIMENSIONS = 3
"""Of a centred tint."""
_OF_COLOUR = np.array([COLOURS.find(code[0]) for code in CODES])
_WEIGHTS = sorted({int(code[1:]) for code in CODES})
_OF_WEIGHT = np.array([_WEIGHTS.index(int(code[1:])) for code in CODES])
_ALIKE_IN_WEIGHT = (_OF_WEIGHT[:, None] == _OF_WEIGHT).astype(np.float64)
_EXISTS = np.zeros((len(_WEIGHTS), len(COLOURS)))
_EXISTS[_OF_WEIGHT[_OF_COLOUR >= 0], _OF_COLOUR[_OF_COLOUR >= 0]] = 1
_IN_EVERY = np.nonzero(_EXISTS.all(axis=1))[0]
"""The weights that exist in every colour."""
_COMMON = np.array(
    [[CODES.index(f"{colour}{_WEIGHTS[weight]}") for weight in _IN_EVERY] for colour in COLOURS]
)
"""(4, weights) indices of the codes of these weights."""
_NAMINGS = {
    count: np.array(list(product(range(len(COLOURS)), repeat=count))) for count in range(1, _MOST_GROUPS + 1)
}
_SHARED = {
    count: SHARED_NAME * np.array([count - len(set(names)) for names in namings.tolist()])
    for count, namings in _NAMINGS.items()
}
_LOG_DISTINCT = {
    count: float(np.log(perm(len(COLOURS), min(count, len(COLOURS))))) for count in range(1, _MOST_GROUPS + 1)
}
"""By the number of groups: the logarithm of how many namings there are with as few shared names as can be."""


@dataclass(frozen=True, slots=True)
class ColourField:
    """The colours of n tiles, worked out together."""

    log_codes: NDArray[np.float64]
    """(n, 45) log-chances of the codes where the groups have their likeliest names."""
    named: NDArray[np.float64]
    """(n, 4) chances of the colours where the groups have their likeliest names."""
    colours: NDArray[np.float64]
    """(n, 4) chances of the colours, all names considered."""
    groups: tuple[tuple[int, ...], ...]
    """The groups of two tiles and more, by the tiles' indices, the largest first."""

    def name_share(self, index: int, code: int) -> float:
        """Return how likely the likeliest names are right about a tile's colour, 0..1.

        Args:
            index: Of the tile.
            code: Index of its code.
        """
        colour = _OF_COLOUR[code]
        if colour < 0:
            return 1.0
        return float(min(1.0, self.colours[index, colour] / max(self.named[index, colour], LEAST_CHANCE)))

    def other_names(self, index: int, code: int) -> Iterator[tuple[int, float]]:
        """Yield the codes of the same weight in other colours, with the chances of these colours.

        Args:
            index: Of the tile.
            code: Index of its code.
        """
        for colour, letter in enumerate(COLOURS):
            other = f"{letter}{CODES[code][1:]}"
            if colour != _OF_COLOUR[code] and other in CODES:
                yield CODES.index(other), float(self.colours[index, colour])

    def with_taught(
        self,
        log_codes: NDArray[np.float64],
        log_taught: NDArray[np.float64],
        sure: float,
        doubted: Collection[str] = CODES,
    ) -> ColourField:
        """Return the colours with what pictures of a game's own tiles say of some tiles.

        A tile that they are sure of is out of its group, and what they say of it holds. If they name another
        tile than its group does, theirs holds too, and leaves it in doubt. What else they say is left to the
        groups, and groups are formed without them: a tint is always what the network sees.

        Three say what a tile is: its own face, its group, and the pictures. What would be sure by one of them
        and is not likely by all that count has the mean of their chances (`AGREED`).

        Args:
            log_codes: (n, 45) what this field was worked out from.
            log_taught: (n, 45) log-chances of the codes by these pictures, equal where they say nothing.
            sure: From which chance on they are sure, 0..1.
            doubted: The tiles about which all three count; about others the pictures alone do.
        """
        told = log_taught.copy()
        is_shown = (log_taught != log_codes).any(axis=1)
        is_told = is_shown & (
            (np.exp(log_taught.max(axis=1)) >= sure)
            | (log_taught.argmax(axis=1) != self.log_codes.argmax(axis=1))
        )
        said = np.where(is_told[:, None], log_taught, self.log_codes)
        opinions = np.exp([log_codes, self.log_codes, log_taught])
        is_pooled = (np.exp(said.max(axis=1)) >= sure) & ~_agree(
            opinions, said.argmax(axis=1), is_shown, doubted
        )
        told[is_pooled] = _log(opinions.mean(axis=0))[is_pooled]
        return self._by_itself(told, is_told | is_pooled)

    def _by_itself(self, told: NDArray[np.float64], is_told: NDArray[np.bool_]) -> ColourField:
        """Return the colours with some tiles out of their groups.

        Args:
            told: (n, 45) log-chances of the codes that hold for these tiles.
            is_told: (n,) which they are.
        """
        chances = np.stack(
            [np.exp(told[:, colour == _OF_COLOUR]).sum(axis=1) for colour in range(len(COLOURS))],
            axis=1,
        )
        groups = [tuple(tile for tile in group if not is_told[tile]) for group in self.groups]
        by_tile = is_told[:, None]
        return ColourField(
            np.where(by_tile, told, self.log_codes),
            np.where(by_tile, chances, self.named),
            np.where(by_tile, chances, self.colours),
            _largest_first(groups),
        )

    def unnamed(self, codes: Sequence[str], sure: float) -> tuple[ColourGroup, ...]:
        """Return the groups of which no name is as likely as `sure`.

        Args:
            codes: As the n tiles were read.
            sure: A chance, 0..1.
        """
        groups = []
        for tiles in self.groups:
            chances = self.colours[list(tiles)].mean(axis=0)
            if chances.max() < sure:
                colours = tuple(
                    (COLOURS[colour], round(float(chances[colour]), 4))
                    for colour in np.argsort(-chances)
                    if chances[colour] >= _WORTH_NAMING
                )
                groups.append(ColourGroup(tuple(codes[tile] for tile in tiles), colours))
        return tuple(groups)


def tints_of(log_codes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 4) centred log-chances of the colours from (n, 45) log-chances of codes.

    >>> tints_of(np.where(_OF_COLOUR == 1, -3.0, -7.0)[None]).tolist()
    [[-1.0, 3.0, -1.0, -1.0]]
    """
    tint = log_codes[:, _COMMON].mean(axis=2)
    centred: NDArray[np.float64] = tint - tint.mean(axis=1, keepdims=True)
    return centred


def weights_of(log_codes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 45) log-chances that each code's weight is right from (n, 45) log-chances of codes.

    The millstone's is among them, which has no colour that could be left out.

    >>> likely = weights_of(np.where([code == "R20" for code in CODES], 0.0, -9.0)[None])[0]
    >>> [CODES[index] for index in np.flatnonzero(likely > -1)]
    ['Y20', 'R20', 'G20', 'B20']
    """
    return np.asarray(np.log(np.maximum(np.exp(log_codes) @ _ALIKE_IN_WEIGHT, LEAST_CHANCE)))


def is_coloured(log_codes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return (n,) whether tiles have a colour, rather than that they are the millstone."""
    return np.asarray(log_codes.argmax(axis=1) != CODES.index("M200"))


def tint_values(log_codes: NDArray[np.float64]) -> list[Tint]:
    """Return the same for n tiles as plain values."""
    return [(y, r, g, b) for y, r, g, b in tints_of(log_codes).tolist()]


def tinted(log_codes: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 45) log-chances of codes after the colours became likelier by (n, 4) log-chances.

    >>> even = np.zeros((1, len(CODES)))
    >>> tints_of(tinted(even, np.array([[-1.0, 3.0, -1.0, -1.0]]))).round(6).tolist()
    [[-1.0, 3.0, -1.0, -1.0]]
    """
    return log_softmax(log_codes + np.where(_OF_COLOUR >= 0, by[:, _OF_COLOUR], 0.0))


def group_colours(
    log_codes: NDArray[np.float64],
    seen: NDArray[np.bool_],
    known: Sequence[tuple[str, Tint]] = (),
) -> ColourField:
    """Return the colours of n tiles, worked out together.

    Args:
        log_codes: (n, 45) log-chances of the codes, for each tile by itself.
        seen: (n,) which of them are tiles whose faces can be seen; the others stay as they are.
        known: Letter of the colour and tint of tiles of earlier tables.
    """
    tints = tints_of(log_codes)
    alone = np.exp(log_softmax(tints))
    weights = _weights(log_codes, tints)
    is_member = seen & is_coloured(log_codes)
    members = np.nonzero(is_member)[0]
    if not len(members):
        return ColourField(log_codes, alone, alone, ())
    table = _Table(tints[members], weights[members], known)
    named, colours, groups = alone.copy(), alone.copy(), table.groups()
    named[members], colours[members] = table.named(), table.colours
    told = log_codes + _by_code(_log(named) - log_softmax(tints), is_member)
    return ColourField(
        log_softmax(told),
        named,
        colours,
        _largest_first([tuple(members[list(group)].tolist()) for group in groups]),
    )


def with_other_names(assigned: list[AssignedCode], field: ColourField) -> list[AssignedCode]:
    """Return codes that were assigned by the likeliest names of the groups, with the doubt about these names.

    Only this late: if two groups may have changed names, all their tiles change at once, which an assignment
    that knows the chances of one tile at a time would take for very unlikely.
    """
    doubted = []
    for index, code in enumerate(assigned):
        share = field.name_share(index, code.index)
        chances = {other: chance * share for other, chance in code.alternatives}
        for other, chance in field.other_names(index, code.index):
            chances[other] = max(chances.get(other, 0.0), chance * code.confidence)
        rest = sum(chances.values())
        confidence = code.confidence * share
        # What is left for others, if they are more likely together than they can be.
        scale = min(1.0, (1 - confidence) / rest) if rest else 1.0
        likeliest = sorted(chances.items(), key=lambda each: -each[1])
        alternatives = tuple(
            (other, chance * scale) for other, chance in likeliest if chance * scale >= KEPT_ALTERNATIVE
        )
        doubted.append(AssignedCode(code.index, confidence, alternatives))
    return doubted


class _Table:
    """The tiles of one table in all their partitions; g is the number of groups in all of these together."""

    def __init__(
        self,
        tints: NDArray[np.float64],
        weights: NDArray[np.float64],
        known: Sequence[tuple[str, Tint]],
    ) -> None:
        """Work out the chances of every partition and naming; known tiles come after the others."""
        self._count = len(tints)
        names_of_tiles = np.maximum(np.log(weights @ _EXISTS + 1e-9), _LEAST_LOG)
        if known:
            told = [
                np.where(np.arange(len(COLOURS)) == COLOURS.index(name), 0, _KNOWN_NAME) for name, _ in known
            ]
            tints = np.vstack([tints, [tint for _, tint in known]])
            weights = np.vstack([weights, np.zeros((len(known), weights.shape[1]))])
            names_of_tiles = np.vstack([names_of_tiles, told])
        self._partitions = _partitions(tints)
        columns = [group for partition in self._partitions for group in partition]
        is_in = np.zeros((len(tints), len(columns)))
        for column, group in enumerate(columns):
            is_in[group, column] = 1
        same = np.log1p(-SAME_WEIGHT * np.minimum(weights @ weights.T, 1))
        np.fill_diagonal(same, 0)
        size = is_in.sum(axis=0)
        means = is_in.T @ tints / size[:, None]
        names = means + is_in.T @ names_of_tiles
        clashes = same @ is_in
        spread = np.square(tints).sum(axis=1) @ is_in - size * np.square(means).sum(axis=1)
        distance = np.square(means).sum(axis=1)
        logs, self._changes = [], []
        for alike in np.square(ALIKE):
            logs.append(
                -spread / (2 * alike)
                - distance / (2 * (APART**2 + alike / size))
                - (size * np.log(alike) + np.log(1 + size * APART**2 / alike)) * _DIMENSIONS / 2
                + (clashes * is_in).sum(axis=0) / 2
            )
            self._changes.append(clashes + _changes(tints, is_in, means, alike))
        self._weigh(np.array(logs), names)

    def _weigh(self, logs: NDArray[np.float64], names: NDArray[np.float64]) -> None:
        """Sum over partitions, spreads and namings.

        Args:
            logs: (spreads, g) log-likelihood of each group.
            names: (g, 4) log-chance of each name.
        """
        start, totals, self._names = 0, [], []
        for partition in self._partitions:
            count = len(partition)
            end, namings = start + count, _NAMINGS[count]
            ways = names[start:end][np.arange(count), namings].sum(axis=1) - _SHARED[count]
            whole = _log_sum(ways)
            totals.append(logs[:, start:end].sum(axis=1) + whole - _LOG_DISTINCT[count])
            self._names.append(np.exp(ways - whole))
            start = end
        weighed = np.array(totals)
        weighed = np.exp(weighed - _log_sum(weighed.ravel()))
        self._best = np.unravel_index(int(weighed.argmax()), weighed.shape)
        self.colours = np.zeros((len(self._changes[0]), len(COLOURS)))
        for at, spread in zip(*np.nonzero(weighed > 1e-4), strict=True):
            chances = np.zeros((len(self._partitions[at]), len(COLOURS)))
            for group, column in enumerate(_NAMINGS[len(chances)].T):
                np.add.at(chances[group], column, self._names[at])
            self.colours += weighed[at, spread] * (self._belongs(at, spread) @ chances)
        self.colours = self.colours[: self._count] / self.colours[: self._count].sum(axis=1, keepdims=True)

    def _belongs(self, at: int, spread: int) -> NDArray[np.float64]:
        """Return the chances (n, groups) that each tile belongs to each group of a partition."""
        start = sum(len(partition) for partition in self._partitions[:at])
        changes = self._changes[spread][:, start : start + len(self._partitions[at])]
        return np.asarray(np.exp(log_softmax(changes)), np.float64)

    def named(self) -> NDArray[np.float64]:
        """Return (n, 4) chances of the colours by the likeliest naming of the likeliest partition."""
        at, spread = int(self._best[0]), int(self._best[1])
        names = _NAMINGS[len(self._partitions[at])][int(self._names[at].argmax())]
        likeliest = self._belongs(at, spread)[: self._count] @ np.eye(len(COLOURS))[names]
        return np.asarray((1 - _OPEN_SHARE) * likeliest + _OPEN_SHARE * self.colours, np.float64)

    def groups(self) -> list[tuple[int, ...]]:
        """Return the tiles of each group that certainly belong to it."""
        at, spread = int(self._best[0]), int(self._best[1])
        belongs = np.asarray(self._belongs(at, spread)[: self._count], np.float64)
        return [tuple(np.nonzero(column >= CERTAINLY_ALIKE)[0].tolist()) for column in belongs.T]


def _largest_first(groups: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of two tiles and more."""
    return tuple(sorted((group for group in groups if len(group) > 1), key=lambda group: -len(group)))


def _partitions(tints: NDArray[np.float64]) -> list[list[list[int]]]:
    """Return the partitions of a dendrogram into the fewest groups, each as lists of the tiles' indices."""
    groups = {tile: [tile] for tile in range(len(tints))}
    partitions = [list(groups.values())] if len(tints) <= _MOST_GROUPS else []
    for number, (one, other) in enumerate(ward_merges(tints), len(tints)):
        groups[number] = groups.pop(one) + groups.pop(other)
        if len(groups) <= _MOST_GROUPS:
            partitions.append(list(groups.values()))
    return partitions


def ward_merges(tints: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Yield the two groups that become one, again and again: the two whose spread grows least by it.

    Groups are told by number: first each tile alone, then each group as it comes about. How much the spread
    grows is worked out from that of the parts (Ward, JASA 58, 1963; Lance and Williams, Computer J. 9, 1967).

    Args:
        tints: (n, 4) of the tiles.
    """
    count = len(tints)
    all_numbers = 2 * count - 1
    growth = np.full((all_numbers, all_numbers), np.inf)  # twice the growth of the sum of squares
    growth[:count, :count] = np.square(tints[:, None] - tints).sum(axis=2)
    np.fill_diagonal(growth, np.inf)
    size = np.ones(all_numbers)
    for number in range(count, all_numbers):
        one, other = divmod(int(growth.argmin()), all_numbers)
        yield one, other
        with_one, with_other = size + size[one], size + size[other]
        ours = with_one * growth[one] + with_other * growth[other] - size * growth[one, other]
        size[number] = size[one] + size[other]
        growth[number] = growth[:, number] = ours / (size + size[number])
        growth[[one, other]] = growth[:, [one, other]] = np.inf


def _changes(
    tints: NDArray[np.float64], is_in: NDArray[np.float64], means: NDArray[np.float64], alike: float
) -> NDArray[np.float64]:
    """Return (n, g) how well, in logs, each tile fits each group, as the group's other tiles show it.

    Args:
        tints: (n, 4) of the tiles.
        is_in: (n, g) 1 where a tile is in a group, else 0.
        means: (g, 4) of the groups.
        alike: Variance of a group's tiles.
    """
    size = is_in.sum(axis=0)
    others = size - is_in
    sums = (size[:, None] * means)[None] - is_in[:, :, None] * tints[:, None]
    known = APART**2 / (others * APART**2 + alike)
    variance = alike + alike * known
    away = np.square(tints[:, None] - sums * known[:, :, None]).sum(axis=2)
    return np.asarray(-away / (2 * variance) - np.log(variance) * _DIMENSIONS / 2, np.float64)


def _weights(log_codes: NDArray[np.float64], tints: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, weights) chances of the weights, whatever the colour."""
    parts = np.full((len(log_codes), len(_WEIGHTS)), -np.inf)
    parts[:, _IN_EVERY] = log_codes[:, _COMMON].mean(axis=1)
    for index in np.nonzero((_OF_COLOUR >= 0) & ~np.isin(_OF_WEIGHT, _IN_EVERY))[0]:
        own = log_codes[:, index] - tints[:, _OF_COLOUR[index]]
        parts[:, _OF_WEIGHT[index]] = np.logaddexp(parts[:, _OF_WEIGHT[index]], own - np.log(2))
    return np.exp(log_softmax(parts))


def _agree(
    opinions: NDArray[np.float64],
    likeliest: NDArray[np.intp],
    is_shown: NDArray[np.bool_],
    doubted: Collection[str],
) -> NDArray[np.bool_]:
    """Return (n,) whether all opinions that count find tiles' likeliest codes likely.

    Args:
        opinions: (3, n, 45) chances of the codes by their faces, their groups, and pictures.
        likeliest: (n,) indices of codes.
        is_shown: (n,) of which tiles the pictures say anything.
        doubted: The tiles about which faces and groups count.
    """
    chances = opinions[:, np.arange(len(likeliest)), likeliest]
    counts = np.repeat(np.isin(np.array(CODES)[likeliest], list(doubted))[None], 3, axis=0)
    counts[2] = is_shown
    return np.asarray(np.where(counts, chances, 1.0).min(axis=0) >= AGREED, np.bool_)


def _by_code(of_colours: NDArray[np.float64], tiles: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return (n, 45) values by code from (n, 4) by colour; 0 for the millstone and for other tiles."""
    values = np.where(tiles[:, None] & (_OF_COLOUR >= 0), of_colours[:, _OF_COLOUR], 0.0)
    return np.asarray(values, np.float64)


def _log(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(chances, LEAST_CHANCE)), np.float64)


def _log_sum(logs: NDArray[np.float64]) -> float:
    most = logs.max()
    return float(most + np.log(np.exp(logs - most).sum()))
