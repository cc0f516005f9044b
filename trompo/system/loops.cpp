#include "trompo/system/loops.hpp"

#include <string_view>
#include <unordered_map>

#include "trompo/model/joint_kinds.hpp"

namespace trompo {

std::vector<bool> joints_in_loops(const Model& model) {
  struct Part {
    std::vector<std::size_t> joints;
    int held = 0;  // by how many joints that are left
    bool stays = false;
  };
  std::unordered_map<std::string_view, Part> parts;
  parts["ground"].stays = true;
  for (const BodyInput& body : model.bodies) parts[body.name].held = body.fixed_point ? 1 : 0;
  std::vector<bool> left;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointKind* kind = find_joint_kind(model.joints[j].kind);
    left.push_back(kind != nullptr && kind->has_rows() && !model.joints[j].released);
    for (const std::string& body : model.joints[j].bodies) {
      parts[body].joints.push_back(j);
      if (left[j]) ++parts[body].held;
    }
  }
  std::vector<Part*> hanging;
  for (auto& [name, part] : parts)
    if (!part.stays && part.held == 1) hanging.push_back(&part);
  while (!hanging.empty()) {
    const Part& part = *hanging.back();
    hanging.pop_back();
    for (const std::size_t j : part.joints) {
      if (!left[j]) continue;
      left[j] = false;
      for (const std::string& body : model.joints[j].bodies)
        if (Part& other = parts[body]; --other.held == 1 && !other.stays) hanging.push_back(&other);
    }
  }
  return left;
}

}  // namespace trompo
