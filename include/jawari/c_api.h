/* SPDX-License-Identifier: MIT
 * jawari from C, and from everything that can call C: a scene text in, sound and an energy account out.
 *
 *   jawari_engine *engine = NULL;
 *   char error[512];
 *   if (jawari_open(text, strlen(text), NULL, &engine, error, sizeof error)) { puts(error); return 1; }
 *   float block[64], *channels[1] = {block};
 *   jawari_process_f32(engine, channels, 64);
 *   jawari_close(engine);
 *
 * Conventions
 *   Units     SI throughout; their names end in them.
 *   Errors    0 is success, below 0 one of jawari_status; functions that count or find return a number >= 0 instead.
 *             No exception crosses this line, no argument makes it crash except a pointer that points nowhere.
 *   Strings   UTF-8, ended by a zero.  What is returned belongs to the engine and lives until jawari_close.
 *   Structs   begin with `size`, which the caller sets to sizeof the struct; what an older or newer library does not
 *             know is left alone.  Their members only ever grow at the end.  A size that ends inside a member is
 *             refused with JAWARI_BAD_ARGUMENT, and nothing of the struct is read or written.
 *   Sound     is finite always.  A call of jawari_process_* in which the motion fails (a contact does not settle, a
 *             number is not finite) writes silence from its first sample and returns JAWARI_FAILED at once; so do all
 *             later calls, until jawari_reset.
 *   Threads   [audio]    jawari_process_*: one thread; no allocation, no lock and, with one thread, no system call
 *             [control]  jawari_send, jawari_set: one thread at a time, also while [audio] runs; wait-free
 *             [reader]   ledger, accounts, values: one thread at a time, also while the others run; no lock
 *             [still]    only while no other function runs on this engine; may allocate and take long
 *             [any]      any thread at any time
 */
#ifndef JAWARI_C_API_H
#define JAWARI_C_API_H

#include <stddef.h>
#include <stdint.h>

#include "jawari/version.h"

/* Functions that the shared library exports; it exports nothing else.  JAWARI_STATIC: linked into the program instead.
 */
#if defined(JAWARI_STATIC)
#define JAWARI_API
#elif defined(_WIN32) && defined(JAWARI_BUILDS_SHARED)
#define JAWARI_API __declspec(dllexport)
#elif defined(_WIN32)
#define JAWARI_API __declspec(dllimport)
#else
#define JAWARI_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jawari_engine jawari_engine; /* an engine that plays one scene */

typedef enum jawari_status {
  JAWARI_OK = 0,
  JAWARI_BAD_ARGUMENT = -1, /* null, out of range, or a struct of a wrong size */
  JAWARI_REFUSED = -2,      /* the scene; the error text names the field, its value and what is allowed */
  JAWARI_NOT_FOUND = -3,    /* no body or parameter of that name */
  JAWARI_NOT_SERVED = -4,   /* this body does not take this event */
  JAWARI_FULL = -5,         /* 1024 accepted events wait for their time: call again after the next of them */
  JAWARI_NO_MEMORY = -6,
  JAWARI_FAILED = -7 /* the motion failed and is silent since: jawari_failure; or an error without a name */
} jawari_status;

/* What can be told to a body: see jawari_send. */
typedef enum jawari_event {
  JAWARI_STRIKE = 0,  /* a hammer or mass: speed [m/s], in (0, 1e4] */
  JAWARI_PLUCK = 1,   /* a plectrum: depth [m], in (0, 1] */
  JAWARI_PRESS = 2,   /* a finger: depth [m], in (0, 1] */
  JAWARI_RELEASE = 3, /* a finger or plectrum: no value */
  JAWARI_DAMP = 4,    /* a string or body of modes: decay added to every mode [1/s], in [0, 1e5] */
  JAWARI_MOVE = 5,    /* a hand: height [m], in [-1e3, 1e3] */
  JAWARI_RETUNE = 6 /* a string: lowest frequency [Hz]; another body of modes: factor; in the range of the parameter */
} jawari_event;

