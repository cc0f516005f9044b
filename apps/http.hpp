// The part of HTTP/1.1 that `trompo view` needs: a request without a body, an answer, one range of bytes. Pure functions of texts:
// sockets are in server.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trompo::http {

constexpr std::size_t longest_head = 16384;  // bytes of a request line with its headers

struct Request {
  std::string method, path, query;             // the path as it was sent: nothing in it is decoded
  std::map<std::string, std::string> headers;  // names in lower case
  [[nodiscard]] std::optional<std::string> header(const std::string& name) const;
  [[nodiscard]] std::optional<std::string> parameter(std::string_view name) const;  // of the query, decoded
};

// Why a request gets no more than this.
struct Refusal {
  int status;
  std::string why;
};

// `head` ends with the empty line, or at its last byte. Throws Refusal.
[[nodiscard]] Request parse_request(std::string_view head);

class OpenFile {  // a regular file, read at any place
 public:
  explicit OpenFile(const std::string& path);  // throws Refusal 404
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();
  [[nodiscard]] std::uint64_t size() const { return size_; }  // when it was opened
  // What stands there now: fewer bytes, or none, where the file has become shorter.
  [[nodiscard]] std::string_view read(std::uint64_t from, char* to, std::size_t count) const;

 private:
  int file_;
  std::uint64_t size_ = 0;
};

struct Answer {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::shared_ptr<const std::string> text{};      // the body: this,
  std::shared_ptr<const OpenFile> file{};         // or this
  std::uint64_t first = 0, count = 0;             // bytes of the body that are sent
  [[nodiscard]] std::string head() const;         // status line and headers, with the empty line
};

[[nodiscard]] Answer text_answer(std::string text, const std::string& type, int status = 200);
[[nodiscard]] Answer shared_answer(std::shared_ptr<const std::string> text, const std::string& type);
[[nodiscard]] Answer file_answer(std::shared_ptr<const OpenFile> file, const std::string& type);
[[nodiscard]] Answer refusal(const Refusal& why);

// Cuts a whole answer (200) down to what Range and HEAD ask for. One range is answered, clamped to what there is, or 416 beyond its
// end; what is no range or several of them gives the whole, as RFC 9110 allows.
[[nodiscard]] Answer cut(Answer whole, const Request& request);

}  // namespace trompo::http
