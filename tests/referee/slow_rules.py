"""A second resolver, slow and obvious, written from the rules page alone; it shares no code with `referee/`.

A table is a dict (row, slot) -> code, in whatever coordinates; it is brought to canonical form only
to be written. Everything is looked at anew each time.
"""

from __future__ import annotations

DEFAULT_RULES = {"overhang": "colour", "fire_order": "wood-first", "curse": False, "fire_die": "off"}
STRAW, WOOD = {2, 4, 6}, {10, 20, 30, 40}


class NeedsMore(Exception):
    """The resolution stops here; its argument is what is needed."""


def weight(code):
    return int(code[1:])


def is_incendiary(code):
    return weight(code) in (1, 7)


def burns(incendiary, other):
    """Whether the second tile is fuel of the first."""
    return weight(other) in (STRAW if weight(incendiary) == 1 else STRAW | WOOD)


def same_colour(one, other):
    return one[0] == other[0] or "M" in (one[0], other[0])


def same_weight(one, other):
    return weight(one) == weight(other)


def read(text):
    rows = text.split("/")
    return {
        (row, slot): code
        for row, line in enumerate(rows)
        for slot, code in enumerate(line.split(" "))
        if code != "-"
    }


def write(table):
    if not table:
        return "-"
    left = min(slot for _, slot in table)
    width = max(row + slot - left for row, slot in table) + 1
    top = max(row for row, _ in table)
    return "/".join(
        " ".join(table.get((row, slot + left), "-") for slot in range(width - row)) for row in range(top + 1)
    )


def scan(table):
    """Slots from the top row down, each row from left to right."""
    return sorted(table, key=lambda at: (-at[0], at[1]))


def supports(table, at):
    row, slot = at
    return [under for under in ((row - 1, slot), (row - 1, slot + 1)) if under in table]


def neighbours(table, at):
    row, slot = at
    six = [
        (row, slot - 1),
        (row, slot + 1),
        (row - 1, slot),
        (row - 1, slot + 1),
        (row + 1, slot - 1),
        (row + 1, slot),
    ]
    return [near for near in six if near in table]


def places(table):
    if not table:
        return [(0, 0)]
    base = [slot for row, slot in table if row == 0]
    found = []
    for row in range(1, max(row for row, _ in table) + 2):
        for slot in range(min(s for _, s in table) - 1, max(s for _, s in table) + 2):
            if (row, slot) not in table and (row - 1, slot) in table and (row - 1, slot + 1) in table:
                found.append((row, slot))
    if base:
        found += [(0, slot) for slot in range(min(base), max(base)) if (0, slot) not in table]
    if found:
        return scan(found)
    return [(0, min(base) - 1), (0, max(base) + 1)] if base else []


def why_illegal(table, at, rules):
    tile, under = table[at], [table[each] for each in supports(table, at)]
    reasons = []
    by_weight_too = len(under) == 2 or rules["overhang"] == "colour-or-weight"
    if not any(same_colour(tile, each) or (by_weight_too and same_weight(tile, each)) for each in under):
        reasons.append("mismatch")
    if weight(tile) > sum(weight(each) for each in under):
        reasons.append("overweight")
    return reasons


