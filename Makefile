# The two commands: `make run` and `make test`. Each installs what is missing, builds what has changed, and goes on.
.PHONY: run test long soak build sanitize threads fuzz bench lint format packages clean

run: build
	./build/trompo run examples/xhale.toml
	@echo "Open xhale.out/report.html in a browser, or: ./build/trompo view xhale.out. Next: the other examples/ and docs/guide.md"

build: packages
	cmake --preset tool --log-level=WARNING
	cmake --build --preset tool

test:
	@.ci/install-packages chromium hdf5-tools
	cmake --preset release --log-level=WARNING
	cmake --build --preset release
	ctest --preset release
	@[ "$$TROMPO_LONG" = 1 ] || echo "Long runs were shortened; in full they are: make long"

# The long runs in full: millions of steps, a reproduction of minutes.
long:
	@.ci/install-packages chromium hdf5-tools
	cmake --preset release --log-level=WARNING
	cmake --build --preset release
	TROMPO_LONG=1 ctest --preset release -L long

# 500 kills over ten models: whatever is left can be read, and what is resumed comes to the same bytes.
soak:
	@.ci/install-packages hdf5-tools
	cmake --preset release --log-level=WARNING
	cmake --build --preset release --target trompo_cli trompo_tests
	TROMPO_SOAK=1 ./build/tests/trompo_tests --gtest_filter='Models/Killed.*'

# The same tests under AddressSanitizer and UndefinedBehaviorSanitizer, the long runs left out.
sanitize: packages
	cmake --preset sanitize --log-level=WARNING
	cmake --build --preset sanitize
	ctest --preset sanitize -E 'install_client|headers|layers' -LE 'browser|long'

# Two threads that share a System, under ThreadSanitizer.
threads: packages
	cmake --preset threads --log-level=WARNING
	cmake --build --preset threads --target trompo_threads_test
	TSAN_OPTIONS=halt_on_error=1 ./build-threads/tests/trompo_threads_test

# Every libFuzzer target for so many seconds. New inputs gather in build-fuzz/corpus; what crashes is left in build-fuzz/found.
FUZZ_SECONDS ?= 60
fuzz:
	@.ci/install-packages clang libclang-rt-dev
	cmake --preset fuzz --log-level=WARNING
	cmake --build --preset fuzz --target fuzzers
	tests/fuzz/run.sh build-fuzz $(FUZZ_SECONDS)

bench:
	@.ci/install-packages chromium
	cmake --preset bench --log-level=WARNING
	cmake --build --preset bench
	./build/tests/benchmarks/trompo_bench
	./build/trompo run -q examples/xhale.toml -o build/bench.out
	cd build/web/page && npm run -s bench -- ../../bench.out/report.html

# A tree without precompiled headers, which clang cannot read from g++, with files in their groups: what they include is then read
# once. clang-tidy-16 is the first to know an optional that is used without a look at whether it is there.
lint:
	@.ci/install-packages clang-format clang-tidy-16
	git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run --Werror
	cmake --preset tool -B build-lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON --log-level=WARNING
	sed -n 's/^ *"file": "\(.*\.c[xp][xp]\)",*$$/\1/p' build-lint/compile_commands.json | grep -v embedded_files | xargs -P2 -n1 clang-tidy-16 -p build-lint --quiet --checks=-bugprone-suspicious-include

format:
	git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

packages:
	@.ci/install-packages

clean:
	rm -rf build build-sanitize build-threads build-fuzz build-lint
