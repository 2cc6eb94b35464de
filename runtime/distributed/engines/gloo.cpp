// The engine `gloo`: Debian's libgloo over TCP.

#include "engine.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <netdb.h>

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/context.h>
#include <gloo/gather.h>
#include <gloo/math.h>
#include <gloo/reduce.h>
#include <gloo/scatter.h>
#include <gloo/types.h>
#include <gloo/transport/address.h>
#include <gloo/transport/context.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

namespace {

using Milliseconds = std::chrono::milliseconds;
using Reduction = void (*)(void *, const void *, const void *, size_t);

// A context whose addresses are exchanged by the caller, in place of a gloo store.
class Context : public gloo::Context {
public:
  Context(int rank, int size, std::shared_ptr<gloo::transport::Device> device, Milliseconds timeout)
      : gloo::Context(rank, size) {
    setTimeout(timeout);
    device_ = std::move(device);
    transportContext_ = device_->createContext(rank, size);
    transportContext_->setTimeout(timeout);
  }

  // For each rank the length of an address and the address; none for this one.
  std::string address() {
    std::string all;
    for (int i = 0; i < size; i++) {
      std::vector<char> bytes;
      if (i != rank)
        bytes = transportContext_->createPair(i)->address().bytes();
      uint32_t length = static_cast<uint32_t>(bytes.size());
      all.append(reinterpret_cast<const char *>(&length), sizeof length);
      all.append(bytes.data(), bytes.size());
    }
    return all;
  }

  void connect(const uint8_t *const *addresses, const size_t *lengths) {
    for (int i = 0; i < size; i++)
      if (i != rank)
        transportContext_->getPair(i)->connect(entry(addresses[i], lengths[i]));
  }

private:
  // Where another rank listens for this one.
  std::vector<char> entry(const uint8_t *data, size_t length) const {
    size_t at = 0;
    for (int i = 0;; i++) {
      uint32_t bytes = 0;
      if (length - at < sizeof bytes)
        break;
      std::memcpy(&bytes, data + at, sizeof bytes);
      at += sizeof bytes;
      if (length - at < bytes)
        break;
      if (i == rank)
        return std::vector<char>(data + at, data + at + bytes);
      at += bytes;
    }
    throw std::runtime_error("gloo: the address of another rank is damaged");
  }
};

// The network device of this process.
std::shared_ptr<gloo::transport::Device> device() {
  static std::mutex mutex;
  static std::shared_ptr<gloo::transport::Device> made;
  std::lock_guard<std::mutex> lock(mutex);
  if (made)
    return made;
  gloo::transport::tcp::attr attributes;
  const char *interface = std::getenv("GLOO_SOCKET_IFNAME");
  if (interface && *interface) {
    attributes.iface = interface;
  } else {
    // The machine's own name where it is known and can be listened at, else the loopback device, as in PyTorch.
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    attributes.hostname = host;
    try {
      return made = gloo::transport::tcp::CreateDevice(attributes);
    } catch (const std::exception &) {
      attributes.hostname = "127.0.0.1";
    }
  }
  return made = gloo::transport::tcp::CreateDevice(attributes);
}

template <typename T, typename F>
void each(void *out, const void *a, const void *b, size_t n, F f) {
  auto *to = static_cast<T *>(out);
  auto *x = static_cast<const T *>(a);
  auto *y = static_cast<const T *>(b);
  for (size_t i = 0; i < n; i++)
    to[i] = static_cast<T>(f(x[i], y[i]));
}

template <typename T> void bitAnd(void *out, const void *a, const void *b, size_t n) {
  each<T>(out, a, b, n, [](T x, T y) { return x & y; });
}
template <typename T> void bitOr(void *out, const void *a, const void *b, size_t n) {
  each<T>(out, a, b, n, [](T x, T y) { return x | y; });
}
template <typename T> void bitXor(void *out, const void *a, const void *b, size_t n) {
  each<T>(out, a, b, n, [](T x, T y) { return x ^ y; });
}

template <typename T> Reduction arithmetic(int32_t reduction) {
  switch (reduction) {
  case JANUS_SUM:
    return static_cast<Reduction>(&gloo::sum<T>);
  case JANUS_PRODUCT:
    return static_cast<Reduction>(&gloo::product<T>);
  case JANUS_MIN:
    return static_cast<Reduction>(&gloo::min<T>);
  case JANUS_MAX:
    return static_cast<Reduction>(&gloo::max<T>);
  default:
    return nullptr;
  }
}

template <typename T> Reduction integral(int32_t reduction) {
  switch (reduction) {
  case JANUS_BAND:
    return &bitAnd<T>;
  case JANUS_BOR:
    return &bitOr<T>;
  case JANUS_BXOR:
    return &bitXor<T>;
  default:
    return arithmetic<T>(reduction);
  }
}

// For bytes that are 0 or 1, and stay that.
Reduction logical(int32_t reduction) {
  switch (reduction) {
  case JANUS_SUM:
  case JANUS_MAX:
    return &bitOr<uint8_t>;
  case JANUS_PRODUCT:
  case JANUS_MIN:
    return &bitAnd<uint8_t>;
  default:
    return integral<uint8_t>(reduction);
  }
}

// The upper half of a float: computed with as one, and rounded to the nearest, to the even of two.
struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  BFloat16(float value) {
    uint32_t all;
    std::memcpy(&all, &value, sizeof all);
    bits = value != value ? 0x7fc0 : static_cast<uint16_t>((all + 0x7fff + ((all >> 16) & 1)) >> 16);
  }
  operator float() const {
    uint32_t all = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &all, sizeof value);
    return value;
  }
};

