// Answers HTTP requests at 127.0.0.1, one request a connection, from one thread that waits for all of them at once. No client can
// hold up another one: a request must be there in seconds, an answer be taken in good time, and where connections run out the one
// that has waited longest for its request goes.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "apps/http.hpp"

namespace trompo {

class Server {
 public:
  explicit Server(int port);  // 0: a free one. Throws FileError
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();
  [[nodiscard]] int port() const { return port_; }
  // Until `stop`. `answer` is given the head of a request, as it came.
  void serve(const std::function<http::Answer(std::string_view head)>& answer, const std::atomic<bool>& stop);

 private:
  int socket_ = -1;
  int port_ = 0;
};

}  // namespace trompo
