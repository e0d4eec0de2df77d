/* One small network on a GPU, trained from its first epoch to its last by one block of threads: kernel.c once more.
 *
 * All epochs are one launch. The weights of the network, their gradient, Adam's moments and the best weights stay in the
 * shared memory of the block, so that an epoch reads only patterns from outside:
 *
 *     for each epoch
 *         each warp, for its next 32 training patterns      forward, loss, backward, add to its gradient
 *         each warp, for its next 32 validation patterns    forward, loss
 *         the warps add up their gradients, in turn: the bits are always the same
 *         keep the weights if they are the best so far; stop or take a step of Adam
 *
 * On the way through the layers a pattern is a lane. Inputs of each layer and deltas go to a tile of the warp:
 *
 *     row 0    [p0 p1 .. p31 ....]    inputs of the network, then outputs of each hidden layer,
 *     row 1    [p0 p1 .. p31 ....]    then the deltas of each layer; four floats more than patterns, so that eight
 *     ..                              rows that are read four patterns at a time do not meet in a bank
 *
 * For the gradient a lane owns a rectangle of the weights of each layer, and adds it up in registers over all the
 * patterns of its warp. Everything is known at compile time: SIZES (attributes, hidden layers, outputs), ACTIVATIONS of
 * the hidden layers, and WARPS. Weights stand as [in][out], biases after them, either filled up to a multiple of four.
 */

enum { SIGMOID, TANH, RELU, IDENTITY };
enum { LANES = 32, ROW = LANES + 4, THREADS = WARPS * LANES };
enum { TRAIN, VALIDATE, TEST };

constexpr int sizes[] = {SIZES}, activations[] = {ACTIVATIONS};
constexpr int LAYERS = sizeof sizes / sizeof *sizes - 1, LAST = LAYERS - 1, ATTRIBUTES = sizes[0], C = sizes[LAYERS];
constexpr float EPSILON = 1.1920929e-7f; /* Flux's */

/* ---- Where everything is ------------------------------------------------------------------------------------- */

__host__ __device__ constexpr int whole_fours(int n) { return (n + 3) / 4 * 4; }
__host__ __device__ constexpr int parts(int n, int size) { return (n + size - 1) / size; }

/* The rows of the rectangles into which in x out weights are cut, one for each lane, or their columns: those with the
 * least to read. */
__host__ __device__ constexpr int rectangle(int in, int out, bool rows) {
    int best = 0, best_rows = 0, best_columns = 0;
    for (int r = 1; r <= in; r++)
        for (int c = 1; c <= out; c++) {
            const int cost = r * c + 4 * (r + c);
            if (parts(in, r) * parts(out, c) > LANES || (best && cost >= best)) continue;
            best = cost;
            best_rows = r;
            best_columns = c;
        }
    return rows ? best_rows : best_columns;
}

template <int l>
struct Layer {
    static constexpr int in = sizes[l], out = sizes[l + 1];
    static constexpr int weights = Layer<l - 1>::end, biases = weights + whole_fours(in * out);
    static constexpr int end = biases + whole_fours(out);
    static constexpr int inputs = Layer<l - 1>::outputs, outputs = inputs + in; /* rows of the tile */
    static constexpr int rows = rectangle(in, out, true), columns = rectangle(in, out, false);
    static constexpr int down = parts(in, rows), across = parts(out, columns), biases_of_a_lane = parts(out, LANES);
};
template <>
struct Layer<-1> {
    static constexpr int end = 0, outputs = 0;
};
constexpr int PARAMETERS = Layer<LAST>::end;
template <int l>
struct Deltas {
    static constexpr int row = Deltas<l - 1>::row + (l > 0 ? sizes[l] : 0); /* of the tile */
};
template <>
struct Deltas<-1> {
    static constexpr int row = Layer<LAST>::outputs;
};
constexpr int TILE = (Deltas<LAST>::row + C) * ROW;
constexpr int ROOM = whole_fours(2 * WARPS); /* for the losses of the warps */
constexpr int WIDTH = whole_fours(ATTRIBUTES);

/* ---- Activations --------------------------------------------------------------------------------------------- */

/* A NaN stays a NaN through all of these, so that it shows in the loss. */
template <int kind>
__device__ inline float activated(float x) {
    if (kind == SIGMOID) return __fdividef(1.0f, 1.0f + __expf(-x));
    if (kind == TANH) return 2.0f * __fdividef(1.0f, 1.0f + __expf(-2.0f * x)) - 1.0f;
    if (kind == RELU) return x < 0.0f ? 0.0f : x;
    return x;
}

