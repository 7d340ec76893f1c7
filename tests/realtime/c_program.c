/* SPDX-License-Identifier: MIT
 * The whole C interface from a C compiler: plays a scene, sends events, reads the accounts, and passes invalid
 * arguments. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jawari/c_api.h"

static int mistakes = 0;
#define EXPECT(what)                                            \
  do {                                                          \
    if (!(what)) {                                              \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
      ++mistakes;                                               \
    }                                                           \
  } while (0)

static const char scene[] =
    "duration_s = 1.0\n"
    "[[string]]\nname = \"string\"\nlength_m = 0.65\nfrequency_hz = 110.0\nradius_m = 0.0004\nhighest_hz = 130.0\n"
    "decay_s = [8.0, 2.0]\ndecay_hz = [110.0, 2000.0]\n"
    "[[hammer]]\nname = \"hammer\"\ntarget = \"string\"\nposition_m = 0.08\nmass_kg = 0.005\n"
    "law = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 2.3, mu = 0.1 }\n"
    "[[pickup]]\nof = \"string\"\nposition_m = 0.5\nname = \"out\"\n";

static void plays(void) {
  jawari_engine* engine = NULL;
  jawari_options options;
  char text[300];
  float left[512], right[512], *out[2];
  double wide[512], *out64[2];
  jawari_ledger ledger;
  jawari_parameter info;
  double stored[8], residual[8], loudest = 0;
  int i, tune;
  out[0] = left;
  out[1] = right;
  out64[0] = out64[1] = wide;
  EXPECT(jawari_options_init(&options) == JAWARI_OK && options.size == sizeof options && options.channels == 1);
  options.channels = 2;
  options.rate_hz = 48000;
  options.oversample = 2;
  EXPECT(jawari_open(scene, strlen(scene), &options, &engine, text, sizeof text) == JAWARI_OK);
  if (!engine) {
    puts(text);
    ++mistakes;
    return;
  }
  EXPECT(jawari_channels(engine) == 2 && jawari_rate_hz(engine) == 48000 && jawari_latency(engine) == 36);
  EXPECT(jawari_body_count(engine) == 2 && jawari_find_body(engine, "cello") == JAWARI_NOT_FOUND);
  EXPECT(strcmp(jawari_body_name(engine, jawari_find_body(engine, "hammer")), "hammer") == 0);
  tune = jawari_find_parameter(engine, "string.frequency_hz");
  info.size = sizeof info;
  EXPECT(tune >= 0 && jawari_parameter_info(engine, tune, &info) == JAWARI_OK);
  EXPECT(strcmp(info.name, "string.frequency_hz") == 0 && strcmp(info.unit, "Hz") == 0);
  EXPECT(fabs(info.value - 110) < 1e-9 && info.least < 110 && info.most >= 130);

  EXPECT(jawari_send(engine, JAWARI_STRIKE, jawari_find_body(engine, "hammer"), 2.0, 0, 100) == JAWARI_OK);
  EXPECT(jawari_set(engine, tune, 120, 0.01, 0) == JAWARI_OK);
  for (i = 0; i < 20; ++i) {
    int n;
    EXPECT(jawari_process_f32(engine, out, 512) == JAWARI_OK);
    for (n = 0; n < 512; ++n)
      if (!(fabs(left[n]) <= loudest)) loudest = fabs(left[n]);
  }
  EXPECT(jawari_process_f64(engine, out64, 512) == JAWARI_OK);
  EXPECT(loudest > 1e-3 && loudest < 10); /* m/s, after a hammer of 2 m/s */
  EXPECT(jawari_parameter_info(engine, tune, &info) == JAWARI_OK && info.value == 120);

  ledger.size = sizeof ledger;
  EXPECT(jawari_read_ledger(engine, &ledger) == JAWARI_OK && ledger.failed == 0);
  EXPECT(fabs(ledger.time_s - 21 * 512 / 48000.0) < 1e-12 && jawari_time_s(engine) == ledger.time_s);
  EXPECT(ledger.injected_J > 0.005 * 2.0 * 2.0 / 2 * 0.9 && ledger.dissipated_J > 0);
  EXPECT(ledger.worst_residual_J <= 1e-11 * ledger.largest_J);
  EXPECT(jawari_account_count(engine) == 3 && jawari_account_is_contact(engine, 0) == 0);
  EXPECT(jawari_account_is_contact(engine, 2) == 1 && strcmp(jawari_account_name(engine, 2), "hammer-string") == 0);
  EXPECT(jawari_read_accounts(engine, stored, residual, 3) == JAWARI_OK);
  for (i = 0; i < 3; ++i) EXPECT(fabs(residual[i]) <= 1e-11 * ledger.largest_J);
  EXPECT(jawari_judge(engine, text, sizeof text) == (int64_t)strlen(text) + 1);
  EXPECT(jawari_failed(engine) == 0);

  /* A caller that knows less of a struct gets less of it. */
  info.size = 16;
  info.name = NULL;
  info.unit = NULL;
  EXPECT(jawari_parameter_info(engine, tune, &info) == JAWARI_OK && info.name && !info.unit && info.size == 16);
  info.size = 0;
  EXPECT(jawari_parameter_info(engine, tune, &info) == JAWARI_BAD_ARGUMENT);

  /* Nonsense is refused and changes nothing. */
  EXPECT(jawari_send(engine, JAWARI_STRIKE, jawari_find_body(engine, "string"), 2, 0, 0) == JAWARI_NOT_SERVED);
  EXPECT(jawari_send(engine, JAWARI_STRIKE, jawari_find_body(engine, "hammer"), NAN, 0, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_send(engine, JAWARI_STRIKE, jawari_find_body(engine, "hammer"), 1e9, 0, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_send(engine, JAWARI_STRIKE, jawari_find_body(engine, "hammer"), 1, -1, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_send(engine, 99, 0, 1, 0, 0) == JAWARI_BAD_ARGUMENT &&
         jawari_send(engine, -1, 0, 1, 0, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_send(engine, JAWARI_DAMP, 7, 1, 0, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_send(engine, JAWARI_RETUNE, jawari_find_body(engine, "string"), 1e5, 0, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_set(engine, tune, 1e6, 0, 0) == JAWARI_BAD_ARGUMENT &&
         jawari_set(engine, -5, 1, 0, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_set(engine, 1000, 1, 0, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_process_f32(engine, NULL, 4) == JAWARI_BAD_ARGUMENT);
  out[1] = NULL;
  EXPECT(jawari_process_f32(engine, out, 4) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_read_accounts(engine, stored, residual, 2) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_body_name(engine, 2) == NULL && jawari_body_name(engine, -1) == NULL &&
         jawari_account_name(engine, 3) == NULL);
  EXPECT(jawari_account_is_contact(engine, 3) == JAWARI_BAD_ARGUMENT);
  for (i = 0; i < 5000; ++i)
    if (jawari_set(engine, tune, 115, 0, 0) == JAWARI_FULL) break;
  EXPECT(i < 5000);
  jawari_close(engine);
}

/* What `refuses` has just been told, as data. */
static void as_data(const char* text) {
  jawari_engine* engine = NULL;
  jawari_error error, known;
  memset(&error, 0x55, sizeof error);
  error.size = sizeof error;
  EXPECT(jawari_last_error(&error) == JAWARI_OK && error.size == sizeof error && error.line == 4);
  EXPECT(strcmp(error.path, "mass[0].mass_kg") == 0 && strcmp(error.value, "-1") == 0);
  EXPECT(strcmp(error.allowed, "lie in [1e-12, 1e+12] kg") == 0 && strcmp(error.file, "scene") == 0);
  EXPECT(strstr(text, error.sentence) == text + strlen("scene:4: "));
  known.size = offsetof(jawari_error, value); /* a caller that knows less of the struct */
  known.value = NULL;
  EXPECT(jawari_last_error(&known) == JAWARI_OK && known.path == error.path && !known.value);
  known.size -= 1;
  EXPECT(jawari_last_error(&known) == JAWARI_BAD_ARGUMENT && jawari_last_error(NULL) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_open(NULL, 0, NULL, &engine, NULL, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_last_error(&error) == JAWARI_OK && strcmp(error.path, "text") == 0 && error.line == 0);
  EXPECT(jawari_open(scene, strlen(scene), NULL, &engine, NULL, 0) == JAWARI_OK);
  EXPECT(jawari_last_error(&error) == JAWARI_NOT_FOUND && !error.path[0] && !error.sentence[0]);
  jawari_close(engine);
  double hz[128];
  EXPECT(jawari_tuning_by_name("just", 200, 440, hz, NULL, 0) == JAWARI_REFUSED);
  EXPECT(jawari_last_error(&error) == JAWARI_OK && strcmp(error.path, "tonic") == 0);
}

static void refuses(void) {
  jawari_engine* engine = (jawari_engine*)scene;
  jawari_options options;
  char text[300], cut[8];
  const char* wrong = "duration_s = 1.0\n[[mass]]\nname = \"m\"\nmass_kg = -1.0\n";
  EXPECT(jawari_open(wrong, strlen(wrong), NULL, &engine, text, sizeof text) == JAWARI_REFUSED && engine == NULL);
  EXPECT(strstr(text, "mass_kg is -1") != NULL && strstr(text, ":4:") != NULL);
  as_data(text);
  EXPECT(jawari_open(wrong, strlen(wrong), NULL, &engine, cut, sizeof cut) == JAWARI_REFUSED && strlen(cut) == 7);
  EXPECT(jawari_open(wrong, strlen(wrong), NULL, &engine, NULL, 0) == JAWARI_REFUSED);
  EXPECT(jawari_open(NULL, 0, NULL, &engine, text, sizeof text) == JAWARI_BAD_ARGUMENT && text[0]);
  EXPECT(jawari_open(scene, strlen(scene), NULL, NULL, text, sizeof text) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_open("", 0, NULL, &engine, text, sizeof text) == JAWARI_REFUSED);
  EXPECT(jawari_open("\xff\xfe[[", 4, NULL, &engine, text, sizeof text) == JAWARI_REFUSED);
  jawari_options_init(&options);
  options.threads = 0;
  EXPECT(jawari_open(scene, strlen(scene), &options, &engine, text, sizeof text) == JAWARI_REFUSED);
  EXPECT(strstr(text, "options.threads is 0") != NULL);
  jawari_options_init(&options);
  options.rate_hz = NAN;
  EXPECT(jawari_open(scene, strlen(scene), &options, &engine, text, sizeof text) == JAWARI_REFUSED);
  const char* nosy = "include = [\"/etc/hostname\"]\n";
  jawari_options_init(&options);
  options.folder = "/tmp";
  options.below = 1;
  EXPECT(jawari_open(nosy, strlen(nosy), &options, &engine, text, sizeof text) == JAWARI_REFUSED);
  EXPECT(strstr(text, "must stay below it") != NULL);
  options.below = 2;
  EXPECT(jawari_open(scene, strlen(scene), &options, &engine, text, sizeof text) == JAWARI_REFUSED);
  EXPECT(strstr(text, "options.below is 2") != NULL);
  jawari_options_init(&options);
  options.channels = 3;
  EXPECT(jawari_open(scene, strlen(scene), &options, &engine, text, sizeof text) == JAWARI_REFUSED);
  options.size = 0;
  EXPECT(jawari_open(scene, strlen(scene), &options, &engine, text, sizeof text) == JAWARI_BAD_ARGUMENT);
  options.size = sizeof options.size; /* a caller that knows no option at all */
  EXPECT(jawari_open(scene, strlen(scene), &options, &engine, text, sizeof text) == JAWARI_OK &&
         jawari_channels(engine) == 1);
  jawari_close(engine);
  jawari_close(NULL);
}

/* Fails in its impact with the wall: the root of the step is complex. */
static const char failing[] =
    "duration_s = 0.1\n[[mass]]\nname = \"ball\"\nmass_kg = 1.0\nposition_m = -0.5\nvelocity_m_s = 20.0\n"
    "[[contact]]\nname = \"hit\"\nbodies = [\"ball\", \"wall\"]\nheight_m = 0.1\nscheme = \"taylor-strict\"\n"
    "law = { type = \"power\", stiffness = 5e9, exponent = 1.3 }\n"
    "[[pickup]]\nof = \"ball\"\nquantity = \"velocity\"\n";

static int play_until_it_fails(jawari_engine* engine) {
  double wide[64], *out[1];
  int blocks, n, status = JAWARI_OK;
  out[0] = wide;
  for (blocks = 0; blocks < 100 && status == JAWARI_OK; ++blocks) {
    for (n = 0; n < 64; ++n) wide[n] = NAN;
    status = jawari_process_f64(engine, out, 64);
    EXPECT(jawari_failed(engine) == (status == JAWARI_FAILED ? 1 : 0));
    for (n = 0; n < 64; ++n) EXPECT(status == JAWARI_FAILED ? wide[n] == 0 : isfinite(wide[n]));
  }
  EXPECT(status == JAWARI_FAILED);
  return blocks;
}

static void fails_and_comes_back(void) {
  jawari_engine* engine = NULL;
  jawari_ledger ledger;
  char text[300], cut[9];
  float narrow[10], *out[1];
  int blocks, n;
  int64_t needed;
  ledger.size = sizeof ledger;
  out[0] = narrow;
  EXPECT(jawari_open(failing, strlen(failing), NULL, &engine, text, sizeof text) == JAWARI_OK);
  EXPECT(jawari_failure(engine, text, sizeof text) == 1 && text[0] == 0);
  blocks = play_until_it_fails(engine);
  needed = jawari_failure(engine, text, sizeof text);
  EXPECT(needed == (int64_t)strlen(text) + 1 && jawari_failure(engine, NULL, 0) == needed);
  EXPECT(strstr(text, "\"hit\"") != NULL && strstr(text, "complex in step ") != NULL);
  EXPECT(jawari_failure(engine, cut, sizeof cut) == needed && strlen(cut) == 8 && strncmp(cut, text, 8) == 0);
  EXPECT(jawari_read_ledger(engine, &ledger) == JAWARI_OK && ledger.failed == 1 && isfinite(ledger.residual_J));
  for (n = 0; n < 10; ++n) narrow[n] = 1;
  EXPECT(jawari_process_f32(engine, out, 10) == JAWARI_FAILED);
  for (n = 0; n < 10; ++n) EXPECT(narrow[n] == 0);
  EXPECT(jawari_process_f32(engine, out, 0) == JAWARI_FAILED);
  EXPECT(jawari_send(engine, JAWARI_STRIKE, 0, 1, 0, 0) == JAWARI_FAILED);
  EXPECT(jawari_reset(engine) == JAWARI_OK && jawari_failed(engine) == 0 && jawari_time_s(engine) == 0);
  EXPECT(jawari_failure(engine, text, sizeof text) == 1 && text[0] == 0);
  EXPECT(strcmp(jawari_body_name(engine, 0), "ball") == 0);
  EXPECT(play_until_it_fails(engine) == blocks);
  EXPECT(jawari_reset(engine) == JAWARI_OK && jawari_reset(engine) == JAWARI_OK);
  jawari_close(engine);
}

/* Sizes that end with a member are taken, those inside one are refused, larger ones are of a newer header. */
static void takes_whole_members_only(void) {
  static const char small[] = "duration_s = 1.0\n[[mass]]\nname = \"m\"\nmass_kg = 1.0\n[[excitation]]\nbody = \"m\"\n";
  union {
    jawari_options options;
    jawari_parameter info;
    jawari_ledger ledger;
    unsigned char bytes[256];
  } room;
  jawari_engine *engine = NULL, *other = NULL;
  char text[300];
  uint32_t size;
  EXPECT(jawari_open(small, strlen(small), NULL, &engine, text, sizeof text) == JAWARI_OK);
  EXPECT(jawari_parameter_count(engine) > 0);
  for (size = 0; size <= 130; ++size) {
    const int whole = size >= sizeof(jawari_options) || size == offsetof(jawari_options, channels) ||
                      size == offsetof(jawari_options, threads) || size == offsetof(jawari_options, oversample) ||
                      size == offsetof(jawari_options, rate_hz) || size == offsetof(jawari_options, folder) ||
                      size == offsetof(jawari_options, memory_MB) || size == offsetof(jawari_options, setup_s) ||
                      size == offsetof(jawari_options, kernels) || size == offsetof(jawari_options, below);
    memset(&room, 0xAB, sizeof room);
    jawari_options_init(&room.options);
    room.options.folder = "/nowhere/that/is/long/enough";
    room.options.size = size;
    EXPECT(jawari_open(small, strlen(small), &room.options, &other, text, sizeof text) ==
           (whole ? JAWARI_OK : JAWARI_BAD_ARGUMENT));
    EXPECT(whole ? other != NULL : other == NULL && strstr(text, "options.size is ") != NULL);
    jawari_close(other);
  }
  for (size = 0; size <= 200; ++size) {
    const int whole = size >= sizeof room.info || size == offsetof(jawari_parameter, reserved) ||
                      size == offsetof(jawari_parameter, name) || size == offsetof(jawari_parameter, unit) ||
                      size == offsetof(jawari_parameter, text) || size == offsetof(jawari_parameter, least) ||
                      size == offsetof(jawari_parameter, most) || size == offsetof(jawari_parameter, value) ||
                      size == offsetof(jawari_parameter, start) || size == offsetof(jawari_parameter, kind) ||
                      size == offsetof(jawari_parameter, reserved2);
    const size_t head = offsetof(jawari_ledger, time_s);
    const int whole_ledger = size >= sizeof room.ledger || size == offsetof(jawari_ledger, failed) ||
                             (size >= head && (size - head) % sizeof(double) == 0);
    uint32_t n;
    memset(&room, 0xAB, sizeof room);
    room.info.size = size;
    EXPECT(jawari_parameter_info(engine, 0, &room.info) == (whole ? JAWARI_OK : JAWARI_BAD_ARGUMENT));
    n = !whole ? (uint32_t)sizeof size : size < sizeof room.info ? size : (uint32_t)sizeof room.info;
    for (; n < sizeof room; ++n) EXPECT(room.bytes[n] == 0xAB);
    memset(&room, 0xAB, sizeof room);
    room.ledger.size = size;
    EXPECT(jawari_read_ledger(engine, &room.ledger) == (whole_ledger ? JAWARI_OK : JAWARI_BAD_ARGUMENT));
    n = !whole_ledger ? (uint32_t)sizeof size : size < sizeof room.ledger ? size : (uint32_t)sizeof room.ledger;
    for (; n < sizeof room; ++n) EXPECT(room.bytes[n] == 0xAB);
  }
  jawari_close(engine);
}

/* Names of channels and pickups, counters of contacts, laws and schemes. */
static void lists(void) {
  static const char two[] =
      "duration_s = 0.01\n[[mass]]\nname = \"ball\"\nmass_kg = 0.01\nposition_m = -1e-3\nvelocity_m_s = 2.0\n"
      "[[contact]]\nname = \"hit\"\nbodies = [\"ball\", \"wall\"]\nlaw = { type = \"power\", stiffness = 1e8, exponent "
      "= 1.5 }\n"
      "[[pickup]]\nof = \"ball\"\nname = \"a\"\npan = -0.5\n[[pickup]]\nof = \"hit\"\nname = \"b\"\n";
  jawari_engine* engine = NULL;
  jawari_options options;
  jawari_contact contact;
  jawari_parameter parameter;
  jawari_kind kind;
  jawari_key key;
  char text[300];
  double a[441], b[441], loudest = 0, *out[2];
  int i, k, power = -1, keys = 0;
  out[0] = a;
  out[1] = b;
  EXPECT(jawari_version_number() == JAWARI_VERSION_NUMBER && strcmp(jawari_version(), JAWARI_VERSION) == 0);
  jawari_options_init(&options);
  options.channels = 0;
  EXPECT(jawari_open(two, strlen(two), &options, &engine, text, sizeof text) == JAWARI_OK);
  EXPECT(jawari_pickup_count(engine) == 2 && jawari_channels(engine) == 2);
  EXPECT(strcmp(jawari_pickup_name(engine, 0), "a") == 0 && strcmp(jawari_channel_name(engine, 1), "b") == 0);
  EXPECT(jawari_pickup_pan(engine, 0) == -0.5 && jawari_pickup_name(engine, 2) == NULL &&
         jawari_channel_name(engine, -1) == NULL);
  EXPECT(jawari_frames(engine) == 441);
  EXPECT(jawari_render_f64(engine, out, 441) == JAWARI_OK);
  for (i = 0; i < 441; ++i) loudest = fmax(loudest, fabs(b[i]));
  contact.size = sizeof contact;
  EXPECT(jawari_contact_count(engine) == 1 && jawari_contact_info(engine, 0, &contact) == JAWARI_OK);
  EXPECT(strcmp(contact.name, "hit") == 0 && contact.impacts == 1 && contact.touching_steps > 5);
  EXPECT(contact.largest_force_N == loudest && loudest > 1 && contact.fewest_samples > 5 &&
         contact.fewest_samples < 100);
  EXPECT(jawari_contact_info(engine, 1, &contact) == JAWARI_BAD_ARGUMENT);
  contact.size = 20;
  EXPECT(jawari_contact_info(engine, 0, &contact) == JAWARI_BAD_ARGUMENT);
  parameter.size = sizeof parameter;
  i = jawari_find_parameter(engine, "hit.stiffness");
  EXPECT(i >= 0 && jawari_parameter_info(engine, i, &parameter) == JAWARI_OK);
  EXPECT(parameter.kind == JAWARI_STIFFNESS && parameter.start == 1e8);
  jawari_close(engine);

  EXPECT(jawari_law_count() >= 4 && jawari_scheme_count() >= 10);
  kind.size = sizeof kind;
  key.size = sizeof key;
  for (i = 0; i < jawari_law_count(); ++i) {
    EXPECT(jawari_law_info(i, &kind) == JAWARI_OK && kind.name[0] && kind.text[0]);
    if (strcmp(kind.name, "power") == 0) power = i;
    for (k = 0; k < kind.parameters; ++k, ++keys)
      EXPECT(jawari_law_key(i, k, &key) == JAWARI_OK && key.name[0] && key.text[0] && key.least < key.most);
    EXPECT(jawari_law_key(i, kind.parameters, &key) == JAWARI_BAD_ARGUMENT);
  }
  EXPECT(power >= 0 && jawari_law_key(power, 0, &key) == JAWARI_OK);
  EXPECT(strcmp(key.name, "stiffness") == 0 && key.required == 1 && keys > 8);
  for (i = 0; i < jawari_scheme_count(); ++i)
    EXPECT(jawari_scheme_info(i, &kind) == JAWARI_OK && kind.name[0] && kind.source);
  EXPECT(jawari_law_info(-1, &kind) == JAWARI_BAD_ARGUMENT && jawari_scheme_info(1000, &kind) == JAWARI_BAD_ARGUMENT);
}

/* A rendered scene is the sound that blocks play, without the delay of oversampling. */
static void renders(void) {
  static const char thrown[] =
      "duration_s = 0.02\n[[mass]]\nname = \"ball\"\nmass_kg = 0.01\nposition_m = -1e-3\nvelocity_m_s = 2.0\n"
      "[[contact]]\nbodies = [\"ball\", \"wall\"]\nlaw = { type = \"power\", stiffness = 1e8, exponent = 1.5 }\n";
  jawari_engine* engine = NULL;
  jawari_options options;
  char text[300];
  double played[1000], whole[882], *out[1];
  size_t late;
  int i, mistake = 0, silent = 1;
  jawari_options_init(&options);
  options.oversample = 4;
  EXPECT(jawari_open(thrown, strlen(thrown), &options, &engine, text, sizeof text) == JAWARI_OK);
  late = jawari_latency(engine);
  EXPECT(late > 0 && late < 118 && jawari_frames(engine) == 882);
  EXPECT(strcmp(jawari_channel_name(engine, 0), "mono") == 0 && jawari_channel_name(engine, 1) == NULL);
  out[0] = played;
  EXPECT(jawari_process_f64(engine, out, 1000) == JAWARI_OK);
  out[0] = whole;
  EXPECT(jawari_render_f64(engine, out, 882) == JAWARI_OK &&
         jawari_render_f64(engine, NULL, 882) == JAWARI_BAD_ARGUMENT);
  for (i = 0; i < 882; ++i) {
    mistake |= whole[i] != played[(size_t)i + late];
    silent &= whole[i] == 0;
  }
  EXPECT(!mistake && !silent);
  jawari_close(engine);
}

/* A state saved while a hammer touches and a string glides goes on in another engine, sample by sample. */
static void saves_and_loads(void) {
  jawari_engine *engine = NULL, *other = NULL;
  char text[300];
  double a[256], b[256], *out[1];
  size_t bytes, used = 0;
  unsigned char* state;
  int n;
  EXPECT(jawari_open(scene, strlen(scene), NULL, &engine, text, sizeof text) == JAWARI_OK);
  EXPECT(jawari_open(scene, strlen(scene), NULL, &other, text, sizeof text) == JAWARI_OK);
  EXPECT(jawari_send(engine, JAWARI_STRIKE, jawari_find_body(engine, "hammer"), 2.0, 0, 230) == JAWARI_OK);
  EXPECT(jawari_set(engine, jawari_find_parameter(engine, "string.frequency_hz"), 120, 0.01, 0) == JAWARI_OK);
  out[0] = a;
  EXPECT(jawari_process_f64(engine, out, 256) == JAWARI_OK);
  bytes = jawari_state_bytes(engine);
  state = malloc(bytes);
  EXPECT(state && bytes > 0 && bytes == jawari_state_bytes(other));
  EXPECT(jawari_save(engine, state, bytes - 1, &used) == JAWARI_BAD_ARGUMENT && used == 0);
  EXPECT(jawari_save(engine, NULL, bytes, &used) == JAWARI_BAD_ARGUMENT && jawari_save(engine, state, bytes, NULL) < 0);
  EXPECT(jawari_save(engine, state, bytes, &used) == JAWARI_OK && used > 0 && used <= bytes);
  EXPECT(jawari_load(other, state, used, text, sizeof text) == JAWARI_OK && text[0] == 0);
  EXPECT(jawari_process_f64(engine, out, 256) == JAWARI_OK);
  out[0] = b;
  EXPECT(jawari_process_f64(other, out, 256) == JAWARI_OK);
  for (n = 0; n < 256; ++n) EXPECT(a[n] == b[n]);
  EXPECT(a[255] != 0);
  state[used / 2] ^= 1;
  EXPECT(jawari_load(other, state, used, text, sizeof text) == JAWARI_REFUSED && strstr(text, "damaged"));
  EXPECT(jawari_load(other, state, used, NULL, 0) == JAWARI_REFUSED);
  EXPECT(jawari_load(other, NULL, used, NULL, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_load(other, "nonsense", 8, text, sizeof text) == JAWARI_REFUSED && strstr(text, "no saved state"));
  free(state);
  jawari_close(engine);
  jawari_close(other);
}

static void survives_null(void) {
  jawari_ledger ledger;
  jawari_parameter info;
  char text[300] = "";
  size_t used = 7;
  ledger.size = sizeof ledger;
  info.size = sizeof info;
  EXPECT(jawari_process_f32(NULL, NULL, 1) < 0 && jawari_process_f64(NULL, NULL, 1) < 0);
  EXPECT(jawari_channels(NULL) == 0 && jawari_rate_hz(NULL) == 0 && jawari_latency(NULL) == 0);
  EXPECT(jawari_body_count(NULL) < 0 && jawari_find_body(NULL, "x") < 0 && jawari_body_name(NULL, 0) == NULL);
  EXPECT(jawari_parameter_count(NULL) < 0 && jawari_find_parameter(NULL, "x") < 0);
  EXPECT(jawari_parameter_info(NULL, 0, &info) < 0 && jawari_read_ledger(NULL, &ledger) < 0);
  EXPECT(jawari_send(NULL, 0, 0, 1, 0, 0) < 0 && jawari_set(NULL, 0, 1, 0, 0) < 0);
  EXPECT(jawari_account_count(NULL) < 0 && jawari_account_name(NULL, 0) == NULL);
  EXPECT(jawari_account_is_contact(NULL, 0) < 0 && jawari_read_accounts(NULL, NULL, NULL, 0) < 0);
  EXPECT(jawari_judge(NULL, NULL, 0) < 0 && jawari_failed(NULL) < 0 && jawari_time_s(NULL) == 0);
  EXPECT(jawari_state_bytes(NULL) == 0 && jawari_save(NULL, text, 300, &used) < 0 &&
         jawari_load(NULL, text, 300, NULL, 0) < 0);
  EXPECT(jawari_reset(NULL) < 0 && jawari_failure(NULL, NULL, 0) < 0);
  EXPECT(jawari_options_init(NULL) < 0 && jawari_status_text(-99) && jawari_version()[0]);
}

static const char keys[] =
    "duration_s = 1.0\n"
    "[[string]]\nname = \"string\"\nlength_m = 0.65\nfrequency_hz = 220.0\nradius_m = 0.0004\nmethod = \"modes\"\n"
    "bandwidth = 0.2\ndecay_s = [8.0, 2.0]\ndecay_hz = [110.0, 2000.0]\n"
    "[[hammer]]\nname = \"hammer\"\ntarget = \"string\"\nposition_m = 0.08\nmass_kg = 0.005\n"
    "law = { type = \"hunt-crossley\", stiffness = 1e7, exponent = 2.3, mu = 0.1 }\n"
    "[voice]\nstring = \"string\"\nstrike = \"hammer\"\nsoft = 0.5\nloud = 4.0\nvoices = 3\n";

static void plays_notes(void) {
  jawari_instrument* instrument = NULL;
  jawari_instrument_options options;
  char text[300];
  static float left[2][4800], right[2][4800];
  float *one[2], *two[2];
  double hz[128], loudest = 0;
  static jawari_note notes[300];
  const unsigned char midi[] = {0x90, 60, 100, 64, 100};
  jawari_ledger ledger;
  jawari_control control;
  int i;
  one[0] = left[0];
  one[1] = right[0];
  two[0] = left[1];
  two[1] = right[1];
  EXPECT(jawari_instrument_options_init(&options) == JAWARI_OK && options.scene.channels == 2);
  EXPECT(jawari_instrument_open(scene, strlen(scene), NULL, &instrument, text, sizeof text) == JAWARI_REFUSED);
  EXPECT(strstr(text, "voice") != NULL && instrument == NULL);
  options.voices = 300;
  EXPECT(jawari_instrument_open(keys, strlen(keys), &options, &instrument, text, sizeof text) == JAWARI_REFUSED);
  options.voices = 0;
  EXPECT(jawari_instrument_open(keys, strlen(keys), &options, &instrument, text, sizeof text) == JAWARI_OK);
  if (!instrument) {
    puts(text);
    ++mistakes;
    return;
  }
  EXPECT(jawari_instrument_voices(instrument) == 3 && jawari_instrument_tail_s(instrument) == 2);
  EXPECT(jawari_instrument_silent(instrument) == 0 || jawari_instrument_silent(instrument) == 1);
  for (i = 0; i < 300; ++i) {
    memset(&notes[i], 0, sizeof notes[i]);
    notes[i].frame = (uint32_t)(10 * i);
    notes[i].type = i % 3 == 2 ? JAWARI_NOTE_OFF : JAWARI_NOTE_ON;
    notes[i].note_id = -1;
    notes[i].key = 50 + i % 20;
    notes[i].value = 0.5;
  }
  EXPECT(jawari_instrument_process_f32(instrument, one, 4800, notes, 300) == JAWARI_OK);
  EXPECT(jawari_instrument_reset(instrument) == JAWARI_OK);
  EXPECT(jawari_instrument_process_f32(instrument, two, 2500, notes, 250) == JAWARI_OK);
  two[0] += 2500;
  two[1] += 2500;
  for (i = 250; i < 300; ++i) notes[i].frame -= 2500;
  EXPECT(jawari_instrument_process_f32(instrument, two, 2300, notes + 250, 50) == JAWARI_OK);
  EXPECT(memcmp(left[0], left[1], sizeof left[0]) == 0 && memcmp(right[0], right[1], sizeof right[0]) == 0);
  for (i = 0; i < 4800; ++i) loudest = fmax(loudest, fabs((double)left[0][i]));
  EXPECT(loudest > 0);
  EXPECT(jawari_instrument_send_midi(instrument, midi, sizeof midi) == JAWARI_OK);
  EXPECT(jawari_tuning_by_name("tanpura", 60, 440, hz, text, sizeof text) == JAWARI_OK &&
         fabs(hz[67] / hz[60] - 1.5) < 1e-12);
  EXPECT(jawari_tuning_by_name("x", 60, 440, hz, text, sizeof text) == JAWARI_REFUSED && text[0] != 0);
  EXPECT(jawari_tuning_from_scala("x\n1\n3/1\n", 8, NULL, 0, hz, text, sizeof text) == JAWARI_OK &&
         fabs(hz[61] / hz[60] - 3) < 1e-12);
  EXPECT(jawari_instrument_set_tuning(instrument, hz) == JAWARI_OK);
  hz[5] = -1;
  EXPECT(jawari_instrument_set_tuning(instrument, hz) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_instrument_process_f32(instrument, one, 4800, NULL, 0) == JAWARI_OK);
  EXPECT(jawari_instrument_sounding(instrument) == 3);
  ledger.size = sizeof ledger;
  EXPECT(jawari_read_ledger(jawari_instrument_engine(instrument), &ledger) == JAWARI_OK && ledger.largest_J > 0);
  EXPECT(ledger.worst_residual_J < 1e-11 * ledger.largest_J);
  EXPECT(jawari_instrument_control_count(instrument) == 0);
  EXPECT(jawari_instrument_find_control(instrument, "x") == JAWARI_NOT_FOUND);
  control.size = sizeof control;
  EXPECT(jawari_instrument_control_info(instrument, 0, &control) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_instrument_process_f32(NULL, one, 1, NULL, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_instrument_process_f32(instrument, one, 1, NULL, 1) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_instrument_process_input_f32(instrument, one, 100, NULL, 0, notes, 0) == JAWARI_OK);
  EXPECT(jawari_instrument_process_input_f32(instrument, one, 100, NULL, 1, notes, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_inputs(jawari_instrument_engine(instrument)) == 0);
  jawari_instrument_close(instrument);
  jawari_instrument_close(NULL);
}

static void takes_sound(void) {
  static const char scene[] =
      "duration_s = 1\nrate_hz = 48000\n[[mass]]\nname = \"m\"\nmass_kg = 0.01\n"
      "[[excitation]]\nbody = \"m\"\ntype = \"input\"\namplitude_N = 2\n[[pickup]]\nof = \"m\"\nquantity = "
      "\"velocity\"\n";
  jawari_engine* engine = NULL;
  char text[256];
  double in[100] = {0}, out[100], *channels[1] = {out};
  const double* sound[1] = {in};
  EXPECT(jawari_open(scene, strlen(scene), NULL, &engine, text, sizeof text) == JAWARI_OK);
  if (!engine) {
    puts(text);
    ++mistakes;
    return;
  }
  in[10] = 0.5;
  in[20] = NAN;
  EXPECT(jawari_inputs(engine) == 1 && jawari_input_latency(engine) == 0);
  EXPECT(jawari_process_input_f64(engine, channels, 100, sound, 1) == JAWARI_OK);
  EXPECT(out[9] == 0 && fabs(out[99] - 2 * 0.5 / 48000 / 0.01) < 1e-12);
  EXPECT(jawari_replaced_input(engine) == 1);
  EXPECT(jawari_process_input_f64(engine, channels, 100, NULL, 0) == JAWARI_OK);
  EXPECT(jawari_process_input_f64(engine, channels, 100, NULL, 1) == JAWARI_BAD_ARGUMENT);
  sound[0] = NULL;
  EXPECT(jawari_process_input_f64(engine, channels, 100, sound, 1) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_process_input_f32(NULL, NULL, 1, NULL, 0) == JAWARI_BAD_ARGUMENT);
  EXPECT(jawari_inputs(NULL) == 0 && jawari_input_latency(NULL) == 0 && jawari_replaced_input(NULL) < 0);
  jawari_close(engine);
}

int main(void) {
  plays();
  plays_notes();
  takes_sound();
  refuses();
  survives_null();
  fails_and_comes_back();
  saves_and_loads();
  takes_whole_members_only();
  lists();
  renders();
  if (mistakes) printf("%d mistakes\n", mistakes);
  return mistakes ? 1 : 0;
}
