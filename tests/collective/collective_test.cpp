#include "collective/collective.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <set>
#include <span>
#include <string>

#include "collective/play.h"
#include "core/random.h"
#include "program/validate.h"

using namespace lockstep;

namespace {

constexpr int kGroupMax = 16;

using Vector = std::vector<double>;  // of whole numbers, so that sums are exact

std::vector<int> first_ranks(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Program program_of(const CollectiveRow& row, int size) {
  Program program{.name = std::string(row.name)};
  program.devices.resize(static_cast<std::size_t>(size));
  row.append(program, first_ranks(size), kDeviceGradient);
  return program;
}

Program program_of(std::string_view name, int size) {
  return program_of(find_collective(name).value(), size);
}

std::vector<Vector> drawn_vectors(std::uint64_t seed, int count, int elements) {
  std::vector<Vector> vectors;
  for (int rank = 0; rank < count; ++rank) {
    Vector& vector = vectors.emplace_back();
    for (int i = 0; i < elements; ++i) {
      const auto stream = static_cast<std::uint64_t>(rank);
      vector.push_back(
          static_cast<double>(random_below(seed, stream, static_cast<std::uint64_t>(i), 1000)));
    }
  }
  return vectors;
}

Vector sum_of(const std::vector<Vector>& vectors) {
  Vector sum(vectors.front().size(), 0);
  for (const Vector& vector : vectors) {
    std::ranges::transform(sum, vector, sum.begin(), std::plus<>());
  }
  return sum;
}

std::vector<Vector> after(const Program& program, const std::vector<Vector>& vectors) {
  const auto rounds = play_collective(program, vectors);
  REQUIRE(rounds.ok());
  return rounds.value().empty() ? vectors : rounds.value().back().vectors;
}

Vector chunk_of(const Vector& vector, int chunk, int chunks) {
  const ElementRange range = chunk_range(static_cast<std::int64_t>(vector.size()), chunk, chunks);
  const std::span<const double> part = std::span(vector).subspan(
      static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.count));
  return Vector(part.begin(), part.end());
}

/// What a collective promises, by its definition and without its program.
void check_promise(CollectiveKind kind, const std::vector<Vector>& before,
                   const std::vector<Vector>& end) {
  const int size = static_cast<int>(before.size());
  for (int position = 0; position < size; ++position) {
    CAPTURE(position);
    const auto at = static_cast<std::size_t>(position);
    switch (kind) {
      case CollectiveKind::all_reduce:
        REQUIRE(end[at] == sum_of(before));
        break;
      case CollectiveKind::reduce_scatter:
        REQUIRE(chunk_of(end[at], position, size) == chunk_of(sum_of(before), position, size));
        break;
      case CollectiveKind::broadcast:
        REQUIRE(end[at] == before.front());
        break;
      case CollectiveKind::all_gather:
        for (int chunk = 0; chunk < size; ++chunk) {
          REQUIRE(chunk_of(end[at], chunk, size) ==
                  chunk_of(before[static_cast<std::size_t>(chunk)], chunk, size));
        }
        break;
      case CollectiveKind::all_to_all:
        for (int other = 0; other < size; ++other) {
          REQUIRE(chunk_of(end[at], other, size) ==
                  chunk_of(before[static_cast<std::size_t>(other)], position, size));
        }
        break;
    }
  }
}

std::int64_t elements_sent_by(int rank, const std::vector<CollectiveRound>& rounds) {
  std::int64_t elements = 0;
  for (const CollectiveRound& round : rounds) {
    for (const SentPart& send : round.sends) elements += send.from == rank ? send.elements : 0;
  }
  return elements;
}

}  // namespace

