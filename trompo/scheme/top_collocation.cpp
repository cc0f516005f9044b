#include <algorithm>
#include <numbers>
#include <utility>

#include "trompo/scheme/top_problem.hpp"

namespace trompo {
namespace {

// z along the step: z(alpha) = level + b cos(alpha theta) + c sin(alpha theta)
struct Path {
  Path(const Vec3& E, const Vec3& G, const Vec3& rotation) : theta(rotation.norm()) {
    const Vec3 n = rotation / theta;
    level = n.dot(E) * n.dot(G);
    b = G.dot(E) - level;
    c = G.dot(n.cross(E));
  }
  double theta, level, b, c;
};

// cos(u + chi) = kappa cos(chi) for u = (alpha - 1/2) theta. Of its roots, the nearest to the one wanted.
double closed_form(const Path& path, double wanted) {
  const double half = 0.5 * path.theta, kappa = std::sin(half) / half, chi = std::atan2(path.b, path.c) + half;
  const double turn = std::acos(kappa * std::cos(chi)), from = chi + (wanted - 0.5) * path.theta;
  const double plus = std::remainder(turn - from, 2 * std::numbers::pi);
  const double minus = std::remainder(-turn - from, 2 * std::numbers::pi);
  return wanted + (std::abs(plus) <= std::abs(minus) ? plus : minus) / path.theta;
}

// The defect of energy of a torque taken at alpha, with its slope.
class Defect {
 public:
  Defect(const AxialPotential& potential, const Path& path) : potential_(potential), path_(path) {
    const double half = 0.5 * path.theta;
    const double dz = 2 * std::sin(half) * (path.c * std::cos(half) - path.b * std::sin(half));
    change_ = potential.quotient(path.level + path.b, dz).value * dz;
  }
  struct Value {
    double value, slope;
  };
  [[nodiscard]] Value at(double alpha) const {
    const double s = std::sin(alpha * path_.theta), c = std::cos(alpha * path_.theta);
    const double swing = path_.b * c + path_.c * s, rate = path_.theta * (path_.c * c - path_.b * s);
    const PotentialValue v = potential_.at(path_.level + swing);
    return {v.slope * rate - change_, v.curvature * rate * rate - v.slope * path_.theta * path_.theta * swing};
  }

 private:
  const AxialPotential& potential_;
  const Path& path_;
  double change_ = 0;
};

// Newton, kept inside a bracket that shrinks.
double root_between(const Defect& defect, double low, double high) {
  const bool rising = defect.at(low).value < 0;
  double alpha = 0.5 * (low + high);
  for (int i = 0; i < 100; ++i) {
    const Defect::Value r = defect.at(alpha);
    if (r.value == 0) return alpha;
    ((r.value < 0) == rising ? low : high) = alpha;
    double next = alpha - r.value / r.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - alpha) <= 2 * std::numeric_limits<double>::epsilon()) return next;
    alpha = next;
  }
  return alpha;
}

// Outwards from the point wanted on both sides, until the defect changes its sign. Its mean over 0..1 is zero, so it does
// somewhere, unless two roots hide between two samples: then finer samples. If none are fine enough, the point of least defect.
double searched(const Defect& defect, double wanted) {
  const double middle = defect.at(wanted).value, reach = 0.5 + std::abs(wanted - 0.5);
  if (middle == 0) return wanted;
  double best = wanted, least = std::abs(middle);
  for (int samples = 8; samples <= 512; samples *= 4) {
    double above = middle, below = middle;
    for (int k = 1; k <= samples; ++k) {
      const double inner = reach * (k - 1) / samples, outer = reach * k / samples;
      const double up = defect.at(wanted + outer).value, down = defect.at(wanted - outer).value;
      const bool root_above = (up < 0) != (above < 0), root_below = (down < 0) != (below < 0);
      if (root_above || root_below) {
        const double high = root_above ? root_between(defect, wanted + inner, wanted + outer) : wanted + 2 * reach;
        const double low = root_below ? root_between(defect, wanted - outer, wanted - inner) : wanted - 2 * reach;
        return high - wanted <= wanted - low ? high : low;
      }
      for (const auto& [value, alpha] : {std::pair{up, wanted + outer}, std::pair{down, wanted - outer}})
        if (std::abs(value) < least) {
          least = std::abs(value);
          best = alpha;
        }
      above = up;
      below = down;
    }
  }
  return best;
}

}  // namespace

double collocation_point(const AxialPotential& potential, const Vec3& G, const Vec3& theta, double wanted) {
  if (!(theta.squaredNorm() > 0)) return 0.5;
  const Path path(potential.E, G, theta);
  return potential.curve == nullptr ? closed_form(path, wanted) : searched(Defect(potential, path), wanted);
}

}  // namespace trompo
