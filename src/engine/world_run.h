// SPDX-License-Identifier: MIT
// What runs one instance of a model.
#pragma once
#include "accounts.h"
#include "control.h"
#include "islands.h"
#include "kernel_set.h"
#include "probes.h"
#include "step_recorder.h"
#include "stepper.h"

namespace jawari {

struct WorldRun {
  WorldRun(const Model& model, Instance& instance, std::size_t threads = 1)
      : islands(model, instance),
        kernels(model, instance, islands, threads),
        control(model, instance, islands, kernels),
        probes(model, instance),
        accounts(model, instance),
        recorder(model, instance, kernels, accounts),
        stepper(model, instance, islands, kernels, control, probes, recorder) {}
  Islands islands;
  KernelSet kernels;
  Control control;
  Probes probes;
  Accounts accounts;
  StepRecorder recorder;
  Stepper stepper;
};

}  // namespace jawari
