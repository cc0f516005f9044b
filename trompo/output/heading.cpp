#include "trompo/output/heading.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

// A part of the heading that knows where it stands; the words are put together only if something is wrong.
class Part {
 public:
  explicit Part(const Json& json) : json_(json) {}

  [[nodiscard]] Part operator[](const char* key) const {
    if (!json_.is_object()) fail("is no object");
    const auto found = json_.find(key);
    if (found == json_.end()) fail(fmt::format("has no `{}`", key));
    return {*found, this, key, 0};
  }
  [[nodiscard]] bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  // Calls `look` with every entry.
  template <class Look>
  void each(const Look& look) const {
    (void)count();
    for (std::size_t i = 0; i < json_.size(); ++i) look(Part(json_[i], this, nullptr, i));
  }
  [[nodiscard]] std::size_t count() const {
    if (!json_.is_array()) fail("is no list");
    return json_.size();
  }
  void expect_count(std::size_t wanted) const {
    if (count() != wanted) fail(fmt::format("has {} entries in place of {}", count(), wanted));
  }
  void expect_number() const {
    if (!json_.is_number()) fail("is no number");
  }
  void expect_numbers(std::size_t wanted) const {
    expect_count(wanted);
    each([](const Part& entry) { entry.expect_number(); });
  }
  void expect_text() const {
    if (!json_.is_string()) fail("is no text");
  }
  void expect_texts() const {
    each([](const Part& entry) { entry.expect_text(); });
  }
  void expect_truth() const {
    if (!json_.is_boolean()) fail("is neither true nor false");
  }
  void expect_truths() const {
    each([](const Part& entry) { entry.expect_truth(); });
  }
  [[nodiscard]] bool is_null() const { return json_.is_null(); }
  [[nodiscard]] std::size_t whole() const { return json_.get<std::size_t>(); }  // what was expected to be an index
  void expect_object() const {
    if (!json_.is_object()) fail("is no object");
  }
  void expect_one_of(std::initializer_list<const char*> words) const {
    expect_text();
    for (const char* word : words)
      if (json_ == word) return;
    fail("is a word that has no meaning here");
  }
  // A whole number from `least` on, below `end`.
  void expect_index(std::size_t end, long least = 0) const {
    if (json_.is_number_unsigned() ? json_.get<std::uint64_t>() < end
                                   : json_.is_number_integer() && json_.get<std::int64_t>() >= least &&
                                         json_.get<std::int64_t>() < static_cast<std::int64_t>(end))
      return;
    fail(fmt::format("is no whole number from {} on and below {}", least, end));
  }

  [[noreturn]] void fail(const std::string& why) const { throw std::invalid_argument(name() + " " + why); }

 private:
  Part(const Json& json, const Part* whole, const char* key, std::size_t index)
      : json_(json), whole_(whole), key_(key), index_(index) {}
  [[nodiscard]] std::string name() const {
    if (whole_ == nullptr) return "page_json";
    return key_ != nullptr ? fmt::format("{}.{}", whole_->name(), key_) : fmt::format("{}[{}]", whole_->name(), index_);
  }

  const Json& json_;
  const Part* whole_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

std::size_t names_in(const Channels& channels, const std::string& group) {
  for (const NameList& list : channels.names)
    if (list.group == group && list.name == "names") return list.texts.size();
  return 0;
}

void check_place(const Part& place, std::size_t frames) {
  place["frame"].expect_index(frames, -1);
  place["point"].expect_numbers(3);
}

void check_scene(const Part& scene, const Channels& channels) {
  const Part pendulums = scene["pendulums"];
  const std::size_t nodes = names_in(channels, "nodes") + names_in(channels, "anchors") + pendulums.count();
  const std::size_t bodies = names_in(channels, "bodies"), frames = nodes + bodies;
  scene["nodes"].expect_count(nodes);
  scene["nodes"].expect_texts();
  scene["bodies"].expect_count(bodies);
  scene["bodies"].expect_texts();
  scene["fixed"].expect_count(nodes);
  scene["fixed"].expect_truths();
  scene["gravity"].expect_numbers(3);
  scene["plane"].expect_one_of({"", "xy", "xz", "yz"});
  scene["size"].expect_number();
  pendulums.each([&](const Part& p) {
    p["coordinate"].expect_index(names_in(channels, "coordinates"));
    p["length"].expect_number();
    for (const char* direction : {"origin", "down", "side"}) p[direction].expect_numbers(3);
  });
  scene["trails"].each([&](const Part& frame) { frame.expect_index(frames); });
  scene["shapes"].each([&](const Part& shape) {
    shape["frame"].expect_index(frames);
    shape["kind"].expect_one_of({"box", "plate", "cylinder", "sphere", "rod", "ellipsoid"});
    shape["size"].each([](const Part& edge) { edge.expect_number(); });
    shape["position"].expect_numbers(3);
    shape["quaternion"].expect_numbers(4);
  });
  scene["bars"].expect_count(names_in(channels, "bars"));
  scene["bars"].each([&](const Part& bar) {
    bar["name"].expect_text();
    bar["ends"].expect_count(2);
    bar["ends"].each([&](const Part& end) { end.expect_index(nodes); });
  });
  scene["springs"].each([&](const Part& spring) {
    spring["name"].expect_text();
    spring["ends"].expect_count(2);
    spring["ends"].each([&](const Part& end) { check_place(end, frames); });
  });
  scene["joints"].each([&](const Part& joint) {
    for (const char* text : {"name", "kind"}) joint[text].expect_text();
    for (const char* side : {"place", "other"}) check_place(joint[side], frames);
    if (joint.has("symbol")) {
      joint["symbol"]["solid"].expect_text();
      joint["symbol"]["size"].expect_numbers(3);
    }
    joint["bodies"].expect_count(2);
    joint["bodies"].expect_texts();
  });
  scene["lines"].each([&](const Part& line) {
    line["name"].expect_text();
    line["places"].each([&](const Part& place) { check_place(place, frames); });
  });
  if (scene.has("rods"))  // older results have lines in their place
    scene["rods"].each([&](const Part& rod) {
      rod["name"].expect_text();
      rod["frames"].each([&](const Part& frame) { frame.expect_index(frames, static_cast<long>(nodes)); });
      rod["spans"].expect_index(3, 1);
      const std::size_t elements = names_in(channels, "rods");
      rod["first"].expect_index(elements);
      if (rod["first"].whole() + (rod["frames"].count() - 1) / rod["spans"].whole() > elements)
        rod.fail("has more elements than there are");
      rod["half"].expect_numbers(2);
      rod["round"].expect_truth();
    });
  scene["loads"].each([&](const Part& load) {
    load["name"].expect_text();
    check_place(load["place"], frames);
    if (load.has("follower")) load["follower"].expect_truth();
    for (const char* vector : {"force", "moment", "torque"})
      if (load.has(vector) && !load[vector].is_null()) load[vector].each([](const Part& row) { row.expect_numbers(4); });
  });
}

}  // namespace

void check_heading(const Json& heading, const Channels& channels) {
  const Part whole(heading);
  whole["scheme"]["name"].expect_text();
  whole["scheme"]["parameters"].expect_object();
  whole["scheme"]["claims"].expect_texts();
  whole["label"].expect_text();
  if (whole.has("axis")) whole["axis"].expect_text();
  whole["events"].each([](const Part& event) {
    event["time"].expect_number();
    event["text"].expect_text();
    if (event.has("until")) event["until"].expect_number();
  });
  check_scene(whole["scene"], channels);
}

}  // namespace trompo
