#!/usr/bin/env bash
# Tests of start, check, setup.sh and setup-emscripten.sh that install and build nothing: each runs
# in a folder of its own, in a copy of the scripts, with programs of its own making where needed.
# shellcheck disable=SC2031,SC2317 # each test runs in a shell of its own, called by its name
#
# Usage: run.sh [TEST]
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

main() {
  if [ $# -gt 0 ]; then
    run_test "$1"
  else
    run_all
  fi
}

# Each test is a process of its own, which fails at the first command that fails.
run_all() {
  local test output passed=0 failed=0
  for test in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p'); do
    if output=$("$repository/tests/setup/run.sh" "$test" 2>&1); then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      printf 'failed: %s\n%s\n' "$test" "$output"
    fi
  done
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

run_test() {
  local place
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'echo "  line $LINENO: $BASH_COMMAND"' ERR
  set -E
  place="$scratch/a place"
  mkdir -p "$place/bin" "$place/tests"
  cp "$repository"/{start,check,setup.sh,setup-emscripten.sh} "$place"
  ln -s "$repository/tests/setup" "$place/tests/setup"
  unset EMSDK EMSCRIPTEN_TOOLCHAIN EM_CONFIG CXX
  LOCKSTEP_CACHE=$place/cache
  source "$place/setup.sh"
  mkdir -p build/log "$LOCKSTEP_CACHE"
  PATH=$place/bin:$PATH
  "$1"
}

# --- what a test says -----------------------------------------------------------------------------

# program NAME TEXT: a program that prints TEXT, first on PATH.
program() {
  printf '#!/bin/sh\ncat <<"END"\n%s\nEND\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}

# only_programs: PATH leads to the programs made so far and the small ones of any system.
only_programs() {
  local name
  for name in awk bash cat cmp cp cut df dirname env find flock getconf grep head id mkdir mv \
    paste rm sed sh sort tail touch tr; do
    if [ ! -e "bin/$name" ] && have "$name"; then ln -s "$(command -v "$name")" "bin/$name"; fi
  done
  PATH=$PWD/bin
}

# fails STATUS COMMAND...: it must end with STATUS; its output is in the variable output.
fails() {
  local wanted=$1 status=0
  shift
  output=$("$@" 2>&1) || status=$?
  equal "$status" "$wanted"
}

equal() { [ "$1" = "$2" ] || { echo "got '$1', not '$2'"; return 1; }; }
contains() { [[ $1 = *"$2"* ]] || { echo "'$1' does not contain '$2'"; return 1; }; }

# --- options --------------------------------------------------------------------------------------

test_start_refuses_an_unknown_option_and_says_which() {
  fails 2 ./start --prot 8080
  contains "$output" "Unknown option: --prot"
}

test_start_refuses_ports_that_are_none() {
  local port
  for port in 0 65536 99999999 -1 80a ''; do
    fails 2 ./start --port "$port"
    contains "$output" "--port takes a number from 1 to 65535"
  done
  fails 2 ./start --port
  fails 2 ./start --port=0
}

test_check_refuses_an_unknown_group_before_it_runs_another() {
  fails 2 ./check native wsam
  contains "$output" "no group is called wsam"
}

test_help_is_given_from_any_folder() {
  local script
  for script in ./start ./check; do
    contains "$(cd / && "$OLDPWD/$script" --help)" "Usage: $script"
  done
}

# --- what is on the machine -----------------------------------------------------------------------

test_versions_compare_by_number() {
  at_least 3.25 3.25
  at_least 3.25 3.25.1
  at_least 3.9 3.10
  at_least 3.1.69 4.0.0
  fails 1 at_least 3.25 3.9
  fails 1 at_least 3.1.69 3.1.6
  fails 1 at_least 3.25 ''
}

test_node_20_from_20_19_and_22_from_22_12_will_do() {
  local version
  for version in 20.19.0 20.20.2 22.12.0 22.23.3 24.1.0; do
    program node "v$version"
    node_will_do
  done
  for version in 18.20.4 20.18.3 21.7.3 22.11.0; do
    program node "v$version"
    fails 1 node_will_do
  done
}

# A stand-in for an Emscripten of that version, in a folder.
emscripten_of_version() {
  mkdir -p "$2/cmake/Modules/Platform"
  touch "$2/cmake/Modules/Platform/Emscripten.cmake"
  program emcc "emcc (Emscripten gcc/clang-like replacement + linker emulating GNU ld) $1 (1a2b3c4)"
  program em-config "$2"
  mv bin/emcc bin/em-config "$2"
}

test_an_emscripten_on_path_is_used_if_new_enough() {
  emscripten_of_version 3.1.69 "$PWD/their emscripten"
  PATH="$PWD/their emscripten:$PATH"
  use_emscripten
  equal "$EMSCRIPTEN_TOOLCHAIN" "$PWD/their emscripten/cmake/Modules/Platform/Emscripten.cmake"
}

test_an_older_emscripten_on_path_gives_way_to_that_of_emsdk() {
  emscripten_of_version 3.1.6 "$PWD/old"
  emscripten_of_version 4.0.10 "$PWD/sdk/upstream/emscripten"
  PATH=$PWD/old:$PATH EMSDK=$PWD/sdk
  use_emscripten
  contains "$EMSCRIPTEN_TOOLCHAIN" "$PWD/sdk/upstream/emscripten/"
}

test_an_emscripten_that_was_not_set_up_to_the_end_is_not_used() {
  emscripten_of_version 3.1.69 "$emscripten_folder/usr/share/emscripten"
  only_programs
  fails 1 use_emscripten
  touch "$emscripten_folder/ready"
  use_emscripten
}

test_without_apt_everything_missing_is_named_at_once() {
  only_programs
  fails 1 set_up native wasm checks
  set_up native wasm checks || true
  contains "$reason" "CMake 3.25 or newer; a C++20 compiler; Ninja or make; Node 20.19 or newer"
  contains "$reason" "Emscripten 3.1.69 or newer: emcc on PATH, or EMSDK set"
  contains "$reason" "ShellCheck"
}

test_a_user_without_sudo_is_told_the_command_for_an_administrator() {
  program apt-get ''
  program id 1000
  only_programs
  install_lacking checks && return 1
  contains "$reason" "apt-get install --no-install-recommends clang-format-14 shellcheck"
}

# Stand-ins for what a native build takes, but for CMake.
programs_to_build_with() {
  program c++ ''
  program make ''
  program npm ''
  program node v20.19.0
}

test_packages_that_do_not_give_what_is_needed_are_reported() {
  program apt-get ''
  program id 0
  program cmake "cmake version 3.18.4"
  programs_to_build_with
  only_programs
  install_lacking native && return 1
  contains "$reason" "Still missing: CMake 3.25 or newer."
}

test_nothing_is_installed_when_nothing_is_missing() {
  program apt-get ''
  printf '#!/bin/sh\necho called >called\n' >bin/apt-get
  program cmake "cmake version 3.25.1"
  programs_to_build_with
  only_programs
  install_lacking native
  [ ! -e called ]
}

# --- what is fetched ------------------------------------------------------------------------------

test_both_libraries_are_pinned_by_address_and_hash() {
  local name
  cp "$repository/CMakeLists.txt" .
  for name in nlohmann_json Catch2; do
    contains "$(pinned "$name" URL)" "https://"
    [[ $(pinned "$name" SHA256) =~ ^[0-9a-f]{64}$ ]]
  done
}

# A library for CMakeLists.txt to pin, with the hash given or its own; Debian is out of reach.
pin_an_archive() {
  mkdir -p made/library-1.0
  echo "a header" >made/library-1.0/library.h
  tar -C made -czf library.tar.gz library-1.0
  cat >CMakeLists.txt <<END
FetchContent_Declare(library SYSTEM
  URL file://${PWD// /%20}/library.tar.gz
  URL_HASH SHA256=${1:-$(cmake -E sha256sum library.tar.gz | cut -d ' ' -f 1)})
END
}

test_a_library_that_debian_does_not_give_comes_from_its_address() {
  pin_an_archive
  fetch_library library none none
  equal "$(cat "$(library_folder library)/library.h")" "a header"
}

test_a_library_with_another_hash_is_refused() {
  pin_an_archive 00000000000000000000000000000000000000000000000000000000deadbeef
  fails 1 fetch_library library none none
  contains "$output" "CMakeLists.txt wants 0000"
  [ ! -e "$(library_folder library)" ]
}

test_emscripten_goes_only_to_a_folder_that_is_free() {
  fails 1 ./setup-emscripten.sh emscripten
  contains "$output" "not an absolute path"
  mkdir -p mine && touch mine/file
  fails 1 ./setup-emscripten.sh "$PWD/mine"
  contains "$output" "remove it, or name another folder"
  [ -e mine/file ]
  touch mine/ready
  ./setup-emscripten.sh "$PWD/mine"
}

test_where_apt_knows_no_debian_the_other_ways_to_emscripten_are_named() {
  program apt-get ''
  program node v22.12.0
  program npm ''
  fails 1 fetch_emscripten
  contains "$output" "LOCKSTEP_DEBIAN_MIRROR"
  contains "$output" "emcc 3.1.69 or newer on PATH"
}

test_npm_ci_runs_when_the_lock_file_changed_and_only_then() {
  printf '#!/bin/sh\nmkdir -p node_modules\necho "$@" >>calls\n' >bin/npm
  chmod +x bin/npm
  echo 1 >package-lock.json
  install_node_modules && install_node_modules
  equal "$(grep -c '^ci' calls)" 1
  echo 2 >package-lock.json
  install_node_modules
  equal "$(grep -c '^ci' calls)" 2
}

# --- building -------------------------------------------------------------------------------------

test_a_build_folder_is_configured_afresh_when_the_tools_changed() {
  printf '#!/bin/sh\necho "$@" >>"calls"\n' >bin/cmake
  chmod +x bin/cmake
  mkdir -p build/release
  touch CMakeLists.txt
  fresh_calls() { grep -c -- '--fresh --preset release' calls; }
  configure release
  equal "$(fresh_calls)" 1
  configure release
  equal "$(fresh_calls)" 1
  CXX=another configure release
  equal "$(fresh_calls)" 2
}

test_the_site_is_built_again_when_something_that_it_is_made_of_changed() {
  local file
  mkdir -p web/page exercises build/site build/wasm/bin
  for file in web/page/a exercises/b build/wasm/bin/lockstep.{mjs,wasm} build/site/index.html; do
    touch -d '2 hours ago' "$file"
  done
  touch -d '2 hours ago' ./* web/page
  fails 1 site_is_current
  touch -d '1 hour ago' build/site.built
  site_is_current
  for file in web/page/a exercises/b build/wasm/bin/lockstep.wasm setup.sh; do
    touch "$file"
    fails 1 site_is_current
    touch -d '2 hours ago' "$file"
    site_is_current
  done
  rm web/page/a
  fails 1 site_is_current
}

# --- messages -------------------------------------------------------------------------------------

test_a_failed_step_shows_the_end_of_its_log_and_where_it_is() {
  count() { seq 100; return 3; }
  fails 1 step counting "Counting" count
  contains "$output" "Counting ... failed after "
  contains "$output" "  | 100"
  contains "$output" "build/log/counting.log"
  fails 1 contains "$output" "  | 60"
}

test_a_full_disk_and_a_missing_network_are_recognised() {
  echo "tar: x: Cannot write: No space left on device" >log
  contains "$(known_cause log)" "The disk is full"
  local line
  for line in "Temporary failure resolving 'mirror'" "getaddrinfo EAI_AGAIN registry" \
    "Could not connect to mirror:80" "Couldn't resolve host name"; do
    echo "$line" >log
    contains "$(known_cause log)" "The network cannot be reached"
  done
  echo "error: expected ';'" >log
  equal "$(known_cause log)" ""
}

# --- counting -------------------------------------------------------------------------------------

# counts WANTED: what the awk program makes of standard input.
counts() { equal "$(awk -f tests/setup/count-results.awk)" "$1"; }

test_catch2_cases_are_counted_under_ctest() {
  counts "21 2" <<'END'
1: All tests passed (40 assertions in 12 test cases)
 1/2 Test  #1: core .............   Passed    0.04 sec
2: test cases: 12 | 9 passed | 2 failed | 1 skipped
 2/2 Test  #2: model ............***Failed    0.04 sec
END
}

test_a_program_that_fails_outside_its_cases_is_one_failure() {
  counts "13 2" <<'END'
1: All tests passed (40 assertions in 12 test cases)
 1/3 Test  #1: core .............***Failed    0.04 sec
 2/3 Test  #2: model ............***Exception: SegFault  0.04 sec
 3/3 Test  #3: other ............   Passed    0.04 sec
END
}

test_colours_do_not_hide_the_count() {
  printf '\033[2m      Tests \033[22m \033[1m\033[32m180 passed\033[39m\033[22m (180)\n' |
    counts "180 0"
}

test_vitest_node_and_closing_lines_are_counted() {
  counts "11 1" <<'END'
 Test Files  1 failed | 3 passed (4)
      Tests  1 failed | 11 passed | 2 skipped (14)
END
  counts "57 1" <<'END'
# tests 58
# pass 57
# fail 1
END
  counts "7 3" <<'END'
2 passed, 1 failed
7 passed, 3 failed
END
  counts "0 0" <<<'all is well'
}

main "$@"
