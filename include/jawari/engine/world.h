// SPDX-License-Identifier: MIT
// Bodies, contact lines wired to their taps, and islands: connected components of receptance.
//   step: events -> signals -> bodies.predict -> islands.solve -> bodies.advance -> accounts
// An island is a line of points that do not feel one another (each alone), a line along one implicit or
// tension-modulated string (its own band), or dense.  Computed from the bodies, never assumed from their type.
// Groups are bodies that no contact joins with others: they never need one another, so a block may be played group by
// group, on any number of threads, with the same samples.  A group that has faded away sleeps until an event wakes it.
// step() is the readable path; play() uses fused kernels where there are any (engine/kernels.h).
// Type erasure sits at the line and at the body, not at the point.  Built by compile(); step() and play() allocate
// nothing, lock nothing and throw nothing.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jawari/body/body.h"
#include "jawari/core/archive.h"
#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"
#include "jawari/engine/band_share.h"
#include "jawari/engine/event.h"
#include "jawari/engine/event_queue.h"
#include "jawari/engine/kernels.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/signal.h"
#include "jawari/engine/system.h"

namespace jawari {

class StringKernel;

class World final : public System {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Side {  ///< y of point i += sign w[at(i)] of the body, force on the body += sign phi
    std::size_t body, tap;
    double sign;
    std::size_t stride = 1;  ///< 0: all points meet the same tap
    std::size_t at(std::size_t point) const noexcept { return tap + stride * point; }
  };
  enum class Joint { contact, spring, friction };
  struct Contact {
    std::string name, law, scheme;
    std::unique_ptr<ContactLine> line;
    std::vector<Side> sides;             ///< one or two
    std::vector<double> offset_m;        ///< per point: y at zero displacement
    Choice choice = {};                  ///< the law as the scene has it, and a factor on its stiffness: for kernels
    double weight = 1;
    double stiffness = 0, exponent = 0;  ///< of one point, for the penetration bound; 0: none
    bool half_step = false, couples = true;
    bool on_string = false;              ///< a string against a barrier
    double points_per_cell = 0;          ///< along a string, side by side; 0: points anywhere
    Joint joint = Joint::contact;
    std::size_t normal = none;           ///< friction: the contact whose force presses
    double coefficient = 0, normal_N = 0;
    double height_m = 0, height_sign = 0, built_stiffness = 0;  ///< what events may change; sign 0: no height
    double lowest_m = -1e3, highest_m = 1e3;
    double factor = 1, stiffest = 1e9;   ///< of the stiffness it was built with, and how large it may become
    double rise_m = 0, next_rise_m = 0;  ///< of a height that glides: what offset_m gained in the last step, gains in this
    std::string why = {};                       ///< scheme "auto": the reason for the choice
    std::unique_ptr<ContactLine> spare = {};    ///< "auto": what it would change to
    std::string spare_scheme = {}, spare_why = {};
    bool made_up = false;                       ///< it has changed once: enough
  };
  struct Reading {  ///< a channel of the trace
    std::string name;
    std::size_t tap;
    Quantity quantity;
  };
  enum class Kind { mass, string, modes, hand };
  struct NamedBody {
    std::string name;
    std::unique_ptr<Body> body;
    double origin_m = 0;  ///< displacement shown = w + origin
    std::vector<Reading> readings = {};
    Kind kind = Kind::mass;
    double frequency_hz = 0, bending_share = 0;  ///< of its lowest mode, for retune; 0: it has none
    std::size_t home = none;                     ///< hammer, plectrum, finger: its contact
    double toward = 1, away_m = 0;               ///< hand: which way it presses, where it waits
    double held_N = 0, held_origin_m = 0;        ///< hammer that waits: the load that acts on it from its first strike on
    double blow_N = 0;                           ///< mass: a strike, pushed in the step that comes
    void hold() noexcept;                        ///< a mass at rest, without its load until it is struck
  };
  struct Drive {
    std::string name;
    std::size_t body, tap;
    std::unique_ptr<Signal> signal;
    double amplitude = 1, largest = 1e12;  ///< and what it may be set to
    double before = 1;   ///< amplitude of the step before
    bool begun = false;  ///< an amplitude that is set before the first step is no jump
    /// Force of this step.  Where the amplitude jumps, the mean of both: the jump then happens at its step, to second order.
    double next() noexcept {
      const double mean = begun ? (before + amplitude) / 2 : amplitude;
      before = amplitude;
      begun = true;
      return mean * signal->next();
    }
  };
  struct Pickup {
    std::string name;
    bool contact;
    std::size_t index, tap;
    Quantity quantity;
    double gain, pan = 0;
  };
  struct Drawing {  ///< how a body is read for a picture: nodes from the first tap on, or mode shapes at the points
    StringView view;
    std::size_t body;
    std::vector<std::vector<double>> modes = {};  ///< [point][mode]; empty: inner points are the first taps
  };
  struct DrawnBarrier {
    BarrierView view;
    std::size_t contact;
  };
  using Timed = TimedEvent;
  struct Parts {
    double dt_s;
    std::vector<NamedBody> bodies;
    std::vector<Contact> contacts;
    std::vector<Drive> drives;
    std::vector<Pickup> pickups;
    std::vector<Drawing> drawings;
    std::vector<DrawnBarrier> barriers;
    std::vector<EventSpec> events;
    Limits limits = {};
    Kernels kernels = Kernels::exact;
  };
  explicit World(Parts parts);  ///< throws Refusal: a scheme for single contacts in an island, an event without target
  ~World() override;

