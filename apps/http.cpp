#include "apps/http.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace trompo::http {

namespace {

constexpr std::size_t most_headers = 64;
constexpr std::uint64_t beyond = std::numeric_limits<std::uint64_t>::max();

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return letter(c) || digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}
std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}
std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// The next line without its end; takes it off the text.
std::string_view line_of(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

// Digits alone; a number that is too large is the largest.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), digit)) return std::nullopt;
  std::uint64_t value = 0;
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{} ? value : beyond;
}

struct Range {
  std::uint64_t first, count;  // none at all: beyond the end
};

// Nothing if it is no range, or not one.
std::optional<Range> range_of(std::string_view text, std::uint64_t size) {
  text = trimmed(text);
  constexpr std::string_view unit = "bytes=";
  if (lower(text.substr(0, unit.size())) != unit) return std::nullopt;
  text = trimmed(text.substr(unit.size()));
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view from = text.substr(0, dash), to = text.substr(dash + 1);
  const auto first = whole_number(from), last = whole_number(to);
  if ((!first && !from.empty()) || (!last && !to.empty()) || (!first && !last)) return std::nullopt;
  if (!first) {  // so many bytes at the end
    const std::uint64_t count = std::min(*last, size);
    return Range{size - count, count};
  }
  if (last && *last < *first) return std::nullopt;
  if (*first >= size) return Range{0, 0};
  return Range{*first, last ? std::min(*last - *first, size - 1 - *first) + 1 : size - *first};
}

const char* phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 414: return "URI Too Long";
    case 416: return "Range Not Satisfiable";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
  }
}

}  // namespace

std::optional<std::string> Request::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Request::parameter(std::string_view name) const {
  for (std::string_view rest = query; !rest.empty();) {
    const std::size_t end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::size_t equals = pair.find('=');
    if (decoded(pair.substr(0, equals)) == name)
      return equals == std::string_view::npos ? std::string() : decoded(pair.substr(equals + 1));
  }
  return std::nullopt;
}

Request parse_request(std::string_view head) {
  if (head.size() > longest_head) throw Refusal{431, "the request is too long"};
  std::string_view rest = head;
  const std::string_view first = line_of(rest);
  const std::size_t space = first.find(' '), second = first.rfind(' ');
  if (space == std::string_view::npos || second == space) throw Refusal{400, "this is no request of HTTP/1.1"};
  const std::string_view method = first.substr(0, space), target = first.substr(space + 1, second - space - 1),
                         protocol = first.substr(second + 1);
  if (!token(method) || target.empty() || target.front() != '/' ||
      std::any_of(target.begin(), target.end(), [](char c) { return c <= ' ' || c == '\x7f'; }))
    throw Refusal{400, "this is no request of HTTP/1.1"};
  if (protocol != "HTTP/1.1" && protocol != "HTTP/1.0") throw Refusal{505, "HTTP/1.1 is spoken here"};
  if (target.size() > 2048) throw Refusal{414, "the address is too long"};

  const std::size_t mark = target.find('?');
  Request request{std::string(method), std::string(target.substr(0, mark)),
                  std::string(mark == std::string_view::npos ? "" : target.substr(mark + 1)), {}};
  while (!rest.empty()) {
    const std::string_view line = line_of(rest);
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !token(line.substr(0, colon)) ||
        std::any_of(line.begin(), line.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; }))
      throw Refusal{400, "a header of the request is malformed"};
    if (request.headers.size() == most_headers) throw Refusal{431, "the request has too many headers"};
    const bool added = request.headers.emplace(lower(line.substr(0, colon)), trimmed(line.substr(colon + 1))).second;
    if (!added && lower(line.substr(0, colon)) == "host") throw Refusal{400, "the request names two hosts"};
  }
  return request;
}

OpenFile::OpenFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat about {};
  if (file_ >= 0 && ::fstat(file_, &about) == 0 && S_ISREG(about.st_mode)) {
    size_ = static_cast<std::uint64_t>(about.st_size);
    return;
  }
  if (file_ >= 0) ::close(file_);
  throw Refusal{404, "there is no such file"};
}
OpenFile::~OpenFile() { ::close(file_); }

std::string_view OpenFile::read(std::uint64_t from, char* to, std::size_t count) const {
  const ssize_t n = ::pread(file_, to, count, static_cast<off_t>(from));
  return {to, n > 0 ? static_cast<std::size_t>(n) : 0};
}

std::string Answer::head() const {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", status, phrase(status));
  for (const auto& [name, value] : headers) out += name + ": " + value + "\r\n";
  return out + "Connection: close\r\n\r\n";
}

Answer shared_answer(std::shared_ptr<const std::string> text, const std::string& type) {
  Answer out{.headers = {{"Content-Type", type}}, .text = std::move(text)};
  out.count = out.text->size();
  return out;
}
Answer text_answer(std::string text, const std::string& type, int status) {
  Answer out = shared_answer(std::make_shared<const std::string>(std::move(text)), type);
  out.status = status;
  return out;
}
Answer file_answer(std::shared_ptr<const OpenFile> file, const std::string& type) {
  Answer out{.headers = {{"Content-Type", type}}, .file = std::move(file)};
  out.count = out.file->size();
  return out;
}
Answer refusal(const Refusal& why) { return text_answer(why.why + "\n", "text/plain; charset=utf-8", why.status); }

Answer cut(Answer whole, const Request& request) {
  const std::uint64_t size = whole.count;
  if (whole.status == 200) {
    whole.headers.emplace_back("Accept-Ranges", "bytes");
    const auto asked = request.header("range");
    // Nothing here has a mark by which If-Range could know it again.
    if (asked && request.method == "GET" && !request.header("if-range")) {
      if (const auto range = range_of(*asked, size)) {
        if (range->count == 0) {
          whole = refusal({416, fmt::format("there are {} bytes", size)});
          whole.headers.emplace_back("Content-Range", fmt::format("bytes */{}", size));
        } else {
          whole.status = 206;
          whole.first = range->first;
          whole.count = range->count;
          whole.headers.emplace_back("Content-Range",
                                     fmt::format("bytes {}-{}/{}", range->first, range->first + range->count - 1, size));
        }
      }
    }
  }
  whole.headers.emplace_back("Content-Length", std::to_string(whole.count));
  if (request.method == "HEAD") whole.count = 0;
  return whole;
}

}  // namespace trompo::http
