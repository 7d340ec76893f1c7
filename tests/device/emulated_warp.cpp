// SPDX-License-Identifier: MIT
#include "device/emulated_warp.h"

#include <array>
#include <cstring>
#include <vector>

#include "warp/string_arrays.h"
#include "warp/string_program.h"
#include "warp/string_waves.h"

namespace jawari::test {
namespace {

using namespace warp;

/// Steps of a launch: short, so that state goes to memory and back many times.
constexpr int launch_steps = 100;

class HostArray final : public DeviceArray {
 public:
  HostArray(std::size_t rows, std::size_t columns, bool is_double)
      : DeviceArray(rows, columns, is_double, -1), bytes_(rows * columns * number_bytes()) {
    data_ = bytes_.data();
  }
  void write(std::size_t row, const void* numbers) override {
    std::memcpy(at(row), numbers, columns() * number_bytes());
  }
  void read(std::size_t row, void* numbers) const override {
    std::memcpy(numbers, at(row), columns() * number_bytes());
  }
  void* from(std::size_t row, std::size_t column) const {
    return static_cast<unsigned char*>(at(row)) + column * number_bytes();
  }

 private:
  std::vector<unsigned char> bytes_;
};

void store(const StringJob& job, std::size_t first_string, std::size_t count, std::int64_t first, int steps,
           const std::vector<float>& sound, const std::vector<double>& sound_double) {
  const auto length = static_cast<std::size_t>(steps), reads = static_cast<std::size_t>(job.reads);
  const std::size_t bytes = job.stays->number_bytes();
  const auto* from = job.double_sound ? reinterpret_cast<const unsigned char*>(sound_double.data())
                                      : reinterpret_cast<const unsigned char*>(sound.data());
  for (std::size_t i = 0; i < count * reads; ++i)
    std::memcpy(
        static_cast<HostArray*>(job.stays)->from(job.rows[first_string * reads + i], static_cast<std::size_t>(first)),
        from + i * length * bytes, length * bytes);
}

/// The strings first ... first + count - 1.
template <class T, class Scheme, int n, bool full>
void play_wave(const StringJob& job, StringSink& sink, std::size_t first_string, std::size_t count) {
  using Program = StringProgram<EmulatedWarp, T, Scheme, n, full>;
  StringArrays<T> arrays;
  arrays.fill(job, first_string, count);
  std::vector<LawSlot<T, Scheme>> slots(arrays.laws.list().size());
  for (std::size_t i = 0; i < slots.size(); ++i) fill_slot(slots[i], arrays.laws.list()[i], job.dt_s);
  StringLaunch<T> launch = arrays.launch(job);
  launch.laws = slots.data();
  std::vector<float> sound;
  std::vector<double> sound_double;
  const std::size_t columns = snapshot_columns(job);
  const auto width = static_cast<std::size_t>(launch.slots);
  std::vector<T> snapshot;
  std::vector<double> lost;
  auto memory = std::make_unique<StringMemory<T, Scheme, n>>();
  std::vector<std::max_align_t> ring(
      Program::ring_bytes(launch.width, launch.reads, launch.keep) / sizeof(std::max_align_t) + 1);
  for (std::int64_t done = 0; done < job.steps && sink.go_on(); done += launch.steps) {
    launch.first_step = static_cast<int>(done);
    launch.steps =
        static_cast<int>(steps_to_silence(job, done, std::min<std::int64_t>(launch_steps, job.steps - done)));
    const std::size_t samples = count * static_cast<std::size_t>(job.reads * launch.steps);
    sound.assign(job.double_sound ? 0 : samples, NAN);
    sound_double.assign(job.double_sound ? samples : 0, NAN);
    launch.sound = job.double_sound ? nullptr : sound.data();
    launch.sound_double = sound_double.data();
    const int stride = job.snapshot_stride;
    const std::int64_t first_row = stride > 0 ? done / stride : 0;
    launch.snapshot_rows = stride > 0 ? static_cast<int>((done + launch.steps) / stride - first_row) : 0;
    snapshot.assign(count * static_cast<std::size_t>(launch.snapshot_rows) * columns * width, T(0));
    launch.snapshot = snapshot.data();
    lost.assign(count * static_cast<std::size_t>(launch.snapshot_rows) * lost_columns, NAN);
    launch.lost_J = lost.data();
    for (int first = 0; first < launch.problems; first += lanes / launch.width) {
      std::fill_n(reinterpret_cast<unsigned char*>(memory.get()), sizeof(*memory), 0xa5);  // as a device leaves it
      Program::run(EmulatedWarp(), launch, *memory, ring.data(), slots.data(), first);
    }
    if (job.stays)
      store(job, first_string, count, done, launch.steps, sound, sound_double);
    else
      sink.sound(first_string, count, done, launch.steps, launch.sound,
                 job.double_sound ? launch.sound_double : nullptr);
    hand_on_rows(job, sink, first_string, count, first_row, launch.snapshot_rows, snapshot.data(), lost.data());
  }
  for (std::size_t s = 0; s < count; ++s)
    sink.end(first_string + s, arrays.progress[s],
             job.accounts ? total(&arrays.sums[s * static_cast<std::size_t>(launch.width)], launch.width) : LaneSums{});
}

template <class T, class Scheme, int n, bool full>
void play(const StringJob& job, StringSink& sink) {
  const WavePlan plan = plan_waves<T>(job, std::size_t{1} << 40);
  const std::size_t strings = job.strings.size();
  for (std::size_t first = 0; first < strings && sink.go_on(); first += plan.strings)
    play_wave<T, Scheme, n, full>(job, sink, first, std::min(plan.strings, strings - first));
}

template <class T>
using Play = void (*)(const StringJob&, StringSink&);

/// As a device chooses it.
template <class T, class Scheme, int n>
void play_any(const StringJob& job, StringSink& sink) {
  StringArrays<T> arrays;
  arrays.fill(job, 0, 0);
  (arrays.launch(job).full() ? &play<T, Scheme, n, true> : &play<T, Scheme, n, false>)(job, sink);
}

template <class T, int n>
Play<T> find(int scheme) {
  Play<T> found = nullptr;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((scheme == static_cast<int>(i) ? void(found = &play_any<T, WarpScheme<static_cast<int>(i), T>, n>) : void()), ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(scheme_count)>());
  return found;
}

class Emulated final : public StringRunner {
 public:
  std::string name() const override { return "emulated warps"; }
  bool serves(int scheme, Precision precision) const override {
    return scheme >= 0 && scheme < scheme_count && precision != Precision::fused;
  }
  std::shared_ptr<DeviceArray> allocate(std::size_t rows, std::size_t columns, bool is_double) override {
    return std::make_shared<HostArray>(rows, columns, is_double);
  }
  std::string play(const StringJob& job, StringSink& sink) override {
    if (job.precision == Precision::single)
      (job.shape.per_lane == 7 ? find<Single, 7>(job.scheme) : find<Single, 14>(job.scheme))(job, sink);
    else
      (job.shape.per_lane == 7 ? find<double, 7>(job.scheme) : find<double, 14>(job.scheme))(job, sink);
    return {};
  }
};

}  // namespace

std::unique_ptr<warp::StringRunner> emulated_runner() { return std::make_unique<Emulated>(); }

}  // namespace jawari::test
