// SPDX-License-Identifier: MIT
// A number that counts what is done with it: operations of a method are counted by running it.  Halving and doubling
// are shifts, as in PAR11 Table IV; reading, writing and changes of sign are not counted.
#pragma once
#include <cmath>

namespace jawari::rigs {

struct Operations {
  long add = 0, multiply = 0, divide = 0, shift = 0, power = 0, logarithm = 0, compare = 0;
  long total() const { return add + multiply + divide + shift + power + logarithm + compare; }
};

class Counted {
 public:
  Counted(double value = 0) : value_(value) {}
  double value() const { return value_; }
  static inline thread_local Operations done = {};

  friend Counted operator+(Counted a, Counted b) { return counted(done.add, a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return counted(done.add, a.value_ - b.value_); }
  friend Counted operator-(Counted a) { return -a.value_; }
  friend Counted operator*(Counted a, Counted b) { return counted(done.multiply, a.value_ * b.value_); }
  friend Counted operator/(Counted a, Counted b) { return counted(done.divide, a.value_ / b.value_); }
  friend bool operator>(Counted a, Counted b) { return counted(done.compare, a.value_ > b.value_); }
  friend Counted half(Counted a) { return counted(done.shift, a.value_ / 2); }
  friend Counted twice(Counted a) { return counted(done.shift, a.value_ * 2); }
  friend Counted pow(Counted a, Counted b) { return counted(done.power, std::pow(a.value_, b.value_)); }
  friend Counted exp(Counted a) { return counted(done.power, std::exp(a.value_)); }
  friend Counted log(Counted a) { return counted(done.logarithm, std::log(a.value_)); }

 private:
  template <class T>
  static T counted(long& operations, T result) {
    ++operations;
    return result;
  }
  double value_;
};

/// What `work` does, counted.
template <class Work>
Operations counted(Work&& work) {
  Counted::done = {};
  work();
  return Counted::done;
}

}  // namespace jawari::rigs
