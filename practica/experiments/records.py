"""The record of an experiment as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import json
import os
import platform
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from filelock import FileLock, Timeout

import practica
from practica.evaluation.comparison import Comparison, comparison_of, finite
from practica.evaluation.estimators import Estimator, text_of
from practica.evaluation.model_scores import ModelScores
from practica.experiments.choices import Choices
from practica.experiments.tables import Table
from practica.files import opened, refuse_data
from practica.reference.arguments import brief

_PREPARED = ("normalization", "imputed")  # settings that models of the user's own do not depend on


def record_of(
    comparison: Comparison,
    models: Mapping[str, Estimator],
    table: Table,
    sources: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return an experiment as dictionaries, lists, strings and numbers.

    `practica.evaluation.load_comparison` reads it.

    `models` has the estimators that were compared, and perhaps more, by name, and `sources` the
    result of `sources_of`. A number that is not finite, which JSON does not know, is None; a
    parameter that JSON does not know is its text.
    """
    record = comparison.record()
    record["models"] = {
        name: {
            **_described(models[name], comparison.results[name]),
            **({"source": sources[name]} if sources and name in sources else {}),
            **model,
        }
        for name, model in record["models"].items()
    }
    data = {
        "name": table.name,
        "patterns": len(table.targets),
        "attributes": list(table.attributes),
        "class_sizes": {} if table.is_quantity else table.class_sizes(),
        "sha256": table.sha256,
    }
    return {"data": data, **record, "versions": versions()}


def versions() -> dict[str, str]:
    """Return the versions of the packages that decide a score, by name."""
    packages = {package: version(package) for package in ("numpy", "torch", "scikit-learn")}
    return {"practica": practica.__version__, "python": platform.python_version(), **packages}