template <int32_t reduction> void half(void *out, const void *a, const void *b, size_t n) {
  each<BFloat16>(out, a, b, n, [](float x, float y) {
    switch (reduction) {
    case JANUS_SUM:
      return x + y;
    case JANUS_PRODUCT:
      return x * y;
    case JANUS_MIN:
      return y < x ? y : x;
    default:
      return x < y ? y : x;
    }
  });
}

Reduction bfloat16(int32_t reduction) {
  switch (reduction) {
  case JANUS_SUM:
    return &half<JANUS_SUM>;
  case JANUS_PRODUCT:
    return &half<JANUS_PRODUCT>;
  case JANUS_MIN:
    return &half<JANUS_MIN>;
  case JANUS_MAX:
    return &half<JANUS_MAX>;
  default:
    return nullptr;
  }
}

Reduction find(int32_t type, int32_t reduction) {
  Reduction found = nullptr;
  switch (type) {
  case JANUS_F32:
    found = arithmetic<float>(reduction);
    break;
  case JANUS_F64:
    found = arithmetic<double>(reduction);
    break;
  case JANUS_I64:
    found = integral<int64_t>(reduction);
    break;
  case JANUS_I32:
    found = integral<int32_t>(reduction);
    break;
  case JANUS_I8:
    found = integral<int8_t>(reduction);
    break;
  case JANUS_U8:
    found = integral<uint8_t>(reduction);
    break;
  case JANUS_BOOL:
    found = logical(reduction);
    break;
  case JANUS_F16:
    found = arithmetic<gloo::float16>(reduction);
    break;
  case JANUS_BF16:
    found = bfloat16(reduction);
    break;
  }
  if (!found)
    throw std::runtime_error("gloo: no such reduction of elements of this type");
  return found;
}

// Calls `f` with a pointer of the width of a type: the algorithms only move elements and call the reduction.
template <typename F> void withType(int32_t type, void *data, F f) {
  switch (type) {
  case JANUS_F64:
  case JANUS_I64:
    return f(static_cast<uint64_t *>(data));
  case JANUS_F32:
  case JANUS_I32:
    return f(static_cast<uint32_t *>(data));
  case JANUS_F16:
  case JANUS_BF16:
    return f(static_cast<uint16_t *>(data));
  default:
    return f(static_cast<uint8_t *>(data));
  }
}

