"""The device that trains networks: the processors, or a GPU where one is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from torch.cuda import is_available as finds_a_gpu

from practica.reference.batched_training import can_be_batched
from practica.reference.network import TransferFunction

__all__ = ["as_device"]


def as_device(device: str, transferFunctions: Sequence[TransferFunction] | None = None) -> str:
    """Return the device that trains networks, "cpu" or "cuda"; ValueError if there is no such
    device.

    Networks with transfer functions other than torch's elementwise ones are trained on the CPU,
    regardless of the device.
    """
    if device not in ("cpu", "cuda"):
        raise ValueError(f"device={device!r} is unknown; it must be 'cpu' or 'cuda'")
    if device == "cuda" and not finds_a_gpu():
        raise ValueError("device='cuda': torch finds no GPU here; use 'cpu'")
    return device if can_be_batched(transferFunctions) else "cpu"
