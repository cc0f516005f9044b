#include "trompo/output/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include "trompo/model/source.hpp"

namespace trompo {

namespace {

constexpr char good = '+', bad = '-';  // the first byte of what a child sends

void limit(int what, rlim_t value) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(what), &now) != 0) return;
  now.rlim_cur = now.rlim_max == RLIM_INFINITY ? value : std::min(value, now.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &now);
}

rlim_t memory_of_this_process() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

// Nothing of the parent's but the pipe, nothing beyond the limits, no life without the parent, no picture of its memory on the disk.
void be_small(const ChildLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_DUMPABLE, 0);
  std::signal(SIGINT, SIG_IGN);  // the parent decides
  for (const int signal : {SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.time.count()) + 1);
#if !defined(__SANITIZE_ADDRESS__)  // which reserves more than any limit
  limit(RLIMIT_AS, memory_of_this_process() + limits.memory);
#endif
}

void send(int pipe, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(pipe, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

[[noreturn]] void be_the_child(int pipe, const std::function<std::string()>& work, const ChildLimits& limits) {
  constexpr int kept = 3;
  if (pipe != kept) ::dup2(pipe, kept);
  ::close_range(kept + 1, ~0U, 0);  // connections among them: they would stay open as long as this child
  be_small(limits);
  try {
    const std::string result = work();
    send(kept, std::string_view(&good, 1));
    send(kept, result);
  } catch (const std::bad_alloc&) {
    send(kept, std::string_view(&bad, 1));  // and no words: the parent has them
  } catch (const std::exception& error) {
    send(kept, std::string_view(&bad, 1));
    send(kept, error.what());
  }
  ::_exit(0);
}

}  // namespace

std::string in_child(const std::string& about, const std::function<std::string()>& work, const ChildLimits& limits,
                     const std::atomic<bool>& stop) {
  const auto failed = [&about](const std::string& why) { return FileError(about + ": cannot read: " + why); };
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) throw failed(std::generic_category().message(errno));
  const pid_t child = ::fork();
  if (child == 0) be_the_child(pipe[1], work, limits);
  ::close(pipe[1]);
  if (child < 0) {
    ::close(pipe[0]);
    throw failed(std::generic_category().message(errno));
  }

  using Clock_ = std::chrono::steady_clock;
  const auto deadline = Clock_::now() + limits.time;
  std::string text, ended;
  std::vector<char> block(1 << 16);
  while (!stop && ended.empty()) {
    pollfd wait{pipe[0], POLLIN, 0};
    if (::poll(&wait, 1, 50) > 0) {
      const ssize_t n = ::read(pipe[0], block.data(), block.size());
      if (n == 0) break;
      if (n > 0) text.append(block.data(), static_cast<std::size_t>(n));
    }
    if (text.size() > limits.answer) ended = fmt::format("it gives more than {} MB", limits.answer >> 20U);
    if (Clock_::now() > deadline) ended = fmt::format("it takes longer than {} s", limits.time.count());
  }
  ::close(pipe[0]);
  if (stop || !ended.empty()) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (stop) return "";
  if (!ended.empty()) throw failed(ended);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) throw failed(fmt::format("it takes longer than {} s", limits.time.count()));
  if (WIFSIGNALED(status))
    throw failed(fmt::format("the file is damaged: the process that reads it ended with signal {} ({})", WTERMSIG(status),
                             ::strsignal(WTERMSIG(status))));
  if (text == std::string_view(&bad, 1)) throw failed("it asks for more memory than there is for it");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text.empty()) throw failed("the process that reads it ended early");
  if (text.front() == bad) throw FileError(text.substr(1));
  return text.substr(1);
}

}  // namespace trompo
