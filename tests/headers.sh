#!/bin/sh
# Every header compiles alone.
set -eu
cd "$1"
find trompo -name '*.hpp' | sort | xargs -P2 -I{} sh -c 'echo "#include \"{}\"" | "$0" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I. -isystem /usr/include/eigen3 -x c++ -' "$2"
