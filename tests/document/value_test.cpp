#include "document/value.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lockstep;

TEST_CASE("a place counts lines and characters from 1, not bytes") {
  const FileText text("ab\nçö\xF0\x9F\x98\x80x\n");
  CHECK(text.place(0) == Place{1, 1});
  CHECK(text.place(1) == Place{1, 2});
  CHECK(text.place(2) == Place{1, 3});  // the line end belongs to its line
  CHECK(text.place(3) == Place{2, 1});
  CHECK(text.place(5) == Place{2, 2});   // behind the two bytes of ç
  CHECK(text.place(11) == Place{2, 4});  // x, behind a character of four bytes
}

TEST_CASE("a place past the end is the end") {
  const FileText text("ab");
  CHECK(text.place(2) == Place{1, 3});
  CHECK(text.place(1000) == Place{1, 3});
  CHECK(FileText("").place(7) == Place{1, 1});
}

TEST_CASE("an offset inside a text skips the escapes of the file") {
  // The decoded text is a"é😀b: 1 + 1 + 2 + 4 + 1 bytes.
  const std::string file = R"(["a\"\u00e9\ud83d\ude00b"])";
  const FileText text(file);
  CHECK(text.offset_in_text(1, 0) == 2);
  CHECK(text.offset_in_text(1, 1) == 3);
  CHECK(text.offset_in_text(1, 2) == 5);
  CHECK(text.offset_in_text(1, 4) == 11);
  CHECK(text.offset_in_text(1, 8) == file.find('b'));
  CHECK(text.offset_in_text(1, 99) == file.size());
}

TEST_CASE("a pointer escapes the two signs that pointers are made of") {
  CHECK(pointer_to("", "a") == "/a");
  CHECK(pointer_to("/a", "m/n~o") == "/a/m~1n~0o");
}