typedef struct jawari_options {
  uint32_t size;      /* sizeof(jawari_options) */
  int32_t channels;   /* 1: sum of the pickups (default), 2: panned, 0: a channel per pickup */
  int32_t threads;    /* 1 to 64; default 1 */
  int32_t oversample; /* 1, 2, 4 or 8 time steps per frame; 0 (default): what the scene says */
  double rate_hz;     /* of the frames; 0 (default): what the scene says */
  const char* folder; /* where files named in the scene lie; NULL (default): the current folder */
  double memory_MB;   /* scenes that would need more are refused; 0 (default): 1500 */
  double setup_s;     /* scenes that would take longer to open are refused, by an estimate; 0 (default): 40 */
  int32_t kernels; /* 1 (default): fused loops that round as the readable ones, the same samples everywhere; 2: faster,
                      other rounding; 3: float32; 0: none */
  int32_t below;   /* 1: no file outside of `folder` is opened, whatever the scene names; 0 (default): any file */
} jawari_options;

typedef struct jawari_parameter {
  uint32_t size; /* sizeof(jawari_parameter) */
  uint32_t reserved;
  const char* name;   /* "string.frequency_hz" */
  const char* unit;   /* "Hz"; "" if it has none */
  const char* text;   /* one line for people */
  double least, most; /* what jawari_set takes */
  double value;       /* as of the last 256 frames */
  double start;       /* its default: the value after jawari_open */
  int32_t kind;       /* jawari_parameter_kind */
  int32_t reserved2;
} jawari_parameter;

/* What a parameter is. */
typedef enum jawari_parameter_kind {
  JAWARI_FREQUENCY = 0,   /* of a string [Hz] */
  JAWARI_TUNING = 1,      /* factor of the frequencies of a body of modes */
  JAWARI_DAMPING = 2,     /* decay added to every mode [1/s] */
  JAWARI_STIFFNESS = 3,   /* of a contact, in the unit of its law */
  JAWARI_HEIGHT = 4,      /* of a contact or barrier [m] */
  JAWARI_COEFFICIENT = 5, /* of friction */
  JAWARI_NORMAL = 6,      /* force that presses friction together [N] */
  JAWARI_GAIN = 7,        /* of a pickup */
  JAWARI_AMPLITUDE = 8,   /* of an excitation */
  JAWARI_POSITION = 9,    /* of a contact, or shift of a barrier, along a string */
  JAWARI_LISTENING = 10,  /* position of a pickup */
  JAWARI_FORCE = 11       /* that presses a finger */
} jawari_parameter_kind;

typedef struct jawari_contact { /* what a contact has done so far, as of the last multiple of 256 frames */
  uint32_t size;                /* sizeof(jawari_contact) */
  uint32_t reserved;
  const char* name;
  double impacts;         /* times that a point came into contact */
  double touching_steps;  /* time steps of points in contact */
  double largest_force_N; /* on one point */
  double fewest_samples;  /* time steps of the shortest impact; 0: none has ended */
} jawari_contact;

/* A contact law or a scheme that scenes can name, and its parameters. */
typedef struct jawari_kind {
  uint32_t size;      /* sizeof(jawari_kind) */
  int32_t parameters; /* how many */
  const char* name;   /* "power", "two-point": what scenes say */
  const char* text;   /* one line for people */
  const char* source; /* paper and equation */
} jawari_kind;

typedef struct jawari_key {
  uint32_t size;    /* sizeof(jawari_key) */
  int32_t required; /* 1: it has no default */
  const char* name; /* "stiffness" */
  const char* symbol;
  const char* unit;
  const char* text;
  double least, most; /* its range; the guide says whether the ends belong to it */
  double usual;       /* the default; 0 where it is required */
} jawari_key;

/* Input that was refused.  A text is never null, and empty where there is nothing to say. */
typedef struct jawari_error {
  uint32_t size;        /* sizeof(jawari_error) */
  int32_t line;         /* of the file; 0: unknown */
  const char* path;     /* "contact[0].law.exponent" */
  const char* value;    /* as it was given: "0.5" */
  const char* allowed;  /* what it must do: "lie in [1, 13]" */
  const char* sentence; /* the error text without file and line */
  const char* file;     /* where it was written: "scene", or the name of an included file */
} jawari_error;

typedef struct jawari_ledger { /* stored + dissipated - injected stays what it was at the start */
  uint32_t size;               /* sizeof(jawari_ledger) */
  int32_t failed;              /* 1: the motion failed; the output is silence since */
  double time_s;               /* of all that follows: the last multiple of 256 frames */
  double kinetic_J, elastic_J, bending_J, modulation_J, load_J, contact_J; /* stored now */
  double dissipated_J, injected_J;                                         /* since the start */
  double start_J, largest_J; /* stored at the start; largest energy so far */
  double residual_J;         /* stored + dissipated - injected - start */
  double worst_residual_J;   /* largest so far */
} jawari_ledger;

