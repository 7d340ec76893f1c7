// SPDX-License-Identifier: MIT
// Worker processes that draw and judge scenes.  One that dies of a scene is a finding, and is replaced.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job.h"

namespace jawari::attack {

struct Found {
  Fault fault = Fault::none;
  std::uint64_t seed = 0;
  Width width = Width::usual;
  std::string detail = {};
  int count = 0;  ///< so many of this kind so far
};
struct Tally {
  std::uint64_t scenes = 0, refused = 0, played = 0, close = 0, rounded = 0, slowest_seed = 0;
  double worst = 0, slowest = 0;
};

/// The seed of scene i of a run.
std::uint64_t scene_seed(std::uint64_t seed, std::uint64_t index);

/// The CPU time that one play of a scene may take begins anew.
void begin_play();

class Crew {
 public:
  Crew(const Job& job, std::uint64_t seed, std::uint64_t scenes, double seconds, int jobs, double cpu_s,
       bool say_input_errors = false);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  std::optional<Found> next();  ///< waits for the next finding; none: all is done
  Tally tally() const;

 private:
  struct Desk;  // of one worker, in shared memory
  void hire(int job);
  [[noreturn]] void work(int job);

  const Job& job_;
  double cpu_s_;
  bool say_input_errors_;
  std::uint64_t seed_, scenes_;
  int jobs_;
  std::chrono::steady_clock::time_point end_;
  Desk* desks_ = nullptr;
  std::vector<pid_t> workers_;
  int in_ = -1, out_ = -1;
  std::string pending_ = {};
  std::vector<int> counts_;
};

}  // namespace jawari::attack
