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
1. Its sentence, in both languages of `messages/mistakes.toml`, under `mistake.<id>`: what
   happens and where to look (exercise, question, function of the statement), never the corrected
   line. It may use the place {function}, and those facts that a sign returns. Ids are
   `<topic>.<mistake>`, and several rows may share one.
2. Its code, in the module here for its function: a switch of an imitation, or a sign. A wrong way
   to train is one more `Way` in `practica.grading.assignment.ways`.
3. A wrong function, written as a student would and without looking at the imitation: a submission
   in `tests/entregas`, whose table says `diagnosis = ["id"]`, or an edit of the model answer in
   `tests/mistakes`. `tests/grading/assignment` runs both, right functions of all styles, and each
   imitation as if it were a student's; `scripts/diagnoses.py` counts.

**An imitation** is wrong code, as a student would write it. One function does the right thing and
has a switch for each mistake, called like the part of its id after the topic. Its first argument is
the set of switches that are on, and then come the arguments of the call:

    @imitates("classify_outputs", "classify", "strict ignores_threshold by_column|ties")
    def classified(wrong, outputs, *, threshold=0.5):
        """Classify outputs."""
        if "ignores_threshold" in wrong:
            threshold = 0.5
        if outputs.ndim == 1 or outputs.shape[1] == 1:
            return outputs > threshold if "strict" in wrong else outputs >= threshold
        ...

`by_column|ties` is one mistake that is made in two ways: the switches `by_column` and
`by_column:ties` share the id and its sentence. Pairs of switches are tried too, so let them be
independent. With the empty set the function does what right code does: an oracle of the checks is
registered as it is. `raise NoOpinion` where it cannot be known what such a function does. An
imitation is only asked about plain calls, not about those with doubles.

The other arguments of `imitates` say how calls and answers are compared:

    kind     tells calls apart in which a mistake may be made: a vector, a matrix, labels
    parts    splits an answer into what is compared: the seven metrics, two parameters, and what the
             call leaves of its arguments; by default the value, and the arguments
    free     switches that right code may have on in a call: of two labels, either may be positive
    draws    the function draws, and so does its imitation, which gets a generator after the
             switches; `parts` takes several equal calls, and returns what can be seen of them
    only     what is named if just these parts are wrong, and no switch explains them

**A sign**, for what is trained, or done by calls of other functions: a predicate on one call, a
`practica.grading.engine.known_mistakes.Seen`. Its options stand in
`practica.grading.engine.known_mistakes.sign`.

    @sign("training.new_optimiser", "train_class_ann", fails=["train_class_ann.optimiser"])
    def a_new_optimiser_in_each_epoch(seen):
        """Return whether there are as many optimisers as epochs."""
        made = [call for call in seen.calls if call.name == "torch.optim:Adam.__init__"]
        return None if not seen.calls else len(made) > 1

    True or a dict of facts    the mistake is seen here; the facts fill the places of its sentence
    False                      this cannot be, if the function has the mistake
    None                       nothing can be said

If the examples of the checks do not tell two mistakes apart, or show one too seldom, add some,
written as a check is but without `require`:

    @examples("classify_outputs")
    def around_the_threshold(solution):
        """Just below, on, and above."""
        solution.answer("classify_outputs", np.array([0.4, 0.5, 0.6]))

What the engine says
--------------------
If the function calls another one that failed too, and that nobody replaces by a right one, that is
all that is said ("any.inherits"). Otherwise imitations come first. Kinds of calls in which all is
right show nothing. In all others a mistake has to give every answer, right and wrong, and at least
two calls have to tell it from right code. If several do, those remain that contradict the fewest
calls of the other kinds; two are told as "one of two", and of more none is. If no switch explains
the calls, pairs of them are tried, and a single pair that does is told. If none does, the first two
signs that show are told, in the order in which they are declared; then what several pairs share,
and a sign with `last=True`: one that names an error only where the call that is shown ends in it.
A sentence is said only if it holds for the example that is printed under it, with the facts of that
call; otherwise the example of another failed check is printed, or the next sentence comes.
`follows`
names checks of a result that do not lead while it is right for the values on the way to it.
If nothing has a name, what is seen in the answers is told
(`practica.grading.engine.observations`), after the mistake that is named after the wrong parts. Its
right values are those of the imitation; where calls alone do not give them, as in a training, a
function with `@compares` reads them. The ids that begin with "any." are signs of every function.
'''
