// SPDX-License-Identifier: MIT
// Plays jobs on a CUDA device: as many strings at a time as fit into its memory (a wave), a stretch of steps at a time
// (a launch).  What a launch has made is copied to the host and handed on while the next one runs.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/device_api.h"
#include "cuda/kernel_table.h"
#include "warp/string_arrays.h"
#include "warp/string_waves.h"

namespace jawari::warp {
namespace {

void check(cudaError_t e, const char* what) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}

template <class X>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count) { resize(count); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { cudaFree(data_); }
  void resize(std::size_t count) {
    cudaFree(data_);
    data_ = nullptr;
    if (count > 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(X)), "memory of the device");
  }
  void fill(const std::vector<X>& from) {
    resize(from.size());
    if (!from.empty())
      check(cudaMemcpy(data_, from.data(), from.size() * sizeof(X), cudaMemcpyHostToDevice), "copy to the device");
  }
  X* data() const noexcept { return data_; }

 private:
  X* data_ = nullptr;
};

/// Memory that a copy from the device may run into while the host goes on.
class PinnedArray {
 public:
  PinnedArray() = default;
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(data_); }
  void resize(std::size_t bytes) {
    if (bytes <= room_) return;
    cudaFreeHost(data_);
    data_ = nullptr;
    room_ = 0;
    check(cudaMallocHost(&data_, bytes), "pinned memory");
    room_ = bytes;
  }
  void* data() const noexcept { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t room_ = 0;
};

/// Sound that stays.
class CudaArray final : public DeviceArray {
 public:
  CudaArray(std::size_t rows, std::size_t columns, bool is_double) : DeviceArray(rows, columns, is_double, 0) {
    memory_.resize(rows * columns * number_bytes());
    data_ = memory_.data();
  }
  void write(std::size_t row, const void* numbers) override {
    check(cudaMemcpy(at(row), numbers, columns() * number_bytes(), cudaMemcpyHostToDevice), "copy to the device");
  }
  void read(std::size_t row, void* numbers) const override {
    check(cudaMemcpy(numbers, at(row), columns() * number_bytes(), cudaMemcpyDeviceToHost), "copy from the device");
  }

