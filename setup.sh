# shellcheck shell=bash
# What ./start and ./check share: they source this file, then call its functions.
#
# Nothing that is on the machine already is installed a second time, whatever it came from. What
# Debian 12 has is installed by apt-get; what it lacks (Node 20.19, Emscripten 3.1.69, two
# libraries) goes to LOCKSTEP_CACHE, outside the repository. Logs are in build/log.
#
# A function that fails says why, keeps the sentence in `reason`, and returns 1.

CDPATH='' cd -- "$(dirname "${BASH_SOURCE[0]}")" || exit 1
LOCKSTEP_CACHE=${LOCKSTEP_CACHE:-${XDG_CACHE_HOME:-~/.cache}/lockstep}
case $LOCKSTEP_CACHE in /*) ;; *) LOCKSTEP_CACHE=$PWD/$LOCKSTEP_CACHE ;; esac
export LOCKSTEP_CACHE
export LC_ALL=C.UTF-8 NO_COLOR=1 # what the tools print is read below
reason=

emscripten_version=3.1.69
emscripten_folder=$LOCKSTEP_CACHE/emscripten-$emscripten_version
node_folder=$LOCKSTEP_CACHE/node-22
no_debian="Debian's archive is not known to this machine's apt."
not_debian_12="This system's packages do not give all of that, as those of Debian 12 do: \
install it from elsewhere and run this again."

# --- the parts that can be set up -----------------------------------------------------------------

# set_up PART...: makes the parts usable in this shell. Parts: native, wasm, checks, browsers.
set_up() {
  mkdir -p "$LOCKSTEP_CACHE" build/log ||
    give_up "$LOCKSTEP_CACHE or build/log cannot be made." || return 1
  lock_set_up
  install_lacking "$@" && use_parts "$@"
  local status=$?
  unlock_set_up
  return "$status"
}

# lacking_PART: prints a line for each thing that is not here: Debian's package, what it gives.
lacking_native() {
  at_least 3.25 "$(version_of cmake)" || echo "cmake CMake 3.25 or newer"
  have c++ || have g++ || have clang++ || have "${CXX:-}" || echo "g++ a C++20 compiler"
  have ninja || have make || echo "ninja-build Ninja or make"
  use_node || have npm || echo "npm Node 20.19 or newer, or an npm to fetch it with"
}

lacking_wasm() {
  use_emscripten && return
  if have apt-get; then
    have python3 || echo "python3 Python 3, which Emscripten is written in"
    have patchelf || echo "patchelf patchelf, which ties Emscripten to its own libraries"
  else
    echo "emscripten Emscripten $emscripten_version or newer: emcc on PATH, or EMSDK set"
  fi
}

lacking_checks() {
  clang_format >/dev/null || echo "clang-format-14 clang-format 14 (others format otherwise)"
  have shellcheck || echo "shellcheck ShellCheck"
}

lacking_browsers() {
  have chromium || echo "chromium Chromium"
  have firefox-esr || echo "firefox-esr Firefox ESR"
  have WebKitWebDriver || echo "webkit2gtk-driver WebKitGTK with its driver"
  have Xvfb || echo "xvfb Xvfb, a screen for WebKitGTK"
}

# use_parts PART...: fetches what no package gives and exports what the builds need to know.
use_parts() {
  local part
  export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}
  if have ninja; then export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}; fi
  if have ccache; then
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  fi
  for part; do
    case $part in
      native)
        use_node || fetch_node || return 1
        fetch_libraries || return 1
        ;;
      wasm) use_emscripten || fetch_emscripten || return 1 ;;
    esac
  done
}

# Two set-ups at the same time would fetch into the same folders: the second one waits.
lock_set_up() {
  have flock || return 0
  exec 9>"$LOCKSTEP_CACHE/lock"
  if flock --nonblock 9; then return; fi
  echo "Another ./start or ./check is setting up: waiting for it"
  flock 9
}
unlock_set_up() { exec 9>&-; }

# --- small words ----------------------------------------------------------------------------------

have() { [ -n "$1" ] && command -v "$1" >/dev/null; }

# at_least WANTED FOUND: compares versions; an empty FOUND is none.
at_least() { [ -n "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# version_of COMMAND: prints the first version number that `COMMAND --version` shows, or nothing.
version_of() {
  "$1" --version 2>/dev/null </dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1 || true
}

# run_logged NAME TITLE COMMAND...: runs it with its output in build/log/NAME.log and prints TITLE,
# without ending the line; sets step_log and step_seconds.
run_logged() {
  local title=$2 began=$SECONDS status=0
  step_log=build/log/$1.log
  shift 2
  printf '%s ... ' "$title"
  "$@" >"$step_log" 2>&1 </dev/null || status=$?
  step_seconds=$((SECONDS - began))
  return "$status"
}

# step NAME TITLE COMMAND...: one line says what is done and how long it took.
step() {
  if run_logged "$@"; then
    echo "$step_seconds s"
  else
    echo "failed after $step_seconds s"
    show_failure "$2" "$(known_cause "$step_log")"
  fi
}

# show_failure TITLE [CAUSE]: shows the end of the last step's log and gives up.
show_failure() {
  tail -n 40 "$step_log" | sed 's/^/  | /'
  give_up "$1: failed.${2:+ $2} The whole log is in $step_log"
}

give_up() {
  reason=$1
  printf '%s\n' "$reason" >&2
  return 1
}

# known_cause LOG: a sentence about what went wrong, for the common things outside our hands.
known_cause() {
  local full='no space left on device|ENOSPC|enough free space'
  local offline="failure resolving|network is unreachable|connection (timed out|refused)"
  offline+="|could(n't| not) (resolve|connect)|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT"
  if grep -qiE "$full" "$1" || disk_is_full; then
    echo "The disk is full: setting up takes 3 GB, $LOCKSTEP_CACHE 1 GB of it."
  elif grep -qiE "$offline" "$1"; then
    echo "The network cannot be reached. Only the first set-up needs it: run this again with it."
  elif grep -q 'Could not get lock' "$1"; then
    echo "Another program is installing packages: run this again when it is done."
  elif grep -q 'Unable to locate package' "$1"; then
    echo "$not_debian_12"
  elif grep -q "$no_debian" "$1"; then
    echo "Install the package debian-archive-keyring and name a mirror of Debian in" \
      "LOCKSTEP_DEBIAN_MIRROR; or put emcc $emscripten_version or newer on PATH, or set EMSDK."
  fi
}

disk_is_full() {
  df -Pk . "$LOCKSTEP_CACHE" | awk 'NR > 1 && $4 < 10240 { full = 1 } END { exit !full }'
}

# --- packages of the machine ----------------------------------------------------------------------

# install_lacking PART...: installs by apt-get what the parts lack; silent if that is nothing.
install_lacking() {
  local lacking packages
  lacking=$(lacking_of "$@")
  if [ -z "$lacking" ]; then return; fi
  packages=$(cut -d ' ' -f 1 <<<"$lacking" | tr '\n' ' ')
  if ! have apt-get; then
    give_up "Missing here: $(named "$lacking"). Install that and run this again."
  elif ! become_root; then
    give_up "Missing here: $(named "$lacking"). An administrator can install it with:
  apt-get update && apt-get install --no-install-recommends ${packages% }"
  else
    # shellcheck disable=SC2086 # one word is one package
    step packages "Installing Debian packages: ${packages% }" install_packages $packages || return 1
    lacking=$(lacking_of "$@")
    [ -z "$lacking" ] || give_up "Still missing: $(named "$lacking"). $not_debian_12"
  fi
}

lacking_of() { local part; for part; do "lacking_$part"; done; }

# named LACKING: "CMake 3.25 or newer; ShellCheck".
named() { cut -d ' ' -f 2- <<<"$1" | paste -sd ';' - | sed 's/;/; /g'; }

# become_root: whether as_root will work; asks for sudo's password where somebody can type it.
become_root() {
  [ "$(id -u)" -eq 0 ] && return
  have sudo && { sudo -n true 2>/dev/null || sudo -v; }
}
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

install_packages() {
  # A source of the machine that fails is no reason to stop: installing shows what is not there.
  as_root apt-get -q update -o Acquire::Retries=3 || true
  # After an interrupted run, what it had half installed comes first.
  as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install --yes --no-install-recommends \
    -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"
}

# clang_format: prints the command that is clang-format 14.
clang_format() {
  local command
  for command in clang-format-14 clang-format; do
    case $(version_of "$command") in 14.*) echo "$command"; return ;; esac
  done
  return 1
}

# --- Debian 13's archive, read without installing anything from it --------------------------------

# trixie FOLDER ARGUMENT...: apt-get on Debian 13's archive, with FOLDER for all that it keeps.
trixie() {
  local folder=$1
  shift
  apt-get -q -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
    -o Dir::State::Lists="$folder/lists" -o Dir::State::Status="$folder/status" \
    -o Dir::Cache="$folder/cache" -o APT::Default-Release=trixie -o APT::Sandbox::User=root \
    -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# open_trixie FOLDER deb|deb-src: reads the list of Debian 13's packages or sources.
open_trixie() {
  local folder=$1 keyring=/usr/share/keyrings/debian-archive-keyring.gpg mirror=
  have apt-get && mirror=${LOCKSTEP_DEBIAN_MIRROR:-$(debian_mirror)}
  if [ ! -e "$keyring" ] || [ -z "$mirror" ]; then
    echo "$no_debian"
    return 1
  fi
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  : >"$folder/status"
  echo "$2 [signed-by=$keyring] $mirror trixie main" >"$folder/sources.list"
  trixie "$folder" update
}

# debian_mirror: prints the address from which this machine gets Debian, or nothing.
debian_mirror() {
  # shellcheck disable=SC2016 # apt-get fills these in
  apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $2 !~ /security/ && !found { found = 1; print $3 }'
}

# --- Node -----------------------------------------------------------------------------------------

# use_node: puts a Node that will do, with its npm, first on PATH; fails when there is none.
use_node() {
  node_will_do && have npm && return
  local own=$node_folder/node_modules/.bin
  [ -x "$own/npm" ] || return 1
  PATH=$own:$PATH node_will_do && PATH=$own:$PATH
}

# Vite's range: 20 from 20.19 on, 22 from 22.12 on, anything later.
node_will_do() {
  local version
  version=$(version_of node)
  at_least 22.12 "$version" || { at_least 20.19 "$version" && ! at_least 21 "$version"; }
}

fetch_node() {
  step node "Fetching Node 22" fetch_node_package || return 1
  use_node || give_up "The Node that npm fetched does not run. Its log is in build/log/node.log"
}

# npm 9 ends without a word if it may not show what the packages' own scripts do.
fetch_node_package() {
  local part=$node_folder.part
  rm -rf "$node_folder" "$part" && mkdir -p "$part" &&
    npm install --prefix "$part" --foreground-scripts --no-audit --no-fund node@22 npm@10 &&
    mv "$part" "$node_folder"
}

# --- Emscripten -----------------------------------------------------------------------------------

# use_emscripten: exports EMSCRIPTEN_TOOLCHAIN, which CMakePresets.json wants, unless it is set. It
# belongs to the emcc on PATH, under EMSDK or in the cache.
use_emscripten() {
  [ -e "${EMSCRIPTEN_TOOLCHAIN:-}" ] && return
  use_emcc "$(command -v emcc)" && return
  use_emcc "${EMSDK:-}/upstream/emscripten/emcc" && return
  [ -e "$emscripten_folder/ready" ] || return 1
  export EM_CONFIG=$emscripten_folder/usr/share/emscripten/.emscripten # not that of another emsdk
  use_emcc "$emscripten_folder/usr/share/emscripten/emcc"
}

use_emcc() {
  [ -x "$1" ] && at_least "$emscripten_version" "$(version_of "$1")" || return 1
  local root
  root=$("${1%emcc}em-config" EMSCRIPTEN_ROOT) || return 1
  export EMSCRIPTEN_TOOLCHAIN=$root/cmake/Modules/Platform/Emscripten.cmake
  [ -e "$EMSCRIPTEN_TOOLCHAIN" ]
}

fetch_emscripten() {
  step emscripten "Fetching Emscripten $emscripten_version (310 MB)" \
    ./setup-emscripten.sh "$emscripten_folder" && use_emscripten
}

# --- the two libraries ----------------------------------------------------------------------------

# fetch_libraries: unpacks the sources that CMakeLists.txt pins into the cache, once.
fetch_libraries() {
  if [ -d "$(library_folder nlohmann_json)" ] && [ -d "$(library_folder Catch2)" ]; then return; fi
  step libraries "Fetching the sources of nlohmann/json and Catch2" fetch_both
}

fetch_both() {
  local sources=$LOCKSTEP_CACHE/libraries/apt
  open_trixie "$sources" deb-src || echo "So they come from the addresses in CMakeLists.txt."
  fetch_library nlohmann_json nlohmann-json3 "$sources" &&
    fetch_library Catch2 catch2 "$sources" && rm -rf "$sources"
}

# pinned NAME URL|SHA256: what CMakeLists.txt says about the library.
pinned() {
  sed -n "/^FetchContent_Declare($1 /,/)/p" CMakeLists.txt | sed -nE "s/.*$2[ =]([^ )]+).*/\1/p"
}

