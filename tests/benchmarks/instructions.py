#!/usr/bin/env python3
"""Instructions per step, counted by callgrind: what `make bench` times, without the noise of a busy machine.

    instructions.py TOOL [NEW_TOOL]      with two tools also the ratio NEW_TOOL / TOOL

Each model is run for two lengths; what both do (reading, the first factorisation, writing) falls out of the difference."""
import os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
EXACT = "energy-momentum-exact"


def plates(n):
    """The falling chain of bench.cpp: n plates with torsion springs in their hinges."""
    text = "gravity = [0, 0, -9.81]\n"
    for k in range(n):
        text += f'[[body]]\nname = "p{k}"\nmass = 1\nshape = {{ plate = [1, 1] }}\nposition = [0, {k + 0.5}, 0]\n'
        text += f'[[joint]]\nname = "h{k}"\nbodies = ["{f"p{k - 1}" if k else "ground"}", "p{k}"]\n'
        text += f"hinge = {{ axis = [1, 0, 0], at = [0, {k}, 0] }}\nstiffness = 100\n"
    return text + f'[time]\nstep = 0.001\nend = 1\nscheme = "{EXACT}"\n'


def chain(n):
    """The hanging chain of bench.cpp: n bars, plucked sideways."""
    text = "gravity = [0, 0, -9.81]\n"
    for i in range(n + 1):
        held = "fixed = true" if i in (0, n) else "velocity = [0, 0.5, 0]"
        text += f'[[node]]\nname = "n{i}"\nposition = [{0.1 * i}, 0, 0]\nmass = 0.1\n{held}\n'
    for i in range(n):
        text += f'[[bar]]\nname = "b{i}"\nnodes = ["n{i}", "n{i + 1}"]\nEA = 1e4\n'
    return text + f'[time]\nstep = 0.002\nend = 1\nscheme = "{EXACT}"\n'


def rod(n):
    with open(f"{ROOT}/examples/flying_rod.toml") as file:
        return file.read().replace("elements = 10", f"elements = {n}").replace('"rod.10"', f'"rod.{n}"')


def example(name):
    with open(f"{ROOT}/{name}.toml") as file:
        return file.read()


# line, model, step, fewer steps, more steps, settings
LINES = [
    *((f"pendulum, {s}", example("examples/elastic_pendulum"), 0.05, 100, 1100, [f"time.scheme={s}"])
      for s in ("generalized-alpha-1", "gem+xi", EXACT, "krenk", "krenk-geometric", "bathe")),
    *((f"pendulum, {f} gradient", example("examples/elastic_pendulum"), 0.05, 100, 1100,
       ["time.scheme=discrete-gradient", f"time.form={f}"]) for f in ("gonzalez", "mean-value", "itoh-abe")),
    ("typed energy, exact", example("examples/sinh_oscillator"), 0.1, 100, 1100, [f"time.scheme={EXACT}"]),
    ("typed energy, krenk", example("examples/sinh_oscillator"), 0.1, 100, 1100, []),
    ("bead on a wire", example("examples/bead_on_wire"), 0.02, 50, 550, []),
    ("points, all terms", example("tests/benchmarks/models/points"), 0.01, 20, 120, []),
    ("top, simo-projection", example("examples/top"), 0.01, 100, 1100, []),
    ("top, exact", example("examples/top"), 0.01, 100, 1100, [f"time.scheme={EXACT}"]),
    ("4 bars", example("examples/four_bar"), 0.01, 20, 120, []),
    ("4 bars, Euler parameters", example("examples/four_bar"), 0.01, 20, 120,
     ["formulation=euler-parameters", "time.scheme=generalized-alpha-1"]),
    ("bodies, all joints", example("tests/benchmarks/models/bodies"), 0.005, 10, 60, []),
    ("7 plates", plates(7), 0.001, 20, 120, []),
    ("31 plates", plates(31), 0.001, 10, 40, []),
    ("255 plates", plates(255), 0.001, 2, 6, []),
    ("rod of 10", rod(10), 0.05, 10, 40, []),
    ("rod of 100", rod(100), 0.05, 4, 10, []),
    ("X-HALE", example("examples/xhale"), 0.002, 10, 60, []),
    ("flexible wing", example("examples/flexible_wing"), 0.01, 4, 14, []),
    ("cable net", example("examples/cable_net"), 0.005, 50, 550, []),
    ("chain of 1000 bars", chain(1000), 0.002, 2, 8, []),
]


def count(tool, model, end, settings, place):
    with open(f"{place}/model.toml", "w") as file:
        file.write(model)
    shutil.rmtree(f"{place}/out", ignore_errors=True)  # a tool does not replace what another one wrote
    words = [tool, "run", f"{place}/model.toml", "-q", "--no-report", "-o", f"{place}/out"]
    for setting in [f"time.end={end}", "output.every=1000000", *settings]:
        words += ["--set", setting]
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *words], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return int(re.search(r"Collected\s*:\s*(\d+)", done.stderr)[1])


def main(tools):
    if len(tools) not in (1, 2):
        sys.exit(__doc__)
    print(f"{'thousand instructions a step':30}" + "".join(f"{w:>12}" for w in ("old", "new", "new/old")[:2 * len(tools) - 1]))
    with tempfile.TemporaryDirectory() as place:
        for line, model, step, few, many, settings in LINES:
            costs = []
            for tool in tools:
                less, more = (count(tool, model, step * n, settings, place) for n in (few, many))
                costs.append((more - less) / (many - few) / 1000)
            ratio = f"{costs[1] / costs[0]:12.3f}" if len(costs) == 2 else ""
            print(f"{line:30}" + "".join(f"{c:12.1f}" for c in costs) + ratio, flush=True)


main(sys.argv[1:])