/* [any] "0.1.0", and as a number: JAWARI_VERSION and JAWARI_VERSION_NUMBER of the library, not of the header. */
JAWARI_API const char* jawari_version(void);
JAWARI_API int jawari_version_number(void);
/* [any] One sentence for a status or event number; never null. */
JAWARI_API const char* jawari_status_text(int status);

/* [any] What the last call of this thread that has an `error` text refused, as data: of jawari_open,
 * jawari_instrument_open and jawari_tuning_*.  Its texts live until the next such call of this thread.
 * JAWARI_NOT_FOUND: it refused no input. */
JAWARI_API int jawari_last_error(jawari_error* error);

/* [any] Fills in the defaults and the size. */
JAWARI_API int jawari_options_init(jawari_options* options);

/* [any] Parses `length` bytes of a scene (TOML, docs/guide/scenes.md), checks and compiles it.  On success *engine is a
 * new engine, to be closed with jawari_close; otherwise it is null and `error` (may be null) says why, cut to
 * `error_size` bytes.  options may be null.  Allocates, may take seconds. */
JAWARI_API int jawari_open(const char* text, size_t length, const jawari_options* options, jawari_engine** engine,
                           char* error, size_t error_size);
/* [still] Null is allowed. */
JAWARI_API void jawari_close(jawari_engine* engine);
/* [still] Back to the state after jawari_open, bit for bit, also after a failure: motion, parameters, time and energy
 * account; events that wait are forgotten.  Allocates nothing, locks nothing: an audio thread may call it. */
JAWARI_API int jawari_reset(jawari_engine* engine);
/* [still] The whole state as bytes, at any time: in the middle of a contact, of a glide, with events on their way.
 * jawari_state_bytes: the most that jawari_save writes; 0 for a null engine. */
JAWARI_API size_t jawari_state_bytes(const jawari_engine* engine);
/* [still] `used`: bytes written.  JAWARI_BAD_ARGUMENT: null, or fewer than jawari_state_bytes.  Allocates and locks
 * nothing. */
JAWARI_API int jawari_save(jawari_engine* engine, void* to, size_t bytes, size_t* used);
/* [still] Goes on where the engine was that saved the state: the same samples from there on.  It must have been opened
 * from the same scene with the same channels, rate and oversampling, by the same version of the library on the same
 * kind of machine; threads and kernels may differ.  JAWARI_REFUSED: it is not such a state, the error text says why,
 * and the engine is what it was.  `error` may be null.  Allocates and locks nothing. */
JAWARI_API int jawari_load(jawari_engine* engine, const void* from, size_t bytes, char* error, size_t error_size);

/* [any] Facts that do not change; 0 for a null engine.  Latency: frames by which oversampling delays the sound. */
JAWARI_API size_t jawari_channels(const jawari_engine* engine);
JAWARI_API double jawari_rate_hz(const jawari_engine* engine);
JAWARI_API size_t jawari_latency(const jawari_engine* engine);

/* [audio] Plays `frames` frames into out[0..channels-1], which do not overlap.  Any number; samples do not depend on
 * how they are cut into blocks.  JAWARI_FAILED: the motion failed in this call or before, what was written is silence
 * from its first sample on. */
JAWARI_API int jawari_process_f32(jawari_engine* engine, float* const* out, size_t frames);
JAWARI_API int jawari_process_f64(jawari_engine* engine, double* const* out, size_t frames);

/* [any] Channels of sound that comes in, which excitations of type "input" push their bodies with; 0: there is none.
 * Latency: frames by which oversampling delays it before it acts. */
JAWARI_API size_t jawari_inputs(const jawari_engine* engine);
JAWARI_API size_t jawari_input_latency(const jawari_engine* engine);
/* [audio] As jawari_process_*, with sound that comes in: in[0..in_channels-1], `frames` each, which may be those of
 * `out`.  One channel goes to all inputs, of several a single input hears the mean, none is silence.  A sample that is
 * no number or infinite counts as 0, one beyond 16 times full scale as that. */
JAWARI_API int jawari_process_input_f32(jawari_engine* engine, float* const* out, size_t frames, const float* const* in,
                                        size_t in_channels);
