// Time as integers: t = k h exactly, the last step shortened, halves that fill a step and give way to coarser ones.
#include "trompo/run/clock.hpp"

#include "tests/random_states.hpp"

namespace trompo {
namespace run_clock {

using namespace property;

TEST(Clock, TimesAreMultiplesOfTheStepExactly) {
  rc::detail::checkGTest([] {
    const double h = magnitude(1e-6, 10);
    const long steps = *rc::gen::inRange<long>(1, 3000);
    Clock clock(h, steps);
    RC_ASSERT(clock.steps() == steps);
    for (long k = 1; k <= steps; ++k) {
      RC_ASSERT(!clock.over());
      RC_ASSERT(clock.next() == static_cast<double>(k) * h);  // not a running sum
      RC_ASSERT(clock.advance());
      RC_ASSERT(clock.step() == k);
    }
    RC_ASSERT(clock.over());
  });
}

TEST(Clock, EndThatIsAMultipleGivesWholeSteps) {
  rc::detail::checkGTest([] {
    const double h = magnitude(1e-6, 10);
    const long steps = *rc::gen::inRange<long>(1, 100000);
    const double end = static_cast<double>(steps) * h * (1 + either_sign(*rc::gen::element(0.0, epsilon)));
    Clock clock(h, end);
    RC_ASSERT(clock.steps() == steps);
    while (clock.step() + 1 < steps && clock.step() < 100) RC_ASSERT(clock.advance());
    RC_ASSERT(clock.next() == (clock.step() + 1 == steps ? end : static_cast<double>(clock.step() + 1) * h));
  });
}

TEST(Clock, LastStepIsShortened) {
  rc::detail::checkGTest([] {
    const double h = magnitude(1e-3, 10);
    const long whole = *rc::gen::inRange<long>(0, 1000);
    const double end = (static_cast<double>(whole) + between(0.001, 0.999)) * h;
    Clock clock(h, end);
    RC_ASSERT(clock.steps() == whole + 1);
    for (long k = 0; k < whole; ++k) RC_ASSERT(clock.advance());
    RC_ASSERT(!clock.over());
    RC_ASSERT(clock.next() == end);
    within(std::abs(clock.part_size() - (end - static_cast<double>(whole) * h)), 0);
    if (*rc::gen::arbitrary<bool>()) {  // halves of the short step stay inside it
      clock.halve();
      within(std::abs(clock.next() - 0.5 * (static_cast<double>(whole) * h + end)), 4 * epsilon * end);
      RC_ASSERT(!clock.advance());
      RC_ASSERT(clock.next() == end);
    }
    RC_ASSERT(clock.advance());
    RC_ASSERT(clock.over());
  });
}

TEST(Clock, HalvingSequenceByHand) {
  Clock clock(0.5, 2L);
  clock.halve();
  clock.halve();
  EXPECT_EQ(clock.level(), 2);
  EXPECT_EQ(clock.next(), 0.125);
  EXPECT_FALSE(clock.advance());  // at 1/4 of the step: a half does not fit here
  EXPECT_EQ(clock.next(), 0.25);
  EXPECT_FALSE(clock.advance());  // at 1/2: one half is left, tried at once
  EXPECT_EQ(clock.level(), 1);
  EXPECT_EQ(clock.next(), 0.5);
  clock.halve();  // it fails too
  EXPECT_EQ(clock.next(), 0.375);
  EXPECT_FALSE(clock.advance());
  EXPECT_EQ(clock.next(), 0.5);
  EXPECT_TRUE(clock.advance());
  EXPECT_EQ(clock.level(), 0);  // whole steps again
  EXPECT_EQ(clock.step(), 1);
  EXPECT_EQ(clock.next(), 1.0);
  EXPECT_TRUE(clock.advance());
  EXPECT_TRUE(clock.over());
}

// Whatever fails: parts are h/2^level, they join without a gap, full steps end at k h, and none is counted twice.
TEST(Clock, PartsFillTheStepsWhateverFails) {
  rc::detail::checkGTest([] {
    const double h = magnitude(1e-3, 1);
    const long steps = *rc::gen::inRange<long>(1, 20);
    Clock clock(h, steps);
    double now = 0;
    for (int events = 0; !clock.over(); ++events) {
      RC_ASSERT(events < 200000);
      if (clock.level() < 6 && events < 400 && *rc::gen::inRange(0, 3) == 0) {
        clock.halve();
        continue;
      }
      const double part = std::ldexp(h, -clock.level());
      RC_ASSERT(clock.next() > now);
      within(std::abs(clock.part_size() - part), 2 * epsilon * static_cast<double>(steps) * h);
      within(std::abs(clock.next() - now - part), 2 * epsilon * static_cast<double>(steps) * h);
      // the place within the step in units of the part: a part begins where a part of its size may begin
      const double place = (now / h - static_cast<double>(clock.step())) * std::ldexp(1.0, clock.level());
      within(std::abs(place - std::round(place)), 1e-9);
      now = clock.next();
      const long before = clock.step();
      if (clock.advance()) {
        RC_ASSERT(clock.step() == before + 1);
        RC_ASSERT(clock.level() == 0);
        RC_ASSERT(now == static_cast<double>(clock.step()) * h);
      } else {
        RC_ASSERT(clock.step() == before);
      }
    }
    RC_ASSERT(clock.step() == steps);
    RC_ASSERT(now == static_cast<double>(steps) * h);
  });
}

}  // namespace run_clock
}  // namespace trompo
