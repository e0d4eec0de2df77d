/* One small network, trained from its first epoch to its last: the loop of train_class_ann in C.
 *
 * The network is so small that its training is all overhead in an interpreter. Here a tile of patterns goes through the
 * whole network and back while its activations are still in the processor's cache, and only sums are kept:
 *
 *     for each epoch
 *         for each tile of training patterns      forward, loss, backward, add to the gradient
 *         for each tile of validation patterns    forward, loss
 *         keep the weights if they are the best so far; stop or take a step of Adam
 *
 * A matrix has the units in rows and the patterns in columns, so that SIMD lanes are patterns. Sets are padded with
 * patterns whose share of the loss is 0. Only GCC's vector extension is used (clang has it too): no intrinsics.
 */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __AVX512F__
enum { LANES = 16, WIDE = 4 }; /* 32 registers: 4 rows x 4 vectors of sums, and room for the operands */
#else
enum { LANES = 8, WIDE = 2 };
#endif
enum { ROWS = 4, TILE = 512 }; /* patterns in a tile; a multiple of LANES */

typedef float vector __attribute__((vector_size(4 * LANES)));
typedef int32_t integers __attribute__((vector_size(4 * LANES)));

#define INLINE static inline __attribute__((always_inline))

INLINE vector all(float x) { return x - (vector){0}; }
INLINE vector pick(integers mask, vector yes, vector no) {
    return (vector)((mask & (integers)yes) | (~mask & (integers)no));
}
/* A NaN stays a NaN through all of these, so that it shows in the loss. */
INLINE vector at_least(vector x, vector low) { return pick(x < low, low, x); }
INLINE vector at_most(vector x, vector high) { return pick(x > high, high, x); }

INLINE float sum(vector x) {
    float lanes[LANES];
    memcpy(lanes, &x, sizeof x);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) lanes[i] += lanes[i + half];
    return lanes[0];
}

/* e^x = 2^n * e^r with n the nearest integer to x / ln 2, and Cephes' polynomial for e^r. */
INLINE vector exponential(vector x) {
    x = at_most(at_least(x, all(-87.0f)), all(88.0f));
    const vector magic = all(12582912.0f); /* 1.5 * 2^23: adding it rounds to an integer */
    vector shifted = x * 1.44269504f + magic, n = shifted - magic;
    vector r = x - n * 0.693359375f + n * 2.12194440e-4f;
    vector p = all(1.9875691500e-4f);
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    integers power = ((integers)shifted - (integers)magic + 127) << 23;
    return p * (vector)power;
}

/* log x = e ln 2 + log m with m in [sqrt 1/2, sqrt 2), and Cephes' polynomial for log m; for normal x > 0. */
INLINE vector logarithm(vector x) {
    integers bits = (integers)x, e = (bits >> 23) - 126;
    vector m = (vector)((bits & 0x007fffff) | 0x3f000000);
    integers low = m < all(0.707106781186547524f);
    e += low; /* a true comparison is -1 */
    m = pick(low, m + m, m) - 1.0f;
    vector k = __builtin_convertvector(e, vector), z = m * m;
    vector p = all(7.0376836292e-2f);
    p = p * m - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    return m + (p * m * z - k * 2.12194440e-4f - z * 0.5f) + k * 0.693359375f + (x - x);
}

INLINE vector sigmoid(vector x) { return 1.0f / (1.0f + exponential(-x)); }

/* ---- Products ------------------------------------------------------------------------------------------------ */

/* out[r][n] = bias[r] + sum over k of w[r][k] in[k][n], for a block of rows x columns that stays in registers. */
INLINE void product_block(int rows, int columns, int depth, const float *w, long row_step, long k_step,
                          const float *bias, const vector *in, vector *out, long stride) {
    vector sums[ROWS][WIDE];
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) sums[r][c] = all(bias ? bias[r] : 0.0f);
    for (int k = 0; k < depth; k++)
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) sums[r][c] += w[r * row_step + k * k_step] * in[k * stride + c];
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) out[r * stride + c] = sums[r][c];
}

/* The sizes of a block must be constants for its sums to be registers: one copy of the code for each. */
#define WITH_CONSTANT(value, CALL)   \
    switch (value) {                 \
        case 1: CALL(1); break;      \
        case 2: CALL(2); break;      \
        case 3: CALL(3); break;      \
        default: CALL(4); break;     \
    }

INLINE void product_rows(int rows, int vectors, int depth, const float *w, long row_step, long k_step,
                         const float *bias, const vector *in, vector *out, long stride) {
    int c = 0;
    for (; c + WIDE <= vectors; c += WIDE)
        product_block(rows, WIDE, depth, w, row_step, k_step, bias, in + c, out + c, stride);
    for (; c < vectors; c++) product_block(rows, 1, depth, w, row_step, k_step, bias, in + c, out + c, stride);
}

