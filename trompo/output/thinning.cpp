#include "trompo/output/thinning.hpp"

#include <bit>
#include <cstring>
#include <string_view>

namespace trompo {

static_assert(std::endian::native == std::endian::little, "packed numbers are little endian");

std::string packed(const std::vector<float>& numbers) {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t size = numbers.size() * sizeof(float);
  std::vector<unsigned char> bytes(size + 2, 0);
  if (size > 0) std::memcpy(bytes.data(), numbers.data(), size);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned three = bytes[i] << 16U | bytes[i + 1] << 8U | bytes[i + 2];
    for (const unsigned shift : {18U, 12U, 6U, 0U}) out += letters[three >> shift & 63U];
  }
  for (std::size_t i = 0; i < (3 - size % 3) % 3; ++i) out[out.size() - 1 - i] = '=';
  return out;
}

void thin(std::vector<double>& xs, std::vector<double>& ys, std::size_t points) {
  while (xs.size() > points && xs.size() >= 4) {
    merge_times(xs);
    merge_values(ys);
  }
}

}  // namespace trompo