 private:
  DeviceBuffer<std::byte> memory_;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "event"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  operator cudaEvent_t() const noexcept { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const noexcept { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// What a launch hands to the host.
struct Block {
  PinnedArray sound, snapshot, lost;
  Event ran, copied, began;
  std::int64_t first_step = 0, first_row = 0;
  int steps = 0, rows = 0;
  bool waits = false;
};

template <class T>
class Wave {
 public:
  Wave(const StringJob& job, const KernelSetOf& kernels, std::size_t first, std::size_t count,
       std::int64_t launch_steps)
      : job_(job), first_(first), count_(count), launch_steps_(launch_steps) {
    StringArrays<T> host;
    host.fill(job, first, count);
    launch_ = host.launch(job);
    kernel_ = &kernels.of(job.shape, launch_.full());
    const auto& laws = host.laws.list();
    std::vector<std::byte> slots(laws.size() * kernel_->slot_bytes);
    for (std::size_t i = 0; i < laws.size(); ++i)
      kernel_->fill_slot(&slots[i * kernel_->slot_bytes], laws[i], job.dt_s);
    problem_.fill(host.problem);
    progress_.fill(host.progress);
    u_.fill(host.u);
    d_.fill(host.d);
    offset_.fill(host.offset);
    state_.fill(host.state);
    masks_.fill(host.masks);
    sums_.fill(host.sums);
    laws_.fill(slots);
    launch_.problem = problem_.data();
    launch_.progress = progress_.data();
    launch_.u = u_.data();
    launch_.d = d_.data();
    launch_.offset = offset_.data();
    launch_.state = state_.data();
    launch_.masks = masks_.data();
    launch_.sums = sums_.data();
    launch_.laws = laws_.data();
    for (auto& s : sound_) s.resize(sound_bytes());
    if (job.snapshot_stride > 0)
      for (int i = 0; i < launch_buffers; ++i) {
        snapshot_[static_cast<std::size_t>(i)].resize(snapshot_numbers(most_rows()));
        lost_[static_cast<std::size_t>(i)].resize(lost_numbers(most_rows()));
      }
    for (auto& b : block_) {
      if (!job.stays) b.sound.resize(sound_bytes());
      if (job.snapshot_stride == 0) continue;
      b.snapshot.resize(snapshot_numbers(most_rows()) * sizeof(T));
      b.lost.resize(lost_numbers(most_rows()) * sizeof(double));
    }
  }

  void play(StringSink& sink, StringTiming& timing) {
    check(cudaDeviceSynchronize(), "copy to the device");
    const auto begin = std::chrono::steady_clock::now();
    bool goes_on = true;
    int at = 0;
    for (std::int64_t done = 0; done < job_.steps && goes_on; at = (at + 1) % launch_buffers) {
      done += start(at, done);
      Block& before = block_[static_cast<std::size_t>((at + 1) % launch_buffers)];
      if (before.waits) goes_on = hand_on(before, sink, timing);
      ++timing.launches;
    }
    for (int i = 0; i < launch_buffers; ++i, at = (at + 1) % launch_buffers)
      if (Block& b = block_[static_cast<std::size_t>(at)]; b.waits) hand_on(b, sink, timing);
    check(cudaStreamSynchronize(play_), "kernel");
    timing.play_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::vector<StringProgress> progress(count_);
    check(cudaMemcpy(progress.data(), progress_.data(), count_ * sizeof(StringProgress), cudaMemcpyDeviceToHost),
          "copy from the device");
    const auto width = static_cast<std::size_t>(job_.shape.width);
    std::vector<LaneSums> sums(job_.accounts ? count_ * width : 0);
    if (!sums.empty())
      check(cudaMemcpy(sums.data(), sums_.data(), sums.size() * sizeof(LaneSums), cudaMemcpyDeviceToHost),
            "copy from the device");
    for (std::size_t i = 0; i < count_; ++i)
      sink.end(first_ + i, progress[i], sums.empty() ? LaneSums{} : total(&sums[i * width], job_.shape.width));
    KernelEntry::Use use{};
    check(kernel_->use(&launch_, use), "kernel");
    timing.registers = use.registers;
    timing.local_bytes = use.local_bytes;
    timing.shared_bytes = use.shared_bytes;
    timing.warps_per_processor = use.blocks_per_processor * use.block / lanes;
    ++timing.waves;
  }

 private:
  std::size_t sound_bytes() const {
    return count_ * static_cast<std::size_t>(job_.reads) * static_cast<std::size_t>(launch_steps_) *
           (job_.double_sound ? sizeof(double) : sizeof(float));
  }
  std::int64_t most_rows() const { return launch_steps_ / job_.snapshot_stride + 1; }
  std::size_t snapshot_numbers(std::int64_t rows) const {
    return count_ * static_cast<std::size_t>(rows * job_.shape.slots()) * snapshot_columns(job_);
  }

  std::size_t lost_numbers(std::int64_t rows) const { return count_ * static_cast<std::size_t>(rows) * lost_columns; }

  /// The steps from `done` on, into buffer `at`.  Returns how many.
  std::int64_t start(int at, std::int64_t done) {
    Block& b = block_[static_cast<std::size_t>(at)];
    const std::int64_t stride = job_.snapshot_stride;
    b.first_step = done;
    b.steps = static_cast<int>(steps_to_silence(job_, done, std::min(launch_steps_, job_.steps - done)));
    b.first_row = stride > 0 ? done / stride : 0;
    b.rows = stride > 0 ? static_cast<int>((done + b.steps) / stride - b.first_row) : 0;
    launch_.first_step = static_cast<int>(done);
    launch_.steps = b.steps;
    launch_.snapshot_rows = b.rows;
    auto* const sound = sound_[static_cast<std::size_t>(at)].data();
    launch_.sound = job_.double_sound ? nullptr : reinterpret_cast<float*>(sound);
    launch_.sound_double = job_.double_sound ? reinterpret_cast<double*>(sound) : nullptr;
    launch_.snapshot = snapshot_[static_cast<std::size_t>(at)].data();
    launch_.lost_J = lost_[static_cast<std::size_t>(at)].data();
    check(cudaEventRecord(b.began, play_), "event");
    check(kernel_->launch(&launch_, play_), "kernel");
    check(cudaEventRecord(b.ran, play_), "event");
    check(cudaStreamWaitEvent(copy_, b.ran), "event");
    const std::size_t bytes =
        sound_bytes() / static_cast<std::size_t>(launch_steps_) * static_cast<std::size_t>(b.steps);
    if (bytes > 0 && job_.stays)
      copy_rows(sound, done, b.steps);
    else if (bytes > 0)
      check(cudaMemcpyAsync(b.sound.data(), sound, bytes, cudaMemcpyDeviceToHost, copy_), "copy from the device");
    if (b.rows > 0) {
      check(cudaMemcpyAsync(b.snapshot.data(), launch_.snapshot, snapshot_numbers(b.rows) * sizeof(T),
                            cudaMemcpyDeviceToHost, copy_),
            "copy from the device");
      check(cudaMemcpyAsync(b.lost.data(), launch_.lost_J, lost_numbers(b.rows) * sizeof(double),
                            cudaMemcpyDeviceToHost, copy_),
            "copy from the device");
    }
    check(cudaEventRecord(b.copied, copy_), "event");
    b.waits = true;
    return b.steps;
  }

  /// A block of the sound, into the rows of the array that stays; rows that follow one another at once.
  void copy_rows(const std::byte* from, std::int64_t first_step, int steps) {
    DeviceArray& to = *job_.stays;
    const std::size_t number = to.number_bytes();
    const std::size_t width = static_cast<std::size_t>(steps) * number;
    const auto reads = static_cast<std::size_t>(job_.reads);
    const auto rows = job_.rows.subspan(first_ * reads, count_ * reads);
    for (std::size_t i = 0; i < rows.size();) {
      std::size_t next = i + 1;
      while (next < rows.size() && rows[next] == rows[next - 1] + 1) ++next;
      auto* const place =
          static_cast<std::byte*>(to.data()) + (rows[i] * to.columns() + static_cast<std::size_t>(first_step)) * number;
      check(cudaMemcpy2DAsync(place, to.columns() * number, from + i * width, width, width, next - i,
                              cudaMemcpyDeviceToDevice, copy_),
            "copy on the device");
      i = next;
    }
  }

  bool hand_on(Block& b, StringSink& sink, StringTiming& timing) {
    check(cudaEventSynchronize(b.copied), "kernel");
    b.waits = false;
    float ms = 0;
    check(cudaEventElapsedTime(&ms, b.began, b.ran), "event");
    timing.kernel_s += 1e-3 * static_cast<double>(ms);
    if (job_.reads > 0 && !job_.stays)
      sink.sound(first_, count_, b.first_step, b.steps,
                 job_.double_sound ? nullptr : static_cast<const float*>(b.sound.data()),
                 job_.double_sound ? static_cast<const double*>(b.sound.data()) : nullptr);
    hand_on_rows(job_, sink, first_, count_, b.first_row, b.rows, static_cast<const T*>(b.snapshot.data()),
                 static_cast<const double*>(b.lost.data()));
    return sink.go_on();
  }

  const StringJob& job_;
  const KernelEntry* kernel_ = nullptr;
  std::size_t first_, count_;
  std::int64_t launch_steps_;
  StringLaunch<T> launch_;
  Stream play_, copy_;
  DeviceBuffer<StringProblem<T>> problem_;
  DeviceBuffer<StringProgress> progress_;
  DeviceBuffer<T> u_, d_, offset_, state_;
  DeviceBuffer<std::uint32_t> masks_;
  DeviceBuffer<std::byte> laws_;
  DeviceBuffer<LaneSums> sums_;
  std::array<DeviceBuffer<std::byte>, launch_buffers> sound_;
  std::array<DeviceBuffer<T>, launch_buffers> snapshot_;
  std::array<DeviceBuffer<double>, launch_buffers> lost_;
  std::array<Block, launch_buffers> block_;
};

class CudaDevice final : public StringRunner {
 public:
  CudaDevice() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
      throw std::runtime_error("there is no CUDA device, or its driver is older than this library needs");
    cudaDeviceProp p{};
    check(cudaGetDeviceProperties(&p, 0), "CUDA device");
    name_ = p.name;
    if (p.major < 9)
      throw std::runtime_error(name_ + " has compute capability " + std::to_string(p.major) + "." +
                               std::to_string(p.minor) + ", but the kernels were built for 9.0 and later");
  }
  std::string name() const override { return name_; }
  bool serves(int scheme, Precision precision) const override { return kernels(scheme, precision) != nullptr; }
  StringTiming timing() const override { return timing_; }

  std::shared_ptr<DeviceArray> allocate(std::size_t rows, std::size_t columns, bool is_double) override {
    return std::make_shared<CudaArray>(rows, columns, is_double);
  }

  std::string play(const StringJob& job, StringSink& sink) override {
    timing_ = {};
    const auto begin = std::chrono::steady_clock::now();
    try {
      const KernelSetOf* set = kernels(job.scheme, job.precision);
      if (!set) return "this scheme was not built for the device";
      if (job.precision == Precision::single)
        play_waves<Single>(job, *set, sink);
      else
        play_waves<double>(job, *set, sink);
    } catch (const std::exception& e) {
      return std::string("CUDA device ") + name_ + ", " + e.what();
    }
    timing_.total_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return {};
  }

 private:
  template <class T>
  void play_waves(const StringJob& job, const KernelSetOf& kernels, StringSink& sink) {
    std::size_t room = 0, all = 0;
    check(cudaMemGetInfo(&room, &all), "memory of the device");
    const WavePlan plan = plan_waves<T>(job, room);
    const std::size_t strings = job.strings.size();
    for (std::size_t first = 0; first < strings && sink.go_on(); first += plan.strings)
      Wave<T>(job, kernels, first, std::min(plan.strings, strings - first), plan.steps).play(sink, timing_);
  }

  std::string name_;
  StringTiming timing_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) StringRunner* jawari_open_cuda(std::uint32_t interface, char* why,
                                                                                 std::size_t room) {
  try {
    if (interface != device_interface)
      throw std::runtime_error("the library of the device was built from another version");
    return new CudaDevice();
  } catch (const std::exception& e) {
    std::snprintf(why, room, "%s", e.what());
    return nullptr;
  }
}

}  // namespace jawari::warp
