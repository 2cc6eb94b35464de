/* What an engine of torch.distributed is to janus-jit: one C function that gives a table of functions.
 *
 * A communicator is this process's end of a group. Its collectives are called by one thread, one after the other;
 * `send`, `receive`, `wait` and `cancel` may be called by any thread, also while a collective runs. All memory belongs
 * to the caller, who leaves it in place until the call, or the transfer, has ended.
 *
 * A function that fails gives 1 (or a null pointer) and puts a message into *error, to be freed with `release`.
 */
#ifndef JANUS_ENGINE_H
#define JANUS_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every change of what stands here. */
#define JANUS_ENGINE_VERSION 1

enum janus_type {
  JANUS_F32 = 0,
  JANUS_F64 = 1,
  JANUS_I64 = 2,
  JANUS_I32 = 3,
  JANUS_I8 = 4,
  JANUS_U8 = 5,
  /* A byte that is 0 or 1. */
  JANUS_BOOL = 6,
  JANUS_F16 = 7,
  /* The upper half of a float. */
  JANUS_BF16 = 8,
};

enum janus_reduction {
  JANUS_SUM = 0,
  JANUS_PRODUCT = 1,
  JANUS_MIN = 2,
  JANUS_MAX = 3,
  JANUS_BAND = 4,
  JANUS_BOR = 5,
  JANUS_BXOR = 6,
};

typedef struct janus_communicator janus_communicator;
typedef struct janus_transfer janus_transfer;

typedef struct janus_engine {
  uint32_t version;
  const char *name;

  /* A communicator that is not connected yet, and in *address (to be freed with `release`) what the others need. */
  janus_communicator *(*create)(int32_t rank, int32_t size, int64_t timeout_ms, uint8_t **address,
                                size_t *address_length, char **error);
  /* Connects to all others; `addresses` and `lengths` are by rank. */
  int32_t (*connect)(janus_communicator *, const uint8_t *const *addresses, const size_t *lengths, char **error);
  /* Ends what is under way with an error, everywhere. */
  void (*close)(janus_communicator *);
  void (*destroy)(janus_communicator *);

  int32_t (*all_reduce)(janus_communicator *, void *data, size_t elements, int32_t type, int32_t reduction,
                        int64_t timeout_ms, char **error);
  int32_t (*reduce)(janus_communicator *, void *data, size_t elements, int32_t type, int32_t reduction, int32_t root,
                    int64_t timeout_ms, char **error);
  int32_t (*broadcast)(janus_communicator *, void *data, size_t bytes, int32_t root, int64_t timeout_ms, char **error);
  /* `in` has `bytes`, `out` as many for each rank. */
  int32_t (*all_gather)(janus_communicator *, const void *in, size_t bytes, void *out, int64_t timeout_ms,
                        char **error);
  /* `out` is null but for the root. */
  int32_t (*gather)(janus_communicator *, const void *in, size_t bytes, void *out, int32_t root, int64_t timeout_ms,
                    char **error);
  /* `in` is null but for the root. */
  int32_t (*scatter)(janus_communicator *, const void *in, void *out, size_t bytes, int32_t root, int64_t timeout_ms,
                     char **error);
  /* Bytes to and from each rank. */
  int32_t (*all_to_all)(janus_communicator *, const void *in, const int64_t *in_bytes, void *out,
                        const int64_t *out_bytes, int64_t timeout_ms, char **error);
  int32_t (*barrier)(janus_communicator *, int64_t timeout_ms, char **error);

  janus_transfer *(*send)(janus_communicator *, const void *data, size_t bytes, int32_t to, uint32_t tag, char **error);
  /* `from` is -1 for whoever sends first. */
  janus_transfer *(*receive)(janus_communicator *, void *data, size_t bytes, int32_t from, uint32_t tag, char **error);
  /* Waits without limit; *peer is whom the data went to or came from. */
  int32_t (*wait)(janus_transfer *, int32_t *peer, char **error);
  /* Makes a `wait` end with an error. */
  void (*cancel)(janus_transfer *);
  /* Only once nobody waits. */
  void (*forget)(janus_transfer *);

  void (*release)(void *);
} janus_engine;

/* The only symbol of an engine. */
const janus_engine *janus_engine_table(void);

#ifdef __cplusplus
}
#endif
#endif
