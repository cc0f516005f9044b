#include "tests/stored.hpp"

#include <fstream>
#include <map>

#include "tests/places.hpp"

namespace trompo {

const nlohmann::json& stored(const std::string& file) {
  static std::map<std::string, nlohmann::json> all;
  const auto [place, is_new] = all.try_emplace(file);
  if (is_new) place->second = nlohmann::json::parse(std::ifstream(places::data(file)));
  return place->second;
}

}  // namespace trompo
