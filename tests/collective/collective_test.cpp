#include "collective/collective.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "core/random.h"
#include "program/validate.h"
#include "support/rounds.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kGroupMax = 16;

std::vector<int> first_ranks(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Program program_of(const CollectiveRow& row, int size) {
  Program program{.name = std::string(row.name)};
  program.devices.resize(static_cast<std::size_t>(size));
  row.append(program, first_ranks(size));
  return program;
}

std::vector<Vector> drawn_vectors(std::uint64_t seed, int count, int elements) {
  std::vector<Vector> vectors;
  for (int rank = 0; rank < count; ++rank) {
    Vector& vector = vectors.emplace_back();
    for (int i = 0; i < elements; ++i) {
      const auto stream = static_cast<std::uint64_t>(rank);
      vector.push_back(random_below(seed, stream, static_cast<std::uint64_t>(i), 1000));
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

std::int64_t elements_sent_by(int rank, const std::vector<Round>& rounds) {
  std::int64_t elements = 0;
  for (const Round& round : rounds) {
    for (const SentMessage& send : round.sends) elements += send.from == rank ? send.elements : 0;
  }
  return elements;
}

}  // namespace

TEST_CASE("every all-reduce is a valid program and leaves the sum on every device") {
  for (const CollectiveRow& row : collective_table()) {
    for (int size = 1; size <= kGroupMax; ++size) {
      const Program program = program_of(row, size);
      REQUIRE(validate(program).empty());
      // fewer elements than devices, odd numbers, whole multiples
      for (const int elements : {0, 1, 3, size, 2 * size + 1, 37}) {
        CAPTURE(row.name, size, elements);
        const std::vector<Vector> vectors = drawn_vectors(1, size, elements);
        const std::vector<Round> rounds = play_rounds(program, vectors);
        const std::vector<Vector>& after = rounds.empty() ? vectors : rounds.back().vectors;
        REQUIRE(after == std::vector<Vector>(vectors.size(), sum_of(vectors)));
      }
    }
  }
}

TEST_CASE("a group may be any ranks in any order; the others are left alone") {
  for (const CollectiveRow& row : collective_table()) {
    CAPTURE(row.name);
    Program program{.name = std::string(row.name)};
    program.devices.resize(6);
    row.append(program, std::vector<int>{5, 0, 3});
    row.append(program, std::vector<int>{4, 1});
    REQUIRE(validate(program).empty());
    CHECK(program.devices[2].instructions.empty());
    const std::vector<Vector> vectors = drawn_vectors(2, 6, 7);
    const std::vector<Vector> after = play_rounds(program, vectors).back().vectors;
    CHECK(after[0] == sum_of({vectors[5], vectors[0], vectors[3]}));
    CHECK(after[3] == after[0]);
    CHECK(after[5] == after[0]);
    CHECK(after[1] == sum_of({vectors[4], vectors[1]}));
    CHECK(after[4] == after[1]);
    CHECK(after[2] == vectors[2]);
  }
}

TEST_CASE("two collectives one after the other do not mix their messages") {
  Program program{.name = "twice"};
  program.devices.resize(4);
  ring_all_reduce(program, first_ranks(4));
  ring_all_reduce(program, first_ranks(4));
  REQUIRE(validate(program).empty());
  const std::vector<Vector> vectors = drawn_vectors(3, 4, 10);
  Vector expected = sum_of(vectors);
  for (std::int64_t& element : expected) element *= 4;  // the second sums four equal vectors
  CHECK(play_rounds(program, vectors).back().vectors == std::vector<Vector>(4, expected));
}

TEST_CASE("a ring all-reduce takes 2(N−1) steps of N messages, each to the next device") {
  for (int size = 1; size <= kGroupMax; ++size) {
    CAPTURE(size);
    Program program{.name = "ring"};
    program.devices.resize(static_cast<std::size_t>(size));
    ring_all_reduce(program, first_ranks(size));
    const auto rounds = play_rounds(program, drawn_vectors(4, size, 3 * size));
    REQUIRE(rounds.size() == static_cast<std::size_t>(2 * (size - 1)));
    for (const Round& round : rounds) {
      REQUIRE(round.sends.size() == static_cast<std::size_t>(size));
      for (const SentMessage& send : round.sends) REQUIRE(send.to == (send.from + 1) % size);
    }
  }
}

TEST_CASE("in a ring all-reduce each device sends 2(N−1)/N of the vector, where N divides it") {
  for (int size = 1; size <= kGroupMax; ++size) {
    Program program{.name = "ring"};
    program.devices.resize(static_cast<std::size_t>(size));
    ring_all_reduce(program, first_ranks(size));
    const int elements = 5 * size;
    const auto rounds = play_rounds(program, drawn_vectors(5, size, elements));
    for (int rank = 0; rank < size; ++rank) {
      CAPTURE(size, rank);
      REQUIRE(elements_sent_by(rank, rounds) == 2 * (size - 1) * elements / size);
    }
  }
}

TEST_CASE("with any length all devices of a ring together send the vector 2(N−1) times") {
  for (int size = 1; size <= kGroupMax; ++size) {
    Program program{.name = "ring"};
    program.devices.resize(static_cast<std::size_t>(size));
    ring_all_reduce(program, first_ranks(size));
    for (int elements = 0; elements <= 20; ++elements) {
      const auto rounds = play_rounds(program, drawn_vectors(6, size, elements));
      std::int64_t sent = 0;
      for (int rank = 0; rank < size; ++rank) sent += elements_sent_by(rank, rounds);
      CAPTURE(size, elements);
      REQUIRE(sent == 2 * (size - 1) * elements);
    }
  }
}

TEST_CASE("two devices: each sends one half, gets the other's sum back") {
  // by hand: chunk 0 is summed on rank 1, chunk 1 on rank 0
  Program program{.name = "ring"};
  program.devices.resize(2);
  ring_all_reduce(program, first_ranks(2));
  const std::vector<Round> rounds = play_rounds(program, {{1, 2}, {10, 20}});
  REQUIRE(rounds.size() == 2);
  CHECK(rounds[0].adds);
  CHECK(rounds[0].vectors == std::vector<Vector>{{1, 22}, {11, 20}});
  CHECK(!rounds[1].adds);
  CHECK(rounds[1].vectors == std::vector<Vector>{{11, 22}, {11, 22}});
}

TEST_CASE("names in the table are distinct, found, and a mistyped one is answered") {
  std::set<std::string_view> names;
  for (const CollectiveRow& row : collective_table()) {
    CHECK(names.insert(row.name).second);
    CHECK(find_collective(row.name).value().append == row.append);
  }
  const auto missing = find_collective("ring_allreduce");
  REQUIRE(!missing.ok());
  CHECK(missing.error().code == "unknown_collective");
  CHECK(missing.error().message ==
        "There is no collective called \"ring_allreduce\" (did you mean \"ring_all_reduce\"?).");
}
