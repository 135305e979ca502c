// Calls that take JSON text, give JSON text and keep nothing. The forms stand in engine/json.
#pragma once

#include <string>

namespace lockstep::bindings {

/// When everything in a schedule happens (json/schedule_json.h).
std::string time_schedule(const std::string& json);
/// The same as a picture (json/picture_json.h).
std::string draw_schedule(const std::string& json);
/// The value of a closed form (json/compute_json.h).
std::string compute_form(const std::string& json);

/// json/progress_json.h: the learning day of a moment, the rating of an answer, what a log of
/// answers leaves of every skill.
std::string learning_day_of(const std::string& json);
std::string rate_answer(const std::string& json);
std::string replay_answers(const std::string& json);

}  // namespace lockstep::bindings
