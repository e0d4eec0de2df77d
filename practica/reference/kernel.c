/* One small network, trained from its first epoch to its last: the loop of train_class_ann in C.
 *
 * The network is so small that its training is all overhead in an interpreter. Here a tile of patterns goes through the
 * whole network and back while its activations are still in the nearest cache, and only sums are kept:
 *
 *     for each epoch
 *         for each tile of training patterns      forward, loss, backward, add to the gradient
 *         for each tile of validation patterns    forward, loss
 *         keep the weights if they are the best so far; stop or take a step of Adam
 *
 * SIMD lanes are patterns. A matrix of a tile has units in rows and patterns in columns, a column being a whole vector:
 *
 *              column 0    column 1         a product works on a block of ROWS x WIDE of these vectors at a time,
 *     unit 0  [.. .. ..]  [.. .. ..]  ..    as many as there are registers for their sums, with an operand in each
 *     unit 1  [.. .. ..]  [.. .. ..]  ..    register used for a whole row or column of the block: so the adders, and
 *     ..                                    not the loads, set the pace
 *
 * Sums over patterns stay vectors, too. Their lanes are added up at the end of a tile with AVX-512, of an epoch without.
 * The last column of a set is filled up with patterns whose share of the loss is 0.
 */

#include "vectors.h"

#include <float.h>
#include <stdlib.h>

#ifdef __AVX512F__
enum { WIDE = 4 }; /* 32 registers: 4 x 4 vectors of sums, LANES of them, and room for the operands */
#else
enum { WIDE = 3 }; /* 16 registers: 4 x 3 */
#endif
enum { ROWS = 4, TILE_BYTES = 96 << 10, LEAST_BLOCKS = 9, MOST_BLOCKS = 31, MAX_COLUMNS = MOST_BLOCKS * WIDE };

/* ---- Products ------------------------------------------------------------------------------------------------ */

/* The sizes of a block of sums must be constants for these to be registers: one copy of the code for each. */
#define WITH_CONSTANT(value, most, CALL)                  \
    if ((value) >= (most)) { CALL(most); }                \
    else if ((value) == 3) { CALL(3); }                   \
    else if ((value) == 2) { CALL(2); }                   \
    else { CALL(1); }

/* Without this the compiler reads an operand again from memory for each product it is in, which takes longer. */
#ifdef __AVX__
#define IN_A_REGISTER(x) __asm__("" : "+v"(x))
#else
#define IN_A_REGISTER(x) (void)(x)
#endif

/* out[r][c] = bias[r] + sum over k of w[r][k] in[k][c], for a block of rows x columns. */
INLINE void product_block(int rows, int columns, int depth, const float *w, long row_step, long k_step,
                          const float *bias, const vector *in, vector *out, long stride) {
    vector sums[ROWS][WIDE];
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) sums[r][c] = all(bias ? bias[r] : 0.0f);
    for (int k = 0; k < depth; k++) {
        vector x[WIDE];
        for (int c = 0; c < columns; c++) {
            x[c] = in[k * stride + c];
            IN_A_REGISTER(x[c]);
        }
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) sums[r][c] += w[r * row_step + k * k_step] * x[c];
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) out[r * stride + c] = sums[r][c];
}

INLINE void product_columns(int columns, int height, int depth, const float *w, long row_step, long k_step,
                            const float *bias, const vector *in, vector *out, long stride) {
    for (int r = 0; r < height; r += ROWS) {
        const float *w_r = w + r * row_step, *bias_r = bias ? bias + r : 0;
#define CALL(rows) product_block(rows, columns, depth, w_r, row_step, k_step, bias_r, in, out + r * stride, stride)
        WITH_CONSTANT(height - r, ROWS, CALL)
#undef CALL
    }
}

static void product(int height, int columns, int depth, const float *w, long row_step, long k_step, const float *bias,
                    const vector *in, vector *out) {
    const long stride = columns;
    for (int c = 0; c < columns; c += WIDE) {
#define CALL(wide) product_columns(wide, height, depth, w, row_step, k_step, bias, in + c, out + c, stride)
        WITH_CONSTANT(columns - c, WIDE, CALL)
#undef CALL
    }
}

