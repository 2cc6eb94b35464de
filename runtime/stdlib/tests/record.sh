#!/bin/sh
# Records what CPython 3.11 prints for the programs in py/ (or those named): py/x.py -> py/x.out.
cd "$(dirname "$0")/py" || exit 1
[ $# -gt 0 ] || set -- *.py
for program in "$@"; do
    COLUMNS=80 PYTHONHASHSEED=0 python3 "$program" >"${program%.py}.out" 2>&1 </dev/null
done
