#!/bin/sh
# Runs every fuzz target of a build for so many seconds, one after another: tests/fuzz/run.sh BUILD SECONDS. Fails if one found something.
# What takes more than 10 s of computing is a finding (libfuzzer.cpp); -timeout goes by the clock, which says little on a busy machine.
set -eu
build=$1
seconds=$2
stored=$(dirname "$0")/corpus
bad=0
mkdir -p "$build/found"
for folder in "$stored"/*/; do
  target=$(basename "$folder")
  mkdir -p "$build/corpus/$target"
  echo "== $target for $seconds s"
  "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=600 -rss_limit_mb=4096 -max_len=16384 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="$build/found/$target-" "$build/corpus/$target" "$folder" || bad=1
done
[ $bad = 0 ] || echo "Found something: see $build/found, and \"Fuzzing\" in docs/CONTRIBUTING.md" >&2
exit $bad
