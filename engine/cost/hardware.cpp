#include "cost/hardware.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/nearest.h"

namespace lockstep {
namespace {

constexpr std::int64_t kTera = 1'000'000'000'000;
constexpr std::int64_t kGiga = 1'000'000'000;
constexpr std::int64_t kGibi = 1'073'741'824;

constexpr std::array kFigures = {
    HardwareFigure{"bf16", "FLOP/s", "peak of dense products in 16 bits (V100: fp16)"},
    HardwareFigure{"int8", "OP/s", "peak of dense products in 8 bits"},
    HardwareFigure{"memory", "bytes",
                   "capacity, as the maker counts it: NVIDIA in 10^9 bytes, Google in 2^30"},
    HardwareFigure{"memory_bandwidth", "bytes/s", "of the memory"},
    HardwareFigure{"link_bandwidth", "bytes/s", "of all links to other devices, one direction"},
};

constexpr std::string_view kNvidiaV100 = "NVIDIA V100 data sheet (SXM2, 32 GB)";
constexpr std::string_view kNvidiaA100 = "NVIDIA A100 data sheet (SXM, 80 GB)";
constexpr std::string_view kNvidiaH100 =
    "NVIDIA H100 data sheet (SXM); it gives peaks with sparsity, twice these";
constexpr std::string_view kNvidiaH200 =
    "NVIDIA H200 data sheet (SXM); it gives peaks with sparsity, twice these";
constexpr std::string_view kNvidiaB200 =
    "NVIDIA DGX B200 data sheet, an eighth of it; it gives peaks with sparsity, twice these";
constexpr std::string_view kGoogleV4 = "docs.cloud.google.com/tpu/docs/v4; 6 links of 50 GB/s";
constexpr std::string_view kGoogleV5e =
    "docs.cloud.google.com/tpu/docs/v5e; 1,600 Gbit/s between chips, one direction";
constexpr std::string_view kGoogleV5p =
    "docs.cloud.google.com/tpu/docs/v5p; 4,800 Gbit/s between chips, one direction";

constexpr std::array kAccelerators = {
    Accelerator{"V100", {125 * kTera, 0, 32 * kGiga, 900 * kGiga, 150 * kGiga}, kNvidiaV100},
    Accelerator{
        "A100", {312 * kTera, 624 * kTera, 80 * kGiga, 2039 * kGiga, 300 * kGiga}, kNvidiaA100},
    Accelerator{"H100",
                {989'500 * kGiga, 1979 * kTera, 80 * kGiga, 3350 * kGiga, 450 * kGiga},
                kNvidiaH100},
    Accelerator{"H200",
                {989'500 * kGiga, 1979 * kTera, 141 * kGiga, 4800 * kGiga, 450 * kGiga},
                kNvidiaH200},
    Accelerator{
        "B200", {2250 * kTera, 4500 * kTera, 180 * kGiga, 8000 * kGiga, 900 * kGiga}, kNvidiaB200},
    Accelerator{
        "TPUv4", {275 * kTera, 275 * kTera, 32 * kGibi, 1200 * kGiga, 300 * kGiga}, kGoogleV4},
    Accelerator{
        "TPUv5e", {197 * kTera, 393 * kTera, 16 * kGibi, 819 * kGiga, 200 * kGiga}, kGoogleV5e},
    Accelerator{
        "TPUv5p", {459 * kTera, 918 * kTera, 95 * kGibi, 2765 * kGiga, 600 * kGiga}, kGoogleV5p},
};

/// The row of a table that is called `name`, or the error with the nearest one.
template <typename Table>
Result<std::size_t> find(const Table& table, std::string_view name, const char* code,
                         const char* what) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return i;
    names.push_back(table[i].name);
  }
  return Error{code, std::string(name),
               "there is no " + std::string(what) + " called \"" + std::string(name) + "\"" +
                   did_you_mean(name, names)};
}

}  // namespace

std::span<const HardwareFigure> hardware_figures() {
  return kFigures;
}

std::span<const Accelerator> accelerators() {
  return kAccelerators;
}

Result<Rational> hardware_figure(std::string_view name) {
  const std::size_t point = std::min(name.find('.'), name.size());
  const Result<std::size_t> chip =
      find(kAccelerators, name.substr(0, point), "unknown_hardware", "accelerator");
  if (!chip.ok()) return chip.error();
  const Result<std::size_t> figure = find(kFigures, name.substr(std::min(point + 1, name.size())),
                                          "unknown_figure", "figure of an accelerator");
  if (!figure.ok()) return figure.error();
  const std::int64_t value = kAccelerators[chip.value()].values[figure.value()];
  if (value > 0) return Rational(value);
  return Error{"no_figure", std::string(name), "its maker gives no such figure"};
}

}  // namespace lockstep
