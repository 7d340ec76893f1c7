// SPDX-License-Identifier: MIT
#include "jawari/core/param.h"

#include <fmt/format.h>

namespace jawari {

std::string Param::range() const {
  return fmt::format("{}{:g}, {:g}{}", from.included ? '[' : '(', from.value, to.value, to.included ? ']' : ')');
}

std::string Param::allowed() const { return fmt::format("lie in {}{}{}", range(), unit.empty() ? "" : " ", unit); }

InputError::InputError(Data data)
    : std::invalid_argument(data.sentence), data_(std::make_shared<const Data>([&] {
        Data d = std::move(data);
        d.what = d.file.empty() ? d.sentence
                 : d.line > 0   ? fmt::format("{}:{}: {}", d.file, d.line, d.sentence)
                                : fmt::format("{}: {}", d.file, d.sentence);
        return d;
      }())) {}

InputError::InputError(std::string path, std::string sentence, std::string value, std::string allowed)
    : InputError(
          Data{std::move(path), std::move(sentence), std::move(value), std::move(allowed), std::string(), 0, {}}) {}

InputError InputError::within(std::string_view owner) const {
  Data d = *data_;
  d.path = fmt::format("{}{}{}", owner, owner.empty() || d.path.empty() || d.path.front() == '[' ? "" : ".", d.path);
  return InputError(std::move(d));
}

InputError InputError::at(std::string file, int line) const {
  if (!data_->file.empty()) return *this;
  Data d = *data_;
  d.file = std::move(file);
  d.line = line;
  return InputError(std::move(d));
}

InputError not_allowed(std::string path, std::string_view name, std::string value, std::string allowed) {
  std::string sentence = fmt::format("{} is {}, but must {}", name, value, allowed);
  return {std::move(path), std::move(sentence), std::move(value), std::move(allowed)};
}

InputError missing(std::string path, std::string_view name, std::string allowed, std::string_view hint) {
  std::string sentence = fmt::format("{} is missing; it must {}{}", name, allowed, hint);
  return {std::move(path), std::move(sentence), {}, std::move(allowed)};
}

void check(const Param& param, double value, std::string_view where, std::string path) {
  if (param.allows(value)) return;
  const std::string name = fmt::format("{}{}{}", where, where.empty() ? "" : ".", param.name);
  throw not_allowed(path.empty() ? name : std::move(path), name, fmt::format("{:g}", value), param.allowed());
}

}  // namespace jawari
