// How far apart rounding alone may take two gradients: what exceeds this is a fault.
#pragma once

#include <vector>

#include "model/gradient.h"
#include "model/stage.h"

namespace lockstep {

/// By parameter, the most by which two computed gradients of this batch can differ when both start
/// from the same bits of forward activations (any cut into stages, microbatches and shards does),
/// and each then
/// - divides the output gradient by the elements of the batch, or of its shard, or not at all;
/// - sums rows in any grouping, into partial sums that are combined in any order by at most `parts`
///   additions (data parallel on n devices: parts = n);
/// - scales by at most one factor <= 1 (1/n, or the share of the shard), itself rounded once.
///
/// Derivation. Let d be the exact output gradient 2 (y - t) / elements of the bits y, and G the
/// gradient that exact arithmetic makes of it. A computed gradient is G with factors 1 + e, |e| <=
/// u, on its terms: 1 for y - t, 2 for the quotient (rounded to float64, then to T); `outputs` for
/// each linear layer that the gradient comes back through (a product and outputs - 1 additions);
/// at the layer itself 1 for the product, at most rows - 1 + parts for additions, 2 for the factor
/// and the scaling by it. So k = 5 + rows + parts + Σ outputs of the layers behind, and by
/// induction over the layers |g - G| <= gamma_k S, with S = Σ over rows |x|ᵀ |d|, where |d| is
/// carried back by |weight| and the relu masks, and both sides have underflow_allowance added.
/// Two such gradients differ by at most 2 gamma_k S.
template <typename T>
std::vector<double> gradient_bound(const Stage<T>& model, const Batch<T>& batch, int parts);

/// By parameter, the most by which single_device_gradient, computed in T, can differ from the
/// gradient in exact arithmetic; for comparing with finite differences.
///
/// A running error analysis: every computed number carries its error bound, forward
/// (approximate_linear; relu lets no error grow) and backward, where a product of two approximate
/// numbers x (± a) and d (± b) is off by |x| b + |d| a + a b. Where a relu's input is within its
/// error of 0 its slope may be wrong, and the whole number that it passes or stops counts as error.
template <typename T>
std::vector<double> gradient_error_bound(const Stage<T>& model, const Batch<T>& batch);

}  // namespace lockstep
