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

A diagnosis never changes a mark: it is made once a row of the rubric has failed, when the whole file has been judged.
The function is asked again what its checks ask, on a few of their fixed examples, and what came of each call is
compared with what known mistakes do. Where it may have right helpers it has them, so that a function does not get a
name for the mistake of another one.

To add a mistake
----------------
1. Its sentence, in `messages/mistakes.es.toml` and `mistakes.en.toml`, under `mistake.<id>`: what happens and where
   to look (exercise, question, function of the statement), never the corrected line. It may use the place {function},
   and those facts that a sign returns.
2. Its code, in the module here for its function, or as a switch of the oracle that its checks compare with. There are
   two ways; a wrong way to train is one more `Way` in `practica.assignment.ways`.
3. A wrong function, written as a student would and without looking at the imitation: a submission in `tests/entregas`,
   whose table says `diagnosis = ["id"]`, or an edit of the model answer in `tests/mistakes`. `tests/assignment` runs
   both, right functions of all styles, and each imitation as if it were a student's; `scripts/diagnoses.py`
   counts.

**An imitation**, for what can be computed from the arguments. One function does the right thing, as a student would
write it, and has a switch for each mistake, called like the part of its id after the topic. Its first argument is the
set of switches that are on, and then come the arguments of the call:

    @imitates("classify_outputs", "classify", "strict ignores_threshold ties")
    def classified(wrong, outputs, *, threshold=0.5):
        """Classify outputs."""
        if "ignores_threshold" in wrong:
            threshold = 0.5
        if outputs.ndim == 1 or outputs.shape[1] == 1:
            return outputs > threshold if "strict" in wrong else outputs >= threshold
        ...

Single mistakes come from this, and pairs of them too: so let switches be independent where they can be. What counts is
all that the call does: what it returns, the type of its error if it raises one, what its arguments are afterwards
(change them if the mistake does), and whether it returns one of them itself. With the empty set it has to do what right
code does: an oracle of the checks is registered as it is. The same mistake written in another way, with another
result, is a switch "mistake:how". `raise NoOpinion` where it cannot be known what such a function does. Where right
answers may differ (one of two classes, a matrix or none at the end), give `alike=`, a function of what the imitation
returned and what the student's function did; without it types of containers do not matter, but bools are no numbers.

**A sign**, for what is drawn, trained, or done by calls of other functions: a predicate on one call.

    @sign("training.new_optimiser", "train_class_ann", fails=["train_class_ann.optimiser"])
    def a_new_optimiser_in_each_epoch(seen):
        """As many optimisers as epochs."""
        made = [call for call in seen.calls if call.name == "torch.optim:Adam.__init__"]
        return None if not seen.calls else len(made) > 1

    True or a dict of facts    the mistake is seen here; the facts fill the places of its sentence
    False                      this cannot be, if the function has the mistake
    None                       nothing can be said

`seen` is a `Seen`: `args`, `kwargs` and `doubles` of the call, its whole `answer`, the recorded `calls`, what was asked
of the network that it returned (`looks`), and `right`, the answer of right code where an imitation of the row knows it.
With `together=True` the predicate gets the list of all calls instead, and is asked once: for what only several calls
show, such as drawing the same each time. With `read=` it gets what that function makes of a call.

`fails` are ids of checks, at least one of which failed. Give them where the checks know better.

With `last=True` a sign is looked at only where nothing else has a name: it says what a whole group of mistakes has in
common, such as "of the seven values only number 3 is another one".

An imitation is only asked about plain calls, not about those with doubles. Ids are `<topic>.<mistake>`, and several
rows may share one; the rows of the rubric are called like their functions, but for `confusion_matrix_binary` and
`confusion_matrix_multiclass`.

The examples are those of the checks of the row: their own bodies run, and all calls of the function are noted. Where
they do not tell two mistakes apart, or show one too seldom, add some, written as a check is but without `require`:

    @examples("classify_outputs")
    def around_the_threshold(solution):
        """Just below, on, and above."""
        solution.answer("classify_outputs", np.array([0.4, 0.5, 0.6]))

Of each check a few examples run (`EACH` in `practica.engine.diagnosis`, or `examples_of` of the assignment; none for
0), and at most `MOST_CALLS` calls are noted, those of `@examples` first. All diagnoses of a file may take 15 % of the
time of `check`.

What the engine says
--------------------
If the function calls another one that failed too, and that nobody replaces by a right one, that is all that is said
("any.inherits"). Otherwise a mistake is named if nothing contradicts it and at least two calls tell it from right code
(one, for `together`; `enough=` says another number). Imitations explain *all* answers, the right ones too. If two do,
they are told as "one of two"; if more do, none of them is. If none does, pairs of switches are tried; of each there
must be two calls where the other one is not enough. If a single pair explains everything, it is told. If not, the signs
are looked at: each is a fact of its own, and the first two are told, in the order in which they are declared; one that
only follows from others is declared with `unless=`, their ids. If there is none and several pairs explain everything,
what they share is told. If nothing has a name so far, the first of the signs with `last=True` is told, and otherwise
nothing. The ids that begin with "any." are signs of every function; most of them are errors in which no right function
ends.
'''
