"""The functions of the practice, exact to the semantics of their Julia originals.

Each module imports only from those above it:

    arguments            checks of what the caller passed
    randomness           random_state, and one child seed per network
    encoding             one_hot_encoding, classify_outputs
    normalization        calculate_*_parameters, normalize_*
    partition            hold_out, crossvalidation
    network              build_class_ann, activations, losses
    training             train_class_ann: one network, the readable loop
    activations          transfer functions of a stack, with their gradients
    batched_training     train_networks: all of them at once
    metrics              accuracy, confusion_matrix, print_confusion_matrix
    compiled_training    train_networks: one after the other in C, where there is a compiler
    block_training       train_networks: a block of threads of a GPU for each
    devices              processors, or a GPU where one is asked for
    trainers             the choice among the four trainers, and the networks of a cross-validation
                         as tasks
    cross_validation     ann_cross_validation, model_cross_validation
"""