JAWARI_API int jawari_process_input_f64(jawari_engine* engine, double* const* out, size_t frames,
                                        const double* const* in, size_t in_channels);
/* [audio] Samples that came in so far and did not count as they came. */
JAWARI_API int64_t jawari_replaced_input(const jawari_engine* engine);

/* [any] Names of channels of the sound: "mono", "left" and "right", or those of pickups.  Null if there is none. */
JAWARI_API const char* jawari_channel_name(const jawari_engine* engine, int channel);
/* [any] Pickups of the scene by number; pan: -1 left, 1 right, as the scene says. */
JAWARI_API int jawari_pickup_count(const jawari_engine* engine);
JAWARI_API const char* jawari_pickup_name(const jawari_engine* engine, int pickup);
JAWARI_API double jawari_pickup_pan(const jawari_engine* engine, int pickup);

/* [any] Frames of the whole scene, by its duration; 0 for the engine of an instrument, which has no end. */
JAWARI_API int64_t jawari_frames(const jawari_engine* engine);
/* [still] The scene from its start, `frames` frames into out[0..channels-1], without the delay of oversampling.  What
 * the engine did before is forgotten, as by jawari_reset.  May allocate.  JAWARI_FAILED: the motion failed; silence
 * from there on. */
JAWARI_API int jawari_render_f32(jawari_engine* engine, float* const* out, size_t frames);
JAWARI_API int jawari_render_f64(jawari_engine* engine, double* const* out, size_t frames);

/* [any] Bodies by number.  find: the number, or JAWARI_NOT_FOUND.  name: null if there is none. */
JAWARI_API int jawari_body_count(const jawari_engine* engine);
JAWARI_API int jawari_find_body(const jawari_engine* engine, const char* name);
JAWARI_API const char* jawari_body_name(const jawari_engine* engine, int body);

/* [any] Parameters that may change, by number.  find: the number, or JAWARI_NOT_FOUND. */
JAWARI_API int jawari_parameter_count(const jawari_engine* engine);
JAWARI_API int jawari_find_parameter(const jawari_engine* engine, const char* name);
/* [reader] Name, unit, range and value. */
JAWARI_API int jawari_parameter_info(const jawari_engine* engine, int parameter, jawari_parameter* info);

/* [control] An event for a body, `offset` frames after the start of the next process.  duration_s: of the movement or
 * change, 0 for the usual one.  What is answered by JAWARI_OK happens, unless the motion fails before its time.
 * JAWARI_FAILED: the motion has failed, and nothing happens until jawari_reset. */
JAWARI_API int jawari_send(jawari_engine* engine, int event, int body, double value, double duration_s,
                           uint32_t offset);
/* [control] A new value for a parameter, reached after glide_s seconds.  Answers as jawari_send does. */
JAWARI_API int jawari_set(jawari_engine* engine, int parameter, double value, double glide_s, uint32_t offset);

/* [reader] The energy account. */
JAWARI_API int jawari_read_ledger(const jawari_engine* engine, jawari_ledger* ledger);
/* [any] Accounts of single bodies, then of single contacts.  name: null if there is none. */
JAWARI_API int jawari_account_count(const jawari_engine* engine);
JAWARI_API const char* jawari_account_name(const jawari_engine* engine, int account);
/* [any] 1: of a contact, 0: of a body. */
JAWARI_API int jawari_account_is_contact(const jawari_engine* engine, int account);
/* [reader] Energy stored in every account, and what it is off by; `count` values each, as many as there are
 * accounts.  Either pointer may be null. */
JAWARI_API int jawari_read_accounts(const jawari_engine* engine, double* stored_J, double* residual_J, size_t count);

/* [any] Contacts by number, in the order of their accounts. */
JAWARI_API int jawari_contact_count(const jawari_engine* engine);
/* [reader] Name and counters of a contact. */
JAWARI_API int jawari_contact_info(const jawari_engine* engine, int contact, jawari_contact* info);

/* [any] Laws and schemes that scenes can name, by number, and their parameters.  The first call allocates.  What the
 * structs point to lives as long as the library. */
JAWARI_API int jawari_law_count(void);
JAWARI_API int jawari_law_info(int law, jawari_kind* info);
JAWARI_API int jawari_law_key(int law, int parameter, jawari_key* key);
JAWARI_API int jawari_scheme_count(void);
JAWARI_API int jawari_scheme_info(int scheme, jawari_kind* info);
JAWARI_API int jawari_scheme_key(int scheme, int parameter, jawari_key* key);

