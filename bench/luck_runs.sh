#!/bin/bash
# One call for a machine with many cores, of nine and a half minutes: everything in bench/luck_plan.json, into $OUT/luck.jsonl.
# It needs NumPy and Numba. Files of earlier runs can be given as arguments: what is in them is not run again.
set -u
PYTHON=${PYTHON:-python3}
began=$SECONDS
cd "$(dirname "$0")/.."
cores=$(nproc) # before the next line: with OMP_NUM_THREADS=1, nproc says 1
export PYTHONPATH=. OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1
for game in fantome turandot opera; do
    timeout 240 $PYTHON -m bench.luck_runs bench/luck_plan.json --warm $game &
done
wait
left=$((${LIMIT:-570} - SECONDS + began))
echo "compiled after $((SECONDS - began)) seconds"
timeout $((left + 10)) $PYTHON -m bench.luck_runs bench/luck_plan.json --processes "$cores" \
    --minutes "$($PYTHON -c "print(${left} / 60)")" --out "${OUT:-.}/luck.jsonl" --done "$@"
$PYTHON -m bench.luck_runs --report "$@" "${OUT:-.}/luck.jsonl"