static void product(int height, int vectors, int depth, const float *w, long row_step, long k_step,
                    const float *bias, const vector *in, vector *out, long stride) {
    for (int r = 0; r < height; r += ROWS) {
        const float *w_r = w + r * row_step, *bias_r = bias ? bias + r : 0;
#define CALL(rows) product_rows(rows, vectors, depth, w_r, row_step, k_step, bias_r, in, out + r * stride, stride)
        WITH_CONSTANT(height - r, CALL)
#undef CALL
    }
}

/* gradient[r][k] += sum over n of delta[r][n] in[k][n], for a block of rows x depth. */
INLINE void gradient_block(int rows, int depth, int vectors, const vector *delta, const vector *in, long stride,
                           float *gradient, long row_step) {
    vector sums[ROWS][WIDE] = {0};
    for (int n = 0; n < vectors; n++)
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < depth; k++) sums[r][k] += delta[r * stride + n] * in[k * stride + n];
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < depth; k++) gradient[r * row_step + k] += sum(sums[r][k]);
}

INLINE void gradient_rows(int rows, int depth, int vectors, const vector *delta, const vector *in, long stride,
                          float *weights, float *biases) {
    int k = 0;
    for (; k + WIDE <= depth; k += WIDE)
        gradient_block(rows, WIDE, vectors, delta, in + k * stride, stride, weights + k, depth);
    for (; k < depth; k++) gradient_block(rows, 1, vectors, delta, in + k * stride, stride, weights + k, depth);
    for (int r = 0; r < rows; r++) {
        vector total = {0};
        for (int n = 0; n < vectors; n++) total += delta[r * stride + n];
        biases[r] += sum(total);
    }
}

