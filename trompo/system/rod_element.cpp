#include "trompo/system/rod_element.hpp"

#include <cmath>
#include <unordered_map>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

namespace {

// The bodies of an element, in the order of its axis.
class Nodes {
 public:
  Nodes(const Model& model, const std::vector<RigidBody>& bodies) : m(model), bodies_(bodies) {
    for (std::size_t b = 0; b < m.bodies.size(); ++b) number_.emplace(m.bodies[b].name, b);
  }
  template <int N>
  [[nodiscard]] std::array<std::size_t, N> of(const RodElementInput& e) const {
    const auto number = [&](const std::string& body) {
      return Lookup(m, e.source, "bodies", "rod element " + in_quotes(e.name)).entry(number_, "body", body);
    };
    if constexpr (N == 2)
      return {number(e.bodies[0]), number(e.bodies[1])};
    else
      return {number(e.bodies[0]), number(e.middle), number(e.bodies[1])};
  }
  template <int N>
  [[nodiscard]] std::array<int, 12 * N> where(const RodElementInput& e) const {
    std::array<int, 12 * N> all{};
    const auto nodes = of<N>(e);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = bodies_[nodes[i / 12]].first + static_cast<int>(i % 12);
    return all;
  }
  template <int N>
  [[nodiscard]] Vec<12 * N> drawn(const RodElementInput& e) const {
    Vec<12 * N> c;
    const auto nodes = of<N>(e);
    for (int a = 0; a < N; ++a) {
      const ResolvedBody body = resolve_body(m.bodies[nodes[static_cast<std::size_t>(a)]]);
      c.template segment<3>(12 * a) = body.position;
      c.template segment<9>(12 * a + 3) = to_matrix(body.orientation).reshaped();
    }
    return c;
  }
  template <int N>
  [[nodiscard]] double length(const RodElementInput& e) const {
    if (e.length) return *e.length;
    const Vec<12 * N> c = drawn<N>(e);
    double sum = 0;
    for (int a = 1; a < N; ++a) sum += (c.template segment<3>(12 * a) - c.template segment<3>(12 * a - 12)).norm();
    return sum;
  }

 private:
  const Model& m;
  const std::vector<RigidBody>& bodies_;
  std::unordered_map<std::string, std::size_t> number_;
};

// A line of frames of constant curvature: what an element of that shape would measure.
template <class Strain>
Vec3 measured_curvature(const Strain& measure, const Vec3& curvature) {
  constexpr int N = Strain::nodes;
  Vec<12 * N> c = Vec<12 * N>::Zero();
  for (int a = 0; a < N; ++a) {
    const double angle = curvature.norm() * measure.L * a / (N - 1);
    const Vec3 axis = angle > 0 ? Vec3(curvature.normalized()) : Vec3(Vec3::UnitZ());
    c.template segment<9>(12 * a + 3) = to_matrix(axis_angle(axis, angle)).reshaped();
  }
  Strain plain = measure;
  plain.reference.setZero();
  return plain.value(c).template tail<3>();
}

template <class Strain>
RodTerms<Strain> terms_of(const RodElementInput& input, const Nodes& nodes) {
  constexpr int N = Strain::nodes;
  const double L = nodes.length<N>(input);
  const Vec<12 * N> drawn = nodes.drawn<N>(input);
  const auto GA = both(known(input.stiffness.GA)), EI = both(known(input.stiffness.EI));
  Vec<6> k;
  k << GA[0], GA[1], known(input.stiffness.EA), EI[0], EI[1], known(input.stiffness.GJ);
  const auto term = [&](auto... point) {
    RodTerm<Strain> t{Strain(L, drawn, point...), L / Strain::points * k, nodes.where<N>(input)};
    if (input.precurvature) t.measure.reference.template tail<3>() = measured_curvature(t.measure, *input.precurvature);
    return t;
  };
  if constexpr (N == 2)
    return {term()};
  else
    return {term(0), term(1)};
}

}  // namespace

