#include "trompo/output/scene.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "trompo/math/dense.hpp"
#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/event.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/model/rod_section.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

Json written(const Vec3& x) { return {x[0], x[1], x[2]}; }
Json written(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
Json place(int frame, const Vec3& point) { return {{"frame", frame}, {"point", written(point)}}; }

// A piece of a body, in its axes.
struct Piece {
  const char* kind;
  std::vector<double> size;
  double reach;  // how far it goes from its own centre
};

Piece piece_of(const ShapeInput& s) {
  if (s.box) return {"box", {s.box->begin(), s.box->end()}, 0.5 * s.box->norm()};
  if (s.plate) return {"plate", {s.plate->begin(), s.plate->end()}, 0.5 * s.plate->norm()};
  if (s.cylinder)
    return {"cylinder", {s.cylinder->begin(), s.cylinder->end()}, std::hypot((*s.cylinder)[0], 0.5 * (*s.cylinder)[1])};
  if (s.sphere) return {"sphere", {*s.sphere}, *s.sphere};
  return {"rod", {known(s.rod)}, 0.5 * known(s.rod)};
}

// The homogeneous ellipsoid of this inertia; the axes it stands along come with it. Where there is none, as for a tensor that
// is of no body or of a point, a thin one.
std::pair<Piece, Quaternion> ellipsoid(const Mat3& inertia, double mass) {
  auto [J, axes] = principal_axes(inertia);
  if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
  Vec3 semi;
  for (int i = 0; i < 3; ++i) semi[i] = std::sqrt(std::max(0.0, 2.5 / mass * (J.sum() - 2 * J[i])));
  semi = semi.cwiseMax(0.05 * semi.maxCoeff());
  return {{"ellipsoid", {semi.begin(), semi.end()}, semi.maxCoeff()}, to_quaternion(axes)};
}

Quaternion turn_of(const OrientationInput& orientation) {
  BodyInput body;
  body.orientation = orientation;
  return resolve_body(body).orientation;
}

class Index {
 public:
  template <class Items>
  explicit Index(const Items& items) {
    for (const auto& item : items) places_.emplace(item.name, static_cast<int>(places_.size()));
  }
  [[nodiscard]] int of(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string, int> places_;
};

class SceneWriter {
 public:
  explicit SceneWriter(const Model& model) : m(model), node_(model.nodes), body_(model.bodies), coordinate_(model.coordinates) {
    for (const BodyInput& body : m.bodies) bodies_.push_back(resolve_body(body));
    for (const RodElementInput& e : m.rod_elements) of_rods_.insert({e.bodies[0], e.middle, e.bodies[1]});
    out = {{"nodes", Json::array()},        {"bodies", Json::array()}, {"fixed", Json::array()},
           {"gravity", written(m.gravity)}, {"plane", m.plane},        {"size", 0.0},
           {"shapes", Json::array()}};
    for (const char* list : {"bars", "springs", "joints", "lines", "rods", "loads", "trails", "pendulums"})
      out[list] = Json::array();
    nodes();
    anchors();
    pendulums();
    for (std::size_t b = 0; b < m.bodies.size(); ++b) body(b);
    bars();
    springs();
    rods();
    joints();
    loads();
    trails();
    const double size = (high_ - low_).norm();
    out["size"] = size > 0 && std::isfinite(size) ? size : 1.0;
    points_of_mass();
  }
  Json out;

 private:
  // Frames are numbered: nodes, moving points of the ground, bobs of pendulums, bodies.
  [[nodiscard]] int bob_frame(std::size_t pendulum) const {
    return static_cast<int>(m.nodes.size() + anchor_.size() + pendulum);
  }
  [[nodiscard]] int body_frame(int body) const { return bob_frame(m.pendulums.size()) + body; }
  void see(const Vec3& x, double around = 0) {
    low_ = low_.cwiseMin(x - Vec3::Constant(around));
    high_ = high_.cwiseMax(x + Vec3::Constant(around));
  }

  void nodes() {
    for (const NodeInput& node : m.nodes) {
      bool held = true;
      for (int i = 0; i < 3; ++i)
        held = held && (node.fixed || node.fixed_axes[static_cast<std::size_t>(i)] || i == m.normal_axis());
      out["nodes"].push_back(node.name);
      out["fixed"].push_back(held);
      see(node.position);
    }
  }
  // As the system numbers them.
  void anchors() {
    const auto add = [this](const std::string& name) {
      anchor_.emplace(name, static_cast<int>(out["nodes"].size()));
      out["nodes"].push_back(name);
      out["fixed"].push_back(true);
    };
    for (const SpringInput& spring : m.springs) {
      if (spring.from.ground && moves(spring.from.motion)) add(spring.name + ".from");
      if (spring.to.ground && moves(spring.to.motion)) add(spring.name + ".to");
    }
    for (const JointInput& joint : m.joints)
      if (moves(joint.ground_motion)) add(joint.name + ".ground");
  }
  void pendulums() {
    const Vec3 down = m.gravity.norm() > 0 ? Vec3(m.gravity.normalized()) : Vec3(-Vec3::UnitY());
    Vec3 side = std::abs(down.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    side = (side - side.dot(down) * down).normalized();
    Vec3 origin = Vec3::Zero();
    for (const PendulumInput& p : m.pendulums) {
      const int bob = static_cast<int>(out["nodes"].size());
      out["nodes"].push_back(p.name);
      out["fixed"].push_back(false);
      out["lines"].push_back({{"name", p.name}, {"places", {place(-1, origin), place(bob, Vec3::Zero())}}});
      out["pendulums"].push_back({{"coordinate", coordinate_.of(p.coordinate)},
                                  {"length", p.length},
                                  {"origin", written(origin)},
                                  {"down", written(down)},
                                  {"side", written(side)}});
      see(origin, p.length);
      origin += 0.5 * p.length * down.cross(side);  // the next one swings beside it
    }
  }

  void body(std::size_t b) {
    const BodyInput& input = m.bodies[b];
    const ResolvedBody& body = bodies_[b];
    const int frame = body_frame(static_cast<int>(b));
    out["bodies"].push_back(input.name);
    if (input.shape.given()) {
      shape(frame, piece_of(input.shape), Vec3::Zero(), Quaternion::Identity(), body);
    } else if (!input.parts.empty()) {
      Vec3 centre = Vec3::Zero();
      for (const PartInput& part : input.parts) centre += part.mass / body.mass * part.position;
      for (const PartInput& part : input.parts) {
        const Quaternion turn = turn_of(part.orientation);
        const Vec3 at = part.position - centre;
        if (part.shape.given()) {
          shape(frame, piece_of(part.shape), at, turn, body);
        } else {
          const auto [piece, own] = ellipsoid(part.inertia.value_or(Mat3::Zero()), part.mass);
          shape(frame, piece, at, composed(turn, own), body);
        }
      }
    } else if (!of_rods_.contains(input.name)) {  // the rod itself is drawn there
      const auto [piece, own] = ellipsoid(body.inertia - parallel_axes(body.mass, body.centre), body.mass);
      shape(frame, piece, Vec3::Zero(), own, body);
    }
    see(body.position);
    if (!input.fixed_point) return;
    see(*input.fixed_point);
    if (body.centre.norm() > 0)
      out["lines"].push_back({{"name", input.name}, {"places", {place(frame, -body.centre), place(frame, Vec3::Zero())}}});
  }
  void shape(int frame, const Piece& piece, const Vec3& position, const Quaternion& turn, const ResolvedBody& body) {
    out["shapes"].push_back({{"frame", frame},
                             {"kind", piece.kind},
                             {"size", piece.size},
                             {"position", written(position)},
                             {"quaternion", written(turn)}});
    see(body.place_of(position), piece.reach);
  }
  // What has no size of its own, or next to none: small beside the whole, but to be seen.
  void points_of_mass() {
    const double least = 0.01 * out["size"].get<double>();
    for (Json& shape : out["shapes"]) {
      if (shape["kind"] != "ellipsoid") continue;
      for (Json& semi : shape["size"]) semi = std::max(semi.get<double>(), least);
    }
  }

  void bars() {
    for (const BarInput& bar : m.bars)
      out["bars"].push_back(
          {{"name", bar.name}, {"ends", {node_.of(bar.nodes[0]), node_.of(bar.nodes[1])}}, {"tension_only", bar.tension_only}});
  }
  Json end(const EndInput& end, const std::string& name) {
    if (const auto found = anchor_.find(name); found != anchor_.end()) {
      see(known(end.ground));
      return place(found->second, Vec3::Zero());
    }
    if (!end.node.empty()) return place(node_.of(end.node), Vec3::Zero());
    if (const int body = body_.of(end.body); body >= 0) {
      const Vec3 point = end.point.value_or(Vec3::Zero());
      see(bodies_[static_cast<std::size_t>(body)].place_of(point));
      return place(body_frame(body), point);
    }
    see(end.ground.value_or(Vec3::Zero()));
    return place(-1, end.ground.value_or(Vec3::Zero()));
  }
  void springs() {
    for (const SpringInput& spring : m.springs) {
      const auto ends = spring.ends();
      out["springs"].push_back(
          {{"name", spring.name}, {"ends", {end(ends[0], spring.name + ".from"), end(ends[1], spring.name + ".to")}}});
    }
  }

  // Elements that go on where the one before them ends, with the same section, are one rod.
  void rods() {
    const auto node = [this](const std::string& name) { return body_frame(body_.of(name)); };
    const RodElementInput* before = nullptr;
    for (std::size_t i = 0; i < m.rod_elements.size(); ++i) {
      const RodElementInput& e = m.rod_elements[i];
      const Section section = section_of(e);
      const bool goes_on = before != nullptr && before->bodies[1] == e.bodies[0] &&
                           before->middle.empty() == e.middle.empty() && section.half == section_of(*before).half;
      if (!goes_on)
        out["rods"].push_back({{"name", e.name.substr(0, e.name.rfind('.'))},
                               {"first", i},
                               {"spans", e.middle.empty() ? 1 : 2},
                               {"frames", Json::array({node(e.bodies[0])})},
                               {"half", section.half},
                               {"round", section.round}});
      if (!e.middle.empty()) out["rods"].back()["frames"].push_back(node(e.middle));
      out["rods"].back()["frames"].push_back(node(e.bodies[1]));
      before = &e;
    }
  }
  struct Section {
    std::array<double, 2> half{};  // how far it goes along d1 and d2
    bool round = false;
  };
  // Where no section is given, the full one that bends and stretches like it: of an edge b the stiffness EI is EA b^2/12.
  static Section section_of(const RodElementInput& e) {
    if (e.section.given()) {
      const SectionShape shape = shape_of(e.section);
      return {{shape.reach1, shape.reach2}, shape.round};
    }
    const double EA = e.stiffness.EA.value_or(0);
    if (!e.stiffness.EI || !(EA > 0)) return {};
    const auto [EI1, EI2] = both(*e.stiffness.EI);
    const bool round = std::abs(EI1 - EI2) <= 1e-6 * std::max(EI1, EI2);  // a radius r has EA r^2/4
    const auto half = [&](double EI) { return std::sqrt((round ? 4 : 3) * std::max(0.0, EI) / EA); };
    return {{half(EI2), half(EI1)}, round};
  }

  // Where a joint holds, in the axes of one side; `name` is a body or the ground.
  Json side(const JointInput& joint, const std::string& name, const Vec3& at) {
    see(at);
    const int body = body_.of(name);
    if (body < 0) {
      const auto found = anchor_.find(joint.name + ".ground");
      return found == anchor_.end() ? place(-1, at) : place(found->second, at - joint.form.at.value_or(Vec3::Zero()));
    }
    const ResolvedBody& b = bodies_[static_cast<std::size_t>(body)];
    return place(body_frame(body), to_body(b.orientation, at - b.position));
  }
  void joints() {
    for (const JointInput& joint : m.joints) {
      const Vec3 at = joint.form.at.value_or(Vec3::Zero());
      const JointKind* const kind = find_joint_kind(joint.kind);
      const JointSymbol symbol = kind != nullptr ? kind->symbol : JointSymbol{};
      Json axis = nullptr;
      if (joint.form.axis) {
        const int first = body_.of(joint.bodies[0]);
        const Vec3 n = joint.form.axis->normalized();
        axis = written(first < 0 ? n : to_body(bodies_[static_cast<std::size_t>(first)].orientation, n));
      }
      out["joints"].push_back({{"name", joint.name},
                               {"kind", joint.kind},
                               {"place", side(joint, joint.bodies[0], joint.form.from.value_or(at))},
                               {"other", side(joint, joint.bodies[1], at)},
                               {"axis", axis},
                               {"symbol", {{"solid", symbol.name()}, {"size", symbol.size}}},
                               {"bodies", {joint.bodies[0], joint.bodies[1]}}});
    }
  }
  void loads() {
    for (const LoadInput& load : m.loads) {
      const int node = node_.of(load.on), body = body_.of(load.on);
      if (node < 0 && body < 0) continue;  // on a generalised coordinate: nowhere in space
      out["loads"].push_back({{"name", load.name.empty() ? load.on : load.name},
                              {"place", place(node >= 0 ? node : body_frame(body), load.point.value_or(Vec3::Zero()))},
                              {"force", course(load.force, load.formula)},
                              {"moment", course(load.moment, load.moment_formula)},
                              {"torque", course(load.torque, load.torque_formula)},
                              {"follower", load.follower}});
    }
  }
  // A vector over the time of the run: [[t, x, y, z], ...], of one row if it is constant, of none if it is zero. Null where it
  // depends on more than time.
  [[nodiscard]] Json course(const std::array<TimeFunction, 3>& f, const std::array<std::string, 3>& formula) const {
    constexpr int most = 200;
    bool constant = true;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!formula[i].empty()) return nullptr;
      constant = constant && f[i].constant();
    }
    Json rows = Json::array();
    double largest = 0;
    const double end = end_time(m);
    for (int k = 0; k <= (constant ? 0 : most); ++k) {
      const double t = end * k / most;
      Json row{t};
      for (const TimeFunction& component : f) {
        const double x = component.value(t);
        if (!std::isfinite(x)) return nullptr;
        row.push_back(x);
        largest = std::max(largest, std::abs(x));
      }
      rows.push_back(std::move(row));
    }
    return largest > 0 ? rows : Json::array();
  }

  void trails() {
    std::set<int> frames;
    for (const SensorInput& sensor : m.sensors)
      for (const std::string& name : sensor.of) {
        if (const int node = node_.of(name); node >= 0 && !out["fixed"][static_cast<std::size_t>(node)]) frames.insert(node);
        if (const int body = body_.of(name); body >= 0) frames.insert(body_frame(body));
        for (std::size_t i = 0; i < m.pendulums.size(); ++i)
          if (m.pendulums[i].coordinate == name) frames.insert(bob_frame(i));
      }
    const int all = body_frame(static_cast<int>(m.bodies.size()));
    if (frames.empty() && all > 0) frames.insert(all - 1);
    out["trails"] = frames;
  }

  const Model& m;
  Index node_, body_, coordinate_;
  std::unordered_map<std::string, int> anchor_;  // frame of each moving point of the ground
  std::unordered_set<std::string> of_rods_;      // bodies that are nodes of rods
  std::vector<ResolvedBody> bodies_;
  Vec3 low_ = Vec3::Constant(std::numeric_limits<double>::infinity()), high_ = -low_;
};

}  // namespace

std::string scene_json(const Model& model) { return json_text(SceneWriter(model).out); }

}  // namespace trompo
