"""The command ``pyramid-referee``: finds the subcommand, runs it, and turns every failure into a sentence.

A subcommand is a module of `ui.cli.commands` with

- ``HELP``: one line for the list of commands;
- ``add_arguments(parser)``: declares its arguments;
- ``run(args) -> int``: does the work and returns the exit status.

Only the module that was asked for is imported, and the modules keep Qt, cv2 and onnxruntime out of
their top level, so that a command pays for nothing it does not use. This module, too, imports next to
nothing before `main` runs: a Ctrl-C during a slow import ends as quietly as one during the work.
"""

from __future__ import annotations

import os
import sys

from ui import __version__
from ui.cli.interrupts import Interrupts
from ui.cli.streams import ShownStream, fill_closed_streams

TYPE_CHECKING = False  # what `typing` calls by this name, without the time that its import takes
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_USAGE = 2

DEFAULT_COMMAND = "app"
ASKED_BY_A_SHELL = "_ARGCOMPLETE"
"""The variable by which a shell asks what may follow."""


def main(argv: Sequence[str] | None = None) -> int:
    """Return the exit status of one run.

    Args:
        argv: The arguments after the program's name; those of the process where left out.
    """
    interrupts = Interrupts(ends_with_us=argv is None)
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    has_output = fill_closed_streams()
    streams = sys.stdout, sys.stderr
    try:
        try:
            _prepare_streams()
            _start_logging()
            status = _dispatch(arguments, has_output=has_output)
        finally:
            # Python would flush these at exit, where nobody is left to catch a closed pipe.
            sys.stdout.flush()
        if status == EXIT_FAILED and interrupts.have_come:
            return interrupts.end()  # what was under way then may have failed by it
        return status
    except KeyboardInterrupt:
        return interrupts.end()
    except BrokenPipeError:
        return _reader_left()
    except Exception as error:  # the one catch-all of the command line
        if interrupts.have_come:  # an import that Ctrl-C broke off raises whatever it likes
            return interrupts.end()
        _log(error, arguments)
        if debug:
            raise
        _say(_sentence_about(error))
        return _reader_left() if _is_output_full(error) else EXIT_FAILED
    finally:
        sys.stdout, sys.stderr = streams
        interrupts.leave()


def command_names() -> list[str]:
    """Return the names of the subcommands that exist, sorted."""
    import pkgutil

    import ui.cli.commands

    return sorted(found.name for found in pkgutil.iter_modules(ui.cli.commands.__path__))


def _dispatch(arguments: list[str], *, has_output: bool) -> int:
    names = command_names()
    try:
        common, _ = _common_options().parse_known_args(arguments)
    except SystemExit:
        return EXIT_USAGE
    _choose_language(common.lang)
    if ASKED_BY_A_SHELL in os.environ:
        return _complete()
    chosen = _first_word(arguments)
    wants_overview = chosen is None and bool({"-h", "--help"} & set(arguments))
    if chosen is None and not wants_overview and "--version" not in arguments:
        chosen = DEFAULT_COMMAND
        arguments = [DEFAULT_COMMAND, *arguments]
    if not has_output and chosen != DEFAULT_COMMAND:
        return _no_output()
    parser, run = _build_parser(names, chosen, with_help=wants_overview)
    try:
        args = parser.parse_args(arguments)
    except SystemExit as stop:  # argparse has printed the help, or what is wrong with the arguments
        return stop.code if isinstance(stop.code, int) else EXIT_USAGE
    if run is None:  # argparse lets no unknown command through
        return EXIT_USAGE
    for option, value in vars(common).items():
        setattr(args, option, value)
    return run(args)


def whole_parser() -> argparse.ArgumentParser:
    """Return the parser with every argument of every command: for completion, and for the man page."""
    return _build_parser(command_names(), None, with_help=True, is_whole=True)[0]


def _complete() -> int:
    """Tell the shell what may follow what was typed so far."""
    import argcomplete

    argcomplete.autocomplete(whole_parser())
    return EXIT_DONE


def _build_parser(
    names: list[str], chosen: str | None, *, with_help: bool, is_whole: bool = False
) -> tuple[argparse.ArgumentParser, Callable[[argparse.Namespace], int] | None]:
    """Return the parser, and the function that runs the chosen command.

    The other commands are known by name only, unless the overview must tell what each of them does, or the
    whole is asked for.
    """
    from importlib import import_module

    from ui.cli.parser import described
    from ui.text.catalogue import _

    common = _common_options()
    parser = _parser_without_commands(common)
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND", dest="command", required=True)
    run = None
    for name in names:
        if name == chosen or is_whole:
            module = import_module(f"ui.cli.commands.{name}")
            command = commands.add_parser(
                name,
                help=_(module.HELP),
                description=described(module.HELP),
                parents=[common],
                allow_abbrev=False,
            )
            module.add_arguments(command)
            run = module.run
        elif with_help:
            commands.add_parser(name, help=_(import_module(f"ui.cli.commands.{name}").HELP))
        else:
            commands.add_parser(name)
    return parser, run