library_folder() { echo "$LOCKSTEP_CACHE/libraries/$1-$(pinned "$1" SHA256 | cut -c 1-12)"; }

# fetch_library NAME PACKAGE SOURCES: Debian 13's archive, open at SOURCES, has the very files that
# were released; else they come from the address in CMakeLists.txt. The hash is checked either way.
fetch_library() {
  local folder work archive
  folder=$(library_folder "$1")
  [ -d "$folder" ] && return
  work=$folder.part
  rm -rf "$work" && mkdir -p "$work/download" "$work/unpacked" || return 1
  if [ -e "$3/sources.list" ]; then
    (cd "$work/download" && trixie "$3" source --download-only --tar-only "$2") || true
  fi
  archive=$(find "$work/download" -name '*.orig.tar.*')
  if [ -z "$archive" ]; then
    archive=$work/download/archive
    download "$(pinned "$1" URL)" "$archive" || return 1
  fi
  has_hash "$archive" "$(pinned "$1" SHA256)" || return 1
  (cd "$work/unpacked" && cmake -E tar xf "$archive") || return 1
  mv "$work/unpacked/"* "$folder" && rm -rf "$work"
}

# download URL FILE: by CMake, which is there in any case.
download() {
  cat >"$2.cmake" <<END
file(DOWNLOAD [==[$1]==] [==[$2]==] STATUS status TIMEOUT 600)
list(GET status 0 code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "$1: \${status}")
endif()
END
  cmake -P "$2.cmake"
}

