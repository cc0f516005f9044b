#include "tests/fuzz/random_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "tests/fuzz/draw.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/scheme/catalogue.hpp"

namespace trompo {

namespace {

constexpr double step = 0.01;

std::string text_of(const Vec3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }

// Writes the file part by part. Places in it are those of t = 0, so that a joint fits wherever it is put, and what is driven
// starts at rest where it is drawn.
class ModelWriter {
 public:
  explicit ModelWriter(std::uint64_t seed) : draw_(seed) {}

  std::string write() {
    const bool with_bodies = draw_.chance(0.75);
    const int points = with_bodies ? draw_.between(0, 2) : draw_.between(1, 5);
    projected_ = draw_.chance(0.5);
    head(with_bodies);
    if (with_bodies)
      for (int count = draw_.between(1, 4); count > 0; --count) body();
    if (with_bodies && draw_.chance(0.3)) rod();
    for (int i = 0; i < points; ++i) node();
    if (draw_.chance(0.4)) coordinate();
    for (int i = 1; i < points; ++i) bar(i);
    if (with_bodies && resting_.size() > 2 && draw_.chance(0.4)) loop();
    for (int count = draw_.between(0, 2); count > 0; --count) spring();
    for (int count = draw_.between(0, 2); count > 0; --count) load();
    if (draw_.chance(0.2)) put("[rayleigh]\nmass = {}\nstiffness = {}\n", some(0, 0.5), some(0, 1e-3));
    if (points > 0 && draw_.chance(0.3)) potential();
    sensors();
    if (draw_.chance(0.4)) event();
    if (draw_.chance(0.4)) sudden_event();
    return std::move(text_);
  }

  // The rows that can integrate the model; parameters and options of one of them.
  std::string time(const std::vector<const Row*>& rows) {
    const Row& row = *draw_.one_of(rows);
    text_.clear();
    put("[time]\nstep = {}\nend = {}\nscheme = \"{}\"\n", step, draw_.between(5, 30) * step, row.name);
    if (projected_) put("initial_projection = true\n");
    for (const Parameter& p : row.parameters)
      if (draw_.chance(0.2) && p.least < p.most && std::isfinite(p.most) && (p.name == "rho_infinity" || p.name == "xi"))
        put("{} = {}\n", p.name, some(p.least, p.most));
    for (const Option& o : row.options)
      if (draw_.chance(0.3)) {
        const std::string_view value = draw_.one_of(o.values).name;
        const bool flag = value == "true" || value == "false";
        put("{} = {}\n", o.name, flag ? std::string(value) : "\"" + std::string(value) + "\"");
      }
    return std::move(text_);
  }

 private:
  struct Part {
    std::string name;
    Vec3 place;
  };

  template <class... Values>
  void put(fmt::format_string<Values...> form, const Values&... values) {
    text_ += fmt::vformat(form, fmt::make_format_args(values...));
  }
  double some(double least, double most) { return std::round(1e4 * draw_.between(least, most)) / 1e4; }
  Vec3 vector(double size) { return {some(-size, size), some(-size, size), some(-size, size)}; }
  Vec3 direction() {
    Vec3 v = vector(1);
    if (v.norm() < 0.1) v = Vec3(0, 0, 1);
    return v;
  }
  std::string name(std::string_view kind) { return fmt::format("{}{}", kind, ++count_); }

  void head(bool with_bodies) {
    put("title = \"drawn\"\n");
    if (draw_.chance(0.7)) put("gravity = {}\n", text_of(vector(10)));
    if (with_bodies && draw_.chance(0.6))
      put("formulation = \"{}\"\n", draw_.word({"directors", "rotation", "euler-parameters"}));
    put("[parameters]\nk = {}\n", some(1, 50));
  }

