// SPDX-License-Identifier: MIT
#include "scene_reader.h"

#include <array>

namespace jawari {
namespace {

const Value& no_table() {
  static const Value empty{ValueTable{}};
  return empty;
}
/// "a", "b" or "c".
std::string words_of(std::span<const std::string_view> words, std::string_view last) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == words.size() ? last : ", ", words[i]);
  return list;
}
std::string did_you_mean(std::string_view near, std::string_view marks = "\"") {
  return near.empty() ? "" : fmt::format(" (did you mean {}{}{}?)", marks, near, marks);
}

}  // namespace

SceneReader::SceneReader(Reading& reading, const Value& value, std::string path, std::string title)
    : reading_(reading),
      table_(value.table() ? *value.table() : *no_table().table()),
      path_(std::move(path)),
      title_(std::move(title)) {
  if (!reading_.note) return;
  for (const auto& [key, node] : table_) reading_.note(full(key), node);
  if (!path_.empty()) reading_.note(path_, value);
}

const Value* SceneReader::find(std::string_view key) {
  asked_.push_back(key);
  const auto at = table_.find(key);
  return at == table_.end() ? nullptr : &at->second;
}

const Value& SceneReader::as_table(const Value& node, std::string_view key) const {
  if (!node.table()) refuse_kind(key, node, "be a table, { ... }");
  return node;
}

void SceneReader::read_text(const KeyInfo& key, std::string_view what, std::string& value) {
  const Value* node = find(key.name);
  if (!node) {
    if (key.required && !reading_.patch)
      throw missing(full(key.name), named(key.name), fmt::format("be {}", what), misspelt(key.name));
    return;
  }
  if (!node->text()) refuse_kind(key.name, *node, "be a string");
  value = *node->text();
}

void SceneReader::pair(const KeyInfo& key, std::array<std::string, 2>& names) {
  const Value* node = find(key.name);
  if (!node && reading_.patch) return;
  const auto* list = node ? std::get_if<ValueList>(&node->is) : nullptr;
  if (!list || list->size() != 2 || !(*list)[0].text() || !(*list)[1].text())
    refuse(key.name, named(key.name) + " must be two names, [\"lower\", \"upper\"], one of which may be \"wall\"",
           node ? node->written() : std::string(),
           "be two names, [\"lower\", \"upper\"], one of which may be \"wall\"");
  names = {*(*list)[0].text(), *(*list)[1].text()};
}

std::optional<double> SceneReader::read_number(const Param& key) {
  const Value* node = find(key.name);
  if (!node) {
    if (reading_.patch) return std::nullopt;
    if (!key.fallback) throw missing(full(key.name), named(key.name), key.allowed(), misspelt(key.name));
    return key.fallback;
  }
  if (!node->is_number()) refuse_kind(key.name, *node, fmt::format("be a number in {}", key.range()));
  const double value = node->number();
  check(key, value, title_, full(key.name));
  return value;
}
void SceneReader::number(const Param& key, double& value) {
  if (const auto read = read_number(key)) value = *read;
}
void SceneReader::integer(const Param& key, int& value) {
  const auto read = read_number(key);
  if (!read) return;
  if (*read != std::floor(*read))
    throw not_allowed(full(key.name), named(key.name), fmt::format("{:g}", *read),
                      fmt::format("be a whole number in {}", key.range()));
  value = static_cast<int>(*read);
}

std::optional<std::size_t> SceneReader::read_word(const WordInfo& key) {
  const auto index = [&](std::string_view word) {
    return static_cast<std::size_t>(std::find(key.words.begin(), key.words.end(), word) - key.words.begin());
  };
  const Value* node = find(key.name);
  if (!node) {
    if (reading_.patch) return std::nullopt;
    if (key.required)
      throw missing(full(key.name), named(key.name), "be " + words_of(key.words, " or "), misspelt(key.name));
    return key.usual.empty() ? std::nullopt : std::optional(index(key.usual));
  }
  if (!node->text()) refuse_kind(key.name, *node, "be a string");
  const std::string& word = *node->text();
  if (const std::size_t i = index(word); i < key.words.size()) return i;
  const std::string allowed = "be one of " + words_of(key.words, ", ");
  throw InputError(full(key.name),
                   fmt::format("{} is \"{}\", but must {}{}", named(key.name), word, allowed,
                               did_you_mean(nearest(word, key.words))),
                   fmt::format("\"{}\"", word), allowed);
}

void SceneReader::flag(const KeyInfo& key, bool& value) {
  const Value* node = find(key.name);
  if (!node) return;
  if (!node->flag()) refuse_kind(key.name, *node, "be true or false");
  value = *node->flag();
}

