"""The command line: one module a command, imported when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper

import click

from rocktower.errors import RocktowerError

__all__ = ["main"]

# command -> "module:function"; a command's module is imported only when it runs.
COMMANDS = {
    "arena": "rocktower.cli.arena:arena",
    "calibrate": "rocktower.cli.calibrate:calibrate",
    "check": "rocktower.cli.check:check",
    "draw": "rocktower.cli.draw:draw",
    "emulate": "rocktower.cli.emulate:emulate",
    "export-table": "rocktower.cli.export_table:export",
    "hammer": "rocktower.cli.hammer:hammer",
    "odds": "rocktower.cli.odds:odds",
    "play": "rocktower.cli.play:play",
    "record": "rocktower.cli.record:record",
    "replay": "rocktower.cli.replay:replay",
    "sample": "rocktower.cli.sample:sample",
    "serve": "rocktower.cli.serve:serve",
    "stats": "rocktower.cli.stats:stats",
    "validate": "rocktower.cli.validate:validate",
    "verify": "rocktower.cli.verify:verify",
    "view": "rocktower.cli.view:view",
}


class _LazyGroup(click.Group):
    """A click group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, function = COMMANDS[cmd_name].split(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)  # noqa: S101 - COMMANDS names only commands
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("rocktower"), prog_name="rocktower")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(*, debug: bool) -> None:  # main() reads it
    """Strike a wooden tower full of boulders, and play the games around it."""


def main() -> None:
    """Run the command line.

    The exit status is 0 if all went well; 2, after one clear line, for bad input; 1 if what a
    command checks did not pass (`replay`, `validate`, `verify`); 130, after a line that says what
    is kept, if it was interrupted by Ctrl-C. A server and a recording end well in that way: 0.
    """
    debug = "--debug" in sys.argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(
                errors="replace"
            )  # a mark that a terminal lacks is no reason to fail
    try:
        cli.main(standalone_mode=False)
    except RocktowerError as error:
        if debug:
            raise
        _fail(str(error), 2)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        _fail("interrupted", 130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except OSError as error:
        if debug:
            raise
        # What has no name is a stream, such as the output of the command.
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror or error}", 2)
    except MemoryError:
        if debug:
            raise
        _fail("there is not enough memory for this", 2)


def _fail(message: str, status: int) -> None:
    click.echo(f"rocktower: {message}", err=True)
    sys.exit(status)
