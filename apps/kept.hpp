// Values that many statements, tables and figures of a study ask for, each made once: by whom asks first, in whatever thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace trompo {

template <class Value>
class Kept {
 public:
  // What `make` gives must be the same for the same key. The value stays where it is.
  template <class Make>
  const Value& of(const std::string& key, const Make& make) {
    Entry* entry = nullptr;
    {
      const std::lock_guard lock(mutex_);
      auto& place = all_[key];
      if (!place) place = std::make_unique<Entry>();
      entry = place.get();
    }
    std::call_once(entry->made, [&] { entry->value.emplace(make()); });
    return entry->value.value();
  }
  // Whether somebody has asked for it: who has other work may do that first.
  bool begun(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return all_.contains(key);
  }

 private:
  struct Entry {
    std::once_flag made;
    std::optional<Value> value;
  };
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> all_;
};

}  // namespace trompo
