#!/usr/bin/env python3
"""Do two builds of trompo give the same results? Runs many models by many schemes and compares every recorded number.

    same_results.py OLD NEW            both tools now
    same_results.py freeze OLD DIR     keep what OLD gives in DIR (an old tool is then no longer needed)
    same_results.py compare NEW DIR    and hold NEW against it

Every run has a twin: OLD again, with one number of its start changed by one unit in the last place. Numbers of a kind (all
positions, all energies ...) are compared relative to the largest of the kind. A run is the same if for each kind the distance
is at most 1e-12, or at most ten times that of the twin: what rounding alone would do. The line shows the worst kind.
Exit code 1 if a run is not the same."""
import csv, json, math, os, shutil, subprocess, sys, tempfile, tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
FLOOR, FACTOR, STEPS = 1e-12, 10, 200

# model | number of the start that the twin changes | what is set: keys of [time], or paths as for --set; one run for each part
# between bars. A first word `statics` or `modes` is the command; the others are runs of at most 200 steps.
RUNS = """
examples/bead_on_wire | node.bead.velocity |
examples/cable_net | node.weight.velocity |
examples/damaged_chain | gravity | step=0.02
examples/damped_oscillator | coordinate.u.value |
examples/duffing | coordinate.u.value |
examples/elastic_pendulum | node.bob.velocity |
examples/elastic_pendulum_green | node.bob.position |
examples/flexible_wing | gravity | step=0.02
examples/flying_rod | rod.rod.from |
examples/four_bar | body.crank.angular_velocity |
examples/pendulum_angle | coordinate.theta.value |
examples/rod_and_sphere | body.sphere.mass |
examples/rod_trigonometric | body.sphere.mass |
examples/sinh_oscillator | coordinate.u.value |
examples/slider_crank | joint.guide.stiffness | step=0.01
examples/swinging_chain | gravity |
examples/tennis_racket | body.racket.angular_velocity |
examples/top | body.top.angular_velocity |
examples/xhale | gravity | step=0.02
tests/benchmarks/models/points | node.c.position | | scheme=trapezoidal steps=50 | scheme=midpoint | scheme=bathe | scheme=gem+xi
  | scheme=gem newton.tangent=published | scheme=energy-momentum-exact+xi constraint_gradient=mean-value
  | constraint_gradient=gonzalez | scheme=krenk-newmark damping=0.02 | scheme=krenk-geometric
  | scheme=krenk-quartic constraint_gradient=midpoint damping=0.02 | scheme=krenk energy_target=initial step=0.005
  | scheme=krenk direction=displacement newton.tangent=sixth step=0.005 | scheme=krenk-quartic newton.tangent=published
  | scheme=discrete-gradient form=gonzalez | scheme=discrete-gradient form=mean-value points=3
  | scheme=discrete-gradient form=itoh-abe | scheme=projection-return | scheme=rk4 step=0.002 | scheme=hamming step=0.002
tests/benchmarks/models/bodies | gravity | | formulation=rotation | constraint_gradient=mean-value | scheme=bathe
  | scheme=gem rho_infinity=0.3 | scheme=newmark rho_infinity=0.5 | scheme=krenk-quartic constraint_gradient=gonzalez
  | scheme=krenk-geometric formulation=rotation | constraint_gradient=midpoint formulation=rotation
  | scheme=discrete-gradient form=gonzalez | scheme=discrete-gradient form=mean-value | scheme=discrete-gradient form=itoh-abe
  | scheme=generalized-alpha-1 formulation=euler-parameters rho_infinity=0.3 | scheme=energy-momentum+xi steps=40
  | scheme=hht-1 formulation=euler-parameters rho_infinity=0.6 blend=recursion | scheme=midpoint steps=40
  | scheme=rk4 formulation=euler-parameters step=0.001 | scheme=central-difference formulation=euler-parameters step=0.001
tests/benchmarks/models/rods | body.hub.mass | | scheme=krenk formulation=rotation | scheme=generalized-alpha-2 rho_infinity=0.5
  | scheme=krenk-quartic rod.boom.mass=consistent rod.arc.mass=consistent | scheme=krenk-geometric
  | scheme=gem+xi rho_infinity=0.5 | scheme=bossak rho_infinity=0.5 formulation=euler-parameters
  | scheme=discrete-gradient form=itoh-abe steps=40
verification/top/slow | body.top.angular_velocity | scheme=simo-collocation
verification/top/fast | body.top.angular_velocity | scheme=geradin-bauchau-momentum | scheme=euler-poisson-midpoint
verification/top/flip | body.body.angular_velocity | scheme=simo-wong
verification/xhale/bodies32 | gravity | step=0.01 steps=50
statics verification/rods/bend_45 | rod.bend.EI |
statics verification/rods/lee_frame | rod.column.EA |
modes verification/rods/right_angle | rod.leg.GA |
modes examples/damaged_chain | joint.root.stiffness |
"""
AXES = ("x", "y", "z", "w", "i", "j", "k")
KINDS = {"velocity", "acceleration", "reaction", "angular_velocity", "rate", "force", "strain", "energy", "moment", "curvature",
         "multiplier", "gap", "error", "beta", "torque", "angle", "linear", "angular", "highest", "lowest", "mises", "shape",
         "frequency"}


