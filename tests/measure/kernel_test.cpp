// The table of a measure of fixed size says what its five functions say, to every order that may be asked for.
#include "trompo/measure/kernel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/terms.hpp"
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

namespace trompo {
namespace measure_kernel {

using property::MatX;
using property::unset;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double eps = std::numeric_limits<double>::epsilon();

// What the five functions say, as matrices of any size.
struct Said {
  VecX c0, c1, s, r0, r1;
  Rows J0, J1, secant;
  MatX K, Ks;
};
template <class M>
Said said_by(const M& m) {
  using C = Vec<M::coordinates>;
  using S = Vec<M::components>;
  const C c0 = C::Random(), c1 = C::Random();
  const S s = S::Random();
  return {c0,
          c1,
          s,
          m.value(c0),
          m.value(c1),
          m.jacobian(c0),
          m.jacobian(c1),
          m.secant(c0, c1),
          m.curvature(c0, s),
          m.secant_curvature(c0, c1, s)};
}

bool untouched(const VecX& x) { return x.array().isNaN().all(); }

void agrees(const MeasureView& phi, const Said& said) {
  const int n = phi.n, m = phi.m;
  Scratch none(nullptr, 0);
  property::TightRoom room(phi);
  const Kernel& kernel = *phi.kernel;
  VecX r = unset(m), r1 = unset(m), J = unset(m * n), J1 = unset(m * n), H = unset(n * n);
  const auto rows = [&](const VecX& x) { return Rows(Eigen::Map<const Rows>(x.data(), m, n)); };

  phi.value(said.c0.data(), r.data(), none);
  EXPECT_EQ(r, said.r0);
  if (m == 1) {
    EXPECT_EQ(phi.value(said.c0.data(), none), said.r0[0]);
  }
  for (const Order order : {Order::value, Order::gradient, Order::hessian}) {
    for (VecX* x : {&r, &J, &H}) x->setConstant(std::nan(""));
    kernel.at(phi.phi, {said.c0.data()}, order, r.data(), J.data(), nullptr, H.data(), none);
    EXPECT_EQ(r, said.r0);
    if (order == Order::value) {
      EXPECT_TRUE(untouched(J));
    } else {
      EXPECT_EQ(rows(J), said.J0);
    }
    EXPECT_EQ(untouched(H), order != Order::hessian || !kernel.expands);
  }
  VecX gradient = unset(m * n);
  phi.gradient(said.c0.data(), gradient.data(), room.scratch());
  EXPECT_EQ(rows(gradient), said.J0);
  // Added, not written.
  MatX K = MatX::Ones(n, n);
  phi.add_curvature(said.c0.data(), said.s.data(), H.data(), K.data());
  EXPECT_LE((K - MatX::Ones(n, n) - said.K).norm(), 4 * eps * (n + said.K.norm()));

  for (const Order order : {Order::gradient, Order::hessian}) {
    for (VecX* x : {&r, &r1, &J, &J1, &H}) x->setConstant(std::nan(""));
    kernel.between(phi.phi, said.c0.data(), said.c1.data(), order, r.data(), r1.data(), J.data(), J1.data(), H.data(), none);
    EXPECT_EQ(r, said.r0);
    EXPECT_EQ(r1, said.r1);
    EXPECT_EQ(rows(J), said.secant);
    if (order == Order::hessian) {
      EXPECT_EQ(rows(J1), said.J1);
    } else {
      EXPECT_TRUE(untouched(J1));
    }
    EXPECT_EQ(untouched(H), order != Order::hessian || !kernel.expands);
  }
  K.setOnes();
  phi.add_secant_curvature(said.c0.data(), said.c1.data(), said.s.data(), H.data(), K.data());
  EXPECT_LE((K - MatX::Ones(n, n) - said.Ks).norm(), 4 * eps * (n + said.Ks.norm()));

  // What it says of itself.
  EXPECT_FALSE(kernel.rates);
  EXPECT_EQ(kernel.scratch(phi.phi), 0);
  EXPECT_EQ(phi.expansion(), kernel.expands ? n * n : 0);
  if (kernel.linear) {
    EXPECT_EQ(said.K.norm() + said.Ks.norm(), 0);
    EXPECT_TRUE(kernel.quadratic);
  }
  if (kernel.quadratic) {
    EXPECT_LE((said.K - 2 * said.Ks).norm(), 4 * eps * said.K.norm());
    EXPECT_LE((said.secant - 0.5 * (said.J0 + said.J1)).norm(), 8 * eps * (said.J0.norm() + said.J1.norm()));
  }
}

template <class M>
void table_agrees(const char* name, const M& measure) {
  SCOPED_TRACE(name);
  const MeasureView phi = view(measure);
  EXPECT_EQ(phi.n, M::coordinates);
  EXPECT_EQ(phi.m, M::components);
  std::srand(5);
  for (int trial = 0; trial < 20; ++trial) agrees(phi, said_by(measure));
}

TEST(KernelTest, OfAMeasureOfFixedSizeIsItsFiveFunctions) {
  table_agrees("EngineeringStrain", EngineeringStrain(1.3));
  table_agrees("GreenStrain", GreenStrain(1.3));
  table_agrees("LogarithmicStrain", LogarithmicStrain(1.3));
  table_agrees("AlmansiStrain", AlmansiStrain(1.3));
  table_agrees("Distance", Distance());
  table_agrees("RelativeSpin", RelativeSpin());
  table_agrees("Elongation", Elongation(0.7));
  table_agrees("CoordinateMeasure", CoordinateMeasure());
  table_agrees("HelixStrain", HelixStrain(1.3));
  table_agrees("RodStrain", RodStrain(1.3));
  table_agrees("QuadraticRodStrain", QuadraticRodStrain(1.3, 1));
  table_agrees("Difference", Difference());
  table_agrees("Dot", Dot(0.2));
  table_agrees("Across", Across(0.1));
  table_agrees("KeptDistance", KeptDistance(1.5));
  table_agrees("Angle", Angle(0.2));
  table_agrees("Driven",
               Driven<Elongation>{Elongation(0.5), std::make_shared<const TimeFunction>(TimeFunction::parse("0.3*sin(2*t)"))});
}

TEST(ScratchTest, GivesWhatItHasAndNoMore) {
  double numbers[5];
  Scratch scratch(numbers, 5);
  EXPECT_EQ(scratch.take(2), numbers);
  EXPECT_EQ(scratch.take(0), numbers + 2);
  Scratch passed_on = scratch;  // what is taken from a copy is free again afterwards
  EXPECT_EQ(passed_on.take(3), numbers + 2);
  EXPECT_THROW((void)passed_on.take(1), std::logic_error);
  EXPECT_EQ(scratch.take(3), numbers + 2);
  EXPECT_THROW((void)scratch.take(1), std::logic_error);
}

TEST(ScratchTest, RoomsLargerThanTheirStackWork) {
  for (const std::size_t size : {0, 1, 16, 17, 1000}) {
    ScratchRoom<16> room(size);
    Scratch scratch = room.scratch();
    const int n = static_cast<int>(size);
    double* const all = scratch.take(n);
    for (int i = 0; i < n; ++i) all[i] = i;
    EXPECT_EQ(Eigen::Map<VecX>(all, n).sum(), 0.5 * n * (n - 1));
    EXPECT_THROW((void)scratch.take(1), std::logic_error);
    EXPECT_EQ(room.scratch().take(n), all);  // every term of a kind has the whole of it
    // within the room itself, or elsewhere
    const auto* const first = reinterpret_cast<const std::byte*>(&room);
    const auto* const place = reinterpret_cast<const std::byte*>(all);
    EXPECT_EQ(place >= first && place < first + sizeof(room), size <= 16);
  }
}

}  // namespace measure_kernel
}  // namespace trompo
