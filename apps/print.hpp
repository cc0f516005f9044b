// All that the tool prints, as text: what a model or a file name says cannot command the terminal (printable). Nothing here throws or ends the program, whatever has become of the terminal: a run goes on, and
// main says by its exit code that standard output could not be written.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace trompo {

// Before anything is opened: a stream that is closed would lend its number to the next file, which would then be printed into.
void open_standard_streams();

void print_text(std::string_view text);     // to standard output
void complain_text(std::string_view text);  // to standard error; if that fails there is nobody to say so to
void draw_text(std::string_view text);      // the same with its control characters, which are for the terminal

template <class... T>
void print(fmt::format_string<T...> format, T&&... values) {
  print_text(fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void complain(fmt::format_string<T...> format, T&&... values) {
  complain_text(fmt::format(format, std::forward<T>(values)...));
}

// errno of the first failure of standard output, all that was printed considered; 0 if there was none.
[[nodiscard]] int output_error();

}  // namespace trompo
