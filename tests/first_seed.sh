#!/bin/sh
# Prints the first seed of tests that draw programs: a million for each day since 1970, by the date of the commit. Each
# day's tests draw fresh programs, and a commit's are the same again. $JITPROBE_FIRST_SEED overrides it; without git it
# is 0.
seconds=$(git -C "$(dirname "$0")" log -1 --format=%ct 2>/dev/null || echo 0)
seed=${JITPROBE_FIRST_SEED:-$((seconds / 86400 * 1000000))}
echo "first seed: $seed" >&2
echo "$seed"
