#!/usr/bin/env bash
# Usage: setup-emscripten.sh FOLDER
# Puts Emscripten 3.1.69 as Debian 13 packs it (LLVM 19) into FOLDER, an absolute path outside the
# repository; no package of the machine changes. 310 MB are downloaded, 800 MB stay on the disk.
# FOLDER/ready stands there at the end, once a test program was built and has run: another call then
# returns at once. After an interrupted run, what was downloaded is kept.
# Needs apt with Debian's keyring, python3, patchelf and a Node that setup.sh finds.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

folder=${1:?usage: setup-emscripten.sh FOLDER}
downloads=$folder.download
llvm=19
packages=(
  emscripten binaryen node-acorn "clang-$llvm" "lld-$llvm" "llvm-$llvm" "llvm-$llvm-linker-tools"
  "libclang-common-$llvm-dev" "libclang-cpp$llvm" "libllvm$llvm"
  # What those are linked with, down to the C library: Debian 12's are older.
  libc6 libgcc-s1 libstdc++6 zlib1g libzstd1 libffi8 libedit2 libbsd0 libmd0 libtinfo6 libxml2
  libicu76 liblzma5 libz3-4
)

main() {
  if [ -e "$folder/ready" ]; then return; fi
  begin_folder
  download_packages
  unpack_packages
  bind_to_own_libraries
  write_configuration
  build_and_run_a_program
  touch "$folder/ready"
  rm -rf "$downloads"
}

# Only what an interrupted run has left is removed: its downloads are still there.
begin_folder() {
  [[ $folder = /* ]] || { echo "$folder is not an absolute path."; return 1; }
  if [ -e "$folder" ] && [ ! -e "$downloads" ]; then
    echo "$folder is there and not from an earlier run: remove it, or name another folder."
    return 1
  fi
  use_node || { echo "Node 20.19 or newer is missing: ./start fetches it."; return 1; }
  mkdir -p "$downloads"
  rm -rf "$folder"
  mkdir "$folder"
}

download_packages() {
  open_trixie "$downloads" deb
  cd "$downloads/cache/archives"
  trixie "$downloads" download "${packages[@]}"
}

unpack_packages() {
  local deb
  for deb in "$downloads"/cache/archives/*.deb; do
    # Left out: papers, and libraries for builds that we do not make (link-time optimisation,
    # dynamic linking), which are two thirds of the whole.
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$folder" --no-same-owner \
      --exclude='./usr/share/doc' --exclude='./usr/share/man' --exclude='./usr/share/locale' \
      --exclude='*/wasm32-emscripten/lto-pic' --exclude='*/wasm32-emscripten/pic' \
      --exclude='*/wasm32-emscripten/lto' --exclude='*/usr/share/emscripten/test'
  done
  # emcc imports acorn as an ES module: that takes a node_modules folder beside it, without types.
  cp -r "$folder/usr/share/nodejs" "$folder/usr/share/emscripten/node_modules"
  rm -rf "$folder/usr/share/emscripten/node_modules/@types"
}

# The programs start by the loader and the libraries that they were linked with.
bind_to_own_libraries() {
  local loader libraries file
  loader=$(find "$folder/usr/lib" -name 'ld-linux*.so.*' -type f | head -n 1)
  libraries=$(dirname "$loader")
  for file in "$folder/usr/lib/llvm-$llvm/bin"/* "$folder/usr/bin"/wasm-*; do
    is_binary "$file" || continue
    patchelf --set-interpreter "$loader" --force-rpath \
      --set-rpath "$libraries:$folder/usr/lib/llvm-$llvm/lib" "$file"
  done
  # These name search paths of their own, by which the machine's zlib, zstd and libxml2 would come.
  for file in "$libraries"/libLLVM*.so* "$libraries"/libclang*.so* "$libraries"/libxml2*.so*; do
    # shellcheck disable=SC2016 # the loader fills it in
    if is_binary "$file"; then patchelf --force-rpath --set-rpath '$ORIGIN' "$file"; fi
  done
}

is_binary() { [ -f "$1" ] && [ ! -L "$1" ] && [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }

# Python text, which emcc finds beside itself.
write_configuration() {
  cat >"$folder/usr/share/emscripten/.emscripten" <<END
LLVM_ROOT = r'$folder/usr/bin'
BINARYEN_ROOT = r'$folder/usr'
NODE_JS = 'node'
CACHE = r'$folder/usr/share/emscripten/cache'
FROZEN_CACHE = True
LLVM_ADD_VERSION = '$llvm'
CLANG_ADD_VERSION = '$llvm'
END
}

build_and_run_a_program() {
  local emscripten=$folder/usr/share/emscripten program=$downloads/program
  export EM_CONFIG=$emscripten/.emscripten
  "$emscripten/emcc" --version | head -n 1
  cat >"$program.cpp" <<'END'
#include <cstdio>
#include <stdexcept>
int main() {
  try {
    throw std::runtime_error("thrown and caught");
  } catch (const std::exception& error) {
    std::puts(error.what());
  }
}
END
  "$emscripten/em++" -O2 -msimd128 -fwasm-exceptions "$program.cpp" -o "$program.js"
  [ "$(node "$program.js")" = "thrown and caught" ] ||
    { echo "A program that this Emscripten built does not run."; return 1; }
}

main
