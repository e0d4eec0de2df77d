"""Commands with help and refusals in the language chosen for a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from practica.cli.options import Refused, reporting
from practica.grading.report.messages import LANGUAGES, catalogue, say


class SpokenCommand(click.Command):
    """A command that takes its help from the catalogue of messages.

    `help.<command>` is its text, and `help.--<option>` that of an option.
    """

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the arguments; errors are reported in the user's language."""
        self._lang = _language(args)
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            raise self._refusal(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; its failures are reported in the user's language."""
        with reporting(lambda error: say("failed", {"error": error}, self._lang), self._lang):
            return super().invoke(ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help."""
        arguments = self._in_words(" ".join(self.collect_usage_pieces(ctx)))
        formatter.write_usage(ctx.command_path, arguments, f"{say('help.usage', {}, self._lang)} ")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say(f"help.{self.name}", {}, self._lang))
        with formatter.section(say("help.options", {}, self._lang)):
            formatter.write_dl(list(self._options(ctx)))

    def _options(self, ctx: click.Context) -> Iterator[tuple[str, str]]:
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
                yield (
                    self._in_words(record[0]),
                    say(f"help.{max(parameter.opts, key=len)}", {}, self._lang),
                )

    def _in_words(self, usage: str) -> str:
        """Return a usage line with the names of arguments in the user's language."""
        return re.sub(
            r"[A-Z]{3,}",
            lambda found: catalogue(self._lang).get(f"metavar.{found[0]}", found[0]),
            usage,
        )

    def _refusal(self, error: click.UsageError) -> Refused:
        match error:
            case click.NoSuchOption():
                id, facts = "usage.no_option", {"name": error.option_name}
            case click.MissingParameter(
                param=click.Parameter() as missing, ctx=click.Context() as ctx
            ):
                id, facts = "usage.missing", {"name": missing.make_metavar(ctx)}
            case click.BadParameter(param=click.Parameter(name="lang")):
                id, facts = "usage.language", {}
            case _:
                id, facts = "usage.other", {}
        return Refused(say(id, {"command": f"practica {self.name}", **facts}, self._lang))


class SpokenGroup(click.Group):
    """A group of commands that help, and refuse, in the user's language."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help: of each command its first sentence."""
        lang = _language(())
        formatter.write_usage(
            ctx.command_path, say("help.arguments", {}, lang), f"{say('help.usage', {}, lang)} "
        )
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say("help.practica", {}, lang))
        with formatter.section(say("help.commands", {}, lang)):
            commands = [
                (name, say(f"help.{name}", {}, lang).partition(". ")[0])
                for name in self.list_commands(ctx)
            ]
            formatter.write_dl([(name, f"{text.removesuffix('.')}.") for name, text in commands])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that arguments begin with; refuse one that does not exist."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            facts = {"name": args[0], "known": self.list_commands(ctx)}
            raise Refused(say("usage.no_command", facts, _language(args))) from None


def _language(args: Sequence[str]) -> str:
    """Return the language that the arguments, which are not parsed yet, choose, or else that of
    the file that they name or of this folder.
    """
    from practica.grading.student.language import language

    chosen = [
        name for name in LANGUAGES if f" --lang {name} " in f" {' '.join(args)} ".replace("=", " ")
    ]
    files = [path for path in map(Path, args) if path.is_file()]
    folder = files[0].parent if files else Path.cwd()
    return chosen[-1] if chosen else language(folder, None, *files[:1])
