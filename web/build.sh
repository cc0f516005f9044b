#!/bin/sh
# Builds the page in a copy of web/: build.sh WEB COPY leaves COPY/dist/index.html. Where npm fails, as without a network, the page is
# empty and dated long ago, so that the next build tries again; everything else goes on.
set -eu
web=$1 copy=$2 log=$2/npm.log
mkdir -p "$copy"
rm -rf "$copy/src" "$copy/dist"
(cd "$web" && tar cf - --exclude=./node_modules --exclude=./dist .) | (cd "$copy" && tar xf -)
cd "$copy"
if { cmp -s package-lock.json node_modules/installed-lock.json ||
  { npm ci --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000 >"$log" 2>&1 && cp package-lock.json node_modules/installed-lock.json; }; } &&
  npm run build >>"$log" 2>&1; then
  exit 0
fi
echo "The page is left out: npm failed, see $log. Everything else works; build again for another try." >&2
mkdir -p dist
: >dist/index.html
touch -d @0 dist/index.html
