// The tables of keys of lesson.json and chapter.json.
#pragma once

#include <cstdint>

#include "document/key_table.h"

namespace lockstep {

/// Ranges of whole numbers that a demonstration or a run may ask for.
inline constexpr int kMaxExperimentDevices = 16;  ///< workers that a page can hold at once
inline constexpr int kMaxExperimentSteps = 20;    ///< a transformer trains so long within seconds
inline constexpr int kMaxExperimentRows = 4096;   ///< a run stays under a second on a phone
inline constexpr std::uint32_t kMaxSeed = 0xFFFFFFFFu;

/// The keys of lesson.json and of chapter.json, all the way down.
const KeyTable& lesson_keys();
const KeyTable& chapter_keys();

}  // namespace lockstep