/* [reader] Seconds played, as of the last multiple of 256 frames; 1 from the call on in which the motion failed. */
JAWARI_API double jawari_time_s(const jawari_engine* engine);
JAWARI_API int jawari_failed(const jawari_engine* engine);
/* [reader] Which contact or body failed, why and in which step, as one sentence; empty if nothing failed.  Returns the
 * bytes it needs with the final zero; `text` (may be null) gets as much of it as fits into `size`.  May allocate. */
JAWARI_API int64_t jawari_failure(const jawari_engine* engine, char* text, size_t size);

/* [still] What should not be trusted about the run so far, a line each ("warning: ..."), worst first; empty if there is
 * nothing to say.  Returns the bytes it needs with the final zero; `text` gets as much of it as fits into `size`. */
JAWARI_API int64_t jawari_judge(const jawari_engine* engine, char* text, size_t size);

/* ------------------------------------------------------------------------------------------------------------------
 * Instruments: a scene with [voice] that is played.  docs/guide/instruments.md
 *
 *   jawari_instrument *instrument = NULL;
 *   jawari_instrument_open(text, strlen(text), NULL, &instrument, error, sizeof error);
 *   jawari_note middle_c = {0, JAWARI_NOTE_ON, 0, 0, -1, 0, 60, 0.8};
 *   jawari_instrument_process_f32(instrument, channels, 64, &middle_c, 1);
 */
typedef struct jawari_instrument jawari_instrument;

/* What an instrument is told.  key and note_id say which notes, -1: all; channel -1: all. */
typedef enum jawari_note_type {
  JAWARI_NOTE_ON = 0,          /* velocity, 0 to 1 */
  JAWARI_NOTE_OFF = 1,         /* speed of the release, 0 to 1 */
  JAWARI_NOTE_CUT = 2,         /* silenced within 4 ms */
  JAWARI_NOTE_TUNING = 3,      /* of notes: semitones added to the key */
  JAWARI_NOTE_PRESSURE = 4,    /* this one and those up to vibrato: of notes, or of a channel with key and note_id -1 */
  JAWARI_NOTE_TIMBRE = 5,      /* 0 to 1 */
  JAWARI_NOTE_VOLUME = 6,      /* factor, 0 to 4 */
  JAWARI_NOTE_PAN = 7,         /* 0 left, 0.5 as built, 1 right */
  JAWARI_NOTE_EXPRESSION = 8,  /* factor, 0 to 1 */
  JAWARI_NOTE_VIBRATO = 9,     /* 0 to 1 of half a semitone */
  JAWARI_NOTE_BEND = 10,       /* of a channel, as those that follow: -1 to 1 of its bend range */
  JAWARI_NOTE_BEND_RANGE = 11, /* semitones */
  JAWARI_NOTE_PEDAL = 12,      /* 0 dampers down, 1 lifted */
  JAWARI_NOTE_SOSTENUTO = 13,  /* from 0.5 on */
  JAWARI_NOTE_LEGATO = 14,     /* from 0.5 on */
  JAWARI_NOTE_MPE_ZONE = 15,   /* of channel 0 or 15: number of member channels */
  JAWARI_NOTE_RESET_CONTROLLERS = 16,
  JAWARI_NOTE_NOTES_OFF = 17,
  JAWARI_NOTE_SOUND_OFF = 18,
  JAWARI_NOTE_PANIC = 19,
  JAWARI_NOTE_CONTROL = 20,   /* index: number of the control; value: its value */
  JAWARI_NOTE_MODULATION = 21 /* likewise: added to its value, for the notes that key and note_id select */
} jawari_note_type;

typedef struct jawari_note {
  uint32_t frame;    /* after the start of the call of process */
  uint8_t type;      /* jawari_note_type */
  int8_t channel;    /* 0 to 15 */
  uint16_t index;    /* of a control */
  int32_t note_id;   /* chosen by the caller; -1: none */
  uint32_t reserved; /* 0 */
  double key;        /* 60: middle C; also between semitones */
  double value;
} jawari_note;

