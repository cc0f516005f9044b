#include "apps/server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <vector>

#include "trompo/model/source.hpp"

namespace trompo {

namespace {

using namespace std::chrono_literals;
using Clock_ = std::chrono::steady_clock;

constexpr std::size_t most_connections = 128;
constexpr auto time_to_ask = 5s;
constexpr auto time_to_leave = 1s;
constexpr std::uint64_t slowest = 256 << 10;  // bytes per second that a client has to take, after half a minute

Clock_::duration time_to_take(std::uint64_t bytes) { return 30s + std::chrono::seconds(bytes / slowest); }

// First it asks, then it takes the answer, then it leaves: we close our side and wait a moment for the client to close the other, or
// what it still sends would make the kernel throw the answer away.
class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  [[nodiscard]] pollfd waits_for() const { return {socket_, static_cast<short>(stage_ == taking ? POLLOUT : POLLIN), 0}; }
  [[nodiscard]] bool waiting() const { return stage_ != taking; }
  [[nodiscard]] bool over() const { return stage_ == gone || Clock_::now() >= deadline_; }
  void extend(Clock_::duration by) { deadline_ += by; }

  void go_on(const std::function<http::Answer(std::string_view)>& answer) {
    if (stage_ == asking) ask(answer);
    if (stage_ == taking) take();
    if (stage_ == leaving) leave();
  }

 private:
  enum Stage { asking, taking, leaving, gone };

  void ask(const std::function<http::Answer(std::string_view)>& answer) {
    char block[4096];
    while (true) {
      const ssize_t n = ::recv(socket_, block, sizeof block, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (n <= 0) return finish();
      const std::size_t before = head_.size();
      head_.append(block, static_cast<std::size_t>(n));
      const std::size_t end = head_.find("\r\n\r\n", before < 3 ? 0 : before - 3);
      if (end == std::string::npos && head_.size() <= http::longest_head) continue;
      answer_ = answer(std::string_view(head_).substr(0, end == std::string::npos ? end : end + 4));
      head_ = answer_.head();
      deadline_ = Clock_::now() + time_to_take(answer_.count);
      stage_ = taking;
      return;
    }
  }

  // What of the head is left, then the body.
  void take() {
    char block[65536];
    for (int blocks = 0; blocks < 16;) {  // then others have their turn
      std::string_view next = std::string_view(head_).substr(sent_);
      const bool body = next.empty();
      if (body && answer_.count == 0) {
        ::shutdown(socket_, SHUT_WR);
        answer_ = {};
        deadline_ = Clock_::now() + time_to_leave;
        stage_ = leaving;
        return;
      }
      if (body) {
        ++blocks;
        next = answer_.text ? std::string_view(*answer_.text).substr(answer_.first, std::min<std::uint64_t>(answer_.count, 1 << 20))
                            : answer_.file->read(answer_.first, block, std::min<std::uint64_t>(answer_.count, sizeof block));
        if (next.empty()) return finish();  // the file has become shorter: the client sees that bytes are missing
      }
      const ssize_t n = ::send(socket_, next.data(), next.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (n <= 0) return finish();
      if (!body) {
        sent_ += static_cast<std::size_t>(n);
      } else {
        answer_.first += static_cast<std::uint64_t>(n);
        answer_.count -= static_cast<std::uint64_t>(n);
      }
    }
  }

  void leave() {
    char block[4096];
    for (int blocks = 0; blocks < 16; ++blocks) {
      const ssize_t n = ::recv(socket_, block, sizeof block, 0);
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
      if (n <= 0) return finish();
    }
  }

  void finish() { stage_ = gone; }

  int socket_;
  Stage stage_ = asking;
  Clock_::time_point deadline_ = Clock_::now() + time_to_ask;
  std::string head_;  // of the request, then of the answer
  std::size_t sent_ = 0;
  http::Answer answer_;
};

}  // namespace

Server::Server(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  const int yes = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  socklen_t size = sizeof address;
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(socket_, 64) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    ::close(socket_);
    throw FileError(fmt::format("port {} cannot be used; leave out --port to get a free one", port));
  }
  port_ = ntohs(address.sin_port);
}

Server::~Server() { ::close(socket_); }

void Server::serve(const std::function<http::Answer(std::string_view)>& answer, const std::atomic<bool>& stop) {
  std::list<Connection> connections;  // the oldest first
  std::vector<pollfd> polled;
  const auto longest_waiting = [&connections] {
    return std::find_if(connections.begin(), connections.end(), [](const Connection& c) { return c.waiting(); });
  };
  // An answer may take its time, which is not the clients' fault.
  const auto answer_in_time = [&](std::string_view head) {
    const auto begin = Clock_::now();
    http::Answer out = answer(head);
    for (Connection& connection : connections) connection.extend(Clock_::now() - begin);
    return out;
  };
  while (!stop) {
    polled.clear();
    for (const Connection& connection : connections) polled.push_back(connection.waits_for());
    if (connections.size() < most_connections || longest_waiting() != connections.end()) polled.push_back({socket_, POLLIN, 0});
    if (::poll(polled.data(), polled.size(), 100) < 0 && errno != EINTR) break;
    std::size_t i = 0;
    for (auto c = connections.begin(); c != connections.end() && !stop; ++i) {
      if (polled[i].revents != 0) c->go_on(answer_in_time);
      c = c->over() ? connections.erase(c) : std::next(c);
    }
    if (stop || i == polled.size() || (polled[i].revents & POLLIN) == 0) continue;
    const int accepted = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0) continue;
    if (connections.size() >= most_connections)
      if (const auto oldest = longest_waiting(); oldest != connections.end()) connections.erase(oldest);
    connections.emplace_back(accepted).go_on(answer_in_time);
  }
}

}  // namespace trompo