/* The gradient of a parameter. With 16 lanes a block is as many vectors as `lanes_added` takes, and one number is kept for
 * each parameter. With 8 lanes it is quicker to keep these apart until the end of the epoch. */
#ifdef __AVX512F__
typedef float total;
#define TOTALS(totals, block)                       \
    const vector all_lanes = lanes_added(block[0]); \
    float totals[ROWS][WIDE];                       \
    memcpy(totals, &all_lanes, sizeof all_lanes);
#else
typedef vector total;
#define TOTALS(totals, block) const vector (*totals)[WIDE] = (const vector (*)[WIDE])block;
#endif

/* gradient[r][k] += sum over c of delta[r][c] in[k][c], for a block of rows x depth. */
INLINE void gradient_block(int rows, int depth, int columns, const vector *delta, const vector *in, long stride,
                           total *gradient, long row_step) {
    vector sums[ROWS][WIDE] = {0};
    for (int c = 0; c < columns; c++) {
        vector x[WIDE];
        for (int k = 0; k < depth; k++) {
            x[k] = in[k * stride + c];
            IN_A_REGISTER(x[k]);
        }
        for (int r = 0; r < rows; r++) {
            vector d = delta[r * stride + c];
            IN_A_REGISTER(d);
            for (int k = 0; k < depth; k++) sums[r][k] += d * x[k];
        }
    }
    TOTALS(totals, sums)
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < depth; k++) gradient[r * row_step + k] += totals[r][k];
}

INLINE void gradient_rows(int rows, int depth, int columns, const vector *delta, const vector *in, long stride,
                          total *weights, total *biases) {
    for (int k = 0; k < depth;) {
        const int wide = depth - k == WIDE + 1 ? 2 : depth - k; /* 2 + 2 keep the adders busier than 3 + 1 */
#define CALL(wide) \
    gradient_block(rows, wide, columns, delta, in + k * stride, stride, weights + k, depth), k += wide
        WITH_CONSTANT(wide, WIDE, CALL)
#undef CALL
    }
    vector deltas[ROWS][WIDE] = {0};
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) deltas[r][0] += delta[r * stride + c];
    TOTALS(totals, deltas)
    for (int r = 0; r < rows; r++) biases[r] += totals[r][0];
}

static void gradient_of(int height, int depth, int columns, const vector *delta, const vector *in, total *weights,
                        total *biases) {
    const long stride = columns;
    for (int r = 0; r < height; r += ROWS) {
        const vector *delta_r = delta + r * stride;
        total *weights_r = weights + (long)r * depth;
#define CALL(rows) gradient_rows(rows, depth, columns, delta_r, in, stride, weights_r, biases + r)
        WITH_CONSTANT(height - r, ROWS, CALL)
#undef CALL
    }
}

/* ---- The network --------------------------------------------------------------------------------------------- */

enum { SIGMOID, TANH, RELU, IDENTITY };
enum { MAX_LAYERS = 64 };

typedef struct {
    int layers;             /* hidden layers and the output layer */
    const int *sizes;       /* attributes, hidden layers, outputs */
    const int *activations; /* of the hidden layers */
    int linear;             /* whether the outputs are the sums themselves, with squared loss */
    long columns;           /* of a tile; the last one of a set may have fewer */
    long weights[MAX_LAYERS], biases[MAX_LAYERS], parameters; /* where they stand among the parameters */
    vector *outputs[MAX_LAYERS], *deltas[MAX_LAYERS];         /* of a tile: [size][columns] */
    total *gradient;                                          /* of each parameter */
} network;

/* A set, tile after tile [attributes + outputs + 1][columns]: inputs, targets of 0 or 1, shares in the loss. A tile has
 * the columns of the network, and the last one those that are left. */
typedef struct {
    const vector *tiles;
    long count;
    float *outputs; /* if not null, receives those of the network, [count][outputs] */
} patterns;

static long columns_of(long count) { return (count + LANES - 1) / LANES; }

INLINE vector sigmoid(vector x) { return inverse(1.0f + exponential(x, -1.0f)); }

