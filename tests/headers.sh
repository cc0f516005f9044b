#!/bin/sh
# Every header compiles alone.
set -eu
cd "$1"
eigen=$(pkg-config --cflags-only-I eigen3 2>/dev/null || echo -I/usr/include/eigen3)
find trompo apps -name '*.hpp' | sort | xargs -P2 -I{} "$2" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-pragma-once-outside-header -I. \
  "$(echo "$eigen" | sed 's/-I/-isystem/')" -x c++ {}