TEST_CASE("every collective is a valid program that keeps its promise for 1 to 16 devices") {
  for (const CollectiveRow& row : collective_table()) {
    for (int size = 1; size <= kGroupMax; ++size) {
      const Program program = program_of(row, size);
      REQUIRE(validate(program).empty());
      for (const int elements : {0, 1, 3, size, 2 * size + 1, 37}) {
        // Blocks change places, so that all must have one size.
        const bool blocks = row.kind == CollectiveKind::all_to_all;
        const int count = blocks ? elements / size * size : elements;
        CAPTURE(row.name, size, count);
        const std::vector<Vector> vectors = drawn_vectors(1, size, count);
        check_promise(row.kind, vectors, after(program, vectors));
      }
    }
  }
}

TEST_CASE("a group may be any ranks in any order; the others are left alone") {
  for (const CollectiveRow& row : collective_table()) {
    if (row.kind != CollectiveKind::all_reduce) continue;
    CAPTURE(row.name);
    Program program{.name = std::string(row.name)};
    program.devices.resize(6);
    row.append(program, std::vector<int>{5, 0, 3}, kDeviceGradient);
    row.append(program, std::vector<int>{4, 1}, kDeviceGradient);
    REQUIRE(validate(program).empty());
    CHECK(program.devices[2].instructions.empty());
    const std::vector<Vector> vectors = drawn_vectors(2, 6, 7);
    const std::vector<Vector> end = after(program, vectors);
    CHECK(end[0] == sum_of({vectors[5], vectors[0], vectors[3]}));
    CHECK(end[3] == end[0]);
    CHECK(end[5] == end[0]);
    CHECK(end[1] == sum_of({vectors[4], vectors[1]}));
    CHECK(end[4] == end[1]);
    CHECK(end[2] == vectors[2]);
  }
}

TEST_CASE("two collectives one after the other do not mix their messages") {
  for (const CollectiveRow& row : collective_table()) {
    if (row.kind != CollectiveKind::all_reduce) continue;
    CAPTURE(row.name);
    Program program = program_of(row, 5);
    row.append(program, first_ranks(5), kDeviceGradient);
    REQUIRE(validate(program).empty());
    const std::vector<Vector> vectors = drawn_vectors(3, 5, 10);
    Vector expected = sum_of(vectors);
    for (double& element : expected) element *= 5;  // the second sums five equal vectors
    CHECK(after(program, vectors) == std::vector<Vector>(5, expected));
  }
}

TEST_CASE("the busiest device sends what the row says, whatever the group's size") {
  for (const CollectiveRow& row : collective_table()) {
    for (int size = 1; size <= kGroupMax; ++size) {
      // So many that all chunks have one size: double_binary_tree cuts in eight, rabenseifner in a
      // power of two up to 16.
      const int elements = 16 * size;
      const auto rounds =
          play_collective(program_of(row, size), drawn_vectors(5, size, elements)).value();
      std::int64_t most = 0;
      for (int rank = 0; rank < size; ++rank) {
        most = std::max(most, elements_sent_by(rank, rounds));
      }
      CAPTURE(row.name, size);
      REQUIRE(Rational(most) == row.cost(size).sent * Rational(elements));
    }
  }
}

TEST_CASE("no all-reduce sends less than is possible, and the ring sends just that") {
  for (const CollectiveRow& row : collective_table()) {
    if (row.kind != CollectiveKind::all_reduce) continue;
    for (int size = 2; size <= 64; ++size) {
      CAPTURE(row.name, size);
      const Rational least = Rational(2 * (size - 1)) / Rational(size);  // Patarasuk and Yuan 2009
      REQUIRE(row.cost(size).sent >= least);
      if (row.name == "ring_all_reduce") REQUIRE(row.cost(size).sent == least);
      if (row.name == "double_binary_tree") REQUIRE(row.cost(size).sent <= Rational(2));
    }
  }
}

TEST_CASE("a ring all-reduce takes 2(N−1) rounds of N messages, each to the next device") {
  for (int size = 1; size <= kGroupMax; ++size) {
    CAPTURE(size);
    const auto rounds =
        play_collective(program_of("ring_all_reduce", size), drawn_vectors(4, size, 3 * size))
            .value();
    REQUIRE(rounds.size() == static_cast<std::size_t>(2 * (size - 1)));
    for (const CollectiveRound& round : rounds) {
      REQUIRE(round.sends.size() == static_cast<std::size_t>(size));
      for (const SentPart& send : round.sends) REQUIRE(send.to == (send.from + 1) % size);
    }
  }
}