template <int kind>
__device__ inline float slope(float y) {
    if (kind == SIGMOID) return y * (1.0f - y);
    if (kind == TANH) return 1.0f - y * y;
    if (kind == RELU) return y > 0.0f ? 1.0f : 0.0f;
    return 1.0f;
}

/* Turn the sums of the output layer into probabilities; return that of the pattern's own class. */
__device__ inline float probabilities(float (&y)[C], int own) {
    if (C == 1) {
        y[0] = activated<SIGMOID>(y[0]);
        return own ? y[0] : 1.0f - y[0];
    }
    float top = y[0], total = 0, hit = 0;
#pragma unroll
    for (int j = 1; j < C; j++) top = fmaxf(top, y[j]);
#pragma unroll
    for (int j = 0; j < C; j++) total += y[j] = __expf(y[j] - top);
    const float share = __fdividef(1.0f, total);
#pragma unroll
    for (int j = 0; j < C; j++) {
        y[j] *= share;
        if (j == own) hit = y[j];
    }
    return hit;
}

/* ---- Forward and back ---------------------------------------------------------------------------------------- */

struct Pattern {
    int own;        /* class; with one output, whether it is positive */
    float share;    /* in the loss */
    float *outputs; /* if not null, receives those of the network */
};

/* Take a pattern through layer l and those after it, and back; `before` receives the gradient over the inputs of the
 * layer, and the tile its deltas. Return the loss. */
template <int l, int use>
__device__ inline float through(const float *w, float *column, const Pattern &pattern, float (&before)[sizes[l]]) {
    typedef Layer<l> here;
    float y[here::out], loss;
#pragma unroll
    for (int j = 0; j < here::out; j++) y[j] = w[here::biases + j];
#pragma unroll 8
    for (int i = 0; i < here::in; i++) {
        const float x = column[(here::inputs + i) * ROW];
#pragma unroll
        for (int j = 0; j < here::out; j++) y[j] = fmaf(w[here::weights + i * here::out + j], x, y[j]);
    }
    float delta[here::out];
    if constexpr (l < LAST) {
#pragma unroll
        for (int j = 0; j < here::out; j++)
            column[(here::outputs + j) * ROW] = y[j] = activated<activations[l]>(y[j]);
        loss = through<l + 1, use>(w, column, pattern, delta);
#pragma unroll
        for (int j = 0; j < here::out; j++) delta[j] *= slope<activations[l]>(y[j]);
    } else {
        const float hit = probabilities(y, pattern.own);
        loss = -pattern.share * logf(hit + EPSILON); /* Flux's epsilon stands in the gradient, too */
        const float scale = pattern.share * hit / (hit + EPSILON);
#pragma unroll
        for (int j = 0; j < C; j++) {
            delta[j] = scale * (y[j] - (C == 1 ? (float)pattern.own : (float)(j == pattern.own)));
            if (use == TEST && pattern.outputs) pattern.outputs[j] = y[j];
        }
    }
    if constexpr (use == TRAIN) {
#pragma unroll
        for (int j = 0; j < here::out; j++) column[(Deltas<l>::row + j) * ROW] = delta[j];
#pragma unroll
        for (int i = 0; l > 0 && i < here::in; i++) {
            before[i] = 0;
#pragma unroll
            for (int j = 0; j < here::out; j++) before[i] = fmaf(w[here::weights + i * here::out + j], delta[j], before[i]);
        }
    }
    return loss;
}

/* ---- Gradients ----------------------------------------------------------------------------------------------- */

/* What a lane adds up: its rectangle of the weights of layer l and its biases, and those of the layers after it. */
template <int l>
struct Sums {
    float weights[Layer<l>::rows][Layer<l>::columns], biases[Layer<l>::biases_of_a_lane];
    Sums<l + 1> rest;
};
template <>
struct Sums<LAYERS> {};

__device__ inline float dot(float4 a, float4 b, float sum) {
    return fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, fmaf(a.w, b.w, sum))));
}

/* A rectangle takes every `down`-th row from `lane % down` on, and columns likewise; what is beyond an edge reads the last
 * one and is never used. */
