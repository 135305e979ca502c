#!/usr/bin/env bash
# Runs every driver of cases with known results over its file in tests/data and prints, last, the sum
# over all of them. Usage: tests/drivers/run.sh BIN_DIR
set -euo pipefail
bin=${1:?usage: tests/drivers/run.sh BIN_DIR}
data=$(dirname "${BASH_SOURCE[0]}")/../data

passed=0 failed=0

main() {
  check_that_faults_count
  run oracle-cases "$data/parallel-training-cases.json"
  run numeric-cases "$data/numeric-cases.jsonl"
  run pytorch-cases "$data/pytorch-schedules.jsonl"
  run pytorch-cases "$data/pytorch-csv.jsonl"
  run pytorch-cases "$data/pytorch-numerics.jsonl"
  run fsrs-cases "$data/fsrs-cases.json"
  run learning-day-cases "$data/learning-day-cases.json"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# run DRIVER ARGUMENT...: shows what it prints and adds its last line to the sum.
run() {
  local output status=0
  output=$("$bin/$1" "${@:2}") || status=$?
  printf '%s\n%s\n' "$1" "$output"
  add "$(tail -n 1 <<<"$output")" "$status"
}

# add "N passed, N failed" STATUS: a driver that ends badly without a failed case is one failure.
add() {
  local last=$1 status=$2
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    if [ "$status" -eq 0 ] || [ "${BASH_REMATCH[2]}" -gt 0 ]; then return; fi
  fi
  failed=$((failed + 1))
}

# A driver that passes everything would be worthless: of these, the first alone is right.
check_that_faults_count() {
  local last
  last=$("$bin/oracle-cases" /dev/stdin <<'END' | tail -n 1
{"cases": [
  {"id": "right", "topic": "speedup", "op": "gustafson",
   "inputs": {"parallel_fraction": 0.5, "N": 3}, "expected": 2, "tol": 0},
  {"id": "wrong number", "topic": "speedup", "op": "gustafson",
   "inputs": {"parallel_fraction": 0.5, "N": 3}, "expected": 2.1, "tol": 0.05},
  {"id": "a wrong method's number", "topic": "gradients", "op": "double_division",
   "inputs": {"per_rank_grads": [1, 3]}, "expected": {"correct": 2, "buggy": 2}},
  {"id": "unknown op", "topic": "speedup", "op": "levitate", "inputs": {}, "expected": 1},
  {"id": "unknown topic", "topic": "magic", "op": "gustafson", "inputs": {}, "expected": 1}
]}
END
) || true
  if [ "$last" = "1 passed, 4 failed" ]; then
    passed=$((passed + 1))
  else
    echo "oracle-cases: expected 1 passed, 4 failed of its own check, not: $last"
    failed=$((failed + 1))
  fi
}

main