  void inertia() {
    switch (draw_.below(6)) {
      case 0:
        return put("mass = {}\ninertia = {}\n", some(0.5, 5), text_of(Vec3(some(0.5, 0.7), some(0.5, 0.7), some(0.5, 0.7))));
      case 1: return put("mass = {}\nshape = {{ plate = [{}, {}] }}\n", some(0.5, 5), some(0.2, 1), some(0.2, 1));
      case 2: return put("mass = {}\nshape = {{ cylinder = [{}, {}] }}\n", some(0.5, 5), some(0.1, 0.5), some(0.2, 1));
      case 3: return put("mass = {}\nshape = {{ sphere = {} }}\n", some(0.5, 5), some(0.2, 0.6));
      case 4:
        return put(
            "parts = [{{ mass = {}, shape = {{ box = [0.5, 0.3, 0.2] }} }}, {{ mass = {}, inertia = [0, 0, 0], position = {} "
            "}}]\n",
            some(0.5, 2), some(0.5, 2), text_of(vector(0.5)));
      default:
        return put("mass = {}\nshape = {{ box = {} }}\n", some(0.5, 5),
                   text_of(Vec3(some(0.2, 1), some(0.2, 1), some(0.2, 1))));
    }
  }

  void body() {
    const Part parent = resting_.empty() || draw_.chance(0.2) ? Part{"ground", Vec3::Zero()} : draw_.one_of(resting_);
    const Part own{name("body"), parent.place + 1.5 * direction().normalized()};
    put("[[body]]\nname = \"{}\"\nposition = {}\n", own.name, text_of(own.place));
    inertia();
    if (draw_.chance(0.5)) put("orientation = {{ axis = {}, degrees = {} }}\n", text_of(direction()), some(-180, 180));
    const bool free = draw_.chance(0.15);
    if (free || projected_) put("velocity = {}\nangular_velocity = {}\n", text_of(vector(1)), text_of(vector(2)));
    bodies_.push_back(own);
    if (!free || projected_) resting_.push_back(own);  // a joint would be opened by the velocities of the others
    if (!free) joint(parent, own);
  }

  void joint(const Part& first, const Part& second) {
    const Vec3 at = first.place + some(0.2, 0.8) * (second.place - first.place);
    const Vec3 axis = direction();
    const std::string own = name("joint");
    joints_.push_back(own);
    put("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\n", own, first.name, second.name);
    switch (draw_.below(13)) {
      case 0: put("weld = {{ at = {} }}\n", text_of(at)); break;
      case 1:
      case 2:
        put("hinge = {{ axis = {}, at = {} }}\n", text_of(axis), text_of(at));
        if (draw_.chance(0.5)) {
          put("stiffness = {}\ndamping = {}\n", some(1, 100), draw_.chance(0.5) ? some(0, 1) : 0.0);
          if (draw_.chance(0.5)) put("rest = \"as drawn\"\n");
          springy_.push_back(own);
        }
        break;
      case 3:
        put("ball = {{ at = {} }}\n", text_of(at));
        if (draw_.chance(0.4)) put("stiffness = {}\ndamping = {}\nrest = \"as drawn\"\n", some(1, 100), some(0, 1));
        break;
      case 4: {
        const Vec3 other = axis.unitOrthogonal();
        put("universal = {{ at = {}, axis = {}, other_axis = {} }}\n", text_of(at), text_of(axis), text_of(other));
        if (draw_.chance(0.4))
          put("stiffness = {}\nother_stiffness = {}\nother_damping = {}\n", some(1, 100), some(1, 100), some(0, 1));
        break;
      }
      case 5:
        put("cylindrical = {{ axis = {}, at = {} }}\n", text_of(axis), text_of(at));
        if (draw_.chance(0.2))
          put("travel_motion = \"{}*(1 - cos({}*t))\"\n", some(0.01, 0.2), some(1, 10));
        else if (draw_.chance(0.5))
          put("stiffness = {}\nrest = \"as drawn\"\ntravel_stiffness = {}\n", some(1, 100), some(10, 1000));
        break;
      case 6:
        put("prismatic = {{ axis = {}, at = {} }}\n", text_of(axis), text_of(at));
        if (draw_.chance(0.3))
          put("motion = \"{}*(1 - cos({}*t))\"\n", some(0.01, 0.2), some(1, 10));
        else if (draw_.chance(0.6)) {
          put("stiffness = {}\n", some(10, 1000));
          springy_.push_back(own);
        }
        break;
      case 7: put("planar = {{ axis = {}, at = {} }}\n", text_of(axis), text_of(at)); break;
      case 8: {
        const Vec3 from = first.place;
        put("distance = {{ from = {}, at = {} }}\n", text_of(from), text_of(at));
        if (draw_.chance(0.3)) put("motion = \"{} + {}*t^2\"\n", (at - from).norm(), some(-1, 1));
        break;
      }
      case 9: put("line = {{ axis = {}, at = {} }}\n", text_of(axis), text_of(at)); break;
      case 10: put("plane = {{ axis = {}, at = {} }}\n", text_of(axis), text_of(at)); break;
      case 11: {
        const Vec3 normal = (at - first.place).cross(axis);
        put("circle = {{ axis = {}, from = {}, at = {} }}\n", text_of(normal), text_of(first.place), text_of(at));
        break;
      }
      default:
        put("bushing = {{ at = {} }}\nstiffness_along = {}\nstiffness_about = [5, 6, 7]\ndamping_about = [0, 0.1, 0.2]\n",
            text_of(at), text_of(Vec3(some(10, 1000), some(10, 1000), some(10, 1000))));
        if (draw_.chance(0.3)) put("law = \"sine\"\n");
    }
    if (first.name == "ground" && draw_.chance(0.15)) put("ground_motion = {{ z = \"{} + {}*t^2\" }}\n", at[2], some(-1, 1));
  }

