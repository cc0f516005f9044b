#!/bin/sh
# Installs the built tree, builds a small client against it with find_package, and runs it.
set -eu
source=$1 build=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
"$cmake" -S "$source/tests/install" -B "$work/client" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null
"$cmake" --build "$work/client" >/dev/null
"$work/client/client"
"$work/client/own_stiffness"
"$work/prefix/bin/trompo" --version