def runs():
    """The table, taken apart: title -> (command, model, twin, changes)."""
    found = {}
    for line in RUNS.strip().replace("\n  |", " |").splitlines():
        model, twin, *settings = (part.strip() for part in line.split("|"))
        command = model.split()[0] if " " in model else "run"
        for setting in settings:
            changes = dict(word.split("=", 1) for word in setting.split())
            found[f"{model} {setting}".strip()] = (command, model.split()[-1], twin, changes)
    return found


def look_up(tables, path):
    """What stands at a path such as node.bob.velocity: a list of tables is searched by name."""
    found = tables
    for word in path.split("."):
        found = next(t for t in found if t["name"] == word) if isinstance(found, list) else found[word]
    return found


def one_ulp_off(value):
    """The number, or the largest of a list."""
    numbers = value if isinstance(value, list) else [value]
    i = max(range(len(numbers)), key=lambda k: abs(numbers[k]))
    off = numbers[:i] + [math.nextafter(numbers[i], math.inf)] + numbers[i + 1:]
    return json.dumps(off if isinstance(value, list) else off[0])


def run(tool, entry, off, out):
    """Runs an entry of the table with the tool, its twin if `off`, and leaves what it recorded in the file `out`."""
    command, model, twin, changes = entry
    path = os.path.join(HERE, "..", "..", model + ".toml")
    with open(path, "rb") as file:
        tables = tomllib.load(file)
    settings = {"newton.tolerance": "1e-13", "newton.increment": "1e-13", "output.every": "1"}
    settings |= {k if "." in k or k == "formulation" else "time." + k: v for k, v in changes.items() if k != "steps"}
    if command == "run":
        time, steps = tables["time"], int(changes.get("steps", STEPS))
        step = float(changes.get("step", time["step"]))
        settings |= {"time.end": min(time["end"], step * steps)} if "end" in time else {"time.steps": min(time["steps"], steps)}
    if off:
        settings[twin] = one_ulp_off(look_up(tables, twin))
    with tempfile.TemporaryDirectory() as place:
        arguments = [tool, command, path, "-q", "--no-report", "-o", place] + ["--csv"] * (command != "modes")
        arguments += [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run(arguments, capture_output=True, text=True)
        if done.returncode not in (0, 4):
            sys.exit(f"{' '.join(arguments)}\n{done.stderr}")
        shutil.copy(os.path.join(place, "summary.json" if command == "modes" else "results.csv"), out)
    return done.returncode


def read(path, command):
    """Columns by name. The sign of a shape is nobody's, so its numbers are taken without."""
    with open(path, newline="") as file:
        if command == "modes":
            modes = json.load(file)["modes"]
            table = {f"{m['mode']}.frequency": [m["angular_frequency"], m["growth"]] for m in modes}
            parts = {f"{m['mode']}.shape": [v for part in m["shape"].values() for v in part.values()] for m in modes}
            return table | {k: [abs(n) for v in vs for n in (v if isinstance(v, list) else [v])] for k, vs in parts.items()}
        header, *rows = csv.reader(file)
    columns = ([float(cell) if cell else math.inf for cell in column] for column in zip(*rows))
    table = {name: list(c) for name, c in zip(header, columns) if name not in ("step", "newton.iterations")}
    for name in [n for n in table if n.endswith(".w")]:  # q and -q are one orientation
        parts = [table[name[:-1] + part] for part in "wijk"]
        for row in range(len(parts[0])):
            if sum(share * p[row] for share, p in zip((0.91, 0.37, 0.59, 0.73), parts)) < 0:
                for p in parts:
                    p[row] = -p[row]
    return table


def kind_of(name):
    """What a column is compared with: positions with positions; a sensor or a coordinate with itself."""
    if name.startswith("energy."):
        return "energy"
    words = name.split(".")
    if len(words) > 1 and words[-1] in AXES:
        quaternion = words.pop() in "wijk"
        return words[-1] if words[-1] in KINDS else "quaternion" if quaternion else "position"
    return words[-1] if len(words) > 1 and words[-1] in KINDS else name


def distances(one, other):
    """Largest difference of each kind, relative to the largest number of the kind in `one`; where that is zero but for
    rounding, to a thousandth of the unit. Constraint errors are relative as they are."""
    size, apart = {}, {}
    for name, column in one.items():
        kind, twin = kind_of(name), other.get(name, [])
        differences = (0 if a == b else abs(a - b) for a, b in zip(column, twin))
        size[kind] = max(size.get(kind, 1 if "gap" in kind or "error" in kind else 1e-3), *(abs(v) for v in column if math.isfinite(v)), 0)
        apart[kind] = max(apart.get(kind, 0), *differences, 0 if len(twin) == len(column) else math.inf)
    return {kind: apart[kind] / size[kind] for kind in size}


def freeze(tool, place):
    os.makedirs(place, exist_ok=True)
    codes = {}
    for i, (title, entry) in enumerate(runs().items()):
        codes[title] = run(tool, entry, False, f"{place}/{i}.old")
        run(tool, entry, True, f"{place}/{i}.twin")
    with open(f"{place}/runs.json", "w") as file:
        json.dump(codes, file, indent=1)


def compare(tool, place):
    with open(f"{place}/runs.json") as file:
        codes = json.load(file)
    print(f"{'distance':>9} {'twin':>9}  {'worst kind':16} run")
    wrong = 0
    for i, (title, code) in enumerate(codes.items()):
        entry = runs()[title]
        new_code = run(tool, entry, False, f"{place}/new")
        old, twin, new = (read(f"{place}/{name}", entry[0]) for name in (f"{i}.old", f"{i}.twin", "new"))
        by_twin, by_new = distances(old, twin), distances(old, new)
        allowed = {kind: max(FLOOR, FACTOR * by_twin[kind]) for kind in by_twin}
        worst = max(by_new, key=lambda kind: (by_new[kind] / allowed[kind], by_twin[kind]))
        same = by_new[worst] <= allowed[worst] and code == new_code and old.keys() == new.keys()
        wrong += not same
        remark = ("" if same else "  DIFFERS") + (f"  (stopped, exit code {code})" if code else "")
        print(f"{by_new[worst]:9.1e} {by_twin[worst]:9.1e}  {worst[:16]:16} {title}{remark}", flush=True)
    print(f"{len(codes)} runs, {wrong} differ" if wrong else f"{len(codes)} runs, all the same")
    return 1 if wrong else 0


if len(sys.argv) == 3:
    with tempfile.TemporaryDirectory() as directory:
        freeze(sys.argv[1], directory)
        sys.exit(compare(sys.argv[2], directory))
if len(sys.argv) != 4 or sys.argv[1] not in ("freeze", "compare"):
    sys.exit(__doc__)
sys.exit({"freeze": freeze, "compare": compare}[sys.argv[1]](sys.argv[2], sys.argv[3]))
