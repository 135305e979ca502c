# Reads what a test runner printed and prints how many tests passed and failed: "17 0".
# Known are ctest --verbose with Catch2 programs (their cases count), ctest with other programs
# (one each), Vitest, Node's runner (TAP), and a closing line "N passed, N failed". Anything else
# is "0 0".

# Colours, which some runners use even when nobody looks.
{ gsub(/\033\[[0-9;]*m/, "") }

# 3: All tests passed (40 assertions in 12 test cases)
/^[0-9]+: All tests passed \(/ { catch_passed[$1 + 0] = number_before("test case"); next }

# 3: test cases: 12 | 11 passed | 1 failed
/^[0-9]+: test cases: / {
  catch_passed[$1 + 0] = number_before("passed")
  catch_failed[$1 + 0] = number_before("failed")
  next
}

#  3/17 Test  #3: model ............   Passed    0.04 sec
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
  test = $0
  sub(/^[^#]*#/, "", test)
  count_ctest(test + 0, $0 ~ / Passed +[0-9.]+ sec/)
  next
}

#       Tests  1 failed | 11 passed | 2 skipped (14)
/^ +Tests +[0-9]+ (passed|failed|skipped)/ {
  passed += number_before("passed")
  failed += number_before("failed")
  next
}

# # pass 57
/^# pass [0-9]+$/ { passed += $3; next }
/^# fail [0-9]+$/ { failed += $3; next }

# The last such line is the sum.
/^[0-9]+ passed, [0-9]+ failed/ { closing_passed = $1; closing_failed = $3 }

END { print passed + closing_passed, failed + closing_failed }

function number_before(word,   text) {
  if (!match($0, "[0-9]+ " word)) return 0
  text = substr($0, RSTART, RLENGTH)
  return text + 0
}

# A program may fail though its cases passed (a sanitizer's report), or before it could count them.
function count_ctest(test, good) {
  if (!(test in catch_passed)) {
    passed += good
    failed += !good
    return
  }
  passed += catch_passed[test]
  failed += catch_failed[test] + (!good && !catch_failed[test])
}
