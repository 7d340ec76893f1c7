/* SPDX-License-Identifier: MIT
 * Extensions of CLAP that the headers at hand (1.1.1, without these) do not declare; the binary interface is that of
 * the specification.  https://github.com/free-audio/clap */
#ifndef JAWARI_CLAP_MORE_H
#define JAWARI_CLAP_MORE_H

#include "clap/plugin.h"

static CLAP_CONSTEXPR const char JAWARI_CLAP_EXT_TAIL[] = "clap.tail";
static CLAP_CONSTEXPR const char JAWARI_CLAP_EXT_VOICE_INFO[] = "clap.voice-info";
static CLAP_CONSTEXPR const char JAWARI_CLAP_EXT_RENDER[] = "clap.render";

/* Frames that sound after the last event; INT32_MAX and above: for ever. */
typedef struct jawari_clap_plugin_tail {
  uint32_t(CLAP_ABI* get)(const clap_plugin_t* plugin);
} jawari_clap_plugin_tail;

enum { JAWARI_CLAP_VOICES_OVERLAP = 1 << 0 }; /* two notes of one key may sound at once */
typedef struct jawari_clap_voice_info {
  uint32_t voice_count;    /* notes that may sound at once now */
  uint32_t voice_capacity; /* at most */
  uint64_t flags;
} jawari_clap_voice_info;
typedef struct jawari_clap_plugin_voice_info {
  bool(CLAP_ABI* get)(const clap_plugin_t* plugin, jawari_clap_voice_info* info);
} jawari_clap_plugin_voice_info;
typedef struct jawari_clap_host_voice_info {
  void(CLAP_ABI* changed)(const clap_host_t* host);
} jawari_clap_host_voice_info;

enum { JAWARI_CLAP_RENDER_REALTIME = 0, JAWARI_CLAP_RENDER_OFFLINE = 1 };
typedef struct jawari_clap_plugin_render {
  bool(CLAP_ABI* has_hard_realtime_requirement)(const clap_plugin_t* plugin);
  bool(CLAP_ABI* set)(const clap_plugin_t* plugin, int32_t mode);
} jawari_clap_plugin_render;

#endif
