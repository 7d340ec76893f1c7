// SPDX-License-Identifier: MIT
// The energy account of an instance: a ledger of the whole, and the balance of every body and contact.  Energies are
// measured from the state, group by group; what was lost, given and changed is summed up by bodies, lines and the
// stepper.
#pragma once
#include <span>
#include <vector>

#include "jawari/engine/band_share.h"
#include "jawari/engine/instance.h"
#include "jawari/engine/ledger.h"

namespace jawari {

/// Energies of a body and of a contact, as the ledger sums them up.
struct BodyEnergy {
  Stored stored;
  double lost_J = 0, given_J = 0, changed_J = 0;
};
struct ContactEnergy {
  double stored_J = 0, lost_J = 0, landed_J = 0, changed_J = 0;
};

class Accounts {
 public:
  Accounts(const Model& model, Instance& instance);
  const Ledger& ledger() const noexcept { return ledger_; }
  /// The energies of a group, and at times the bands of its bodies.  Groups in any order or on any threads.
  void measure(std::size_t group) noexcept;
  /// The ledger of now, from all groups; those not measured yet are.
  void note() noexcept;
  /// The ledger of a step whose energies are given, of all bodies and contacts.
  void note(std::span<const BodyEnergy> bodies, std::span<const ContactEnergy> contacts) noexcept;
  BodyEnergy body_energy(std::size_t body, const Stored& stored) const noexcept;  ///< with the sums of now
  ContactEnergy contact_energy(std::size_t contact, double stored_J) const noexcept;
  void begin() noexcept;  ///< at t = 0: all that follows is compared with now
  void watch_rounding();  ///< accounts say from now on what rounding can have moved; costs time
  double contact_J(std::size_t contact) const noexcept;  ///< stored now; as measured, where it was
  /// What each account lacks, and what it stores; 2 per account.
  void read(std::span<double> residual_then_stored) const noexcept;
  std::vector<Account> list() const;
  std::vector<BandReport> bands() const;
  std::vector<ContactReport> contacts() const;
  void archive(Archive& a) noexcept;

 private:
  void sum_up() noexcept;
  void sum_up(std::span<const BodyEnergy> bodies, std::span<const ContactEnergy> contacts) noexcept;
  void find_failures(std::size_t group) noexcept;
  Account body(std::size_t index) const;
  Account contact(std::size_t index) const;
  const Model& model_;
  Instance& instance_;
  Ledger ledger_;
  std::vector<Stored> body_stored_;  // of measure()
  std::vector<double> contact_stored_;
  std::vector<BodyEnergy> body_energies_;  // of sum_up()
  std::vector<ContactEnergy> contact_energies_;
  std::vector<BandShare> band_share_;  // per body
};

}  // namespace jawari
