// Elementary functions with the same bits in every build.
//
// The C library's differ in the last bit between glibc and the one of WebAssembly, so the engine
// calls only these; of <cmath> it uses what IEEE 754 defines exactly (sqrt, abs, floor and the
// like). They are made of float64 additions, multiplications and divisions and of integer
// operations in a fixed order.
//
// Accuracy: the largest error, in units of the last place of the result, over the 5,700 rows of
// tests/data/math-reference.txt (hard cases among them) and 420,000 random arguments of the whole
// range, against values of 220 bits or more: exp 0.52, log 0.51, tanh 0.51, erf 0.76, sin 0.70,
// cos 0.73, pow 0.72 where the result is subnormal and 0.51 elsewhere. Those for float are the
// float64 result rounded. Odd and even functions are exactly so. Every NaN that comes out is the
// same one, whatever went in.
#pragma once

namespace lockstep::math {

double exp(double x);
double log(double x);  ///< -infinity at 0 and -0, NaN below
double tanh(double x);
double erf(double x);  ///< 2/sqrt(pi) ∫ from 0 to x of e^(-t²) dt

/// x to the power y, with the special cases of C (Annex F) and IEEE 754: 1 where y is 0 or x is 1
/// even for a NaN; NaN for a negative finite x and a y that is not an integer.
double pow(double x, double y);

double sin(double x);  ///< x in radians, of any size; NaN at an infinity
double cos(double x);  ///< x in radians, of any size; NaN at an infinity

float exp(float x);
float log(float x);
float tanh(float x);
float erf(float x);
float pow(float x, float y);
float sin(float x);
float cos(float x);

}  // namespace lockstep::math
