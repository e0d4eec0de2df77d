"""The practice as content for the engine: its rubric, its checks and its known mistakes.

    rubric.toml          points, requirements, forbidden functions and loop limits
    messages/            the sentences of checks and mistakes, in Spanish and English

If a function can be computed from its arguments, there is one oracle: what right code returns and,
with a switch on, what a known mistake does. The checks compare with it, and
`practica.grading.assignment.mistakes` registers its switches.

Each module imports only from those above it:

    cases                what is drawn, tame enough for every legal way of computing
    accepted_forms       what students legally return, brought to one form
    encoding             `one_hot_encoding` and `classify_outputs`: oracles and checks
    normalization        the parameters and the functions that normalize: oracles and checks
    network              checks of `build_class_ann`
    partition            checks of `hold_out` and `crossvalidation`
    optimisers           the steps of torch's optimisers
    oracle               a training in double precision, with switches for what may be wrong
    ways                 the right ways to train, and the wrong ones that are known
    trajectory           trainings compared with what follows from their initial weights
    training             checks of `train_class_ann`
    measures             oracles of `accuracy` and `confusion_matrix`
    metrics              checks of both
    recorded_folds       cross-validations whose patterns identify themselves
    recorded_trainings   trainings inside an `ann_cross_validation`
    cross_validation     checks of `ann_cross_validation`
    models               checks of `model_cross_validation`
    mistakes             known mistakes, one module for each module of checks
    edition_2026         the newest edition, as an assignment of its own: `--assignment
                         edition-2026`
"""

from practica.grading.engine.current import Assignment

__all__ = ["ASSIGNMENT"]

ASSIGNMENT = Assignment(
    package=__name__,
    checks=(
        *(
            "encoding",
            "normalization",
            "partition",
            "network",
            "training",
            "metrics",
            "cross_validation",
            "models",
        ),
    ),
    mistakes=(
        *("mistakes.encoding", "mistakes.normalization", "mistakes.partition", "mistakes.network"),
        *("mistakes.training", "mistakes.metrics", "mistakes.cross_validation", "mistakes.models"),
    ),
    function_of={
        "confusion_matrix_binary": "confusion_matrix",
        "confusion_matrix_multiclass": "confusion_matrix",
    },
    draws=frozenset(
        {
            *("build_class_ann", "hold_out", "train_class_ann"),
            *("crossvalidation", "ann_cross_validation", "model_cross_validation"),
        }
    ),
    builds="build_class_ann",
    # where one takes long
    examples_of={"train_class_ann": 2, "ann_cross_validation": 0, "model_cross_validation": 0},
)
