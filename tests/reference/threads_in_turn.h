/* A block of threads of a GPU on one processor, for block.cu: threads take turns, each until it waits for others.
 *
 * What __syncthreads and __syncwarp are for shows as a difference: shared memory begins as NaN, and the turns can go
 * backwards. `launch` takes pointers to the arguments, as CUDA does. It returns whether the block kept to its memory, and
 * every thread came to the barriers at which others waited.
 */
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__
#define __launch_bounds__(threads)
#define __fdividef(x, y) ((x) / (y))
#define __expf(x) expf(x)
using std::isfinite;
using std::min;

struct alignas(16) float4 {
    float x, y, z, w;
};
static struct {
    int x;
} threadIdx, blockIdx;

static const int MOST_THREADS = 1024, STACK_BYTES = 256 << 10;
static ucontext_t scheduler, contexts[MOST_THREADS];
static bool ended[MOST_THREADS];
static float shuffled[MOST_THREADS];
static long events; /* ends of threads and of waits */
float4 pool[16 << 10];

static struct Meeting {
    int arrived, number;
    void wait(int expected) {
        const int mine = number;
        if (++arrived == expected) {
            arrived = 0;
            number++;
            events++;
        }
        while (number == mine) swapcontext(&contexts[threadIdx.x], &scheduler);
    }
} of_block, of_warps[MOST_THREADS / 32];

static int block_threads;
static void __syncthreads() { of_block.wait(block_threads); }
static void __syncwarp() { of_warps[threadIdx.x / 32].wait(32); }
static float __shfl_down_sync(unsigned, float x, int lanes) {
    shuffled[threadIdx.x] = x;
    __syncwarp();
    const float other = shuffled[std::min(threadIdx.x + lanes, threadIdx.x | 31)];
    __syncwarp();
    return other;
}

static void (*thread)();
static void begin() {
    thread();
    ended[threadIdx.x] = true;
    events++;
    for (;;) swapcontext(&contexts[threadIdx.x], &scheduler);
}

template <class... A, size_t... i>
static bool run(void (*kernel)(A...), int blocks, int threads, size_t bytes, bool backwards, void **args,
                std::index_sequence<i...>) {
    static void **arguments;
    static void (*function)(A...);
    arguments = args;
    function = kernel;
    thread = [] { function(*(std::remove_reference_t<A> *)arguments[i]...); };
    block_threads = threads;
    std::vector<char> stacks((size_t)threads * STACK_BYTES);
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        memset(pool, 0xff, sizeof pool);
        for (int t = 0; t < threads; t++) {
            getcontext(&contexts[t]);
            contexts[t].uc_stack.ss_sp = &stacks[(size_t)t * STACK_BYTES];
            contexts[t].uc_stack.ss_size = STACK_BYTES;
            makecontext(&contexts[t], begin, 0);
            ended[t] = false;
        }
        for (int left = threads; left;) {
            const long before = events;
            left = 0;
            for (int t = 0; t < threads; t++) {
                threadIdx.x = backwards ? threads - 1 - t : t;
                if (ended[threadIdx.x]) continue;
                swapcontext(&scheduler, &contexts[threadIdx.x]);
                left += !ended[threadIdx.x];
            }
            if (events == before) return false;
        }
        for (size_t b = bytes; b < sizeof pool; b++)
            if (((unsigned char *)pool)[b] != 0xff) return false;
    }
    return true;
}

template <class... A>
static bool run(void (*kernel)(A...), int blocks, int threads, size_t bytes, bool backwards, void **args) {
    return run(kernel, blocks, threads, bytes, backwards, args, std::index_sequence_for<A...>());
}

#define LAUNCH(kernel)                                                                              \
    extern "C" bool launch(int blocks, int threads, size_t bytes, bool backwards, void **args) {    \
        return run(kernel, blocks, threads, bytes, backwards, args);                                \
    }