  // Closes a loop: at t = 0 any joint fits.
  void loop() {
    const Part first = resting_.front(), second = resting_.back();
    const Vec3 at = 0.5 * (first.place + second.place);
    put("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\n", name("loop"), first.name, second.name);
    switch (draw_.below(4)) {
      case 0: return put("ball = {{ at = {} }}\n", text_of(at));
      case 1: return put("plane = {{ axis = {}, at = {} }}\n", text_of(direction()), text_of(at));
      case 2: return put("hinge = {{ axis = {}, at = {} }}\n", text_of(direction()), text_of(at));
      default:  // from places beside the centres: where other joints are, it would start stretched out
        return put("distance = {{ from = {}, at = {} }}\n", text_of(first.place + vector(0.4)),
                   text_of(second.place + vector(0.4)));
    }
  }

  void rod() {
    const std::string own = name("rod");
    const Vec3 from = Vec3(5, 0, 0) + vector(0.5), to = from + direction().normalized() * some(1, 2);
    const int elements = draw_.between(1, 4), nodes = draw_.between(2, 3);
    put("[[rod]]\nname = \"{}\"\nelements = {}\nnodes_per_element = {}\n", own, elements, nodes);
    const bool on_body = !resting_.empty() && draw_.chance(0.4);
    if (on_body) {
      const Part hub = draw_.one_of(resting_);
      put("from = {{ body = \"{}\", point = [0.1, 0, 0] }}\nto = {}\n", hub.name, text_of(hub.place + (to - from)));
    } else {
      put("from = {}\nto = {}\n", text_of(from), text_of(to));
      if (draw_.chance(0.5)) put("clamped = \"from\"\n");
    }
    if (draw_.chance(0.5))
      put("EA = {}\nGA = {}\nGJ = {}\nEI = [{}, {}]\ndensity = {}\nrotary_inertia = 0.01\n", some(1e3, 1e5), some(1e3, 1e5),
          some(10, 100), some(10, 100), some(10, 100), some(0.5, 3));
    else
      put("material = {{ E = 2e9, nu = 0.3, density = 1000 }}\nsection = {{ tube = [0.05, 0.03] }}\n");
    if (draw_.chance(0.3)) put("load = [0, \"{}*sin(5*t)\", 0]\n", some(-10, 10));
    if (draw_.chance(0.2)) put("precurvature = [0, {}, 0]\n", some(-0.2, 0.2));
  }

