#include "trompo/output/page.hpp"

#include "trompo/model/source.hpp"
#include "trompo/output/files.hpp"

// page_template.S
extern "C" const char trompo_page_begin[], trompo_page_end[];

namespace trompo {

namespace {

constexpr std::string_view token = "__TROMPO_DATA__", element = ">__TROMPO_DATA__<";  // the script may name the token too

std::size_t place_of_data(std::string_view all) {
  const std::size_t found = all.find(element);
  return found == std::string_view::npos ? found : found + 1;
}

std::string_view page_template() { return {trompo_page_begin, static_cast<std::size_t>(trompo_page_end - trompo_page_begin)}; }

// In JSON these stand in texts only. `<` could end or open a tag; the two others end a line for some readers of scripts.
std::string harmless(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<') {
      out += "\\u003c";
    } else if (json.substr(i, 3) == "\xE2\x80\xA8" || json.substr(i, 3) == "\xE2\x80\xA9") {
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace

bool has_page() { return place_of_data(page_template()) != std::string_view::npos; }

std::string_view how_to_get_page() { return "this build has no page; to get it: apt-get install nodejs npm, and build again"; }

std::string page(std::string_view data) {
  const std::string_view all = page_template();
  const std::size_t place = place_of_data(all);
  if (place == std::string_view::npos) throw FileError(std::string(how_to_get_page()));
  std::string out(all.substr(0, place));
  out += harmless(data);
  out += all.substr(place + token.size());
  return out;
}

std::string_view page_policy() {
  static constexpr std::string_view before = "content=\"default-src ";
  const std::string_view all = page_template();
  const std::size_t start = all.find(before), begin = start + before.find('d'), end = all.find('"', begin);
  if (start == std::string_view::npos || end == std::string_view::npos) return "default-src 'none'";
  return all.substr(begin, end - begin);
}

void require_page(const std::string& path) {
  if (!has_page()) throw FileError(path + ": cannot write: " + std::string(how_to_get_page()));
}

void write_page(const std::string& path, std::string_view data) {
  require_page(path);
  write_text_file(path, page(data));
}

}  // namespace trompo
