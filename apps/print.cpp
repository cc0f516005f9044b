#include "apps/print.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "trompo/model/printable.hpp"

namespace trompo {

namespace {
int first_error = 0;  // of standard output, which is one for the whole process too
}

void open_standard_streams() {
  // Standard output opened for reading: what is printed there fails, as it would have, and is noticed.
  const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
  for (int stream = 0; stream < 3; ++stream)
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", modes[stream]);  // takes the lowest number
}

void print_text(std::string_view text) {
  const std::string shown = printable(text);
  errno = 0;
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size() && first_error == 0)
    first_error = errno != 0 ? errno : EIO;
}

void complain_text(std::string_view text) { draw_text(printable(text)); }
void draw_text(std::string_view text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

int output_error() {
  errno = 0;
  if (std::fflush(stdout) != 0 && first_error == 0) first_error = errno != 0 ? errno : EIO;
  return first_error;
}

}  // namespace trompo