  void step() noexcept override;
  const Ledger& ledger() const noexcept override { return ledger_; }
  std::vector<ContactReport> contacts() const override;
  double sound() const noexcept override;
  std::size_t tracks() const noexcept override { return parts_.pickups.size(); }
  void hear(std::span<double> per_pickup) const noexcept override;
  std::vector<Track> track_list() const override;
  void read(std::span<double> row) const noexcept override;
  void read_shape(std::size_t string, std::span<double> u_m) const noexcept override;
  std::span<const double> point_forces(std::size_t barrier) const noexcept override;
  std::vector<Account> accounts() const override;
  std::vector<BandReport> bands() const override;
  void read_accounts(std::span<double> residual_then_stored) const noexcept;  ///< without allocating; 2 per account
  std::size_t contact_count() const noexcept { return parts_.contacts.size(); }
  const ContactRecord& record(std::size_t contact) const noexcept;
  std::size_t account_count() const noexcept { return parts_.bodies.size() + parts_.contacts.size(); }
  /// The ledger looks at the state after every so many steps (1 by default); 0: only when audit() is called.
  void watch_rounding();  ///< accounts say from now on what rounding can have moved; costs time
  void audit_every(std::int64_t steps) noexcept override { audit_every_ = steps; }
  void audit() noexcept { book(), ledger_.note(), gather(); }

  std::int64_t play(std::int64_t steps, double* const* tracks) noexcept override;
  // The same by groups: announce(), then play() for all groups, in any order or at once, then played().
  void announce(std::int64_t frames) noexcept;  ///< gives the groups the events of the block that comes
  std::size_t groups() const noexcept { return groups_.size(); }
  std::size_t kernels() const noexcept;  ///< bodies that a kernel stands in for
  /// The steps from..to of a block of so many frames; to == frames: the readings afterwards are those of its last step.
  void play(std::size_t group, std::int64_t from, std::int64_t to, std::int64_t frames, double* const* tracks) noexcept;
  void weigh(std::size_t group) noexcept;  ///< its energies, for the next audit(); groups in any order or at once
  void played(std::int64_t frames) noexcept;

  // Events.  post() may be called between blocks, by the thread that plays.
  std::size_t find_body(std::string_view name) const noexcept;  ///< none if there is no such body
  std::size_t find_knob(std::string_view name) const noexcept;
  const std::vector<Knob>& knobs() const noexcept { return knobs_; }
  bool serves(EventType type, std::size_t target) const noexcept;
  bool takes(const Event& event) const noexcept;  ///< it serves, and value and duration make sense
  /// In `steps_from_now` time steps; false: takes() says no, or EventQueue::capacity of them wait.
  bool post(std::int64_t steps_from_now, const Event& event) noexcept;
  std::size_t waiting() const noexcept { return queue_.size(); }  ///< posted, and later than the block announced
  void forget() noexcept { queue_.clear(); }                      ///< drops all that wait

