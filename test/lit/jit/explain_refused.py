# REQUIRES: janus-jit
# RUN: janus-jit explain --tier 1 %s | FileCheck %s

# What tier 1 does not compile is named, with its line; so is what it need not.


def words(n):
    for i in range(n):
        yield i
    return n


def area(w, h):
    return w * h


for i in range(2000):
    area(i, 2)
print(sum(words(5000)))

# CHECK: explain_refused.py:13: function area
# CHECK: tier 0: entered
# CHECK-NEXT: not compiled: it has no tensors, and a call of it costs less in tier 0
# CHECK: explain_refused.py:8: loop words
# CHECK: tier 0
# The generator's body is compiled as a whole, from its resumptions on; its loop is no region then.
# CHECK-NEXT: not compiled: it has no tensors, and was not hot enough for tier 1
# CHECK: 200 1 9 | yield i
