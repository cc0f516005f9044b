#include "trompo/scheme/frame_reduction.hpp"

namespace trompo {

FrameReduction::FrameReduction(const System& system, int width, int inner) : system_(&system), width_(width), inner_(inner) {
  const int bodies = static_cast<int>(system.bodies().size());
  of_equation_.assign(static_cast<std::size_t>(system.equations()), -1);
  unknowns_ = 0;
  for (int e = 0; e < system.equations(); ++e)
    if (width == 0 || system.body_of(system.free()[e]) < 0) {
      of_equation_[e] = unknowns_++;
      coordinate_.push_back(system.free()[e]);
    }
  first_body_ = unknowns_;
  first_multiplier_ = first_body_ + width * bodies;
  first_inner_ = first_multiplier_ + system.multipliers();
  unknowns_ = first_inner_ + inner * bodies;
  lever_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(system.coordinates()), 0);
  slope_ = lever_;

  Numbering numbering{std::vector<int>(static_cast<std::size_t>(system.coordinates()), -1),
                      std::vector<char>(static_cast<std::size_t>(system.coordinates()), 0), width, first_multiplier_};
  for (int e = 0; e < system.equations(); ++e) {
    const int c = system.free()[e], body = system.body_of(c);
    numbering.unknown[c] = of_equation_[e] >= 0 ? of_equation_[e] : of_body(body);
    numbering.follows[c] = of_equation_[e] >= 0 ? 0 : 1;
  }
  Entries entries = system.couple(numbering);
  for (int b = 0; b < bodies; ++b)
    for (int i = 0; i < width; ++i) {
      for (int j = 0; j < width; ++j) entries.emplace_back(of_body(b) + i, of_body(b) + j);
      for (int k = 0; k < inner; ++k)
        entries.insert(entries.end(), {{of_body(b) + i, inner_of_body(b) + k}, {inner_of_body(b) + k, of_body(b) + i}});
    }
  pattern_ = Pattern(unknowns_, entries);
  std::vector<int> dependent;
  for (const int row : system.rows_in_loops()) dependent.push_back(of_multiplier(row));
  // Along its Euler parameters a body has no inertia.
  constexpr int parameters = 4;
  std::vector<int> first;
  for (int b = 0; b < bodies && width == parameters; ++b) first.push_back(of_body(b));
  pattern_.let_depend(std::move(dependent), std::move(first), width);
  map_ = system.connect(numbering, pattern_);
  for (int u = 0; u < first_body_; ++u) plain_.push_back(pattern_.slot(u, u));
  for (int b = 0; b < bodies; ++b)
    for (int i = 0; i < width * width; ++i) own_.push_back(pattern_.slot(of_body(b) + i % width, of_body(b) + i / width));
  for (int b = 0; b < bodies * inner; ++b)
    for (int i = 0; i < width; ++i) {
      own_inner_.push_back(pattern_.slot(inner_of_body(b), of_body(b) + i));
      own_inner_.push_back(pattern_.slot(of_body(b) + i, inner_of_body(b)));
    }
}

void FrameReduction::direct(double* values, Assembly& out) const {
  out.tangent = values;
  out.map = &map_;
  out.lever = lever_.data();
  out.slope = slope_.data();
  out.width = width_;
}

void FrameReduction::add_plain_mass(double factor, Assembly& out) const {
  for (std::size_t u = 0; u < plain_.size(); ++u) out.tangent[plain_[u]] += factor * system_->mass()[coordinate_[u]];
  system_->add_shared_mass(factor, out);
}

// E = sum of masses of axes, products of inertia among them: L_k E_kl S_l^T over the axes
void FrameReduction::add_axis_mass(double factor, double* values) const {
  for (std::size_t b = 0; b < system_->bodies().size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    const Mat3 E = factor * body.euler();
    Mat3 sum = Mat3::Zero();
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        if (E(k, l) != 0)
          sum.noalias() += E(k, l) * Eigen::Map<const Mat3>(lever(body.first + 3 + 3 * k)) *
                           Eigen::Map<const Mat3>(slope(body.first + 3 + 3 * l)).transpose();
    add_own(static_cast<int>(b), sum, values);
  }
}

void FrameReduction::add_axes(int body, int row, int column, const Mat3& block, double* values) const {
  const double *L = lever(row), *S = slope(column);
  const int* at = own_.data() + width_ * width_ * body;
  for (int j = 0; j < width_; ++j)
    for (int i = 0; i < width_; ++i, ++at)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) values[*at] += L[width_ * k + i] * block(k, l) * S[width_ * l + j];
}

std::string FrameReduction::name(int unknown) const {
  if (unknown >= first_inner_) return "the Euler parameters of " + system_->body_name((unknown - first_inner_) / inner_);
  if (unknown >= first_multiplier_) return system_->constraint_name(unknown - first_multiplier_);
  if (unknown >= first_body_) {
    static constexpr const char* axes[] = {" about x", " about y", " about z"};
    const int body = (unknown - first_body_) / width_, k = (unknown - first_body_) % width_;
    return system_->body_name(body) + (width_ == 3 ? std::string(axes[k]) : ".e" + std::to_string(k));
  }
  return system_->coordinate_name(coordinate(unknown));
}

}  // namespace trompo