  void node() {
    const Part own{name("node"), Vec3(0, 5, 0) + vector(2)};
    put("[[node]]\nname = \"{}\"\nposition = {}\n", own.name, text_of(own.place));
    if (nodes_.empty() && draw_.chance(0.6)) {
      if (draw_.chance(0.4)) {
        shaken_ = own.name;
        put("fixed_axes = [\"y\", \"z\"]\nmotion = {{ x = \"{} + {}*(1 - cos(9*t))\" }}\n", own.place[0], some(0.01, 0.3));
      } else {
        put("fixed = true\n");
      }
    } else {
      put("mass = {}\nvelocity = {}\n", some(0.5, 5), text_of(vector(2)));
    }
    nodes_.push_back(own);
  }

  void bar(int i) {
    const std::string own = name("bar");
    put("[[bar]]\nname = \"{}\"\nnodes = [\"{}\", \"{}\"]\nEA = {}\nstrain = \"{}\"\n", own, nodes_[i - 1].name, nodes_[i].name,
        some(50, 5000), draw_.word({"engineering", "green", "logarithmic", "almansi"}));
    if (draw_.chance(0.2)) put("tension_only = true\n");
    if (draw_.chance(0.2)) put("density = {}\n", some(0, 1));
    bars_.push_back(own);
  }

  void coordinate() {
    coordinate_ = name("u");
    put("[[coordinate]]\nname = \"{0}\"\ninertia = {1}\nvalue = {2}\nrate = {3}\ndamping = {4}\npotential = \"k*{0}^2/2*(1 + "
        "{0}^2/2)\"\n",
        coordinate_, some(0.5, 3), some(-1, 1), some(-1, 1), draw_.chance(0.3) ? some(0, 1) : 0.0);
  }

  std::string end(bool body) {
    if (body) return fmt::format("{{ body = \"{}\", point = {} }}", draw_.one_of(bodies_).name, text_of(vector(0.3)));
    return fmt::format("{{ node = \"{}\" }}", draw_.one_of(nodes_).name);
  }
  void spring() {
    const std::string own = name("spring");
    const bool body = nodes_.empty() || (!bodies_.empty() && draw_.chance(0.5));
    const std::string to = body && !nodes_.empty() && draw_.chance(0.5)
                               ? end(false)
                               : fmt::format("{{ ground = {} }}", text_of(Vec3(9, 9, 9) + vector(2)));
    put("[[spring]]\nname = \"{}\"\nfrom = {}\nto = {}\nstiffness = {}\n", own, end(body), to, some(1, 200));
    if (draw_.chance(0.5)) put("damping = {}\n", some(0, 3));
    if (draw_.chance(0.3)) put("length = {}\n", some(0, 10));
    springs_.push_back(own);
  }

  void load() {
    loads_.push_back(name("load"));
    put("[[load]]\nname = \"{}\"\n", loads_.back());
    const double size = some(-20, 20);
    if (nodes_.empty() || (!bodies_.empty() && draw_.chance(0.5))) {
      put("body = \"{}\"\n", draw_.one_of(bodies_).name);
      switch (draw_.below(4)) {
        case 0: return put("force = [{}, \"3*sin(7*t)\", 0]\npoint = {}\n", size, text_of(vector(0.3)));
        case 1: return put("torque = [0, \"{}*t\", 1]\n", size);
        case 2: return put("moment = [{}, 0, \"cos(t)\"]\n", 0.1 * size);
        default: return put("force = [0, 0, {}]\nfollower = true\n", size);
      }
    }
    put("node = \"{}\"\n", draw_.one_of(nodes_).name);
    switch (draw_.below(3)) {
      case 0: return put("force = [{}, \"k*t\", 0]\n", size);
      case 1: return put("force = [0, 0, {}]\npotential = true\n", size);
      default: return put("table = [[0, 0, 0, 0], [0.1, 1, {}, 0], [0.2, 0, 0, 0]]\n", size);
    }
  }