TEST_CASE("with any length all devices of a ring together send the vector 2(N−1) times") {
  for (int size = 1; size <= kGroupMax; ++size) {
    for (int elements = 0; elements <= 20; ++elements) {
      const auto rounds =
          play_collective(program_of("ring_all_reduce", size), drawn_vectors(6, size, elements))
              .value();
      std::int64_t sent = 0;
      for (int rank = 0; rank < size; ++rank) sent += elements_sent_by(rank, rounds);
      CAPTURE(size, elements);
      REQUIRE(sent == 2 * (size - 1) * elements);
    }
  }
}

TEST_CASE("two devices: each sends one half, gets the other's sum back") {
  // by hand: chunk 0 is summed on rank 1, chunk 1 on rank 0
  const auto rounds = play_collective(program_of("ring_all_reduce", 2), {{1, 2}, {10, 20}}).value();
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[0].adds);
  CHECK(rounds[0].vectors == std::vector<Vector>{{1, 22}, {11, 20}});
  CHECK(!rounds[1].adds);
  CHECK(rounds[1].vectors == std::vector<Vector>{{11, 22}, {11, 22}});
}

TEST_CASE("four devices halve and double: by hand") {
  // Position 0 keeps chunks 0 and 1 of four in the first step, then chunk 0 alone.
  const auto rounds =
      play_collective(program_of("rabenseifner", 4),
                      {{1, 1, 1, 1}, {10, 10, 10, 10}, {100, 100, 100, 100}, {7, 7, 7, 7}})
          .value();
  REQUIRE(rounds.size() == 4);
  CHECK(rounds[0].vectors[0] == Vector{101, 101, 1, 1});
  CHECK(rounds[0].vectors[3] == Vector{7, 7, 17, 17});
  CHECK(rounds[1].vectors[0] == Vector{118, 101, 1, 1});
  CHECK(rounds[2].vectors[0] == Vector{118, 118, 1, 1});
  CHECK(rounds[3].vectors[0] == Vector(4, 118));
}

TEST_CASE("what is no collective is not played") {
  const auto code = [](const Program& program, const std::vector<Vector>& vectors) {
    const auto rounds = play_collective(program, vectors);
    return rounds.ok() ? std::string("played") : rounds.error().code;
  };
  Program program = program_of("ring_all_reduce", 2);
  CHECK(code(program, {{1}, {2}}) == "played");
  CHECK(code(program, {{1}}) == "not_a_collective");
  CHECK(code(program, {{1}, {2, 3}}) == "not_a_collective");
  program.devices[0].instructions.push_back({.op = Op::scale});
  CHECK(code(program, {{1}, {2}}) == "not_a_collective");
}

TEST_CASE("names in the table are distinct, found, and a mistyped one is answered") {
  std::set<std::string_view> names;
  for (const CollectiveRow& row : collective_table()) {
    CHECK(names.insert(row.name).second);
    CHECK(find_collective(row.name).value().append == row.append);
    CHECK(find_collective(row.name, row.kind).ok());
  }
  const auto missing = find_collective("ring_allreduce");
  REQUIRE(!missing.ok());
  CHECK(missing.error().code == "unknown_collective");
  CHECK(missing.error().message ==
        "There is no collective called \"ring_allreduce\" (did you mean \"ring_all_reduce\"?).");
  const auto other = find_collective("ring_all_gather", CollectiveKind::broadcast);
  REQUIRE(!other.ok());
  CHECK(other.error().code == "wrong_kind");
  CHECK(other.error().message ==
        "\"ring_all_gather\" is no broadcast; these are: binomial_broadcast, "
        "scatter_all_gather_broadcast.");
}
