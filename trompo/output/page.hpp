// The page itself: one HTML file without a network, made from web/ when the library was built, with a place for the data.
#pragma once

#include <string>
#include <string_view>

namespace trompo {

[[nodiscard]] bool has_page();                     // false: the library was built without Node
[[nodiscard]] std::string_view how_to_get_page();  // what to do about it, as a clause
void require_page(const std::string& path);        // FileError that says so if there is none to be written there
// The page with its data, which is JSON. No text in it can end the script that it stands in.
[[nodiscard]] std::string page(std::string_view data);
// What the page may do, as a Content-Security-Policy: it stands in the page too, and names its scripts by their hashes.
[[nodiscard]] std::string_view page_policy();
// Throws FileError if it cannot be written.
void write_page(const std::string& path, std::string_view data);

}  // namespace trompo
