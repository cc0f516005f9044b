#include "trompo/model/range.hpp"

#include "trompo/model/source.hpp"

namespace trompo {

std::string Range::demand(double value) const {
  if (least > 0 && !zero && value <= 0) return "be positive";
  if (least >= 0 && value < 0) return "not be negative";
  return (zero ? "be 0 or between " : "be between ") + number_text(least) + " and " + number_text(most);
}

}  // namespace trompo