def _parser_without_commands(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return the parser of what may come before a command."""
    import argparse

    from ui.text.catalogue import _

    parser = argparse.ArgumentParser(
        prog="pyramid-referee",
        description=_(
            "The referee for the board game Flaming Pyramids: it looks at the table and says what "
            "must be resolved, in what order, and who pays. Without a command it opens the app."
        ),
        parents=[common],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_show_version_action(), help=_("print the version and stop"))
    return parser


def _common_options() -> argparse.ArgumentParser:
    import argparse

    from ui.text.catalogue import _

    common = argparse.ArgumentParser(prog="pyramid-referee", add_help=False, allow_abbrev=False)
    common.add_argument("--debug", action="store_true", help=_("show the details of an error"))
    common.add_argument("--lang", metavar="CODE", help=_("the language of the sentences, such as en or fr"))
    return common


def _first_word(arguments: list[str]) -> str | None:
    """Return the first argument that is no option and no option's value: the command, if there is one."""
    takes_value = False
    for argument in arguments:
        if not takes_value and not argument.startswith("-"):
            return argument
        takes_value = argument == "--lang"
    return None


def _show_version_action() -> type[argparse.Action]:
    import argparse

    class ShowVersion(argparse.Action):
        """Prints the version, after the name of the program."""

        def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
            super().__init__(option_strings, dest=argparse.SUPPRESS, nargs=0, help=help)

        def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
            print(f"{parser.prog} {__version__}")
            parser.exit(EXIT_DONE)

    return ShowVersion


def _choose_language(code: str | None) -> None:
    from ui.cli.parser import translate_argparse
    from ui.text.catalogue import choose_language

    choose_language(code)
    translate_argparse()


def _prepare_streams() -> None:
    """Let every file name and symbol be printed, in some way, on every terminal."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = ShownStream(sys.stdout), ShownStream(sys.stderr)


def _no_output() -> int:
    from ui.text.catalogue import mark, say

    _say(say(mark("The standard output is closed, so no answer can be printed.")))
    return EXIT_FAILED


def _start_logging() -> None:
    from ui.storage.log import start_logging

    start_logging()


def _log(error: Exception, arguments: list[str]) -> None:
    """Note an error that nobody foresaw, with its traceback."""
    if not isinstance(error, _errors_with_a_sentence()):
        import logging

        logging.getLogger(__name__).error(
            "%s failed", _first_word(arguments) or DEFAULT_COMMAND, exc_info=error
        )


def _reader_left() -> int:
    """Return the status for a closed standard output, as after ``| head``."""
    # What is still buffered goes nowhere, or Python would complain about it at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILED


def _is_output_full(error: Exception) -> bool:
    """Return whether standard output cannot be written to, as on a full disk."""
    try:
        sys.stdout.flush()
    except OSError:
        return isinstance(error, OSError)
    return False


def _sentence_about(error: Exception) -> str:
    from ui.text.catalogue import mark, say

    if isinstance(error, _errors_with_a_sentence()):
        from ui.text.errors import error_sentence

        return error_sentence(error)
    if isinstance(error, OSError) and error.strerror:
        about = f" ({error.filename})" if error.filename else ""
        refused = mark("The system refused: {reason}. Run the same command with --debug for details.")
        return say(refused, reason=f"{error.strerror}{about}")
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    failed = mark(
        "Something went wrong inside the referee ({what}). Run the same command with --debug for details."
    )
    return say(failed, what=what)


def _errors_with_a_sentence() -> tuple[type[Exception], ...]:
    """Return the packages' own error types; a package that was never imported cannot have raised one."""
    trees = (("referee.errors", "RefereeError"), ("ui.errors", "ToldError"), ("vision.errors", "VisionError"))
    return tuple(getattr(sys.modules[module], name) for module, name in trees if module in sys.modules)


def _say(sentence: str) -> None:
    try:
        print(f"pyramid-referee: {sentence}", file=sys.stderr, flush=True)
    except OSError:
        return  # nobody listens on standard error either; the exit status still tells
