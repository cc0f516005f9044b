// One batch per kind of term, made when the first term asks for it, in the order of the file.
#pragma once

#include <memory>
#include <vector>

namespace trompo {

template <class Wanted, class Base>
Wanted& batch_of(std::vector<std::unique_ptr<Base>>& batches) {
  for (const auto& batch : batches)
    if (auto* same = dynamic_cast<Wanted*>(batch.get())) return *same;
  batches.push_back(std::make_unique<Wanted>());
  return static_cast<Wanted&>(*batches.back());
}

}  // namespace trompo