class SlowResolution:
    """One resolution, changed in place as it goes."""

    def __init__(self, table, rules, players, active, missed, choices, die, placed):
        self.table, self.rules = dict(table), rules
        self.choices, self.die = list(choices), die
        self.payer = self.chooser = None if missed == "family" else active
        self.cursed_player = {"family": None, "strategy": active}.get(missed, (active - 1) % players)
        self.events, self.piles, self.out = [], {}, []
        self.used, self.rolled = [], None
        self.contacts = []
        self.placed = placed
        if placed is not None and rules["fire_die"] != "off":
            tile = self.table[placed]
            for near in neighbours(self.table, placed):
                other = self.table[near]
                if (is_incendiary(tile) and burns(tile, other)) or (
                    is_incendiary(other) and burns(other, tile)
                ):
                    self.contacts.append((near, other))
            self.placed_tile = tile

    def note(self, kind, **what):
        self.events.append({"event": kind, **what, "layout": write(self.table)})

    def take(self, slots):
        codes = [self.table.pop(at) for at in slots]
        if self.payer is None:
            self.out += codes
        elif codes:
            self.piles.setdefault(str(self.payer), []).extend(codes)
        return codes

    def remove(self, slots):
        codes = [self.table.pop(at) for at in slots]
        self.out += codes
        return codes

    def run(self):
        """Return what is needed, or None at the end."""
        try:
            while self.step():
                pass
        except NeedsMore as stop:
            return stop.args[0]
        return None

    def step(self):
        return self.air() or self.collapse() or self.explosion() or self.fire() or self.curse()

    def fall(self, at):
        tile = self.table[at]
        if not self.choices:
            raise NeedsMore({"choice": "fall", "tile": tile, "chooser": self.chooser})
        direction = self.choices.pop(0)
        self.used.append(direction)
        row, slot = at
        del self.table[at]
        self.table[(row - 1, slot + (direction == "right"))] = tile
        self.note("fall", tile=tile, direction=direction, chooser=self.chooser)

    def air(self):
        for at in scan(self.table):
            if at[0] > 0 and not supports(self.table, at):
                self.note("air", tile=self.table[at], chooser=self.chooser)
                self.fall(at)
                return True
        return False

    def collapse(self):
        for at in scan(self.table):
            if at[0] > 0 and (reasons := why_illegal(self.table, at, self.rules)):
                tile = self.table[at]
                taken = self.take(supports(self.table, at))
                self.note("collapse", tile=tile, reasons=reasons, taken=taken, payer=self.payer)
                self.fall(at)
                return True
        return False

    def explode(self, group):
        touched = scan({near for at in group for near in neighbours(self.table, at)} - set(group))
        taken = self.take(touched)
        tiles = self.remove(scan(group))
        self.note("explosion", tiles=tiles, taken=taken, payer=self.payer)

    def explosion(self):
        for at in scan(self.table):
            if not is_incendiary(self.table[at]):
                continue
            group = {at}
            while True:
                more = {
                    n for each in group for n in neighbours(self.table, each) if is_incendiary(self.table[n])
                }
                if more <= group:
                    break
                group |= more
            if len(group) > 1:
                self.explode(group)
                return True
        return False

    def in_order_of_fire(self, slots):
        slots = scan(slots)
        if self.rules["fire_order"] == "wood-first":
            return [s for s in slots if weight(self.table[s]) == 7] + [
                s for s in slots if weight(self.table[s]) == 1
            ]
        return slots

    def burn(self, at, leaves):
        tile = self.table[at]
        burning = {near for near in neighbours(self.table, at) if burns(tile, self.table[near])}
        while True:
            more = {n for each in burning for n in neighbours(self.table, each) if burns(tile, self.table[n])}
            if more <= burning:
                break
            burning |= more
        taken = self.take(scan(burning))
        if leaves:
            self.remove([at])
        self.note("fire", tile=tile, taken=taken, payer=self.payer, leaves=leaves)

    def fire(self):
        if self.rules["fire_die"] != "off":
            return self.fire_by_die()
        for at in self.in_order_of_fire([at for at in self.table if is_incendiary(self.table[at])]):
            if any(burns(self.table[at], self.table[near]) for near in neighbours(self.table, at)):
                self.burn(at, True)
                return True
        return False

    def fire_by_die(self):
        contacts = [at for at, code in self.contacts if self.table.get(at) == code]
        if not contacts or self.rolled or self.table.get(self.placed) != self.placed_tile:
            return False
        if self.die is None:
            raise NeedsMore({"choice": "die"})
        self.rolled = self.die
        self.note("die", roll=self.die)
        placed_is_fire = is_incendiary(self.placed_tile)
        causing = [self.placed] if placed_is_fire else contacts
        if self.die <= 4:
            for at in self.in_order_of_fire(causing):
                self.burn(at, self.die == 4)
        elif self.die == 5:
            group = set(causing)
            if self.rules["fire_die"] == "older":
                if placed_is_fire:
                    near = neighbours(self.table, self.placed)
                    group |= {at for at in near if burns(self.placed_tile, self.table[at])}
                else:
                    group.add(self.placed)
            self.explode(group)
        return True

    def curse(self):
        if not self.rules["curse"]:
            return False
        for at in scan(self.table):
            under = supports(self.table, at)
            if len(under) == 2 and all(same_weight(self.table[at], self.table[each]) for each in under):
                self.payer = self.chooser = self.cursed_player
                taken = self.take([at, *under])
                self.note("curse", tiles=taken, taken=taken, payer=self.payer)
                return True
        return False


def begin(request, choices, die):
    table = read(request["layout"])
    placed = None
    if request.get("place"):
        placed = (request["place"]["row"], request["place"]["slot"])
        if not table:
            placed = (0, 0)
        table[placed] = request["place"]["tile"]
    rules = {**DEFAULT_RULES, **(request.get("rules") or {})}
    return SlowResolution(
        table,
        rules,
        request.get("players") or 2,
        request.get("active") or 0,
        request.get("missed"),
        choices,
        die,
        placed,
    )


def answer(request):
    """Return what `judge` must answer to a sound request without `tree`."""
    slow = begin(request, request.get("choices") or [], request.get("die"))
    needs = slow.run()
    layout = write(slow.table)
    found = {
        "layout": layout,
        "stable": needs is None,
        "events": slow.events,
        "needs": needs,
        "piles": dict(sorted(slow.piles.items())),
        "out": slow.out,
    }
    if needs is None:
        found["places"] = [{"row": row, "slot": slot} for row, slot in places(read(layout))]
    return found


def outcomes(request):
    """Return what `judge` must list for a request with `tree`: every run again from the start."""
    found = []

    def explore(choices, die):
        slow = begin(request, choices, die)
        needs = slow.run()
        if needs is None:
            found.append(
                {
                    "choices": slow.used,
                    "die": slow.rolled,
                    "layout": write(slow.table),
                    "piles": dict(sorted(slow.piles.items())),
                    "out": slow.out,
                }
            )
        elif needs["choice"] == "die":
            for roll in range(1, 7):
                explore(choices, roll)
        else:
            for direction in ("left", "right"):
                explore([*choices, direction], die)

    explore([], request.get("die"))
    return found
