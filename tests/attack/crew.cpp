// SPDX-License-Identifier: MIT
#include "crew.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

namespace jawari::attack {
namespace {

double watched_s = 0;

/// Ends this process by a signal when a scene takes too long.
void watch(double seconds) {
  watched_s = seconds;
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

void begin_play() {
  if (watched_s > 0) watch(watched_s);
}

struct Crew::Desk {
  std::uint64_t next = 0;  // index of the scene being judged
  bool running = false;
  Width width = Width::usual;  // of that scene
  Tally tally;
};

std::uint64_t scene_seed(std::uint64_t seed, std::uint64_t index) {
  return Dice(seed * 0x100000001b3u + index).next() >> 16;  // short enough to be typed
}

Crew::Crew(const Job& job, std::uint64_t seed, std::uint64_t scenes, double seconds, int jobs, double cpu_s,
           bool say_input_errors)
    : job_(job),
      cpu_s_(cpu_s),
      say_input_errors_(say_input_errors),
      seed_(seed),
      scenes_(scenes),
      jobs_(jobs < 1 ? 1 : jobs),
      end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long>(1000 * seconds))),
      counts_(std::size(fault_names)) {
  const std::size_t size = sizeof(Desk) * static_cast<std::size_t>(jobs_);
  void* shared = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  desks_ = static_cast<Desk*>(shared);
  int ends[2];
  if (pipe(ends) != 0) throw std::bad_alloc();
  in_ = ends[0];
  out_ = ends[1];
  for (int j = 0; j < jobs_; ++j) {
    new (&desks_[j]) Desk;
    desks_[j].next = static_cast<std::uint64_t>(j);
    workers_.push_back(0);
    hire(j);
  }
}
Crew::~Crew() {
  for (const pid_t w : workers_)
    if (w > 0) {
      kill(w, SIGKILL);
      waitpid(w, nullptr, 0);
    }
  close(in_);
  close(out_);
  munmap(desks_, sizeof(Desk) * static_cast<std::size_t>(jobs_));
}

void Crew::hire(int job) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) work(job);
  workers_[static_cast<std::size_t>(job)] = child;
}

void Crew::work(int job) {
  close(in_);
  Desk& desk = desks_[job];
  for (; desk.next < scenes_ && std::chrono::steady_clock::now() < end_;
       desk.next += static_cast<std::uint64_t>(jobs_)) {
    const std::uint64_t seed = scene_seed(seed_, desk.next);
    watch(cpu_s_);
    desk.running = true;
    const Made made = job_.make(seed);
    desk.width = made.width;
    const Verdict v = job_.judge(made.text, seed);
    desk.running = false;
    Tally& t = desk.tally;
    ++t.scenes;
    if (v.cpu_s > t.slowest) {
      t.slowest = v.cpu_s;
      t.slowest_seed = seed;
    }
    if (v.fault == Fault::refused) {
      ++t.refused;
      if (say_input_errors_)
        std::fprintf(stderr, "refused, seed %llu: %s\n", static_cast<unsigned long long>(seed), v.detail.c_str());
      continue;
    }
    ++t.played;
    if (v.fault == Fault::none) {
      if (v.imbalance <= 1e-12) ++t.close;
      if (v.rounded) ++t.rounded;
      if (!(v.imbalance <= t.worst)) t.worst = v.imbalance;
      continue;
    }
    char line[600];
    const int size =
        std::snprintf(line, sizeof line, "%d %llu %d %.400s\n", static_cast<int>(v.fault),
                      static_cast<unsigned long long>(seed), static_cast<int>(made.width), v.detail.c_str());
    for (int i = 0; i < size - 1; ++i)
      if (line[i] == '\n') line[i] = ' ';
    if (write(out_, line, static_cast<std::size_t>(size)) < 0) _exit(1);
  }
  _exit(0);
}

std::optional<Found> Crew::next() {
  for (;;) {
    if (const auto end = pending_.find('\n'); end != std::string::npos) {
      Found f;
      unsigned long long seed = 0;
      int fault = 0, width = 0, used = 0;
      std::sscanf(pending_.c_str(), "%d %llu %d %n", &fault, &seed, &width, &used);
      f.fault = static_cast<Fault>(fault);
      f.seed = seed;
      f.width = static_cast<Width>(width);
      f.detail = pending_.substr(static_cast<std::size_t>(used), end - static_cast<std::size_t>(used));
      pending_.erase(0, end + 1);
      f.count = ++counts_[static_cast<std::size_t>(fault)];
      return f;
    }
    pollfd ready{in_, POLLIN, 0};
    if (poll(&ready, 1, 100) > 0) {
      char some[4096];
      if (const ssize_t n = read(in_, some, sizeof some); n > 0) pending_.append(some, static_cast<std::size_t>(n));
      continue;
    }
    bool working = false;
    for (int j = 0; j < jobs_; ++j) {
      pid_t& w = workers_[static_cast<std::size_t>(j)];
      int status = 0;
      if (w > 0 && waitpid(w, &status, WNOHANG) == w) {
        w = 0;
        Desk& desk = desks_[j];
        if (desk.running) {
          const bool slow = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
          Found f{slow ? Fault::slow : Fault::crash, scene_seed(seed_, desk.next), desk.width, {}, 0};
          f.detail = WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                         : "ended with status " + std::to_string(WEXITSTATUS(status));
          f.count = ++counts_[static_cast<std::size_t>(f.fault)];
          ++desk.tally.scenes;
          ++desk.tally.played;
          desk.running = false;
          desk.next += static_cast<std::uint64_t>(jobs_);
          hire(j);
          return f;
        }
      }
      working = working || w > 0;
    }
    if (!working && pending_.empty()) {
      pollfd rest{in_, POLLIN, 0};
      if (poll(&rest, 1, 0) <= 0) return std::nullopt;
    }
  }
}

Tally Crew::tally() const {
  Tally sum;
  for (int j = 0; j < jobs_; ++j) {
    const Tally& t = desks_[j].tally;
    sum.scenes += t.scenes;
    sum.refused += t.refused;
    sum.played += t.played;
    sum.close += t.close;
    sum.rounded += t.rounded;
    if (!(t.worst <= sum.worst)) sum.worst = t.worst;
    if (t.slowest > sum.slowest) {
      sum.slowest = t.slowest;
      sum.slowest_seed = t.slowest_seed;
    }
  }
  return sum;
}

}  // namespace jawari::attack
