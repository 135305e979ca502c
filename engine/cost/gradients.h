// The data-parallel gradient of a linear fit in exact fractions: what the lesson's code tasks and
// questions are checked against. Real training is engine/device.
#pragma once

#include <span>
#include <vector>

#include "core/rational.h"
#include "core/result.h"

namespace lockstep {

using RationalVector = std::vector<Rational>;

/// Fit y ≈ Xw with the mean of the squared residuals as loss.
struct LinearFit {
  RationalVector weights;            ///< w, (features)
  std::vector<RationalVector> rows;  ///< X, (rows, features)
  RationalVector targets;            ///< y, (rows)
};

/// Largest rows · features of a fit, and numbers in any list here: what a page can type or show,
/// and the exact arithmetic takes under a second.
inline constexpr std::size_t kMaxGradientNumbers = 4096;

/// 2/n·Xᵀ(Xw − y), (features). Errors: empty, shapes_differ (where: the row, or "targets"),
/// too_large, no_value (a number is a fault or grows too large to be exact).
Result<RationalVector> full_gradient(const LinearFit& fit);

/// The gradient of each device that holds the next `shards[i]` rows, in order. Errors: those of
/// full_gradient, and shards_do_not_fit (they do not add up to the rows, or one is below 1).
Result<std::vector<RationalVector>> shard_gradients(const LinearFit& fit,
                                                    std::span<const int> shards);

/// `devices` equal shards. Errors: out_of_range (devices below 1), rows_not_divisible.
Result<std::vector<int>> equal_shards(std::size_t rows, int devices);

/// The element-wise sum, or mean, of one vector a device, all of one length.
/// Errors: empty, shapes_differ (where: "device 2"), too_large, no_value.
Result<RationalVector> allreduce_sum(std::span<const RationalVector> vectors);
Result<RationalVector> allreduce_mean(std::span<const RationalVector> vectors);

/// Σ nᵢgᵢ / Σ nᵢ: the mean over rows (or tokens) where devices hold different numbers of them.
/// Errors: those of allreduce_sum, shapes_differ (not one count a device), out_of_range (a count
/// below 0, or all 0).
Result<RationalVector> allreduce_weighted_mean(std::span<const RationalVector> vectors,
                                               std::span<const Rational> counts);

/// The rows cut evenly, each device's gradient, their mean: equal to full_gradient.
/// Errors: those of equal_shards and shard_gradients.
Result<RationalVector> data_parallel_grad(const LinearFit& fit, int devices);

/// Σ losses / Σ tokens: the mean loss of a token, not the mean of the devices' means.
/// Errors: those of allreduce_sum, out_of_range (tokens below 0, or none at all).
Result<Rational> token_mean_loss(std::span<const Rational> loss_sums,
                                 std::span<const Rational> tokens);

}  // namespace lockstep
