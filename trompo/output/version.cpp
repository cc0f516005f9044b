#include "trompo/output/version.hpp"

namespace trompo {

std::string_view version() { return TROMPO_VERSION; }

}  // namespace trompo
