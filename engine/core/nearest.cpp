#include "core/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace lockstep {
namespace {

/// Longer words are not compared: no name of ours is longer, and the cost is a product of lengths.
constexpr std::size_t kMaxLetters = 64;

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Optimal string alignment distance (Damerau 1964, each letter moved at most once).
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_edits = kMaxLetters;
  if (word.size() > kMaxLetters) return best;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kMaxLetters) continue;
    const std::size_t edits = edits_between(word, candidate);
    if (edits < best_edits && 3 * edits <= candidate.size()) {
      best = candidate;
      best_edits = edits;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest(word, candidates);
  return near.empty() ? std::string() : " (did you mean \"" + std::string(near) + "\"?)";
}

}  // namespace lockstep
