#include "cost/gradients.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

namespace lockstep {
namespace {

Error shapes_differ(std::string where, std::size_t found, std::size_t expected) {
  return {
      "shapes_differ", std::move(where),
      "Expected " + std::to_string(expected) + " numbers here, not " + std::to_string(found) + "."};
}

/// The vector, if all of its numbers have a value.
Result<RationalVector> checked(RationalVector vector) {
  const auto faulty = std::ranges::find_if_not(vector, &Rational::ok);
  if (faulty == vector.end()) return vector;
  return Error{"no_value", "element " + std::to_string(faulty - vector.begin()),
               "This comes to " + std::string(fault_text(faulty->fault())) + "."};
}

Status check_fit(const LinearFit& fit) {
  if (fit.rows.empty()) return Error{"empty", "rows", "There are no rows to fit."};
  const std::size_t features = fit.weights.size();
  if (fit.rows.size() * std::max<std::size_t>(features, 1) > kMaxGradientNumbers) {
    return Error{"too_large", "rows",
                 "At most " + std::to_string(kMaxGradientNumbers) + " numbers can be fitted."};
  }
  for (std::size_t row = 0; row < fit.rows.size(); ++row) {
    if (fit.rows[row].size() == features) continue;
    return shapes_differ("row " + std::to_string(row), fit.rows[row].size(), features);
  }
  if (fit.targets.size() != fit.rows.size()) {
    return shapes_differ("targets", fit.targets.size(), fit.rows.size());
  }
  return fine();
}

/// The gradient over rows first … first + count − 1 alone.
RationalVector gradient_of_rows(const LinearFit& fit, std::size_t first, std::size_t count) {
  RationalVector gradient(fit.weights.size());
  for (std::size_t row = first; row < first + count; ++row) {
    Rational residual = -fit.targets[row];
    for (std::size_t i = 0; i < fit.weights.size(); ++i) {
      residual += fit.rows[row][i] * fit.weights[i];
    }
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += fit.rows[row][i] * residual;
  }
  const Rational scale(2, static_cast<std::int64_t>(count));
  for (Rational& element : gradient) element *= scale;
  return gradient;
}

Status check_vectors(std::span<const RationalVector> vectors) {
  if (vectors.empty()) return Error{"empty", "devices", "There is no device to take a mean of."};
  const std::size_t length = vectors.front().size();
  if (vectors.size() * std::max<std::size_t>(length, 1) > kMaxGradientNumbers) {
    return Error{"too_large", "devices",
                 "At most " + std::to_string(kMaxGradientNumbers) + " numbers can be added."};
  }
  for (std::size_t device = 0; device < vectors.size(); ++device) {
    if (vectors[device].size() == length) continue;
    return shapes_differ("device " + std::to_string(device), vectors[device].size(), length);
  }
  return fine();
}

/// Σ countᵢ·vectorᵢ / divisor
Result<RationalVector> weighted_sum(std::span<const RationalVector> vectors,
                                    std::span<const Rational> counts, const Rational& divisor) {
  RationalVector sum(vectors.front().size());
  for (std::size_t device = 0; device < vectors.size(); ++device) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += vectors[device][i] * counts[device];
  }
  for (Rational& element : sum) element /= divisor;
  return checked(std::move(sum));
}

}  // namespace

Result<RationalVector> full_gradient(const LinearFit& fit) {
  const Status status = check_fit(fit);
  if (!status.ok()) return status.error();
  return checked(gradient_of_rows(fit, 0, fit.rows.size()));
}

Result<std::vector<RationalVector>> shard_gradients(const LinearFit& fit,
                                                    std::span<const int> shards) {
  const Status status = check_fit(fit);
  if (!status.ok()) return status.error();
  std::vector<RationalVector> gradients;
  std::size_t first = 0;
  for (const int shard : shards) {
    const std::size_t count = static_cast<std::size_t>(std::max(shard, 0));
    if (count == 0 || count > fit.rows.size() - first) break;
    Result<RationalVector> gradient = checked(gradient_of_rows(fit, first, count));
    if (!gradient.ok()) return gradient.error();
    gradients.push_back(std::move(gradient).value());
    first += count;
  }
  if (gradients.size() == shards.size() && first == fit.rows.size()) return gradients;
  return Error{"shards_do_not_fit", "shards",
               "Each device needs at least one row, and together they need all " +
                   std::to_string(fit.rows.size()) + "."};
}

Result<std::vector<int>> equal_shards(std::size_t rows, int devices) {
  if (devices < 1) {
    return Error{"out_of_range", "devices", "The number of devices is at least 1."};
  }
  const std::size_t shards = static_cast<std::size_t>(devices);
  if (rows % shards != 0) {
    return Error{"rows_not_divisible", "devices",
                 std::to_string(rows) + " rows cannot be split evenly across " +
                     std::to_string(devices) + " devices."};
  }
  return std::vector<int>(shards, static_cast<int>(rows / shards));
}

Result<RationalVector> allreduce_sum(std::span<const RationalVector> vectors) {
  const Status status = check_vectors(vectors);
  if (!status.ok()) return status.error();
  return weighted_sum(vectors, RationalVector(vectors.size(), 1), 1);
}

Result<RationalVector> allreduce_mean(std::span<const RationalVector> vectors) {
  return allreduce_weighted_mean(vectors, RationalVector(vectors.size(), 1));
}

Result<RationalVector> allreduce_weighted_mean(std::span<const RationalVector> vectors,
                                               std::span<const Rational> counts) {
  const Status status = check_vectors(vectors);
  if (!status.ok()) return status.error();
  if (counts.size() != vectors.size()) {
    return shapes_differ("counts", counts.size(), vectors.size());
  }
  Rational total = 0;
  for (const Rational& count : counts) {
    if (count.sign() < 0) return Error{"out_of_range", "counts", "A count is at least 0."};
    total += count;
  }
  if (total.is_zero()) return Error{"out_of_range", "counts", "Some count is above 0."};
  return weighted_sum(vectors, counts, total);
}

Result<RationalVector> data_parallel_grad(const LinearFit& fit, int devices) {
  const Result<std::vector<int>> shards = equal_shards(fit.rows.size(), devices);
  if (!shards.ok()) return shards.error();
  const Result<std::vector<RationalVector>> gradients = shard_gradients(fit, shards.value());
  if (!gradients.ok()) return gradients.error();
  return allreduce_mean(gradients.value());
}

Result<Rational> token_mean_loss(std::span<const Rational> loss_sums,
                                 std::span<const Rational> tokens) {
  if (loss_sums.size() != tokens.size()) {
    return shapes_differ("tokens", tokens.size(), loss_sums.size());
  }
  std::vector<RationalVector> losses_and_tokens;
  for (std::size_t device = 0; device < tokens.size(); ++device) {
    if (tokens[device].sign() < 0) {
      return Error{"out_of_range", "tokens", "A number of tokens is at least 0."};
    }
    losses_and_tokens.push_back({loss_sums[device], tokens[device]});
  }
  const Result<RationalVector> sums = allreduce_sum(losses_and_tokens);
  if (!sums.ok()) return sums.error();
  if (sums.value()[1].is_zero()) {
    return Error{"out_of_range", "tokens", "Some device has a token."};
  }
  return sums.value()[0] / sums.value()[1];
}

}  // namespace lockstep
