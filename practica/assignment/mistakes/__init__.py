r'''Mistakes that are known by name: what a good teaching assistant sees in a wrong answer.

    encoding             those of `one_hot_encoding` and `classify_outputs`
    normalization        those of the parameters and of the functions that normalize
    partition            those of `hold_out` and `crossvalidation`
    network              those of `build_class_ann`
    training             those of `train_class_ann`
    metrics              those of `accuracy` and `confusion_matrix`
    runs                 calls of exercises 5 and 6, as their checks read them
    cross_validation     those of `ann_cross_validation`, and those that both share
    models               those of `model_cross_validation`

A diagnosis never changes a mark: it is made once a row of the rubric has failed, when the whole
file has been judged. A few fixed examples of the row's checks run again, all calls of the function
are recorded, and each answer is compared with what known mistakes do. Helpers are replaced by right
ones where the row allows it, so that a function does not get a name for the mistake of another one.

To add a mistake
----------------
1. Its sentence, in `messages/mistakes.es.toml` and `mistakes.en.toml`, under `mistake.<id>`: what
   happens and where to look (exercise, question, function of the statement), never the corrected
   line. It may use the place {function}, and those facts that a sign returns. Ids are
   `<topic>.<mistake>`, and several rows may share one.
2. Its code, in the module here for its function: a switch of an imitation, or a sign. A wrong way
   to train is one more `Way` in `practica.assignment.ways`.
3. A wrong function, written as a student would and without looking at the imitation: a submission
   in `tests/entregas`, whose table says `diagnosis = ["id"]`, or an edit of the model answer in
   `tests/mistakes`. `tests/assignment` runs both, right functions of all styles, and each imitation
   as if it were a student's; `scripts/diagnoses.py` counts.

**An imitation**, for what can be computed from the arguments. One function does the right thing, as
a student would write it, and has a switch for each mistake, called like the part of its id after
the topic. Its first argument is the set of switches that are on, and then come the arguments of the
call:

    @imitates("classify_outputs", "classify", "strict ignores_threshold|column ties")
    def classified(wrong, outputs, *, threshold=0.5):
        """Classify outputs."""
        if "ignores_threshold" in wrong:
            threshold = 0.5
        if outputs.ndim == 1 or outputs.shape[1] == 1:
            return outputs > threshold if "strict" in wrong else outputs >= threshold
        ...

`ignores_threshold|column` is one mistake that is made in two ways: the switches `ignores_threshold`
and `ignores_threshold:column` share the id and its sentence. Pairs of switches are tried too, so
let them be independent. What counts is all that the call does: what it returns, the type of its
error if it raises one, what its arguments are afterwards (change them if the mistake does), and
whether it returns one of them itself. With the empty set it has to do what right code does: an
oracle of the checks is registered as it is. `raise NoOpinion` where it cannot be known what such a
function does. An imitation is only asked about plain calls, not about those with doubles.

**A sign**, for what is drawn, trained, or done by calls of other functions: a predicate on one
call, a `practica.engine.known_mistakes.Seen`. Its options stand in
`practica.engine.known_mistakes.sign`.

    @sign("training.new_optimiser", "train_class_ann", fails=["train_class_ann.optimiser"])
    def a_new_optimiser_in_each_epoch(seen):
        """Return whether there are as many optimisers as epochs."""
        made = [call for call in seen.calls if call.name == "torch.optim:Adam.__init__"]
        return None if not seen.calls else len(made) > 1

    True or a dict of facts    the mistake is seen here; the facts fill the places of its sentence
    False                      this cannot be, if the function has the mistake
    None                       nothing can be said

Where the examples of the checks do not tell two mistakes apart, or show one too seldom, add some,
written as a check is but without `require`:

    @examples("classify_outputs")
    def around_the_threshold(solution):
        """Just below, on, and above."""
        solution.answer("classify_outputs", np.array([0.4, 0.5, 0.6]))

What the engine says
--------------------
If the function calls another one that failed too, and that nobody replaces by a right one, that is
all that is said ("any.inherits"). Otherwise a mistake is named if nothing contradicts it and at
least two calls tell it from right code. Imitations explain *all* answers, the right ones too. If
two do, they are told as "one of two"; if more do, none of them is. If none does, pairs of switches
are tried; of each there must be two calls where the other one is not enough. If a single pair
explains everything, it is told. If not, the first two signs that show are told, in the order in
which they are declared. If there is none and several pairs explain everything, what they share is
told. If nothing has a name so far, the first sign with `last=True` is told, and otherwise nothing.
The ids that begin with "any." are signs of every function.
'''