static void activate(int kind, vector *x, long count) {
    switch (kind) {
        case SIGMOID:
            for (long i = 0; i < count; i++) x[i] = sigmoid(x[i]);
            break;
        case TANH:
            for (long i = 0; i < count; i++) x[i] = 2.0f * inverse(1.0f + exponential(x[i], -2.0f)) - 1.0f;
            break;
        case RELU:
            for (long i = 0; i < count; i++) x[i] = at_least(x[i], all(0.0f));
            break;
    }
}

/* Turn gradients over the outputs y into gradients over the sums that were activated. */
static void deactivate(int kind, vector *delta, const vector *y, long count) {
    switch (kind) {
        case SIGMOID:
            for (long i = 0; i < count; i++) delta[i] *= y[i] * (1.0f - y[i]);
            break;
        case TANH:
            for (long i = 0; i < count; i++) delta[i] *= 1.0f - y[i] * y[i];
            break;
        case RELU:
            for (long i = 0; i < count; i++) delta[i] = pick(y[i] > all(0.0f), delta[i], all(0.0f));
            break;
    }
}

/* Turn the sums of the output layer into probabilities; return the loss of the tile, and leave the gradient over the
 * sums in `delta`. Flux's epsilon stands inside the logarithm, and so in the gradient. One short loop follows another:
 * its turns do not wait for each other, so that the processor works on several at a time. */
static double loss_of(int C, int columns, vector *p, const vector *y, vector *delta) {
    const vector *shares = y + C * columns;
    vector hit[MAX_COLUMNS]; /* the probability that each pattern's own class is given */
    if (C == 1) {
        activate(SIGMOID, p, columns);
        for (int n = 0; n < columns; n++) hit[n] = 1.0f - y[n] + (2.0f * y[n] - 1.0f) * p[n];
    } else {
        vector top[MAX_COLUMNS], of_all[MAX_COLUMNS];
        for (int n = 0; n < columns; n++) {
            top[n] = p[n];
            for (int c = 1; c < C; c++) top[n] = at_least(top[n], p[c * columns + n]);
        }
        for (int c = 0; c < C; c++)
            for (int n = 0; n < columns; n++) p[c * columns + n] = exponential(p[c * columns + n] - top[n], 1.0f);
        for (int n = 0; n < columns; n++) {
            vector all_classes = {0}, own = {0};
            for (int c = 0; c < C; c++) {
                all_classes += p[c * columns + n];
                own += p[c * columns + n] * y[c * columns + n];
            }
            of_all[n] = inverse(all_classes);
            hit[n] = own * of_all[n];
        }
        for (int c = 0; c < C; c++)
            for (int n = 0; n < columns; n++) p[c * columns + n] *= of_all[n];
    }
    vector loss = {0};
    for (int n = 0; n < columns; n++) loss -= shares[n] * logarithm(hit[n] + FLT_EPSILON);
    for (int n = 0; n < columns; n++) hit[n] = shares[n] * hit[n] * inverse(hit[n] + FLT_EPSILON);
    for (int c = 0; c < C; c++)
        for (int n = 0; n < columns; n++) delta[c * columns + n] = hit[n] * (p[c * columns + n] - y[c * columns + n]);
    return sum(loss);
}

/* The same for a linear output layer: the squared error of each pattern, summed over the outputs. */
static double squared_loss_of(int C, int columns, const vector *p, const vector *y, vector *delta) {
    const vector *shares = y + C * columns;
    vector loss = {0};
    for (int c = 0; c < C; c++)
        for (int n = 0; n < columns; n++) {
            vector error = p[c * columns + n] - y[c * columns + n];
            loss += shares[n] * error * error;
            delta[c * columns + n] = 2.0f * shares[n] * error;
        }
    return sum(loss);
}