  // State (world_state.cpp), between blocks.
  /// Counts, writes or reads all that steps change.  Kernels hand their state back first, and take it up again in the next
  /// block.  Allocates nothing.  After a refused reading the state is of no use until another one is read.
  void archive(Archive& a) noexcept;
  /// Tells models apart whose states do not fit each other.
  std::uint64_t fingerprint() const;

 private:
  struct Solver {
    std::vector<std::size_t> contacts;
    std::unique_ptr<Compliance> compliance;  // null: one line of points that do not feel one another
    DenseCompliance* dense = nullptr;        // the compliance, where it is dense
    std::unique_ptr<Island> island;
    bool varies = false;
  };
  struct Group {
    std::vector<std::size_t> bodies, solvers, drives, pickups, contacts, knobs;
    std::vector<Timed> planned;         // of the scene, by time
    std::size_t next = 0;
    std::size_t due = none, last_due = none;  // its events in due_
    std::int64_t step = 0;
    std::int64_t busy_until = 0;        // before this step a height moves or a mass is struck: the reference path alone
    bool asleep = false;
    Failure failure;                    // none: it goes on
    std::int64_t weighed_step = 0;      // when its energies were last looked at
    std::int64_t next_look = 0;         // at the bands of its bodies
    std::size_t kernels = 0;            // of its bodies
    bool alone = false;                 // nothing but kernels
    std::vector<std::size_t> heard;     // pickups that no kernel hears
    bool weighed = false;               // body_stored_ and contact_stored_ are those of now
  };
  struct Stand;  // world_stand.h
  enum class KnobKind { frequency, tuning, damping, stiffness, height, coefficient, normal, gain, amplitude };
  struct Ramp {
    KnobKind kind;
    std::size_t index;
    double from = 0, to = 0;
    std::int64_t steps = 0, done = 0;  // steps 0: at rest
    std::int64_t every() const noexcept {  // steps between two changes of it
      return kind == KnobKind::height ? 1 : kind == KnobKind::stiffness ? table_steps : slow_steps;
    }
  };
  struct Books {
    Sum received, changed;
    double start = 0;
  };