has_hash() {
  local found
  found=$(cmake -E sha256sum "$1" | cut -d ' ' -f 1)
  [ "$found" = "$2" ] || { echo "$1: SHA-256 is $found, CMakeLists.txt wants $2"; return 1; }
}

# --- building -------------------------------------------------------------------------------------

# build PRESET [TARGET...]: configures and builds the targets, all if none is named.
build() {
  local preset=$1
  shift
  configure "$preset" || return 1
  if [ $# -gt 0 ]; then set -- --target "$@"; fi
  cmake --build --preset "$preset" "$@"
}

# A build folder that was configured with other tools, or in another place, is configured afresh.
configure() {
  local with=build/$1/configured-with wanted fresh=--fresh
  set -- "$1" "-DFETCHCONTENT_SOURCE_DIR_NLOHMANN_JSON=$(library_folder nlohmann_json)" \
    "-DFETCHCONTENT_SOURCE_DIR_CATCH2=$(library_folder Catch2)"
  if [ "$1" = wasm ]; then
    set -- "$@" "-DCMAKE_CROSSCOMPILING_EMULATOR=$(command -v node)"
  fi
  wanted=$(printf '%s\n' "$PWD" "$(cmake --version)" "${CMAKE_GENERATOR:-}" \
    "${CMAKE_CXX_COMPILER_LAUNCHER:-}" "${CXX:-}" "${EMSCRIPTEN_TOOLCHAIN:-}" "$@")
  if [ -e "$with" ] && [ "$wanted" = "$(cat "$with")" ]; then fresh=; fi
  cmake ${fresh:+"$fresh"} --preset "$@" && printf '%s\n' "$wanted" >"$with"
}

# install_node_modules: `npm ci`, when package-lock.json is not the one that was installed.
install_node_modules() {
  cmp -s package-lock.json node_modules/.installed-lock && return
  step npm "Installing the site's packages" npm ci --no-audit --no-fund &&
    cp package-lock.json node_modules/.installed-lock
}

# build_site: build/site from web/, exercises/ and the engine, when one of them is newer than it.
build_site() {
  install_node_modules || return 1
  if site_is_current; then return; fi
  touch build/site.begun # what changes while building is newer than this
  step site "Building the site" node web/tool/build.mjs && mv build/site.begun build/site.built
}

site_is_current() {
  local engine=build/wasm/bin/lockstep newer
  [ -e build/site/index.html ] && [ -e build/site.built ] || return 1
  newer=$({ find . -maxdepth 1 -type f -newer build/site.built &&
    find web exercises "$engine.mjs" "$engine.wasm" -newer build/site.built; } | head -n 1)
  [ -z "$newer" ]
}
