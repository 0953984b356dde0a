"""Video files and folders of frames: followed in order, or played like a camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from tests.vision.sources.made_up import (
    SIZE_WH,
    SLOW,
    number_in,
    picture,
    write_video,
)
from vision.errors import ImageError, SourceError
from vision.sources.motion_gate import MotionGate, TableMotion
from vision.sources.open_source import (
    Frame,
    Lost,
    Skipped,
    open_source,
)


@pytest.mark.parametrize(("suffix", "code"), [(".avi", "MJPG"), (".mp4", "mp4v")])
def test_a_video_is_followed_at_its_own_time(tmp_path: Path, suffix: str, code: str) -> None:
    with open_source(str(write_video(tmp_path / f"game{suffix}", code))) as source:
        assert not source.is_live
        frames = list(source)
    assert [frame.number for frame in frames] == list(range(6))
    assert [round(frame.time_s, 3) for frame in frames] == [0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert [number_in(frame) for frame in frames] == list(range(6))
    assert frames[0].image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert source.now_s() == frames[-1].time_s
    assert list(source) == []


def test_a_folder_is_followed_in_the_order_of_names_past_what_cannot_be_read(tmp_path: Path) -> None:
    for number in (2, 0, 3):
        cv2.imwrite(str(tmp_path / f"frame_{number}.png"), picture(number))
    cv2.imwrite(str(tmp_path / "frame_4.png"), picture(3))
    (tmp_path / "frame_1.png").write_text("no picture")
    (tmp_path / "notes.txt").write_text("not looked at")
    items = list(open_source(str(tmp_path)))
    assert [number_in(item) if isinstance(item, Frame) else type(item) for item in items] == [
        0,
        Skipped,
        2,
        3,
        3,
    ]
    assert "frame_1.png" in str(items[1])
    assert [(item.number, round(item.time_s * 15)) for item in items if isinstance(item, Frame)] == [
        (0, 0),
        (2, 2),
        (3, 3),
        (4, 4),
    ]


def test_photos_of_one_table_after_the_other_are_held_each(tmp_path: Path) -> None:
    """So that each settles; a folder in which no two pictures are alike is no film."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(number))
    (tmp_path / "1b.png").write_text("no picture")
    source = open_source(str(tmp_path))
    items = list(source)
    frames = [item for item in items if isinstance(item, Frame)]
    assert [number_in(frame) for frame in frames] == [0] * 5 + [1] * 5 + [2] * 5
    assert [round(frame.time_s, 3) for frame in frames[:6]] == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert len(items) == len(frames) + 1
    gate = MotionGate()
    states = [gate.see(frame) for frame in frames]
    assert states.count(TableMotion.SETTLED) == 3


def test_a_closed_recording_ends(tmp_path: Path) -> None:
    source = open_source(str(write_video(tmp_path / "a.avi", "MJPG")))
    items = iter(source)
    assert isinstance(next(items), Frame)
    source.close()
    assert list(items) == []


def test_a_recording_can_be_played_like_a_camera(tmp_path: Path) -> None:
    """Times are those of the file, no frame comes before its time, and the end is the end."""
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(number))
    cv2.imwrite(str(tmp_path / "4.png"), picture(3))
    (tmp_path / "3b.png").write_text("no picture")
    with open_source(str(tmp_path), live=True, patience=SLOW) as source:
        assert source.is_live
        seen = []
        for item in source:
            if isinstance(item, Frame):
                assert source.now_s() >= item.time_s
                assert min(round(item.time_s * 15), 3) == number_in(item)
                seen.append(number_in(item))
            else:
                assert isinstance(item, Skipped)
    assert seen == sorted(seen)
    assert seen[-1] == 3


@pytest.mark.parametrize("kind", ["folder", "game.avi", "game.mp4"])
def test_a_recording_is_played_from_where_it_was(tmp_path: Path, kind: str) -> None:
    if kind == "folder":
        for number in range(12):
            cv2.imwrite(str(tmp_path / f"{number:02d}.png"), picture(number // 2))
        recording, begin_s, rate, numbers = tmp_path, 8 / 15, 15, [4, 4, 5, 5]
    else:
        recording = write_video(tmp_path / kind, "MJPG" if kind.endswith("avi") else "mp4v")
        begin_s, rate, numbers = 0.3, 10, [3, 4, 5]
    with open_source(str(recording), live=True, patience=SLOW, begin_s=begin_s) as source:
        frames = list(source)
        assert source.now_s() >= frames[-1].time_s
    assert frames
    first = round(begin_s * rate)
    assert all(number_in(frame) == numbers[round(frame.time_s * rate) - first] for frame in frames)
    assert frames[-1].time_s == pytest.approx((first + len(numbers) - 1) / rate)


def test_a_folder_that_vanishes_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), picture(number))
    for live in (False, True):
        with open_source(str(folder), live=live, patience=SLOW) as source:
            items = iter(source)
            assert isinstance(next(items), Frame)
            folder.rename(tmp_path / "aside")
            lost = next(item for item in items if not isinstance(item, Frame))
            assert isinstance(lost, Lost)
            assert str(lost).startswith(f"Folder '{folder}' is not there any more.")
        (tmp_path / "aside").rename(folder)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "was not found"),
        ("none.avi", "was not found. Name a camera"),
        ("a\0b", "was not found"),
        ("x" * 5000, "was not found"),
        ("192.168.0.3:80/video?token=secret", "'192.168.0.3:80/video?…' was not found"),
        ("bob:secret@camera/video", "'…@camera/video' was not found"),
        ("100", "There is no camera 100"),
        ("9" * 500, "There is no camera 9"),
        ("ftp://bob:secret@host/x", "'ftp://…@host/x' cannot be opened. The address of a stream begins with"),
        ("http://", "is not a complete address. It should look like http://"),
        ("http://h:secret/", "is not a complete address"),
        ("rtsp://[::1/", "is not a complete address"),
        ("rtsp://host/a b", "is not a complete address"),
        ("http://host/x\r\nCookie: a", "is not a complete address"),
        ("http://host/" + "x" * 2000, "is not a complete address"),
    ],
)
def test_what_can_never_work_is_refused_at_once(text: str, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(text)
    assert words in str(caught.value)
    assert "secret" not in f"{caught.value!r} {caught.value.values} {caught.value.__context__!r}"


def test_files_and_folders_without_frames_are_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "text.avi").write_text("no video")
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "empty").mkdir()
    (tmp_path / "one.png").write_bytes(cv2.imencode(".png", picture(1))[1].tobytes())
    for name, words in {
        "text.avi": "not a video that can be read",
        "empty.mp4": "not a video that can be read",
        "empty": "holds no pictures",
        "one.png": "single picture",
    }.items():
        with pytest.raises(SourceError, match=words):
            open_source(str(tmp_path / name))


def test_pictures_that_are_too_small_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(cv2.imencode(".png", picture(1)[:8])[1].tobytes())
    (notice,) = open_source(str(tmp_path))
    assert isinstance(notice, Skipped)
    assert "64 x 8 pixels" in str(notice)


def test_a_video_of_huge_pictures_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.imaging.photo.MAX_MEGAPIXELS", 0.001)
    with pytest.raises(ImageError, match="megapixels"):
        open_source(str(write_video(tmp_path / "a.avi", "MJPG")))