void SceneReader::read_list(std::string_view key, std::vector<double>& values) {
  const Value* node = find(key);
  if (!node) return;
  if (const auto* items = std::get_if<ValueList>(&node->is)) {
    const auto odd = std::find_if(items->begin(), items->end(), [](const Value& v) { return !v.is_number(); });
    const std::string held(odd == items->end() ? "nothing" : odd->kind());
    refuse(key, fmt::format("{} holds {}, but must hold finite numbers only", named(key), held), held,
           "hold finite numbers only");
  }
  const auto* numbers = node->numbers();
  if (!numbers) refuse_kind(key, *node, "be a list of numbers, [1.0, 2.0]");
  const auto odd = std::find_if(numbers->begin(), numbers->end(), [](double x) { return !std::isfinite(x); });
  if (odd != numbers->end())
    refuse(key, fmt::format("{} holds a number that is not finite, but must hold finite numbers only", named(key)),
           fmt::format("{:g}", *odd), "hold finite numbers only");
  values = *numbers;
}

template <class Read>
auto SceneReader::from_file(std::string_view key, Read&& read) const {
  try {
    return read();
  } catch (const InputError& r) {
    refuse(key, fmt::format("{} {}", named(key), r.sentence()), r.value(), r.allowed());
  }
}

void SceneReader::samples(const ListInfo& key, const KeyInfo& file, std::vector<double>& values) {
  list(key, values);
  std::string path;
  read_text(file, "the path of a file", path);
  if (has(file.name))
    values = from_file(file.name, [&] { return reading_.files.samples(path, reading_.step_rate_hz); });
}

void SceneReader::curve_file(const KeyInfo& key, bool active, std::vector<double>& x, std::vector<double>& y) {
  if (!active || (!x.empty() && !has(key.name)) || (reading_.patch && !has(key.name))) return;
  std::string path;
  read_text({key.name, key.text, required_key}, "the path of a file with two columns, x and height in metres", path);
  auto curve = from_file(key.name, [&] { return reading_.files.curve(path); });
  x = std::move(curve.first);
  y = std::move(curve.second);
}

void SceneReader::only_position(const Param& key, bool active, std::vector<double>& list, const std::string&) {
  if (!active) return;
  Param needed = key;
  needed.fallback.reset();
  if (const auto x = read_number(needed)) list = {*x};
}

void SceneReader::shapes(const KeyInfo& key, std::vector<std::pair<std::string, std::vector<double>>>& points) {
  const Value* node = find(key.name);
  if (!node && reading_.patch) return;
  if (!node || !node->table())
    refuse(key.name, fmt::format("{} must be a table of named points, {{ bridge = [1.0, 0.5], ... }}", named(key.name)),
           node ? std::string(node->kind()) : std::string(),
           "be a table of named points, { bridge = [1.0, 0.5], ... }");
  SceneReader named_points = inner(*node, full(key.name), std::string(key.name));
  if (!reading_.patch) points.clear();
  for (const auto& entry : *node->table()) {
    const auto& name = entry.first;
    auto at = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.first == name; });
    if (at == points.end()) at = points.insert(points.end(), {name, {}});
    named_points.read_list(name, at->second);
  }
}

void SceneReader::pitch(const KeyInfo& key, double& pitch) {
  const Value* node = find(key.name);
  if (!node) {
    if (reading_.patch || !key.required) return;
    throw missing(full(key.name), named(key.name), "be a name such as \"C4\" or a number in [0, 127]",
                  misspelt(key.name));
  }
  const auto found = node->text()        ? key_of_name(*node->text())
                     : node->is_number() ? std::optional(node->number())
                                         : std::nullopt;
  if (!found || !(*found >= 0 && *found <= 127))
    throw not_allowed(
        full(key.name), named(key.name), node->written(),
        node->text() ? "be a name such as \"C4\" or \"F#3\"" : "be a name such as \"C4\" or a number in [0, 127]");
  pitch = *found;
}

void SceneReader::event_value(EventSpec& event) {
  if (const Param& value = jawari::event_value(event.type); !value.name.empty()) number(value, event.value);
}

std::string SceneReader::misspelt(std::string_view missing_key) const {
  std::vector<std::string_view> others;
  for (const auto& [key, node] : table_)
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) others.push_back(key);
  const auto near = nearest(missing_key, others);
  return near.empty() ? "" : fmt::format(" (did you mean {} where {} is written?)", missing_key, near);
}

void SceneReader::no_more() const {
  for (const auto& [key, node] : table_) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    std::string list;
    for (const auto n : asked_) list += fmt::format("{}{}", list.empty() ? "" : ", ", n);
    const std::string allowed = fmt::format("be one of {}", list);
    throw InputError(full(key),
                     fmt::format("{} is not known here; {} takes {}{}", named(key), title_.empty() ? "a scene" : title_,
                                 list, did_you_mean(nearest(key, asked_), "")),
                     key, allowed);
  }
}

}  // namespace jawari
