// SPDX-License-Identifier: MIT
// Scales and keyboard mappings in the formats of Scala: .scl and .kbm.  Throw InputError with the line.
#pragma once
#include <string>
#include <string_view>

#include "jawari/instrument/key_tuning.h"

namespace jawari {

Scale parse_scl(std::string_view text, std::string_view name = "scale");
KeyMap parse_kbm(std::string_view text, std::string_view name = "mapping");

/// `kbm_path` empty: middle C is the first degree and sounds as in equal temperament at 440 Hz.
KeyTuning read_tuning(const std::string& scl_path, const std::string& kbm_path = {});
/// The first degree on `tonic_key`, which sounds as in equal temperament of a4_hz.
KeyTuning read_tuning(const std::string& scl_path, int tonic_key, double a4_hz);

}  // namespace jawari