/* Add up the loss of a set of patterns and, where it trains, the gradient of the loss. */
static double pass(const network *net, const patterns *set, const float *w, int trains) {
    const int last = net->layers - 1, attributes = net->sizes[0], C = net->sizes[last + 1];
    const vector *tile = set->tiles;
    double loss = 0;
    for (long start = 0; start < set->count; start += net->columns * LANES) {
        const long left = columns_of(set->count - start);
        const int columns = (int)(left < net->columns ? left : net->columns);
        const vector *in = tile;
        for (int l = 0; l <= last; l++) {
            const int size = net->sizes[l + 1], depth = net->sizes[l];
            product(size, columns, depth, w + net->weights[l], depth, 1, w + net->biases[l], in, net->outputs[l]);
            if (l < last) activate(net->activations[l], net->outputs[l], (long)size * columns);
            in = net->outputs[l];
        }
        const vector *targets = tile + (long)attributes * columns;
        loss += net->linear ? squared_loss_of(C, columns, net->outputs[last], targets, net->deltas[last])
                            : loss_of(C, columns, net->outputs[last], targets, net->deltas[last]);
        for (long i = start; set->outputs && i < set->count && i < start + columns * LANES; i++)
            for (int c = 0; c < C; c++)
                set->outputs[i * C + c] = ((float *)net->outputs[last])[c * columns * LANES + i - start];
        for (int l = last; trains && l >= 0; l--) {
            const int size = net->sizes[l + 1], depth = net->sizes[l];
            in = l ? net->outputs[l - 1] : tile;
            total *const weights = net->gradient + net->weights[l], *const biases = net->gradient + net->biases[l];
            gradient_of(size, depth, columns, net->deltas[l], in, weights, biases);
            if (l == 0) break;
            product(depth, columns, size, w + net->weights[l], 1, depth, 0, net->deltas[l], net->deltas[l - 1]);
            deactivate(net->activations[l - 1], net->deltas[l - 1], net->outputs[l - 1], (long)depth * columns);
        }
        tile += (long)(attributes + C + 1) * columns;
    }
    return loss;
}

/* A step of Adam, as torch takes it; left1 and left2 are 0.9^t and 0.999^t, with t counted from 1. The gradient of
 * decay / 2 times the sum of the squared parameters is added to that of the loss. */
static void step(const network *net, float *restrict w, float *restrict mean, float *restrict square, double rate,
                 double decay, double left1, double left2) {
    const float size = (float)(rate / (1 - left1)), scale = (float)(1 / sqrt(1 - left2));
    float *const restrict gradient = (float *)net->gradient;
#ifndef __AVX512F__
    for (long i = 0; i < net->parameters; i += LANES) *(vector *)(gradient + i) = lanes_added(net->gradient + i);
#endif
    if (decay != 0)
        for (long i = 0; i < net->parameters; i++) gradient[i] += (float)decay * w[i];
    for (long first = 0; first < net->parameters; first += LANES) /* whole vectors: there is room, and 0 stays 0 */
        for (long i = first; i < first + LANES; i++) {
            mean[i] += 0.1f * (gradient[i] - mean[i]);
            square[i] = 0.999f * square[i] + 0.001f * gradient[i] * gradient[i];
            w[i] -= size * mean[i] / (sqrtf(square[i]) * scale + 1e-8f);
        }
}

/* The columns of a tile of a network of these sizes: as many as keep it close, and an odd number of blocks, so that its
 * rows do not all fall on the same lines of the cache. */
static long tile_columns(int layers, const int *sizes) {
    long units = sizes[0];
    for (int l = 1; l <= layers; l++) units += 2L * sizes[l];
    long blocks = TILE_BYTES / (units * (long)sizeof(vector) * WIDE);
    blocks = blocks < LEAST_BLOCKS ? LEAST_BLOCKS : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks;
    return (blocks | 1) * WIDE;
}

/* Gather patterns out of `units`, where each has a row, into memory that is 0, and move on to its rest. Without shares
 * each pattern has 1 / count of the loss; what is left of the last column has no share in it. */
static patterns gather(const network *net, const float *units, long count, const int64_t *positions,
                       const double *shares, vector **memory) {
    const long rows = net->sizes[0] + net->sizes[net->layers], width = net->columns * LANES;
    const patterns set = {*memory, count, 0};
    float *tile = (float *)*memory;
    *memory += (rows + 1) * columns_of(count);
    for (long start = 0; start < count; start += width) {
        const long n = count - start < width ? count - start : width, step = columns_of(n) * LANES;
        for (long i = 0; i < n; i++) {
            const float *unit = units + positions[start + i] * rows;
            for (long r = 0; r < rows; r++) tile[r * step + i] = unit[r];
            tile[rows * step + i] = (float)(shares ? shares[start + i] : 1.0 / count);
        }
        tile += (rows + 1) * step;
    }
    return set;
}

