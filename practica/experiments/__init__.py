"""What `practica demo`, `cv` and `compare` share: a table in; a record, tables and pictures out.

Each module imports only from those above it, from the evaluation and from the reference:

    tables               a CSV of the user's, or a data set that scikit-learn ships, as attributes and classes
    plots                pictures; students have them too, without the reference
    page                 all of it in one page
    records              the record of an experiment as JSON
    experiment           models trained on the same folds of a table, kept, and shown in one of two ways
"""
