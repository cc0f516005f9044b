// Rows for one body about a fixed point (top_schemes.hpp).
#include "trompo/scheme/rows.hpp"

namespace trompo {

namespace {

using namespace parts;
using enum Balance;
using Kind = Rule::Kind;

// ---- whom several follow ----

constexpr std::string_view simo_tarnow_wong =
    "J. C. Simo, N. Tarnow, K. K. Wong, Exact energy-momentum conserving algorithms, CMAME 100 (1992)";
constexpr std::string_view lens_cardona =
    "E. Lens, A. Cardona, Algoritmos de integracion numerica en dinamica rotacional no lineal, Mecanica Computacional (2002)";

// ---- parameters ----

constexpr Parameter simo_alpha{
    .name = "simo_alpha",
    .standard = 0.5,
    .least = 0,
    .most = 1,
    .why = "where in the step the torque is taken; second order at 1/2 only",
    .set = [](Scheme& s, double value) { s.simo_alpha = value; },
    .order_elsewhere = 1,
};

}  // namespace

std::vector<Row> top_rows() {
  return {
      {
          .name = "simo-wong",
          .aliases = {"SW"},
          .title = "One body about a fixed point: momenta balanced in space",
          .reference = "J. C. Simo, K. K. Wong, Unconditionally stable algorithms for rigid body dynamics, IJNME 31 (1991)",
          .balance = top,
          .top = TopScheme::simo_wong,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one, simo_alpha},
          .claims = {.angular_momentum = true},
      },
      {
          .name = "simo-collocation",
          .aliases = {"COL"},
          .title = "The same, torque at the point of the step where it keeps energy",
          .reference = simo_tarnow_wong,
          .balance = top,
          .top = TopScheme::simo_collocation,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one},
          .claims = {.energy = true, .angular_momentum = true},
      },
      {
          .name = "simo-projection",
          .aliases = {"PROJ"},
          .title = "The same, torque of the middle scaled so that it keeps energy",
          .reference = simo_tarnow_wong,
          .balance = top,
          .top = TopScheme::simo_projection,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one},
          .claims = {.energy = true, .angular_momentum = true},
      },
      {
          .name = "geradin-bauchau",
          .aliases = {"GB"},
          .title = "One body about a fixed point: half rotations, momenta balanced in body axes; |Om| h < 2",
          .reference = lens_cardona,
          .balance = top,
          .top = TopScheme::geradin_bauchau,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one},
          .claims = {.energy = true},
      },
      {
          .name = "geradin-bauchau-momentum",
          .aliases = {"GBM"},
          .title = "The same with the balance of spatial momenta; |Om| h < 2",
          .reference = lens_cardona,
          .balance = top,
          .top = TopScheme::geradin_bauchau_momentum,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one},
          .claims = {.energy = true, .angular_momentum = true},
      },
      {
          .name = "euler-poisson-midpoint",
          .aliases = {"CAY"},
          .title = "Mid-point rule for body momentum and direction of gravity: keeps energy, vertical and axial momentum",
          .reference = simo_tarnow_wong,
          .balance = top,
          .top = TopScheme::euler_poisson_midpoint,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one},
          .claims = {.energy = true, .angular_momentum = true},
      },
  };
}

}  // namespace trompo
