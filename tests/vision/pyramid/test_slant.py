"""How squares look squashed that a camera sees aslant."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.imaging.geometry import UNIT_SQUARE, Points
from vision.pyramid.slant import STRAIGHT, straightening, usual_squash, within


def turn(degrees: float) -> NDArray[np.float64]:
    """A turn by so many degrees, as a (2, 2) matrix."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s], [s, c]])


def seen(lies_deg: float, by: float, along_deg: float = 0.0) -> Points:
    """A square that lies turned, squashed across a direction."""
    squashed = turn(along_deg) @ np.diag([1, 1 / by]) @ turn(-along_deg)
    return (40 * (UNIT_SQUARE - 0.5) @ (squashed @ turn(lies_deg)).T + 300).astype(np.float32)


@pytest.mark.parametrize("lies_deg", [0, 20, 45, 90, 250])
@pytest.mark.parametrize("along_deg", [0, 30, 90])
def test_a_square_tells_how_it_is_squashed_whichever_way_it_lies(lies_deg: float, along_deg: float) -> None:
    angle = 2 * np.radians(along_deg)
    expected = np.log(1.6) * np.array([np.cos(angle), np.sin(angle)])
    assert usual_squash([seen(lies_deg, 1.6, along_deg)]) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("along_deg", [0, 30, 90])
def test_what_is_squashed_is_stretched_to_squares_and_nothing_gets_smaller(along_deg: float) -> None:
    quads = [seen(lies, 1.6, along_deg) for lies in (0, 33)]
    stretch = straightening(usual_squash(quads))
    assert usual_squash([quad @ stretch.T for quad in quads]) == pytest.approx(STRAIGHT, abs=1e-5)
    assert np.linalg.svd(stretch)[1] == pytest.approx([1.6, 1.0], abs=1e-5)


def test_squares_that_are_squashed_across_each_other_are_not_squashed_in_the_mean() -> None:
    """Oblong tiles of another game lie any way."""
    assert usual_squash([seen(0, 1.4), seen(0, 1.4, 90)]) == pytest.approx(STRAIGHT, abs=1e-5)
    assert (usual_squash([]) == STRAIGHT).all()
    assert usual_squash([seen(10, 1.0)]) == pytest.approx(STRAIGHT, abs=1e-4)


def test_no_camera_squashes_squares_to_slivers() -> None:
    assert np.hypot(*within(np.array([1.5, -2.0]))) == pytest.approx(1.1)
    assert (within(np.array([0.3, 0.4])) == [0.3, 0.4]).all()
    assert (within(STRAIGHT) == STRAIGHT).all()
