// Numbers of 16 bits, emulated: a float rounded to the nearest number that the narrow format has,
// ties to even, as hardware rounds when it stores one.
#pragma once

namespace lockstep {

/// bfloat16: 8 bits of exponent, 8 of precision; subnormals are kept.
float round_to_bfloat16(float value);

/// IEEE 754 binary16: 5 bits of exponent, 11 of precision; from 65520 on it becomes infinite.
float round_to_float16(float value);

}  // namespace lockstep