char *copied(const char *text) {
  char *copy = static_cast<char *>(std::malloc(std::strlen(text) + 1));
  if (copy)
    std::strcpy(copy, text);
  return copy;
}

// No exception leaves the library.
template <typename R, typename F> R guarded(char **error, R failed, F f) {
  try {
    return f();
  } catch (const std::exception &e) {
    *error = copied(e.what());
  } catch (...) {
    *error = copied("gloo: an unknown error");
  }
  return failed;
}

template <typename F> int32_t done(char **error, F f) {
  return guarded<int32_t>(error, 1, [&] {
    f();
    return 0;
  });
}

uint8_t *bytes(const void *data) { return static_cast<uint8_t *>(const_cast<void *>(data)); }

} // namespace

struct janus_communicator {
  std::shared_ptr<Context> context;
  // Of the collectives: each has another one, on all ranks the same.
  uint32_t tag = 0;
};

struct janus_transfer {
  std::unique_ptr<gloo::transport::UnboundBuffer> buffer;
  bool sends;
  int to;
};

namespace {

template <typename O> void prepare(janus_communicator *c, O &options, int64_t timeout) {
  options.setTag(c->tag++);
  options.setTimeout(Milliseconds(timeout));
}

janus_communicator *create(int32_t rank, int32_t size, int64_t timeout, uint8_t **address, size_t *length,
                           char **error) {
  return guarded<janus_communicator *>(error, nullptr, [&] {
    auto made = std::make_unique<janus_communicator>();
    made->context = std::make_shared<Context>(rank, size, device(), Milliseconds(timeout));
    std::string all = made->context->address();
    *address = static_cast<uint8_t *>(std::malloc(all.size()));
    if (!*address)
      throw std::bad_alloc();
    std::memcpy(*address, all.data(), all.size());
    *length = all.size();
    return made.release();
  });
}

int32_t connect(janus_communicator *c, const uint8_t *const *addresses, const size_t *lengths, char **error) {
  return done(error, [&] { c->context->connect(addresses, lengths); });
}

void close(janus_communicator *c) {
  char *error = nullptr;
  done(&error, [&] { c->context->closeConnections(); });
  std::free(error);
}

void destroy(janus_communicator *c) { delete c; }

int32_t allReduce(janus_communicator *c, void *data, size_t elements, int32_t type, int32_t reduction, int64_t timeout,
                  char **error) {
  return done(error, [&] {
    gloo::AllreduceOptions options(c->context);
    withType(type, data, [&](auto *p) { options.setOutput(p, elements); });
    options.setReduceFunction(find(type, reduction));
    prepare(c, options, timeout);
    gloo::allreduce(options);
  });
}

int32_t reduce(janus_communicator *c, void *data, size_t elements, int32_t type, int32_t reduction, int32_t root,
               int64_t timeout, char **error) {
  return done(error, [&] {
    gloo::ReduceOptions options(c->context);
    withType(type, data, [&](auto *p) { options.setOutput(p, elements); });
    options.setReduceFunction(find(type, reduction));
    options.setRoot(root);
    prepare(c, options, timeout);
    gloo::reduce(options);
  });
}

int32_t broadcast(janus_communicator *c, void *data, size_t count, int32_t root, int64_t timeout, char **error) {
  return done(error, [&] {
    gloo::BroadcastOptions options(c->context);
    options.setOutput(bytes(data), count);
    options.setRoot(root);
    prepare(c, options, timeout);
    gloo::broadcast(options);
  });
}

int32_t allGather(janus_communicator *c, const void *in, size_t count, void *out, int64_t timeout, char **error) {
  return done(error, [&] {
    gloo::AllgatherOptions options(c->context);
    options.setInput(bytes(in), count);
    options.setOutput(bytes(out), count * static_cast<size_t>(c->context->size));
    prepare(c, options, timeout);
    gloo::allgather(options);
  });
}

int32_t gather(janus_communicator *c, const void *in, size_t count, void *out, int32_t root, int64_t timeout,
               char **error) {
  return done(error, [&] {
    gloo::GatherOptions options(c->context);
    options.setInput(bytes(in), count);
    if (out)
      options.setOutput(bytes(out), count * static_cast<size_t>(c->context->size));
    options.setRoot(root);
    prepare(c, options, timeout);
    gloo::gather(options);
  });
}

int32_t scatter(janus_communicator *c, const void *in, void *out, size_t count, int32_t root, int64_t timeout,
                char **error) {
  return done(error, [&] {
    gloo::ScatterOptions options(c->context);
    if (in) {
      std::vector<uint8_t *> parts;
      for (int i = 0; i < c->context->size; i++)
        parts.push_back(bytes(in) + count * static_cast<size_t>(i));
      options.setInputs(parts, count);
    }
    options.setOutput(bytes(out), count);
    options.setRoot(root);
    prepare(c, options, timeout);
    gloo::scatter(options);
  });
}

int32_t allToAll(janus_communicator *c, const void *in, const int64_t *inBytes, void *out, const int64_t *outBytes,
                 int64_t timeout, char **error) {
  return done(error, [&] {
    size_t size = static_cast<size_t>(c->context->size);
    gloo::AlltoallvOptions options(c->context);
    options.setInput(bytes(in), std::vector<int64_t>(inBytes, inBytes + size));
    options.setOutput(bytes(out), std::vector<int64_t>(outBytes, outBytes + size));
    prepare(c, options, timeout);
    gloo::alltoallv(options);
  });
}

int32_t barrier(janus_communicator *c, int64_t timeout, char **error) {
  return done(error, [&] {
    gloo::BarrierOptions options(c->context);
    prepare(c, options, timeout);
    gloo::barrier(options);
  });
}

janus_transfer *send(janus_communicator *c, const void *data, size_t count, int32_t to, uint32_t tag, char **error) {
  return guarded<janus_transfer *>(error, nullptr, [&] {
    auto made = std::make_unique<janus_transfer>();
    made->buffer = c->context->createUnboundBuffer(bytes(data), count);
    made->sends = true;
    made->to = to;
    made->buffer->send(to, tag);
    return made.release();
  });
}

janus_transfer *receive(janus_communicator *c, void *data, size_t count, int32_t from, uint32_t tag, char **error) {
  return guarded<janus_transfer *>(error, nullptr, [&] {
    auto made = std::make_unique<janus_transfer>();
    made->buffer = c->context->createUnboundBuffer(data, count);
    made->sends = false;
    made->to = from;
    if (from >= 0) {
      made->buffer->recv(from, tag);
    } else {
      std::vector<int> others;
      for (int i = 0; i < c->context->size; i++)
        if (i != c->context->rank)
          others.push_back(i);
      made->buffer->recv(others, tag);
    }
    return made.release();
  });
}

int32_t wait(janus_transfer *t, int32_t *peer, char **error) {
  return done(error, [&] {
    // As good as for ever: who waits for this wait has the limit, and cancels.
    const Milliseconds limit = std::chrono::hours(24 * 365);
    int other = t->to;
    bool completed = t->sends ? t->buffer->waitSend(&other, limit) : t->buffer->waitRecv(&other, limit);
    if (!completed)
      throw std::runtime_error("gloo: the transfer was cancelled");
    *peer = other;
  });
}

void cancel(janus_transfer *t) {
  if (t->sends)
    t->buffer->abortWaitSend();
  else
    t->buffer->abortWaitRecv();
}

void forget(janus_transfer *t) { delete t; }

void release(void *p) { std::free(p); }

const janus_engine TABLE = {
    JANUS_ENGINE_VERSION, "gloo", create,   connect, close,  destroy, allReduce, reduce,  broadcast, allGather, gather,
    scatter,              allToAll, barrier, send,    receive, wait,   cancel,    forget, release,
};

} // namespace

extern "C" __attribute__((visibility("default"))) const janus_engine *janus_engine_table(void) { return &TABLE; }
