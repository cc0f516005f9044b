// The parts of the vocabulary, each in its file; vocabulary.cpp puts the model together of them.
#pragma once

#include <vector>

#include "trompo/model/vocabulary.hpp"

namespace trompo {

inline constexpr Range few = Range::counts(1, 10000);   // what is repeated within a step, or a power
inline constexpr Range many = Range::counts(1, 1e9);    // parts: how many there may be is a matter of memory
inline constexpr Range steps = Range::counts(1, 1e15);  // the times of so many are distinct

void describe(Fields&, NodeInput&);
void describe(Fields&, const Key&, OrientationInput&);
void describe(Fields&, PartInput&);
void describe(Fields&, BodyInput&);
void describe(Fields&, const Key&, EndInput&);
void describe(Fields&, CoordinateInput&);
void describe(Fields&, InvariantInput&);
void describe(Fields&, ConstraintInput&);
void describe(Fields&, PotentialInput&);
void describe(Fields&, PendulumInput&);
void describe(Fields&, BarInput&);
void describe(Fields&, SpringInput&);
void describe(Fields&, JointInput&);
void describe(Fields&, RodInput&);
void describe(Fields&, RodElementInput&);
void describe(Fields&, MarkInput&);
void describe(Fields&, EventInput&);
void motions(Fields&, const Key&, Motions&);  // x, y, z as functions of time
void describe(Fields&, LoadInput&);
void describe(Fields&, SensorInput&);
void describe(Fields&, TimeInput&);
void describe(Fields&, StaticsInput&);
void describe(Fields&, GustInput&);
void describe(Fields&, DamageInput&);
void describe(Fields&, AircraftInput&);

// An array of tables, one for each item.
template <class Item>
void list(Fields& f, const Key& key, std::vector<Item>& items) {
  f.list(key, static_cast<int>(items.size()), [&items](Fields& g, int index) {
    while (static_cast<int>(items.size()) <= index) items.emplace_back();
    describe(g, items[static_cast<std::size_t>(index)]);
  });
}

}  // namespace trompo
