// Data parallelism: every device holds the whole model and some rows of the batch. Each takes the
// gradient of the mean loss of its own rows; the mean of these gradients is the gradient of the
// whole batch only when all have the same number of rows. Otherwise each is weighted by its rows:
// Σ nᵢ gᵢ / Σ nᵢ.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "collective/collective.h"
#include "strategy/data_parallel.h"
#include "strategy/rows.h"

namespace lockstep {
namespace {

bool all_equal(const std::vector<int>& sizes) {
  return std::ranges::adjacent_find(sizes, std::not_equal_to{}) == sizes.end();
}

Status check_given_shares(const RunConfig& config) {
  const std::vector<int>& shares = config.shares;
  if (shares.size() != static_cast<std::size_t>(config.devices)) {
    return Error{"rows_do_not_add_up", "shares",
                 "there are shares for " + std::to_string(shares.size()) + " devices, but " +
                     std::to_string(config.devices) + " devices: give each device its share"};
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::string field = "shares " + std::to_string(i);
    if (Status status = check_range(field, shares[i], 1, kRowsMax); !status.ok()) return status;
    sum += shares[i];
  }
  if (sum == config.rows) return fine();
  return Error{"rows_do_not_add_up", "shares",
               "the shares add up to " + std::to_string(sum) + " and the batch has " +
                   std::to_string(config.rows) + " rows: make them equal"};
}

/// The rows of each device, or why the plain mean of their gradients would be wrong.
Result<std::vector<int>> device_rows(const RunConfig& config) {
  const int rows = config.rows;
  const int devices = config.devices;
  if (Status status = check_range("devices", devices, 1, kRunDevicesMax); !status.ok()) {
    return status.error();
  }
  if (Status status = check_range("rows", rows, 1, kRowsMax); !status.ok()) return status.error();
  if (rows < devices) {
    return Error{"too_few_rows", "rows",
                 std::to_string(devices) + " devices need at least " + std::to_string(devices) +
                     " rows, one each; there are " + std::to_string(rows)};
  }
  if (!config.shares.empty()) {
    if (Status status = check_given_shares(config); !status.ok()) return status.error();
  }
  std::vector<int> sizes = config.shares.empty() ? even_sizes(rows, devices) : config.shares;
  if (config.weighted || all_equal(sizes)) return sizes;
  const std::string why = config.shares.empty()
                              ? std::to_string(rows) + " rows cannot be shared equally by " +
                                    std::to_string(devices) + " devices"
                              : "the shares are unequal";
  return Error{"rows_not_divisible", config.shares.empty() ? "rows" : "shares",
               why +
                   ", and the plain mean of the devices' gradients would then not be the gradient "
                   "of the batch: use " +
                   (config.shares.empty() ? neighbouring_multiples(rows, devices) + " rows"
                                          : std::string("equal shares")) +
                   ", or weighted averaging"};
}

}  // namespace

RunConfig data_parallel_defaults() {
  return RunConfig{};
}

Result<Plan> data_parallel(const RunConfig& config) {
  Result<std::vector<int>> rows = device_rows(config);
  if (!rows.ok()) return rows.error();
  const std::vector<int>& sizes = rows.value();
  Result<ModelSpec> model = model_of(config);
  if (!model.ok()) return model.error();
  const Result<CollectiveRow> collective =
      find_collective(config.collective, CollectiveKind::all_reduce);
  if (!collective.ok()) return collective.error();

  Program program{.name = "data_parallel", .stages = 1, .microbatches = 1};
  std::vector<int> group(sizes.size());
  std::iota(group.begin(), group.end(), 0);
  for (const int rank : group) {
    DeviceProgram device{.replica = rank, .stages = {0}};
    device.instructions = {{.op = Op::forward}, {.op = Op::backward}};
    if (config.weighted) {
      const int own_rows = sizes[static_cast<std::size_t>(rank)];
      device.instructions.push_back({.op = Op::scale, .numerator = own_rows});
    }
    program.devices.push_back(std::move(device));
  }
  collective.value().append(program, group, kDeviceGradient);
  const int divisor = config.weighted ? config.rows : config.devices;
  for (DeviceProgram& device : program.devices) {
    device.instructions.push_back({.op = Op::scale, .denominator = divisor});
  }

  TrainingSet data{.model = std::move(model).value(),
                   .seed = config.seed,
                   .precision = config.precision,
                   .row_ranges = consecutive_ranges(sizes)};
  return Plan{std::move(program), std::move(data)};
}

}  // namespace lockstep