  void potential() {
    const std::string& n = draw_.one_of(nodes_).name;
    if (draw_.chance(0.5))
      put("[[invariant]]\nname = \"s\"\nformula = \"{0}.x^2 + {0}.y^2 + {0}.z^2\"\n[[potential]]\nname = \"field\"\npotential "
          "= \"k*log(1 + s)\"\n",
          n);
    else
      put("[[potential]]\nname = \"field\"\npotential = \"k*cos({0}.x)*exp(-0.1*{0}.y^2) + 0.5*{0}.z^2\"\n", n);
  }

  void sensors() {
    if (!bodies_.empty()) put("[[sensor]]\nname = \"x of body\"\nposition = \"{}\"\naxis = \"x\"\n", bodies_.back().name);
    if (nodes_.size() > 1)
      put("[[sensor]]\nname = \"apart\"\ndistance = [\"{}\", \"{}\"]\n", nodes_.front().name, nodes_.back().name);
    if (!coordinate_.empty()) put("[[sensor]]\nname = \"sine\"\nformula = \"sin({}) + t\"\n", coordinate_);
  }

  // Something is let go, or becomes stiffer or softer.
  void event() {
    const double at = draw_.between(1, 20) * step * (draw_.chance(0.3) ? 0.77 : 1);
    if (!springs_.empty() && draw_.chance(0.6))
      put("[[event]]\nat = {}\nset = {{ spring = \"{}\", stiffness = {} }}\n", at, draw_.one_of(springs_),
          draw_.chance(0.4) ? 0.0 : some(1, 400));
    else if (!springy_.empty())
      put("[[event]]\nat = {}\nset = {{ joint = \"{}\", stiffness = {} }}\n", at, changed(draw_.one_of(springy_)),
          draw_.chance(0.4) ? 0.0 : some(1, 400));
    else if (!bars_.empty())
      put("[[event]]\nat = {}\nset = {{ bar = \"{}\", EA = {} }}\n", at, draw_.one_of(bars_), some(10, 1e4));
  }

  // A load, a mass, a joint or a motion is another one, or gone.
  void sudden_event() {
    const auto set = [this](const std::string& what) {
      put("[[event]]\nat = {}\nset = {{ {} }}\n", draw_.between(0, 20) * step, what);
    };
    const std::size_t kind = draw_.below(4);
    if (kind == 0 && !loads_.empty())
      set(fmt::format("load = \"{}\", scale = {}", draw_.one_of(loads_), draw_.chance(0.5) ? 0.0 : some(1.1, 3)));
    else if (kind == 1 && !joints_.empty())
      set(fmt::format("joint = \"{}\", release = true", released(draw_.one_of(joints_))));
    else if (kind == 2 && !shaken_.empty())
      set(fmt::format("node = \"{}\", stop = true", shaken_));
    else if (!bodies_.empty())
      set(fmt::format("body = \"{}\", mass = {}", draw_.one_of(bodies_).name, some(20, 30)));
  }

  // A joint that has let go is changed by no other event.
  std::string changed(std::string joint) {
    std::erase(joints_, joint);
    return joint;
  }
  std::string released(std::string joint) {
    std::erase(springy_, joint);
    return changed(std::move(joint));
  }

  Draw draw_;
  std::string text_, coordinate_, shaken_;  // the last is a node that moves as prescribed
  std::vector<Part> bodies_, nodes_;
  std::vector<Part> resting_;  // bodies that may be joined
  std::vector<std::string> springs_, springy_, bars_, loads_, joints_;
  int count_ = 0;
  bool projected_ = false;
};

}  // namespace

std::string random_model(std::uint64_t seed) {
  ModelWriter writer(seed);
  std::string text = writer.write();
  const std::string any = "[time]\nstep = 1\nend = 1\nscheme = \"energy-momentum-exact\"\ninitial_projection = true\n";
  const System system(parse_model(text + any, "drawn.toml"));
  std::vector<const Row*> rows;
  for (const Row& row : catalogue())
    if (refusal(make_scheme(row.name), system).empty()) rows.push_back(&row);
  if (rows.empty()) rows.push_back(find_scheme("energy-momentum-exact"));
  return text + writer.time(rows);
}

}  // namespace trompo