SectionState RodElement::state(const VecX& q) const {
  Vec<6> r = Vec<6>::Zero(), s = Vec<6>::Zero();
  std::visit(
      [&](const auto& all) {
        for (const auto& t : all) {
          const Vec<6> strain = t.measure.value(q(t.where));
          r += strain / static_cast<double>(all.size());
          s += t.stiffness.cwiseProduct(strain) / t.measure.L;
        }
      },
      terms);
  return {s.head<3>(), s.tail<3>(), r.head<3>(), r.tail<3>()};
}

double RodElement::energy(const VecX& q) const {
  double sum = 0;
  std::visit(
      [&](const auto& all) {
        for (const auto& t : all) {
          const Vec<6> strain = t.measure.value(q(t.where));
          sum += 0.5 * strain.dot(t.stiffness.cwiseProduct(strain));
        }
      },
      terms);
  return sum;
}

SectionStress stress_of(const SectionShape& shape, const SectionState& s) {
  const double bending =
      shape.round ? s.moment.head<2>().norm() * shape.reach1 / shape.I1
                  : std::abs(s.moment[0]) * shape.reach2 / shape.I1 + std::abs(s.moment[1]) * shape.reach1 / shape.I2;
  const double normal = s.force[2] / shape.area;
  const double shear = std::abs(s.moment[2]) / shape.torsion_modulus + s.force.head<2>().norm() / shape.area;
  const double most = std::abs(normal) + bending;
  return {normal + bending, normal - bending, std::sqrt(most * most + 3 * shear * shear)};
}

std::vector<RodElement> rod_elements(const Model& model, const std::vector<RigidBody>& bodies) {
  std::vector<RodElement> all;
  if (model.rod_elements.empty()) return all;
  const Nodes nodes(model, bodies);
  for (const RodElementInput& e : model.rod_elements) {
    std::optional<SectionShape> shape;
    if (e.section.given()) shape = shape_of(e.section);
    if (!e.middle.empty())
      all.push_back({terms_of<QuadraticRodStrain>(e, nodes), shape});
    else if (e.helix())
      all.push_back({terms_of<HelixStrain>(e, nodes), shape});
    else
      all.push_back({terms_of<RodStrain>(e, nodes), shape});
  }
  return all;
}

void System::add_rods(const Model& model) {
  for (const RodElement& e : rod_elements(model, bodies_))
    std::visit(
        [&](const auto& all) {
          for (const auto& t : all) {
            const Where where = Where::at({t.where.begin(), t.where.end()});
            const Vec<6> viscosity = model.rayleigh.stiffness * t.stiffness;
            add_elastic(t.measure, linear_law, where, {t.stiffness.data(), 6});
            if (model.rayleigh.stiffness > 0) add_viscous(t.measure, where, {viscosity.data(), 6});
          }
        },
        e.terms);
  for (const SpreadMass& m : spread_masses(model, bodies_)) share_mass(m.a, m.b, m.mass);
}

std::vector<SpreadMass> spread_masses(const Model& model, const std::vector<RigidBody>& bodies) {
  std::vector<SpreadMass> all;
  const Nodes nodes(model, bodies);
  const auto add = [&]<int N>(const RodElementInput& e, const std::array<double, N*(N - 1) / 2>& products) {
    const auto where = nodes.of<N>(e);
    const double L = nodes.length<N>(e);
    const auto rotary = e.rotary_inertia ? both(*e.rotary_inertia) : std::array<double, 2>{};
    std::size_t pair = 0;
    for (std::size_t a = 0; a < N; ++a)
      for (std::size_t b = a + 1; b < N; ++b, ++pair) {
        const int i = bodies[where[a]].first, j = bodies[where[b]].first;
        const double share = products[pair] * L;
        all.push_back({i, j, known(e.density) * share});
        // The inertia about d1 is that of the section's extent along d2, and the other way.
        if (rotary[1] > 0) all.push_back({i + 3, j + 3, rotary[1] * share});
        if (rotary[0] > 0) all.push_back({i + 6, j + 6, rotary[0] * share});
      }
  };
  for (const RodElementInput& e : model.rod_elements) {
    if (!e.density) continue;
    if (e.middle.empty())
      add.operator()<2>(e, {1. / 6});
    else
      add.operator()<3>(e, {2. / 30, -1. / 30, 2. / 30});  // first and middle, first and last, middle and last
  }
  return all;
}

}  // namespace trompo
