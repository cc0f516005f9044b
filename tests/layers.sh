#!/bin/sh
# Links go downwards only: math <- {space, measure, law} <- system <- scheme <- run <- {output, apps}. The model is plain data that
# system and above may read; below system nobody knows it. Nothing below apps/ prints.
set -eu
cd "$1"
bad=0
forbid() { # folder, pattern of folders it may not include
  found=$(grep -nE "#include \"trompo/($2)/" -r "trompo/$1" || true)
  [ -z "$found" ] || { echo "trompo/$1 includes what it may not know:"; echo "$found"; bad=1; }
}
forbid math    "model|space|measure|law|system|scheme|run|output"
forbid model   "space|measure|law|system|scheme|run|output"
forbid space   "model|measure|law|system|scheme|run|output"
forbid measure "model|space|law|system|scheme|run|output"
forbid law     "model|space|measure|system|scheme|run|output"
forbid system  "scheme|run|output"
forbid scheme  "run|output"
forbid run     "output"
found=$(grep -rnE "std::cout|std::cerr|\bprintf\(|fmt::print\(" trompo || true)
[ -z "$found" ] || { echo "printing below apps/:"; echo "$found"; bad=1; }
found=$(grep -rnE "std::cout|std::cerr|\bprintf\(|fmt::print\(" apps | grep -v "^apps/print" || true)
[ -z "$found" ] || { echo "printing past apps/print.hpp, which may throw:"; echo "$found"; bad=1; }
found=$(grep -rnwiE "(alpha|beta|gamma)(_[mf])?" trompo/space trompo/measure trompo/law || true)
[ -z "$found" ] || { echo "weights of schemes below system/:"; echo "$found"; bad=1; }
found=$(grep -rnE "#include <Eigen/(Cholesky|Dense|Eigenvalues|LU|QR|SVD)>" trompo | grep -v "^trompo/math/dense.cpp:" || true)
[ -z "$found" ] || { echo "decompositions outside trompo/math/dense.cpp:"; echo "$found"; bad=1; }
exit $bad
