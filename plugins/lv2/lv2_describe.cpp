// SPDX-License-Identifier: MIT
// Writes the files that describe the LV2 plug-ins into their bundle: lv2_describe FOLDER LIBRARY
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "jawari/core/param.h"
#include "lv2_ports.h"

namespace jawari::plugin {
namespace {

constexpr const char* prefixes =
    "@prefix atom: <http://lv2plug.in/ns/ext/atom#> .\n"
    "@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
    "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    "@prefix midi: <http://lv2plug.in/ns/ext/midi#> .\n"
    "@prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .\n"
    "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix state: <http://lv2plug.in/ns/ext/state#> .\n"
    "@prefix units: <http://lv2plug.in/ns/extensions/units#> .\n"
    "@prefix urid: <http://lv2plug.in/ns/ext/urid#> .\n\n";

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}
std::string decimal(double x) {
  std::string text = fmt::format("{:.9g}", x);
  if (text.find('e') != std::string::npos) text = fmt::format("{:.12f}", x);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}
std::string unit_of(std::string_view unit) {
  if (unit.empty()) return "";
  if (unit == "dB") return "    units:unit units:db ;\n";
  if (unit == "Hz") return "    units:unit units:hz ;\n";
  if (unit == "semitones") return "    units:unit units:semitone12TET ;\n";
  if (unit == "mm") return "    units:unit units:mm ;\n";
  return fmt::format("    units:unit [ a units:Unit ; rdfs:label {0} ; units:symbol {0} ; units:render {1} ] ;\n",
                     quoted(unit), quoted(fmt::format("%f {}", unit)));
}

class Ports {
 public:
  void audio(const char* symbol, const char* name) {
    begin("lv2:AudioPort , lv2:OutputPort", symbol, name);
    end();
  }
  void midi() {
    begin("atom:AtomPort , lv2:InputPort", "notes", "Notes");
    text_ +=
        "    atom:bufferType atom:Sequence ;\n    atom:supports midi:MidiEvent ;\n    lv2:designation lv2:control ;\n";
    end();
  }
  void input(const std::string& symbol, const std::string& name) {
    begin("lv2:AudioPort , lv2:InputPort", symbol, name);
    text_ += "    lv2:portProperty lv2:connectionOptional ;\n";
    end();
  }
  void latency() {
    begin("lv2:ControlPort , lv2:OutputPort", "latency", "Latency");
    text_ +=
        "    lv2:designation lv2:latency ;\n    lv2:portProperty lv2:reportsLatency , lv2:integer ,\n"
        "      pprops:notOnGUI ;\n    units:unit units:frame ;\n";
    end();
  }
  void control(const std::string& symbol, const ParameterInfo& about, const std::string& unit,
               const std::string& more = "") {
    begin("lv2:ControlPort , lv2:InputPort", symbol, about.name);
    text_ += fmt::format("    lv2:minimum {} ;\n    lv2:maximum {} ;\n    lv2:default {} ;\n", decimal(about.least),
                         decimal(about.most), decimal(about.usual));
    if (!about.text.empty()) text_ += fmt::format("    rdfs:comment {} ;\n", quoted(about.text));
    text_ += unit_of(unit) + more;
    end();
  }
  std::string take() { return std::move(text_); }

 private:
  void begin(const char* classes, const std::string& symbol, const std::string& name) {
    text_ += fmt::format("{}[\n    a {} ;\n    lv2:index {} ;\n    lv2:symbol {} ;\n    lv2:name {} ;\n",
                         index_ == 0 ? "" : " , ", classes, index_, quoted(symbol), quoted(name));
    ++index_;
  }
  void end() { text_ += "  ]"; }
  std::string text_;
  int index_ = 0;
};

std::string choices(const PluginCore& core, std::size_t index, const ParameterInfo& about) {
  std::string text = "    lv2:portProperty lv2:integer , lv2:enumeration ;\n";
  for (double x = about.least; x <= about.most; ++x)
    text += fmt::format("    lv2:scalePoint [ rdfs:label {} ; rdf:value {} ] ;\n", quoted(core.value_text(index, x)),
                        decimal(x));
  return text;
}

std::string description(std::size_t preset) {
  const PluginCore core(preset);
  const std::string name(presets()[preset].name);
  Ports ports;
  ports.midi();
  ports.audio("left", "Left");
  ports.audio("right", "Right");
  ports.latency();
  const auto parameter = [&](std::uint32_t id) { return core.parameter(*core.find_parameter(id)); };
  ports.control("level", parameter(level), "dB");
  ports.control("enabled", {bypass, "Enabled", "Whether it sounds; it goes on and off with a fade of 20 ms.", 0, 1, 1},
                "", "    lv2:designation lv2:enabled ;\n    lv2:portProperty lv2:toggled ;\n");
  ports.control("tuning", parameter(tuning), "", choices(core, *core.find_parameter(tuning), parameter(tuning)));
  ports.control("tonic", parameter(tonic), "", choices(core, *core.find_parameter(tonic), parameter(tonic)));
  ports.control("a4_hz", parameter(a4_hz), "Hz");
  for (std::size_t i = 0; i < core.control_count(); ++i) {
    const ControlInfo& c = core.control(i);
    ports.control("control_" + lv2_word(c.name, '_'), {0, c.name, c.text, c.least, c.most, c.usual}, c.unit);
  }
  for (std::size_t i = 0; i < core.inputs(); ++i)
    ports.input(core.inputs() == 1 ? "in"
                : i == 0           ? "in_left"
                                   : "in_right",
                core.inputs() == 1 ? "In"
                : i == 0           ? "In left"
                                   : "In right");
  return fmt::format(
      "<{0}>\n  a lv2:Plugin , lv2:InstrumentPlugin ;\n  lv2:project <urn:jawari:project> ;\n"
      "  doap:name {1} ;\n  doap:license <https://spdx.org/licenses/MIT> ;\n"
      "  lv2:minorVersion 2 ;\n  lv2:microVersion 0 ;\n"
      "  lv2:requiredFeature urid:map ;\n  lv2:optionalFeature lv2:hardRTCapable ;\n"
      "  lv2:extensionData state:interface ;\n  lv2:port {2} .\n\n",
      lv2_uri(name), quoted("jawari " + name), ports.take());
}

void write(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  std::ofstream(part, std::ios::binary) << text;
  if (std::rename(part.c_str(), path.c_str()) != 0)
    throw InputError("output", path + ": cannot be written", path, "be a file that can be written");
}

void describe(const std::string& folder, const std::string& library) {
  std::string manifest = prefixes;
  std::string all = prefixes;
  all +=
      "<urn:jawari:project>\n  a doap:Project ;\n  doap:name \"jawari\" ;\n"
      "  doap:license <https://spdx.org/licenses/MIT> ;\n"
      "  doap:shortdesc \"Strings, bars, plates and hammers that collide, with an energy account\" .\n\n";
  for (std::size_t i = 0; i < presets().size(); ++i) {
    manifest += fmt::format("<{}>\n  a lv2:Plugin ;\n  lv2:binary <{}> ;\n  rdfs:seeAlso <jawari.ttl> .\n\n",
                            lv2_uri(presets()[i].name), library);
    all += description(i);
  }
  write(folder + "/manifest.ttl", manifest);
  write(folder + "/jawari.ttl", all);
}

}  // namespace
}  // namespace jawari::plugin

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: lv2_describe FOLDER LIBRARY\n", stderr);
    return 2;
  }
  try {
    jawari::plugin::describe(argv[1], argv[2]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lv2_describe: %s\n", e.what());
    return 1;
  }
}