template <int l>
__device__ inline void add_tile(Sums<l> &sums, const float *tile, int lane) {
    if constexpr (l < LAYERS) {
        typedef Layer<l> here;
        const float *rows[here::rows], *columns[here::columns];
#pragma unroll
        for (int r = 0; r < here::rows; r++)
            rows[r] = tile + (here::inputs + min(lane % here::down + r * here::down, here::in - 1)) * ROW;
#pragma unroll
        for (int c = 0; c < here::columns; c++)
            columns[c] = tile + (Deltas<l>::row + min(lane / here::down + c * here::across, here::out - 1)) * ROW;
#pragma unroll (here::rows * here::columns < 32 ? 2 : 1)
        for (int p = 0; p < LANES; p += 4) {
            float4 d[here::columns];
#pragma unroll
            for (int c = 0; c < here::columns; c++) d[c] = *(const float4 *)(columns[c] + p);
#pragma unroll
            for (int r = 0; r < here::rows; r++) {
                const float4 x = *(const float4 *)(rows[r] + p);
#pragma unroll
                for (int c = 0; c < here::columns; c++) sums.weights[r][c] = dot(x, d[c], sums.weights[r][c]);
            }
        }
#pragma unroll
        for (int c = 0; c < here::biases_of_a_lane; c++)
            for (int p = 0; p < LANES && lane + c * LANES < here::out; p += 4) {
                const float4 d = *(const float4 *)(tile + (Deltas<l>::row + lane + c * LANES) * ROW + p);
                sums.biases[c] += (d.x + d.y) + (d.z + d.w);
            }
        add_tile(sums.rest, tile, lane);
    }
}

/* Add the sums of a lane to the gradient of the block, and begin anew. */
template <int l>
__device__ inline void move_to(float *gradient, Sums<l> &sums, int lane) {
    if constexpr (l < LAYERS) {
        typedef Layer<l> here;
#pragma unroll
        for (int r = 0; r < here::rows; r++)
#pragma unroll
            for (int c = 0; c < here::columns; c++) {
                const int i = lane % here::down + r * here::down, j = lane / here::down + c * here::across;
                if (lane < here::down * here::across && i < here::in && j < here::out)
                    gradient[here::weights + i * here::out + j] += sums.weights[r][c];
                sums.weights[r][c] = 0;
            }
#pragma unroll
        for (int c = 0; c < here::biases_of_a_lane; c++) {
            if (lane + c * LANES < here::out) gradient[here::biases + lane + c * LANES] += sums.biases[c];
            sums.biases[c] = 0;
        }
        move_to(gradient, sums.rest, lane);
    }
}

/* ---- Training ------------------------------------------------------------------------------------------------ */

struct Network {
    const float *inputs;            /* [N][attributes, filled up to a multiple of four] */
    const unsigned char *classes;   /* [N] */
    const int *positions;           /* of its patterns: those that train, that validate, that test */
    const float *shares;            /* of the first two in their loss, likewise */
    float *outputs;                 /* [patterns that test][C] */
};

/* Take the patterns from `first` to `end` through the network, 32 at a time for each warp; return a lane's loss. */
template <int use>
__device__ inline float pass(const Network &net, const float *w, float *tile, int first, int end, Sums<0> &sums) {
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    float loss = 0;
    for (int base = first + warp * LANES; base < end; base += THREADS) {
        const int i = min(base + lane, end - 1), at = net.positions[i];
        const bool live = base + lane < end;
        const float4 *row = (const float4 *)(net.inputs + (size_t)at * WIDTH);
        __syncwarp(); /* the tile has been read */
#pragma unroll 8
        for (int k = 0; k < ATTRIBUTES; k += 4) {
            const float4 x = row[k / 4];
            float *column = tile + k * ROW + lane;
            column[0] = x.x;
            if (k + 1 < ATTRIBUTES) column[ROW] = x.y;
            if (k + 2 < ATTRIBUTES) column[2 * ROW] = x.z;
            if (k + 3 < ATTRIBUTES) column[3 * ROW] = x.w;
        }
        float unused[ATTRIBUTES];
        float *const outputs = use == TEST && live ? net.outputs + (size_t)(i - first) * C : 0;
        const Pattern pattern = {net.classes[at], use != TEST && live ? net.shares[i] : 0.0f, outputs};
        loss += through<0, use>(w, tile + lane, pattern, unused);
        __syncwarp(); /* the tile has been written */
        if (use == TRAIN) add_tile(sums, tile, lane);
    }
    return loss;
}

__device__ inline float sum_of_warp(float x) {
    for (int k = LANES / 2; k > 0; k /= 2) x += __shfl_down_sync(~0u, x, k);
    return x;
}

