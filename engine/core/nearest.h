// "Did you mean …": the known word that is closest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// The candidate with the fewest insertions, deletions, replacements and swaps of neighbours away
/// from `word` (letter case aside), the first of equals; empty when even that one differs in more
/// than a third of its letters. Linear in the number of candidates.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// " (did you mean \"gpipe\"?)", or nothing when no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace lockstep