  // world.cpp
  bool begin(Group& group) noexcept;  // events, ramps, slow things; false: asleep
  void move(Group& group) noexcept;
  bool account(std::size_t contact) noexcept;  // false: its work is not finite
  void doze(Group& group) noexcept;
  void wake(Group& group) noexcept;
  void sleep(Group& group) noexcept;
  bool calm(const Contact& contact) const noexcept;
  static bool speaks(const Drive& drive) noexcept {
    return (drive.amplitude != 0 || (drive.begun && drive.before != 0)) && !drive.signal->silent();
  }
  void solve(Solver& solver) noexcept;
  void press(Contact& friction) noexcept;
  void fill_ports(Contact& c) noexcept;
  void settle() noexcept;
  // world_failure.cpp
  Failure contact_failure(std::size_t contact, std::int64_t first, std::int64_t last) const noexcept;
  Failure find_culprit(const Group& group, std::int64_t first, std::int64_t last) const noexcept;
  void look_back(Group& group, std::int64_t from, std::int64_t to, std::int64_t began, double* const* tracks) noexcept;
  void look_at_energies(Group& group) noexcept;
  void gather() noexcept;
  // islands.cpp
  void assemble(Solver& solver) noexcept;
  double receptance(const Contact& a, std::size_t i, const Contact& b, std::size_t j) const noexcept;
  bool coupled(const Contact& a, std::size_t i, const Contact& b, std::size_t j) const noexcept;
  void find_islands();
  Solver make_solver(std::vector<std::size_t> contacts, bool together);
  void find_groups();
  // world_kernel.cpp
  void find_stands();
  void make_stand(std::size_t body);
  void make_lone(std::size_t body);
  bool presses(std::size_t contact) const noexcept;
  void wire(Stand& stand) const;
  std::unique_ptr<StringKernel> match(const Stand& stand, std::size_t contact, const std::string& scheme) const;
  void sort_out(Group& group) noexcept;
  Stand* stand_of(const Solver& solver) const noexcept;
  void show() const noexcept;
  void show(const Group& group) const noexcept;
  void show(Stand& stand) const noexcept;
  void leave(const Group& group) noexcept;
  void take(Stand& stand) noexcept;
  std::int64_t quiet_steps(const Group& group) const noexcept;
  void run_block(Group& group, std::int64_t steps, std::int64_t at, double* const* tracks, bool last) noexcept;
  void step_beside(Group& group, std::int64_t at, double* const* tracks, bool last) noexcept;
  void run(Stand& stand, std::int64_t steps, std::int64_t at, double* const* tracks, bool last) noexcept;
  // world_events.cpp
  void make_knobs();
  void plan(const std::vector<EventSpec>& events);
  void happen(Group& group) noexcept;
  void apply(const Event& event) noexcept;
  // world_change.cpp
  void strike(std::size_t body, double speed_m_s) noexcept;
  bool place_hammer(std::size_t body, double speed_m_s) noexcept;
  bool meets(const Contact& c, std::size_t body) const noexcept;
  void stiffen(std::size_t contact, double factor) noexcept;
  void set_stiffness(std::size_t contact, double factor) noexcept;
  void busy(Group& group, std::int64_t steps) noexcept { group.busy_until = std::max(group.busy_until, group.step + steps); }
  void turn(std::size_t knob, double value, double duration_s) noexcept;
  void ramp(Ramp& ramp, std::int64_t steps) noexcept;
  void set(const Ramp& ramp, double value) noexcept;
  void reconsider(Contact& c) noexcept;
  void change_scheme(Contact& c) noexcept;
  void tune(std::size_t body) noexcept;
  void set_tuning(std::size_t body) noexcept;
  // world_state.cpp
  void archive(Archive& a, Failure& failure) const noexcept;
  void archive_body(Archive& a, std::size_t body) noexcept;
  void archive_contact(Archive& a, std::size_t contact) noexcept;
  void archive_group(Archive& a, Group& group) noexcept;
  // world_read.cpp
  void book() noexcept;
  double value(const NamedBody& b, std::size_t tap, Quantity quantity) const noexcept;
  double value(const Pickup& p) const noexcept;
  double load_rounding(const Body& body) const noexcept;
  double contact_lost(const Contact& c) const noexcept;
  double stored(std::size_t account) const noexcept;
  double residual(std::size_t account, double stored_J) const noexcept;

  Parts parts_;
  std::vector<Solver> solvers_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_body_;
  std::vector<Knob> knobs_;
  std::vector<Ramp> ramps_;          // one per knob
  std::vector<std::size_t> group_of_knob_;
  mutable std::vector<Books> books_;  // bodies, then contacts; kernels fill them when somebody looks
  struct Tuning {
    double tension = 1, bending = 1, added = 0;
    bool operator==(const Tuning&) const = default;
  };
  std::vector<Tuning> tuning_;       // per body
  std::vector<Stored> body_stored_;  // of weigh()
  std::vector<double> contact_stored_;
  std::vector<BandShare> band_share_;  // per body
  std::vector<std::unique_ptr<Stand>> stands_;  // per body; null: no kernel
  std::vector<double*> here_;                   // per pickup, while play() runs
  EventQueue queue_;   // posted, not yet due
  struct Due {
    Timed timed;
    std::size_t next;  // of the same group; none: the last
  };
  std::vector<Due> due_;  // of the block announced; groups read their own
  Ledger ledger_;
  std::int64_t audit_every_ = 1;

  /// Steps between two looks at slow things: ramps of parameters, the mind of "auto", whether to sleep.  Counted from
  /// the start of the run, so that blocks of any size give the same samples.
  /// A stiffness that glides changes more rarely: fitting its table takes 0.1 ms.
  static constexpr std::int64_t slow_steps = 16, table_steps = 256, mind_steps = 1024, doze_steps = 512;
  static constexpr std::int64_t look_steps = 256;  // between two looks at the bands, at least
};

}  // namespace jawari
