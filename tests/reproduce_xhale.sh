#!/bin/sh
# The study of the flexible aircraft, all of it with TROMPO_LONG=1; without, its statements about up to three bodies.
set -eu
if [ "${TROMPO_LONG:-}" = 1 ]; then exec "$1" reproduce xhale -o "$2"; fi
echo "shortened to section 4.2; TROMPO_LONG=1 runs all"
exec "$1" reproduce xhale --section 4.2
