# REQUIRES: janus-jit
# RUN: janus-jit explain --tier 1 %s | FileCheck %s

# What tier 1 does not compile is named, with its line.


def words(n):
    text = ""
    for i in range(n):
        text = text + str(i)
    return text


def area(w, h):
    return w * h


for i in range(2000):
    area(i, 2)
print(len(words(5000)))

# CHECK: explain_refused.py:14: function area
# CHECK: tier 1: entered
# CHECK: explain_refused.py:9: loop words
# CHECK: tier 0
# CHECK-NEXT: {{.*}}a variable that is a str