class Earlier(NamedTuple):
    """The part of an earlier record that the same experiment can reuse."""

    same: Comparison | None = None  # the models that need not be trained again, if there are any
    entries: Mapping[str, Any] = {}  # those models, and others that are not asked for now
    # how attributes were prepared for the models that are not the user's own
    prepared: Mapping[str, object] = {}

    def kept_in(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record with the models of the earlier record added."""
        settings = dict(record["settings"])
        if all("source" in model for model in record["models"].values()):
            settings |= self.prepared
        others = {n: entry for n, entry in self.entries.items() if n not in record["models"]}
        models = record["models"] | others
        if own := sorted(name for name, model in models.items() if "source" in model):
            settings["own_models"] = own
        return {**record, "settings": settings, "models": models}


class RecordFile:
    """The file that keeps an experiment: written whole after each model, and never in the place of
    another experiment's.

    It holds the record of one table, or under "tables" those of several, by name.
    """

    def __init__(self, choices: Choices, data: Iterable[Path], *, several: bool = False) -> None:
        """Read the file at the path `choices.json`, if there is one; with None, nothing is kept.

        `data` are the files that hold the data. With `choices.overwrite`, any other file may be
        replaced.
        """
        self.path, self.overwrite = choices.json, choices.overwrite
        self.data, self.several = data, several
        self.records: dict[str, Any] = {}
        self._read()
        earlier = [record["settings"].get("random_state") for record in self.records.values()]
        seeds = (choices.seed, *earlier, secrets.randbelow(2**32))
        self.seed: int = next(seed for seed in seeds if seed is not None)

    def _read(self) -> None:
        path, several = self.path, self.several
        if path is None or not path.is_file() or not path.stat().st_size:
            return
        refuse_data(path, self.data)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            records = content["tables"] if several else {"": content}
            for record in records.values():
                comparison_of(record)
        except (LookupError, TypeError, AttributeError, ValueError):
            self._refuse(f"is no record of {'several tables' if several else 'one table'}")
            return
        if all("experiment" in record for record in records.values()):
            self.records = records
        else:
            self._refuse("is of an earlier version of practica, which kept less of an experiment")

    def earlier(
        self,
        place: str,
        models: Mapping[str, Estimator],
        sources: Mapping[str, str],
        facts: Mapping[str, object],
        *,
        pictured: bool,
    ) -> Earlier:
        """Return what an experiment can reuse; refuse the record of another experiment.

        `place` is the name of the table if there are several, `sources` the result of `sources_of`,
        and `facts` are what identifies the experiment, by the words of an error. A model is reused
        if all its parameters are the same and, for one of the user's own, its source is. If it is
        `pictured` on a page, a classifier needs its matrices and curves, which a record without a
        page lacks.
        """
        record = self.records.get(place)
        if record is None:
            return Earlier()
        entries = record["models"]
        differences = _differences(record["experiment"], facts)
        if models.keys() <= sources.keys() or all("source" in each for each in entries.values()):
            differences.pop("normalization", None)
        of_models = {}
        for name in models.keys() & entries.keys():
            mine = {
                "model": text_of(models[name]),
                "parameters": _parameters(models[name]),
                "source": sources.get(name),
            }
            if found := _differences(_traits(entries[name]), _traits(mine)):
                of_models[name] = f"{name}: {next(iter(found.values()))}"
        if told := [*differences.values(), *of_models.values()]:
            self._refuse(f"keeps another experiment ({'; '.join(told[:4])})")
        if differences:
            return Earlier()
        kept = {name: entry for name, entry in entries.items() if name not in of_models}
        again = {
            name: kept[name]
            for name in models
            if name in kept and (not pictured or "matrices" in kept[name])
        }
        settings = dict(record["settings"])
        settings.pop("own_models", None)
        same = {**record, "settings": settings, "models": again}
        prepared = {name: settings[name] for name in _PREPARED if name in settings}
        return Earlier(comparison_of(same) if again else None, kept, prepared)

    def keep(self, record: Mapping[str, Any], place: str, facts: Mapping[str, object]) -> None:
        """Store the record of the table `place`, and write the file if it is a regular one."""
        prepared = {"normalization": record["settings"]["normalization"]}
        self.records[place] = {**record, "experiment": {**facts, **prepared}}
        if self.path is not None and (self.path.is_file() or not self.path.exists()):
            with opened(self.path, data=self.data) as file:
                self._write(file)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Open the file at once, so that it certainly can be written, and write it at the end of
        the block.

        Meanwhile no other process may write it; what another one has just written is read again.
        """
        with opened(self.path, data=self.data) as file, _only_writer(self.path):
            self._read()
            yield
            self._write(file)

    def _write(self, file: TextIO | None) -> None:
        if file is not None:
            write({"tables": self.records} if self.several else self.records[""], file)

    def _refuse(self, reason: str) -> None:
        if not self.overwrite:
            raise ValueError(
                f"{self.path} {reason}; give another name, or --overwrite to replace it"
            )


@contextmanager
def _only_writer(path: Path | None) -> Iterator[None]:
    """Hold the lock of a record; refuse the record that another process is writing."""
    if path is None or (path.exists() and not path.is_file()):
        yield
        return
    real = Path(os.path.realpath(path))
    lock = FileLock(real.with_name(f".{real.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ValueError(
            f"{path} is being written by another process; give another name, or wait for its end"
        ) from None
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no file that is open
            Path(lock.lock_file).unlink()
        lock.release()


def _traits(entry: Mapping[str, Any]) -> dict[str, object]:
    """Return the part of a model's entry that identifies the model."""
    kind = str(entry.get("model")).partition("(")[0]
    return {"model": kind, **entry.get("parameters", {}), "source": entry.get("source")}


def _differences(there: Mapping[str, object], here: Mapping[str, object]) -> dict[str, str]:
    """Return, in words, the facts that differ between a record and this experiment."""
    return {
        name: f"{name} {_in_words(there.get(name))}, here {_in_words(here.get(name))}"
        for name in {**there, **here}
        if there.get(name) != here.get(name)
    }


def _in_words(fact: object) -> str:
    if fact is None or fact is True:
        return "given" if fact else "not given"
    return brief(fact, 40)


def _described(model: Estimator, result: ModelScores) -> dict[str, Any]:
    pairs = {metric: result.mean_and_std(metric) for metric in result.metrics}
    return {
        "parameters": _parameters(model),
        "mean": {metric: finite(pair.mean) for metric, pair in pairs.items()},
        "std": {metric: finite(pair.std) for metric, pair in pairs.items()},
    }


def _parameters(model: Estimator) -> dict[str, object]:
    return {name: _known_to_json(value) for name, value in model.get_params().items()}


def _known_to_json(value: object) -> object:
    """Return a value as JSON would return it, or its text without addresses of objects."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError):
        return re.sub(" at 0x[0-9a-f]+", "", str(value))


def write(record: Mapping[str, Any], file: TextIO) -> None:
    """Write a record as JSON, one key a line."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
        for key, value in record.items()
    )
    file.write("{" + ",\n ".join(lines) + "}\n")