static void gradient_of(int height, int depth, int vectors, const vector *delta, const vector *in, long stride,
                        float *weights, float *biases) {
    for (int r = 0; r < height; r += ROWS) {
        const vector *delta_r = delta + r * stride;
        float *weights_r = weights + (long)r * depth;
#define CALL(rows) gradient_rows(rows, depth, vectors, delta_r, in, stride, weights_r, biases + r)
        WITH_CONSTANT(height - r, CALL)
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
    long weights[MAX_LAYERS], biases[MAX_LAYERS], parameters; /* where they stand in a row of parameters */
    vector *outputs[MAX_LAYERS], *deltas[MAX_LAYERS];         /* of a tile: [size][TILE / LANES] */
} network;

typedef struct {
    long vectors;          /* patterns / LANES, padded */
    const vector *inputs;  /* [attributes][vectors] */
    const vector *targets; /* [outputs][vectors]: 0 or 1 */
    const vector *shares;  /* [vectors]: of each pattern in the loss, such as 1 / n; 0 for padding */
} patterns;

static void activate(int kind, vector *x, long count) {
    switch (kind) {
        case SIGMOID:
            for (long i = 0; i < count; i++) x[i] = sigmoid(x[i]);
            break;
        case TANH:
            for (long i = 0; i < count; i++) x[i] = 2.0f * sigmoid(2.0f * x[i]) - 1.0f;
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
 * sums in `delta`. Flux's epsilon stands inside the logarithm, and so in the gradient. */
static double loss_of(int C, long stride, int vectors, vector *p, const vector *y, long y_stride, const vector *shares,
                      vector *delta) {
    const float epsilon = FLT_EPSILON;
    vector loss = {0};
    for (int n = 0; n < vectors; n++) {
        vector hit = {0}; /* the probability that each pattern's own class is given */
        if (C == 1) {
            p[n] = sigmoid(p[n]);
            hit = 1.0f - y[n] + (2.0f * y[n] - 1.0f) * p[n];
        } else {
            vector top = p[n], total = {0};
            for (int c = 1; c < C; c++) top = at_least(top, p[c * stride + n]);
            for (int c = 0; c < C; c++) total += p[c * stride + n] = exponential(p[c * stride + n] - top);
            total = 1.0f / total;
            for (int c = 0; c < C; c++) {
                p[c * stride + n] *= total;
                hit += p[c * stride + n] * y[c * y_stride + n];
            }
        }
        loss -= shares[n] * logarithm(hit + epsilon);
        vector share = shares[n] * hit / (hit + epsilon);
        for (int c = 0; c < C; c++) delta[c * stride + n] = share * (p[c * stride + n] - y[c * y_stride + n]);
    }
    return sum(loss);
}

/* Add up the loss of a set of patterns and, where `gradient` is given, the gradient of the loss. */
static double pass(const network *net, const patterns *set, const float *w, float *gradient) {
    const int stride = TILE / LANES, last = net->layers - 1;
    double loss = 0;
    for (long start = 0; start < set->vectors; start += stride) {
        const int vectors = (int)(set->vectors - start < stride ? set->vectors - start : stride);
        vector *tile = net->deltas[MAX_LAYERS - 1]; /* the inputs of the tile, close together */
        for (int k = 0; k < net->sizes[0]; k++)
            memcpy(tile + (long)k * stride, set->inputs + k * set->vectors + start, vectors * sizeof(vector));
        const vector *in = tile;
        for (int l = 0; l <= last; l++) {
            const int size = net->sizes[l + 1], depth = net->sizes[l];
            product(size, vectors, depth, w + net->weights[l], depth, 1, w + net->biases[l], in, net->outputs[l], stride);
            if (l < last)
                for (int r = 0; r < size; r++) activate(net->activations[l], net->outputs[l] + (long)r * stride, vectors);
            in = net->outputs[l];
        }
        loss += loss_of(net->sizes[last + 1], stride, vectors, net->outputs[last], set->targets + start, set->vectors,
                        set->shares + start, net->deltas[last]);
        for (int l = last; gradient && l >= 0; l--) {
            const int size = net->sizes[l + 1], depth = net->sizes[l];
            in = l ? net->outputs[l - 1] : tile;
            gradient_of(size, depth, vectors, net->deltas[l], in, stride, gradient + net->weights[l],
                        gradient + net->biases[l]);
            if (l == 0) break;
            product(depth, vectors, size, w + net->weights[l], 1, depth, 0, net->deltas[l], net->deltas[l - 1], stride);
            for (int r = 0; r < depth; r++)
                deactivate(net->activations[l - 1], net->deltas[l - 1] + (long)r * stride,
                           net->outputs[l - 1] + (long)r * stride, vectors);
        }
    }
    return loss;
}

/* A step of Adam, as torch takes it; t counts from 1. */
static void step(long count, float *restrict w, const float *restrict gradient, float *restrict mean,
                 float *restrict square, double rate, long t) {
    const float size = (float)(rate / (1 - pow(0.9, (double)t)));
    const float scale = (float)(1 / sqrt(1 - pow(0.999, (double)t)));
    for (long i = 0; i < count; i++) {
        mean[i] += 0.1f * (gradient[i] - mean[i]);
        square[i] = 0.999f * square[i] + 0.001f * gradient[i] * gradient[i];
        w[i] -= size * mean[i] / (sqrtf(square[i]) * scale + 1e-8f);
    }
}

static void *aligned(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (memory) memset(memory, 0, (bytes + 63) / 64 * 64);
    return memory;
}

int lanes(void) { return LANES; }

/* Train a network. `parameters` holds the initial weights [out][in] and biases of layer after layer, and then those of
 * the best network. Sets are padded to a multiple of LANES; `validation_patterns` may be 0. `losses`, if not null, has
 * room for (max_epochs + 1) pairs. `result` receives {best epoch, epochs}, `last` the last pair of losses. Returns 0;
 * 1 if a loss is not finite; 2 without memory. */
int train(int layers, const int *sizes, const int *activations, long training_patterns, const float *training_inputs,
          const float *training_targets, const float *training_shares, long validation_patterns,
          const float *validation_inputs, const float *validation_targets, const float *validation_shares,
          float *parameters, long max_epochs, double min_loss, double learning_rate, long max_epochs_val, float *losses,
          long *result, double *last) {
    network net = {.layers = layers, .sizes = sizes, .activations = activations};
    const patterns training = {training_patterns / LANES, (const vector *)training_inputs,
                               (const vector *)training_targets, (const vector *)training_shares};
    const patterns validation = {validation_patterns / LANES, (const vector *)validation_inputs,
                                 (const vector *)validation_targets, (const vector *)validation_shares};
    long units = sizes[0];
    for (int l = 0; l < layers; l++) {
        net.weights[l] = net.parameters;
        net.biases[l] = net.weights[l] + (long)sizes[l] * sizes[l + 1];
        net.parameters = net.biases[l] + sizes[l + 1];
        units += 2L * sizes[l + 1];
    }
    const long P = net.parameters;
    float *const rows = aligned(4 * P * sizeof(float)); /* current weights, gradient, and Adam's two moments */
    vector *const tiles = aligned(units * TILE * sizeof(float));
    if (!rows || !tiles) {
        free(rows);
        free(tiles);
        return 2;
    }
    float *const w = rows, *const gradient = rows + P, *const mean = rows + 2 * P, *const square = rows + 3 * P;
    memcpy(w, parameters, P * sizeof(float));
    vector *next = tiles;
    for (int l = 0; l < layers; l++) {
        net.outputs[l] = next;
        net.deltas[l] = next + (long)sizes[l + 1] * TILE / LANES;
        next += 2L * sizes[l + 1] * TILE / LANES;
    }
    net.deltas[MAX_LAYERS - 1] = next;

    const int validates = validation_patterns > 0;
    double lowest = INFINITY;
    long best_epoch = 0, epoch = 0;
    int failed = 0;
    for (;; epoch++) {
        memset(gradient, 0, P * sizeof(float));
        const float training_loss = (float)pass(&net, &training, w, gradient);
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
        step(P, w, gradient, mean, square, learning_rate, epoch + 1);
    }
    result[0] = best_epoch;
    result[1] = epoch;
    free(rows);
    free(tiles);
    return failed;
}
