#include "trompo/scheme/free_motions.hpp"

#include <algorithm>
#include <cmath>

namespace trompo {

double FreeMotions::take_work(VecX& force) const {
  double work = 0;
  for (Eigen::Index k = 0; k < motions.cols(); ++k) {
    const auto x = motions.col(k).head(moving());
    const double share = x.dot(force.head(moving()));
    force.head(moving()) -= share * size.cwiseProduct(x);
    work += share * share;
  }
  return std::sqrt(work);
}

void FreeMotions::take_motion(VecX& increment) const {
  for (Eigen::Index k = 0; k < motions.cols(); ++k)
    increment -= motions.col(k).head(moving()).dot(size.cwiseProduct(increment.head(moving()))) * motions.col(k);
}

// Inverse iteration with a small shift: what nothing resists grows by its inverse each time. One after the other, each across
// those before it.
FreeMotions free_motions(const StaticBalance& balance, double softest) {
  constexpr int times = 6;
  const Pattern& pattern = balance.reduction().pattern();
  const int n = balance.moving(), all = balance.reduction().unknowns();
  FreeMotions free;
  free.size = balance.stiffness_sizes();
  free.motions.resize(all, 0);
  LinearSolver shifted(pattern);
  std::copy_n(balance.tangent().values(), pattern.nonzeros(), shifted.values());
  for (int u = 0; u < n; ++u) shifted.values()[pattern.slot(u, u)] += softest * free.size[u];
  if (!shifted.factorise()) return free;
  VecX x(all);
  while (true) {
    const auto k = free.motions.cols();
    for (int u = 0; u < n; ++u) x[u] = std::sin(1.0 + 7.0 * u + 3.0 * static_cast<double>(k)) / std::sqrt(free.size[u]);
    double gain = 0;
    for (int i = 0; i < times; ++i) {
      free.take_motion(x);
      x.head(n).array() *= free.size.array();
      x.tail(all - n).setZero();
      shifted.solve(x);
      free.take_motion(x);
      gain = std::sqrt(x.head(n).cwiseAbs2().dot(free.size));
      if (!std::isfinite(gain) || gain == 0) return free;
      x /= gain;
    }
    if (!(gain > 0.03 / softest)) return free;
    if (k == FreeMotions::most || k == n) {
      free.motions.resize(all, 0);
      return free;
    }
    free.motions.conservativeResize(Eigen::NoChange, k + 1);
    free.motions.col(k) = x;
  }
}

namespace {

// The model moved as one, along an axis (0 to 2) or about one through the origin (3 to 5); zero where a support holds a part.
VecX as_one(const StaticBalance& balance, int motion) {
  const System& system = balance.system();
  const FrameReduction& reduction = balance.reduction();
  const Vec3 axis = Vec3::Unit(motion % 3);
  VecX out = VecX::Zero(balance.moving());
  bool held = false;
  const auto place = [&](int first) {
    const Vec3 x = motion < 3 ? axis : Vec3(axis.cross(Vec3(balance.state().q.segment<3>(first))));
    for (int i = 0; i < 3; ++i)
      if (const int e = system.equation()[first + i]; e >= 0 && reduction.of_equation(e) >= 0)
        out[reduction.of_equation(e)] = x[i];
      else
        held = held || x[i] != 0;
  };
  for (const int first : system.nodes()) place(first);
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    place(system.bodies()[b].first);
    if (motion >= 3) out.segment<3>(reduction.of_body(static_cast<int>(b))) = axis;
  }
  if (held) out.setZero();
  return out;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// Each of the columns moves one unknown that the others leave where it is: of a mechanism one sees its parts.
void separate(Eigen::MatrixXd& x, const VecX& size) {
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    Eigen::Index pivot = 0;
    (x.col(k).head(size.size()).cwiseAbs().cwiseProduct(size.cwiseSqrt())).maxCoeff(&pivot);
    x.col(k) /= x(pivot, k);
    for (Eigen::Index other = 0; other < x.cols(); ++other)
      if (other != k) x.col(other) -= x(pivot, other) * x.col(k);
  }
}

}  // namespace

std::string in_words(const StaticBalance& balance, const FreeMotions& free) {
  if (!free.any()) return "";
  static constexpr const char* axes[] = {"x", "y", "z"};
  const Eigen::Index n = free.moving(), count = free.motions.cols();
  // Motions as one that are free, by their shares in the motions that were found.
  Eigen::MatrixXd whole(count, 0);
  std::vector<std::string> along, about;
  for (int motion = 0; motion < 6; ++motion) {
    const VecX x = as_one(balance, motion);
    const double length = x.cwiseAbs2().dot(free.size);
    VecX share = free.motions.topRows(n).transpose() * free.size.cwiseProduct(x);
    if (length == 0 || length - share.squaredNorm() > 1e-8 * length) continue;
    share -= whole * (whole.transpose() * share);
    if (share.squaredNorm() < 1e-8 * length) continue;  // as others together
    (motion < 3 ? along : about).emplace_back(axes[motion % 3]);
    whole.conservativeResize(Eigen::NoChange, whole.cols() + 1);
    whole.rightCols(1) = share.normalized();
  }
  std::string text;
  if (whole.cols() > 0) {
    const System& system = balance.system();
    const std::size_t parts = system.bodies().size() + system.nodes().size();
    // A support in the middle of a turn does not move.
    const VecX x = (free.motions * whole.col(0)).head(n);
    const std::string first = balance.dominant_motion(x);
    text = first.substr(0, first.find(along.empty() ? " about " : " along "));
    if (along.empty() && first.find(" about ") == std::string::npos) text = first.substr(0, first.find(" along "));
    if (parts > 1) text += ", with all other parts,";
    if (!along.empty()) text += " along " + listed(along);
    if (!about.empty()) text += (along.empty() ? " about " : " and about ") + listed(about);
  }
  // And what is left of them.
  Eigen::MatrixXd rest(free.motions.rows(), 0), taken = whole;
  for (Eigen::Index k = 0; k < count && taken.cols() < count; ++k) {
    VecX share = VecX::Unit(count, k);
    for (int twice = 0; twice < 2; ++twice) share -= taken * (taken.transpose() * share);
    if (share.norm() < 1e-3) continue;
    taken.conservativeResize(Eigen::NoChange, taken.cols() + 1);
    taken.rightCols(1) = share.normalized();
    rest.conservativeResize(Eigen::NoChange, rest.cols() + 1);
    rest.rightCols(1) = free.motions * taken.rightCols(1);
  }
  separate(rest, free.size);
  constexpr Eigen::Index shown = 4;
  for (Eigen::Index k = 0; k < std::min(shown, rest.cols()); ++k)
    text += (text.empty() ? "" : "; ") + balance.dominant_motion(rest.col(k).head(n));
  if (rest.cols() > shown) text += "; and " + std::to_string(rest.cols() - shown) + " more motions";
  return text;
}

}  // namespace trompo
