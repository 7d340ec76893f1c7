// SPDX-License-Identifier: MIT
#include "shrink.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "dice.h"

namespace jawari::attack {

Verdict judge_apart(const Job& job, const std::string& text, std::uint64_t seed, double cpu_s) {
  int ends[2];
  if (pipe(ends) != 0) return {Fault::exception, "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    if (!std::freopen("/dev/null", "w", stderr)) _exit(1);
    rlimit cpu{static_cast<rlim_t>(cpu_s) + 1, static_cast<rlim_t>(cpu_s) + 2};
    setrlimit(RLIMIT_CPU, &cpu);
    const Verdict v = job.judge(text, seed);
    const int fault = static_cast<int>(v.fault);
    std::string answer(reinterpret_cast<const char*>(&fault), sizeof fault);
    answer.append(reinterpret_cast<const char*>(&v.imbalance), sizeof v.imbalance);
    answer += v.detail;
    if (write(ends[1], answer.data(), answer.size()) < 0) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  std::string answer;
  char some[4096];
  for (ssize_t n = 0; (n = read(ends[0], some, sizeof some)) > 0;) answer.append(some, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL)
      return {Fault::slow, "more than " + Dice::number(cpu_s) + " s of CPU time"};
    return {Fault::crash, strsignal(signal)};
  }
  Verdict v;
  int fault = 0;
  if (answer.size() < sizeof fault + sizeof v.imbalance)
    return {Fault::crash, "ended with status " + std::to_string(WEXITSTATUS(status))};
  std::memcpy(&fault, answer.data(), sizeof fault);
  std::memcpy(&v.imbalance, answer.data() + sizeof fault, sizeof v.imbalance);
  v.fault = static_cast<Fault>(fault);
  v.detail = answer.substr(sizeof fault + sizeof v.imbalance);
  return v;
}

namespace {

/// Numbers of a value with fewer digits, one after the other.
std::vector<std::string> simpler(const std::string& value) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < value.size();) {
    const bool begins = (value[at] >= '0' && value[at] <= '9') &&
                        (at == 0 || !(std::isalnum(static_cast<unsigned char>(value[at - 1])) || value[at - 1] == '_' ||
                                      value[at - 1] == '"' || value[at - 1] == '.'));
    if (!begins) {
      ++at;
      continue;
    }
    char* end = nullptr;
    const double x = std::strtod(value.c_str() + at, &end);
    const auto size = static_cast<std::size_t>(end - (value.c_str() + at));
    if (const std::string text = Dice::number(x, 1); std::strtod(text.c_str(), nullptr) != x)
      list.push_back(value.substr(0, at) + text + value.substr(at + size));
    at += size;
  }
  return list;
}

}  // namespace

Recipe shrink(Recipe r, const std::function<bool(const Recipe&)>& same) {
  const auto accept = [&](Recipe candidate) {
    if (!same(candidate)) return false;
    r = std::move(candidate);
    return true;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = r.size(); i-- > 1;) {
      Recipe c = r;
      c.erase(c.begin() + static_cast<std::ptrdiff_t>(i));
      if (accept(std::move(c))) smaller = true;
    }
    for (std::size_t i = 0; i < r.size(); ++i)
      for (std::size_t k = r[i].keys.size(); k-- > (i == 0 ? 2 : 0);) {  // rate and length stay
        Recipe c = r;
        c[i].keys.erase(c[i].keys.begin() + static_cast<std::ptrdiff_t>(k));
        if (accept(std::move(c))) smaller = true;
      }
  }
  for (std::size_t i = 1; i < r.size(); ++i)
    for (std::size_t k = 0; k < r[i].keys.size(); ++k)
      for (bool again = true; again;) {
        again = false;
        for (const auto& value : simpler(r[i].keys[k].second)) {
          Recipe c = r;
          c[i].keys[k].second = value;
          if (value.size() < r[i].keys[k].second.size() && accept(std::move(c))) {
            again = true;
            break;
          }
        }
      }
  return r;
}

std::string shrink_bytes(const std::string& text, const std::function<bool(const std::string&)>& same) {
  std::string small = text;
  for (std::size_t size = (small.size() + 1) / 2; size > 0; size /= 2)
    for (std::size_t at = 0; at < small.size();) {
      std::string candidate = small;
      candidate.erase(at, size);
      if (same(candidate))
        small = candidate;
      else
        at += size;
    }
  return small;
}

}  // namespace jawari::attack