/* Train a network in each block. `shapes` are, for each, which inputs [N][..] it has and how many patterns train,
 * validate and test it; `positions` and `shares` have a row of `most` for each, `initial` and `best` one of PARAMETERS,
 * `outputs` one of `most_tests` times C, and `losses`, if kept, one of max_epochs + 1 pairs. `ends` receives {best epoch,
 * epochs}, `last` the last pair of losses, of which one may not be finite. */
extern "C" __global__ void __launch_bounds__(THREADS)
train(const float *inputs, const unsigned char *classes, int N, const int *shapes, const int *positions,
      const float *shares, int most, const float *initial, int most_tests, int max_epochs, double min_loss, double rate,
      int max_epochs_val, int keeps_losses, float *best_parameters, float *outputs, float *losses, int *ends, float *last) {
    extern __shared__ float4 pool[];
    float *const w = (float *)pool, *const mean = w + PARAMETERS, *const square = mean + PARAMETERS;
    float *const gradient = square + PARAMETERS, *const best = gradient + PARAMETERS, *const room = best + PARAMETERS;
    const int thread = threadIdx.x, lane = thread % LANES, warp = thread / LANES;
    const size_t block = blockIdx.x;
    float *const tile = room + ROOM + warp * TILE;
    const int *const shape = shapes + 4 * block, training = shape[1], known = training + shape[2], all = known + shape[3];
    const Network net = {inputs + (size_t)shape[0] * N * WIDTH, classes, positions + block * most,
                         shares + block * most, outputs + block * most_tests * C};
    Sums<0> sums = {};
    for (int k = thread; k < PARAMETERS; k += THREADS) {
        w[k] = best[k] = initial[block * PARAMETERS + k];
        mean[k] = square[k] = gradient[k] = 0;
    }
    __syncthreads();

    const bool validates = known > training;
    float lowest = 0;
    double left1 = 1, left2 = 1;
    int best_epoch = 0, epoch = 0;
    for (;; epoch++) {
        float training_loss = sum_of_warp(pass<TRAIN>(net, w, tile, 0, training, sums));
        float validation_loss = sum_of_warp(pass<VALIDATE>(net, w, tile, training, known, sums));
        if (lane == 0) {
            room[warp] = training_loss;
            room[WARPS + warp] = validation_loss;
        }
        for (int turn = 0; turn < WARPS; turn++) {
            if (turn == warp) move_to(gradient, sums, lane);
            __syncthreads();
        }
        training_loss = validation_loss = 0;
        for (int k = 0; k < WARPS; k++) {
            training_loss += room[k];
            validation_loss += room[WARPS + k];
        }
        const bool failed = !isfinite(training_loss) || !isfinite(validation_loss);
        const bool improves = !failed && (!validates || epoch == 0 || validation_loss < lowest);
        if (improves) {
            lowest = validation_loss;
            best_epoch = epoch;
        }
        const bool ends_here = failed || epoch >= max_epochs || !(training_loss > min_loss) ||
                               (validates && epoch - best_epoch >= max_epochs_val);
        const float size = (float)(rate / (1 - (left1 *= 0.9))), scale = (float)(1 / sqrt(1 - (left2 *= 0.999)));
        for (int k = thread; k < PARAMETERS; k += THREADS) { /* a step of Adam, as torch takes it */
            if (improves) best[k] = w[k];
            const float g = gradient[k];
            gradient[k] = 0;
            if (ends_here) continue;
            mean[k] += 0.1f * (g - mean[k]);
            square[k] = 0.999f * square[k] + 0.001f * g * g;
            w[k] -= size * mean[k] / (sqrtf(square[k]) * scale + 1e-8f);
        }
        if (thread == 0) {
            if (keeps_losses) {
                float *const pair = losses + 2 * (block * ((size_t)max_epochs + 1) + epoch);
                pair[0] = training_loss;
                pair[1] = validation_loss;
            }
            last[2 * block] = training_loss;
            last[2 * block + 1] = validation_loss;
        }
        __syncthreads();
        if (ends_here) break;
    }
    pass<TEST>(net, best, tile, known, all, sums);
    for (int k = thread; k < PARAMETERS; k += THREADS) best_parameters[block * PARAMETERS + k] = best[k];
    if (thread == 0) {
        ends[2 * block] = best_epoch;
        ends[2 * block + 1] = epoch;
    }
}
