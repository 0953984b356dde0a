"""Where the bundle starts: the command line, or one of the processes that it starts beside itself."""

import multiprocessing
import sys


def main():
    multiprocessing.freeze_support()
    word = sys.argv[1] if len(sys.argv) == 2 else ""
    if word == "camera-process":
        from vision.sources.camera_process import main as write_pictures

        return write_pictures()
    if word == "screen-probe":
        from ui.platform import display

        return exec(display.PROBE)
    from ui.cli.main import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
