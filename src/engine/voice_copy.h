// SPDX-License-Identifier: MIT
// A body of a scene with all that is attached to it, as often as a score needs it: what refers to the body, or to what
// is attached to it, belongs to the voice.  Copies get names of their own; positions along the body can be stretched.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lower.h"

namespace jawari {

/// Of the original -> of the copy, also of what gestures make.
using VoiceNames = std::map<std::string, std::string, std::less<>>;

class VoiceCopy {
 public:
  VoiceCopy(const Scene& scene, std::string body);

  /// The scene without what belongs to the voice.
  const Scene& rest() const noexcept { return rest_; }
  /// What belongs to the voice, as it is written in the scene.
  const Scene& original() const noexcept { return own_; }
  bool owns(const std::string& name) const { return names_.contains(name); }

  struct Copy {
    Scene parts;  ///< the voice's alone
    VoiceNames names;
    /// The name in the copy; of what does not belong to the voice, its own.
    const std::string& renamed(const std::string& name) const {
      const auto at = names.find(name);
      return at == names.end() ? name : at->second;
    }
  };
  /// Names end with "-suffix"; positions along the body are multiplied by `stretch`.
  Copy copy(const std::string& suffix, double stretch) const;

 private:
  Scene renamed_parts(const VoiceNames& names, const std::string& suffix) const;
  std::string body_;
  Scene own_, rest_;
  std::set<std::string, std::less<>> names_;  ///< of all that belongs to the voice
};

}  // namespace jawari
