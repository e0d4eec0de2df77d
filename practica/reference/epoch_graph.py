"""CUDA graph of an epoch: on a GPU one launch instead of some fifty, each of which takes longer than its work.

`replayed` changes no result, only the time. It is for a function that works on the same tensors in every call; its code
in Python runs twice only, and must have no state of its own.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

__all__ = ["replayed"]

_LOG = logging.getLogger(__name__)
_WAITED = "called a synchronizing CUDA operation"  # torch's warning


def replayed(epoch: Callable[[], Tensor]) -> Callable[[], Tensor]:
    """Return what does the same as a function, by replaying from the second call on what its kernels were.

    The first call runs it on a side stream, where libraries allocate what they must not while a graph is captured. If
    it waits for the GPU, as a transfer function of the user's may, or cannot be captured, every call runs it.
    """

    def calls() -> Iterator[Tensor]:
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        losses, waited = _warmed_up(epoch, stream)
        yield losses
        call = epoch if waited else _captured(epoch, stream) or epoch
        while True:
            yield call()

    return calls().__next__


def _warmed_up(epoch: Callable[[], Tensor], stream: torch.cuda.Stream) -> tuple[Tensor, bool]:
    """Call a function on a stream; return its result, and whether it waited for the GPU.

    To capture such a function fails, and would leave torch's random numbers on the GPU unusable.
    """
    current, mode = torch.cuda.current_stream(), torch.cuda.get_sync_debug_mode()
    stream.wait_stream(current)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            with torch.cuda.stream(stream):
                result = epoch()
        finally:
            torch.cuda.set_sync_debug_mode(mode)
    current.wait_stream(stream)
    return result, any(_WAITED in str(warning.message) for warning in caught)


def _captured(epoch: Callable[[], Tensor], stream: torch.cuda.Stream) -> Callable[[], Tensor] | None:
    """Return what replays a function, or None, logged, if torch cannot capture it."""
    graph = torch.cuda.CUDAGraph()
    try:
        # The outer context restores the stream where the inner one fails.
        with torch.cuda.stream(stream), torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
            result = epoch()
    except RuntimeError as error:
        _LOG.warning("an epoch cannot be captured as a CUDA graph (%s): it takes longer", error)
        return None

    def replay() -> Tensor:
        graph.replay()
        return result.clone()  # the next replay writes to the same tensor

    return replay