typedef struct jawari_instrument_options {
  uint32_t size;                  /* sizeof(jawari_instrument_options) */
  int32_t voices;                 /* notes that sound at once; 0 (default): as the scene says */
  jawari_options scene;           /* channels: 1 or 2 (default) */
  double lowest_key, highest_key; /* in place of those of the scene; -1 (default): as it says */
} jawari_instrument_options;

typedef struct jawari_control {
  uint32_t size; /* sizeof(jawari_control) */
  uint32_t reserved;
  const char* name;
  const char* text; /* one sentence for people */
  const char* unit;
  double least, most, usual;
  double value; /* now */
} jawari_control;

/* [any] Fills in the defaults and the size. */
JAWARI_API int jawari_instrument_options_init(jawari_instrument_options* options);
/* [any] As jawari_open; the scene needs a [voice]. */
JAWARI_API int jawari_instrument_open(const char* text, size_t length, const jawari_instrument_options* options,
                                      jawari_instrument** instrument, char* error, size_t error_size);
/* [still] Null is allowed. */
JAWARI_API void jawari_instrument_close(jawari_instrument* instrument);
/* [still] Back to the state after opening, bit for bit.  Allocates nothing, locks nothing. */
JAWARI_API int jawari_instrument_reset(jawari_instrument* instrument);
/* [any] Its engine, for the functions marked [any] and [reader]; do not close it. */
JAWARI_API const jawari_engine* jawari_instrument_engine(const jawari_instrument* instrument);
/* [any] Notes that can sound at once; seconds that the scene leaves after the last note. */
JAWARI_API size_t jawari_instrument_voices(const jawari_instrument* instrument);
JAWARI_API double jawari_instrument_tail_s(const jawari_instrument* instrument);
/* [audio] Voices that have not faded; 1: nothing sounds, and nothing will until a note comes. */
JAWARI_API size_t jawari_instrument_sounding(const jawari_instrument* instrument);
JAWARI_API int jawari_instrument_silent(const jawari_instrument* instrument);
/* [audio] As jawari_process_*, with `count` notes in the order of their frames. */
JAWARI_API int jawari_instrument_process_f32(jawari_instrument* instrument, float* const* out, size_t frames,
                                             const jawari_note* notes, size_t count);
JAWARI_API int jawari_instrument_process_f64(jawari_instrument* instrument, double* const* out, size_t frames,
                                             const jawari_note* notes, size_t count);
/* [audio] The same with sound that comes in, as jawari_process_input_*; at most two channels count. */
JAWARI_API int jawari_instrument_process_input_f32(jawari_instrument* instrument, float* const* out, size_t frames,
                                                   const float* const* in, size_t in_channels, const jawari_note* notes,
                                                   size_t count);
JAWARI_API int jawari_instrument_process_input_f64(jawari_instrument* instrument, double* const* out, size_t frames,
                                                   const double* const* in, size_t in_channels,
                                                   const jawari_note* notes, size_t count);
/* [control] A note for the start of the next process; JAWARI_FULL: 1024 wait. */
JAWARI_API int jawari_instrument_send(jawari_instrument* instrument, const jawari_note* note);
/* [control] The same from the bytes of MIDI messages. */
JAWARI_API int jawari_instrument_send_midi(jawari_instrument* instrument, const void* bytes, size_t count);
/* [control] 128 frequencies [Hz], 0: a silent key.  Notes that sound glide there. */
JAWARI_API int jawari_instrument_set_tuning(jawari_instrument* instrument, const double* hz);
/* [any] Fills 128 frequencies: "12-tet", "just", "tanpura", "sitar", "pythagorean", "meantone". */
JAWARI_API int jawari_tuning_by_name(const char* name, int tonic_key, double a4_hz, double* hz, char* error,
                                     size_t error_size);
/* [any] From the texts of Scala files; kbm may be null: middle C is the first degree. */
JAWARI_API int jawari_tuning_from_scala(const char* scl, size_t scl_length, const char* kbm, size_t kbm_length,
                                        double* hz, char* error, size_t error_size);
/* [any] Controls of the scene, by number.  Set by JAWARI_NOTE_CONTROL. */
JAWARI_API int jawari_instrument_control_count(const jawari_instrument* instrument);
JAWARI_API int jawari_instrument_find_control(const jawari_instrument* instrument, const char* name);
JAWARI_API int jawari_instrument_control_info(const jawari_instrument* instrument, int control, jawari_control* info);

#ifdef __cplusplus
}
#endif
#endif /* JAWARI_C_API_H */
