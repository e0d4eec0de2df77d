"""The sentences of the statement as checks that run against any solution.

Where a function can be computed from its arguments there is one oracle: what right code returns and, with a switch on,
what a known mistake does. The checks compare with it, and `practica.diagnosis` registers its switches.

Each module imports only from those above it:

    plain                plain data: all that passes between the student's process and whoever asks it
    loading              a student's file as text, and as steps that run one after the other
    lines                how often the lines of the file run during a call
    agent                what runs beside the student's code, and answers what it is asked of it
    solution             what a check sees of the code under test, wherever it runs
    values               plain data compared, and written as text
    help                 the same solution, with right helpers: whose fault a failure is
    framework            what a check is, and the list of all
    later                Hypothesis, put off until an example is drawn
    strategies           plain data to draw, tame enough for every legal way of computing
    readings             what students legally return, brought to one form
    encoding             oracles and checks of `one_hot_encoding` and `classify_outputs`
    normalization        of the parameters and the functions that normalize
    network              of `build_class_ann`
    partition            of `hold_out` and `crossvalidation`
    oracle               a training in double precision, with switches for what may be wrong
    ways                 the right ways to train, and the wrong ones that are known
    trajectory           trainings compared with what follows from their initial weights
    training             checks of `train_class_ann`
    measures             oracles of `accuracy` and `confusion_matrix`
    metrics              checks of both
    folds                cross-validations whose patterns tell who they are
    cross_validation     of `ann_cross_validation`
    models               of `model_cross_validation`
    examples             the fixed examples, drawn once
    together             examples side by side, asked in one exchange
    runner               how a check runs, and the smallest counterexample
"""
