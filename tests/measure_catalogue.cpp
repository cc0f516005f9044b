#include "tests/measure_catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/random_states.hpp"
#include "tests/typed_measures.hpp"
#include "trompo/measure/almansi_strain.hpp"
#include "trompo/measure/angle.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/coordinate.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/measure/driven.hpp"
#include "trompo/measure/helix_strain.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/measure/rod_strain.hpp"
#include "trompo/measure/rotation_vector.hpp"

namespace trompo::property {

namespace {

template <class M>
DrawnMeasure own(const M& phi, double L = 1) {
  const auto owner = std::make_shared<const M>(phi);
  return {owner, view(*owner), L};
}
template <class M>
DrawnMeasure of_length() {
  const double L = between(0.5, 4);
  return own(M(L), L);
}
template <class M>
DrawnMeasure as_it_is() {
  return own(M());
}
template <class M>
DrawnMeasure of_number() {
  return own(M(between(-0.5, 0.5)));
}

VecX anywhere(const DrawnMeasure& m) { return box(m.view.n, 3); }
double natural_length(const DrawnMeasure& m, const VecX& /*c*/) { return m.L; }

VecX apart(const DrawnMeasure& m) {
  const Vec3 x = box<3>(5);
  VecX c(6);
  c << x, x + between(0.3, 3) * m.L * direction();
  return c;
}
double distance(const DrawnMeasure& /*m*/, const VecX& c) { return (c.segment<3>(3) - c.head<3>()).norm(); }
// A high power of 1/l bends over less than l.
double half_the_distance(const DrawnMeasure& m, const VecX& c) { return 0.5 * distance(m, c); }

VecX apart_at_a_time(const DrawnMeasure& m) {
  VecX c(7);
  c << apart(m), between(-3, 3);
  return c;
}
double distance_and_drive(const DrawnMeasure& m, const VecX& c) { return std::min(distance(m, c), 0.5); }

// An axis against two others that are about orthonormal, and what it was at the end of the last step: less than a turn away.
VecX axes(const DrawnMeasure& /*m*/) {
  const Mat3 Q = Eigen::AngleAxisd(between(-1, 1), direction()).toRotationMatrix();
  const double theta = between(-1.4, 1.4);
  VecX c(10);
  c << Q * Vec3(std::cos(theta), std::sin(theta), between(-0.5, 0.5)), Q.col(0) + Vec3(box<3>(0.1)),
      Q.col(1) + Vec3(box<3>(0.1)), between(-0.3, 0.3);
  return c;
}
// Frames that are nearly orthonormal, one turned against the other by less than half of what it may.
VecX turned(const DrawnMeasure& /*m*/) {
  const Mat3 first = Eigen::AngleAxisd(between(-3, 3), direction()).toRotationMatrix();
  const Mat3 second = first * Eigen::AngleAxisd(between(-1.4, 1.4), direction()).toRotationMatrix();
  VecX c(18);
  c << first.reshaped(), second.reshaped();
  return c + VecX(box<18>(0.05));
}
double of_a_turn(const DrawnMeasure& /*m*/, const VecX& /*c*/) { return 0.5; }
double within_the_plane(const DrawnMeasure& /*m*/, const VecX& c) {
  return std::hypot(c.head<3>().dot(c.segment<3>(3)), c.head<3>().dot(c.segment<3>(6)));
}

// Two frames that are about orthonormal, turned by up to a right angle against one another.
VecX turned_frames(const DrawnMeasure& m) {
  const Mat3 Q = rotation();
  const Mat3 turn = Eigen::AngleAxisd(between(0, 1.5), direction()).toRotationMatrix();
  const Vec3 x = box<3>(5);
  VecX c(24);
  c << x, Mat3(Q).reshaped() + box<9>(0.1), x + m.L * Vec3(box<3>(2)), Mat3(Q * turn).reshaped() + box<9>(0.1);
  return c;
}
double part_of_the_axes(const DrawnMeasure& m, const VecX& /*c*/) { return 0.2 * std::min(m.L, 1.0); }

DrawnMeasure driven() {
  static const auto drive = std::make_shared<const TimeFunction>(TimeFunction::parse("0.3*sin(2*t)"));
  return own(Driven<Elongation>{Elongation(between(0, 2)), drive});
}
DrawnMeasure strain_by_formula() {
  const double L = between(0.5, 4);
  return own(typed_strain(L), L);
}

const MeasureKind kinds[] = {
    {"EngineeringStrain", of_length<EngineeringStrain>, apart, distance, true},
    {"GreenStrain", of_length<GreenStrain>, apart, distance, true},
    {"LogarithmicStrain", of_length<LogarithmicStrain>, apart, distance, true},
    {"AlmansiStrain", of_length<AlmansiStrain>, apart, half_the_distance, true},
    {"Distance", as_it_is<Distance>, apart, distance, true},
    {"Elongation", [] { return own(Elongation(between(0, 4))); }, apart, distance, true},
    {"CoordinateMeasure", as_it_is<CoordinateMeasure>, anywhere, natural_length},
    {"HelixStrain", of_length<HelixStrain>, turned_frames, part_of_the_axes},
    {"RodStrain", of_length<RodStrain>, anywhere, natural_length},
    {"QuadraticRodStrain", of_length<QuadraticRodStrain>, anywhere, natural_length},
    {"Difference", as_it_is<Difference>, anywhere, natural_length},
    {"Dot", of_number<Dot>, anywhere, natural_length},
    {"Across", of_number<Across>, anywhere, natural_length},
    {"KeptDistance", of_length<KeptDistance>, apart, distance},
    {"Angle", of_number<Angle>, axes, within_the_plane},
    {"RotationVector", as_it_is<RotationVector>, turned, of_a_turn},
    {"Driven", driven, apart_at_a_time, distance_and_drive, false, true, 6},
    {"TypedStrain", strain_by_formula, apart, distance, true, true},
    {"TypedHinge", [] { return own(typed_hinge()); }, anywhere, natural_length, false, true},
    {"TypedMixture", [] { return own(typed_mixture()); }, anywhere, natural_length, false, true},
    {"TypedRaw", [] { return own(typed_raw()); }, anywhere, natural_length, false, true},
};

}  // namespace

std::span<const MeasureKind> measure_kinds() { return kinds; }

std::vector<MeasureKind> two_point_kinds() {
  std::vector<MeasureKind> out;
  for (const MeasureKind& kind : kinds)
    if (kind.two_points) out.push_back(kind);
  return out;
}

const MeasureKind& measure_kind(const std::string& name) {
  for (const MeasureKind& kind : kinds)
    if (name == kind.name) return kind;
  throw std::invalid_argument(name);
}

VecX near(const VecX& c, double distance) { return c + distance * box(static_cast<int>(c.size()), 1); }

}  // namespace trompo::property