/* Train a network. `units` are the inputs and the targets, of 0 or 1, or quantities if the output layer is `linear`, of
 * all patterns, a row for each. `positions` are first those of the patterns that train, then of those that validate,
 * which may be none, and of those to be tested with, for which `outputs` receives a row each; `shares`, if not null,
 * those of the first two in their loss. `parameters` holds the initial weights [out][in] and biases of layer after layer,
 * and then those of the best network. `losses`, if not null, has room for (max_epochs + 1) pairs. `result` receives {best
 * epoch, epochs}, `last` the last pair of losses. Returns 0; 1 if a loss is not finite; 2 without memory. */
int train(int layers, const int *sizes, const int *activations, int linear, const float *units, long training_count,
          long validation_count, long test_count, const int64_t *positions, const double *shares, float *parameters,
          long max_epochs, double min_loss, double learning_rate, double weight_decay, long max_epochs_val,
          float *losses, long *result, double *last, float *outputs) {
    network net = {.layers = layers, .sizes = sizes, .activations = activations, .linear = linear};
    net.columns = tile_columns(layers, sizes);
    long hidden = 0;
    for (int l = 0; l < layers; l++) {
        net.weights[l] = net.parameters;
        net.biases[l] = net.weights[l] + (long)sizes[l] * sizes[l + 1];
        net.parameters = net.biases[l] + sizes[l + 1];
        hidden += 2L * sizes[l + 1];
    }
    const long P = net.parameters, rows = (P + LANES - 1) / LANES; /* in vectors: rows begin at whole ones */
    const long tile_rows = sizes[0] + sizes[layers] + 1;
    const long columns = columns_of(training_count) + columns_of(validation_count) + columns_of(test_count);
    const size_t vectors = hidden * net.columns + 3 * rows + tile_rows * columns;
    const size_t bytes = vectors * sizeof(vector) + rows * LANES * sizeof(total);
    vector *const memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) return 2;
    memset(memory, 0, bytes);
    net.gradient = (total *)memory;
    vector *next = (vector *)(net.gradient + rows * LANES);
    for (int l = 0; l < layers; l++) {
        net.outputs[l] = next;
        net.deltas[l] = next + (long)sizes[l + 1] * net.columns;
        next += 2L * sizes[l + 1] * net.columns;
    }
    float *const w = (float *)next, *const mean = (float *)(next + rows), *const square = (float *)(next + 2 * rows);
    memcpy(w, parameters, P * sizeof(float));
    next += 3 * rows;
    const int64_t *const to_validate = positions + training_count, *const to_test = to_validate + validation_count;
    const patterns training = gather(&net, units, training_count, positions, shares, &next);
    const double *const their_shares = shares ? shares + training_count : 0;
    const patterns validation = gather(&net, units, validation_count, to_validate, their_shares, &next);
    patterns test = gather(&net, units, test_count, to_test, 0, &next);
    test.outputs = outputs;

    const int validates = validation_count > 0;
    double lowest = INFINITY, left1 = 1, left2 = 1;
    long best_epoch = 0, epoch = 0;
    int failed = 0;
    for (;; epoch++) {
        memset(net.gradient, 0, P * sizeof(total));
        const float training_loss = (float)pass(&net, &training, w, 1);
        const float validation_loss = validates ? (float)pass(&net, &validation, w, 0) : 0.0f;
        if (losses) {
            losses[2 * epoch] = training_loss;
            losses[2 * epoch + 1] = validation_loss;
        }
        last[0] = training_loss;
        last[1] = validation_loss;
        failed = !isfinite(training_loss) || !isfinite(validation_loss);
        if (failed) break;
        if (!validates || validation_loss < lowest) {
            lowest = validation_loss;
            best_epoch = epoch;
            memcpy(parameters, w, P * sizeof(float));
        }
        if (epoch >= max_epochs || !(training_loss > min_loss)) break;
        if (validates && epoch - best_epoch >= max_epochs_val) break;
        step(&net, w, mean, square, learning_rate, weight_decay, left1 *= 0.9, left2 *= 0.999);
    }
    memcpy(w, parameters, P * sizeof(float));
    pass(&net, &test, w, 0);
    result[0] = best_epoch;
    result[1] = epoch;
    free(memory);
    return failed;
}
