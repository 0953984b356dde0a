"""The open questions of the rules, one documented field each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum

from referee.errors import Fault, OptionError


class Overhang(Enum):
    """What a tile on one support must share with it. Rule 4.2."""

    COLOUR = "colour"
    """The colour alone (both online helps)."""
    COLOUR_OR_WEIGHT = "colour-or-weight"
    """The same weight will do as well (French rulebook)."""


class FireOrder(Enum):
    """Which of several fires burns first. Rule 4.4."""

    WOOD_FIRST = "wood-first"
    """Blowtorches before coals (French rulebook)."""
    POSITION = "position"
    """Scanning order alone (English rulebook, newer online help)."""


class FireDie(Enum):
    """Whether a die decides about fires, and what its explosion does. Rule 4, fire die."""

    OFF = "off"
    NEWER = "newer"
    """Newer online help."""
    OLDER = "older"
    """Older online help, French rulebook."""


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of one game. The defaults are those of RULES.md."""

    overhang: Overhang = Overhang.COLOUR
    """Rule 4.2: the helps ask for the colour; the French rulebook takes the weight as well."""
    fire_order: FireOrder = FireOrder.WOOD_FIRST
    """Rule 4.4: only the French rulebook tells the two fires apart."""
    curse: bool = False
    """Rule 4.5: an optional variant in every source that has it."""
    fire_die: FireDie = FireDie.OFF
    """Rule 4, fire die: an optional variant of the online game."""


DEFAULTS = Options()

VALUES: Mapping[str, Mapping[object, object]] = {
    "overhang": {value.value: value for value in Overhang},
    "fire_order": {value.value: value for value in FireOrder},
    "curse": {False: False, True: True},
    "fire_die": {value.value: value for value in FireDie},
}
"""Setting -> the values it may have, as they are written in JSON -> the engine's own."""


def read_options(rules: Mapping[str, object]) -> Options:
    """Return the options that names and values ask for; what is not named, or null, keeps its default.

    Raises:
        OptionError: A setting or a value that does not exist.
    """
    found: dict[str, object] = {}
    for name, value in rules.items():
        known = VALUES.get(name)
        if known is None:
            raise OptionError(Fault.UNKNOWN_RULE, name=name, known=", ".join(VALUES))
        if value is None:
            continue
        wanted = bool if name == "curse" else str
        if type(value) is not wanted or value not in known:
            values = ", ".join(_written(each) for each in known)
            raise OptionError(Fault.UNKNOWN_RULE_VALUE, name=name, value=value, known=values)
        found[name] = known[value]
    return Options(**found)  # type: ignore[arg-type]  # values come from VALUES


def read_options_text(text: str) -> Options:
    """Return the options of a list such as `curse=true,fire_die=newer`.

    Raises:
        OptionError: A part that is not NAME=VALUE, or a setting or a value that does not exist.
    """
    rules: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise OptionError(Fault.NOT_NAME_AND_VALUE, part=part)
        rules[name] = {"true": True, "false": False}.get(value, value) if name == "curse" else value
    return read_options(rules)


def write_options(options: Options) -> dict[str, object]:
    """Return the options as names and values, the way `read_options` takes them."""
    pairs = ((field.name, getattr(options, field.name)) for field in fields(options))
    return {name: value.value if isinstance(value, Enum) else value for name, value in pairs}


def _written(value: object) -> str:
    """Return a value as it is written in JSON."""
    return str(value).lower() if isinstance(value, bool) else repr(value)
