#!/usr/bin/env python
"""Train networks with JAX, as a peer of `bench_training.py`, which starts this program with a
Python that has JAX.

It needs JAX and numpy, and nothing of practica. Each line of its input is a request in JSON, and
gets a line back:

    {"file": PATH, "epochs": 100, "stacks": 2}    compile for the arrays in a .npz
        {"job": 0, "losses": [[...], ...]}
    {"job": 0}                                    train them once more
        {"job": 0}
    {}                                            report what is here
        {"version": ..., "backend": "gpu"}

Each network is written as for one alone, `jax.vmap` stacks them and one `jax.jit` takes all epochs
in a `lax.scan`. The layout, the shared inputs, the shares that separate training from validation
patterns and the one forward pass per epoch are those of `practica.reference.batched_training`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError as error:
    sys.exit(f"training_in_jax.py needs a Python with JAX and numpy: {error}")

EPSILON = 2.0**-23
RATE, BETA1, BETA2, ADAM_EPSILON = 0.01, 0.9, 0.999, 1e-8

Parameters = list[tuple[Any, Any]]


def losses_of(parameters: Parameters, shares: Any, inputs: Any, targets: Any) -> tuple[Any, Any]:
    """Return the training loss of a network, and beside it both losses; units by patterns."""
    values = inputs
    for weight, bias in parameters[:-1]:
        values = jax.nn.sigmoid(weight @ values + bias[:, None])
    weight, bias = parameters[-1]
    values = weight @ values + bias[:, None]
    if len(targets) == 1:
        p = jax.nn.sigmoid(values[0])
        hit = jnp.where(targets[0] > 0, p, 1 - p)
    else:
        hit = (jax.nn.softmax(values, axis=0) * targets).sum(axis=0)
    losses = -(shares @ jnp.log(hit + EPSILON))
    return losses[0], losses


def train(
    parameters: Parameters, shares: Any, inputs: Any, targets: Any, epochs: int
) -> tuple[Parameters, Any]:
    """Train a network with Adam, keeping the weights of the lowest validation loss.

    Return them and the last losses.
    """
    both = jax.value_and_grad(losses_of, has_aux=True)

    def epoch(state: Any, t: Any) -> tuple[Any, None]:
        parameters, mean, square, best, lowest, _ = state
        (_, losses), gradient = both(parameters, shares, inputs, targets)
        improves = losses[1] < lowest
        best = jax.tree.map(lambda kept, now: jnp.where(improves, now, kept), best, parameters)
        mean = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, mean, gradient)
        square = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, square, gradient)
        step, scale = RATE / (1 - BETA1**t), 1 / jnp.sqrt(1 - BETA2**t)
        parameters = jax.tree.map(
            lambda w, m, v: w - step * m / (jnp.sqrt(v) * scale + ADAM_EPSILON),
            parameters,
            mean,
            square,
        )
        return (parameters, mean, square, best, jnp.minimum(lowest, losses[1]), losses), None

    zeros = jax.tree.map(jnp.zeros_like, parameters)
    begin = (parameters, zeros, zeros, parameters, jnp.inf, jnp.zeros(2))
    (*_, best, _, losses), _ = jax.lax.scan(
        epoch, begin, jnp.arange(1, epochs + 1, dtype=jnp.float32)
    )
    return best, losses


def prepare(file: str, epochs: int, stacks: int) -> Callable[[], list[list[float]]]:
    """Return a function that trains all networks of a file, cut into stacks that run on threads of
    their own.
    """
    with np.load(file) as arrays:
        inputs, targets, shares = (
            jnp.asarray(arrays[name]) for name in ("inputs", "targets", "shares")
        )
        layers = sum(name.startswith("weight") for name in arrays)
        parameters = [(arrays[f"weight{layer}"], arrays[f"bias{layer}"]) for layer in range(layers)]
    of_all = jax.jit(jax.vmap(partial(train, epochs=epochs), in_axes=(0, 0, None, None)))
    pieces = [
        jax.tree.map(lambda array, where=where: jnp.asarray(array[where]), (parameters, shares))
        for where in np.array_split(np.arange(len(shares)), stacks)
    ]
    pool = ThreadPoolExecutor(stacks)

    def run() -> list[list[float]]:
        trained = pool.map(
            lambda piece: jax.block_until_ready(of_all(*piece, inputs, targets)), pieces
        )
        return np.concatenate([losses for _, losses in trained]).tolist()

    return run


def main() -> None:
    """Serve requests until the input ends."""
    jobs: list[Callable[[], list[list[float]]]] = []
    for line in sys.stdin:
        request = json.loads(line)
        if "file" in request:
            jobs.append(prepare(**request))
            answer: dict[str, Any] = {
                "job": len(jobs) - 1,
                "losses": jobs[-1](),
            }
        elif "job" in request:
            jobs[request["job"]]()
            answer = request
        else:
            answer = {"version": jax.__version__, "backend": jax.default_backend()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
