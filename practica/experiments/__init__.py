"""Experiments of `practica demo`, `cv` and `compare`: a table in; a record, tables and pictures
out.

Each module imports only from those above it, from the evaluation and from the reference:

    choices              what the commands offer, and what the user chose
    written_numbers      numbers as they are written, with marks and units
    arff                 Weka's format as cells
    formats              every format as the text of a CSV: packed, Parquet, Excel, ARFF
    csv_file             the text of a CSV as columns of numbers and text
    leaks                columns that make a result too good
    notes                what a model may read differently from the user
    tables               a file of the user, or a data set that scikit-learn ships, as attributes
                         and classes
    fold_assignment      the fold of each pattern of a table, drawn or read from a file
    drawing              style of the pictures, and the formats of their files
    plots                pictures that students have too, without the reference
    comparison_plots     pictures of several models and all folds
    page                 all of it in one page
    records              the record of an experiment as JSON
    methods              what a methods section says, from that record
    experiment           models trained on the same folds of a table, stored, and shown in one of
                         two ways
    many_tables          the same models on many tables
"""
