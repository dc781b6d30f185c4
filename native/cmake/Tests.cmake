# Test programs, run in shards by scripts/test.mjs: thru_tests over the whole engine, thru_crash_tests over a disk in memory that
# loses power, thru_unpinned_tests with certificates that nobody checks.
if(CMAKE_CROSSCOMPILING)
  # Their sources are what a distribution has for any system. JSON is a header; nothing else of its folder may be seen.
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  add_subdirectory("/usr/src/googletest" googletest EXCLUDE_FROM_ALL)
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/headers")
  file(CREATE_LINK "/usr/include/nlohmann"
    "${CMAKE_CURRENT_BINARY_DIR}/headers/nlohmann" SYMBOLIC)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  set_target_properties(nlohmann_json::nlohmann_json PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_BINARY_DIR}/headers")
else()
  find_package(GTest REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()

# The shared vectors are read from docs/vectors of the checkout. Only one file learns where that is: the compiler
# cache can then serve all others to any checkout.
set_source_files_properties(tests/support/vectors.cc PROPERTIES
  COMPILE_DEFINITIONS THRU_ROOT="${THRU_ROOT}")

# thru_leave_threads(<sources>): with ThreadSanitizer, which takes minutes to look at code without threads, only the
# tests of the layers that start some, and x_threads_test.cc of the others. `npm run layers` keeps threads out of the
# rest.
function(thru_leave_threads sources)
  if(THRU_SANITIZE MATCHES "thread")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${THRU_ROOT}/scripts/layers.json")
    file(READ "${THRU_ROOT}/scripts/layers.json" layers)
    string(JSON layers GET "${layers}" threads)
    string(REGEX MATCHALL "[a-z]+" layers "${layers}")
    list(JOIN layers "|" layers)
    set(threadless ${${sources}})
    list(FILTER threadless INCLUDE REGEX "_test(_[a-z]+)?\\.cc$")
    list(FILTER threadless EXCLUDE REGEX "/tests/(${layers})/|_threads_test\\.cc$")
    list(REMOVE_ITEM ${sources} ${threadless})
    set(${sources} ${${sources}} PARENT_SCOPE)
  endif()
endfunction()

# thru_test_program(<name> <sources...>)
function(thru_test_program name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE tests)
  target_link_libraries(${name} PRIVATE
    thru_core thru_link_plain GTest::gtest GTest::gtest_main nlohmann_json::nlohmann_json)
  # Optimising the tests themselves takes twice the time to compile them and gains nothing. Not with sanitizers:
  # there the engine would run the tests' slow copies of inline functions.
  if(NOT MSVC AND NOT THRU_SANITIZE)
    target_compile_options(${name} PRIVATE -O1)
    # Larger units than elsewhere: a sanitized one of that size would take several gigabytes to compile.
    set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  endif()
  if(THRU_SANITIZE)
    target_compile_definitions(${name} PRIVATE THRU_SANITIZED)
    # What it looks for is in the engine; in the tests it takes a third of the time to compile them.
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  endif()
  if(THRU_SANITIZE MATCHES "thread")
    target_sources(${name} PRIVATE cmake/tsan_suppressions.cc)
  endif()
endfunction()

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${test_folders} tests/support/*.cc)
list(FILTER test_sources EXCLUDE REGEX "/tests/(crash|programs|unpinned)/|${THRU_OTHER_PLATFORMS}")
thru_leave_threads(test_sources)
thru_test_program(thru_tests ${test_sources})
target_link_libraries(thru_tests PRIVATE ${fuzz_targets})

# One side of CPace that a test in TypeScript talks to.
if("crypto" IN_LIST THRU_LAYERS)
  add_executable(thru_cpace_peer tests/programs/cpace_peer.cc tests/support/vectors.cc)
  target_include_directories(thru_cpace_peer PRIVATE tests)
  target_link_libraries(thru_cpace_peer PRIVATE
    thru_core thru_link_plain GTest::gtest nlohmann_json::nlohmann_json)
endif()

# Its own fs:: stands before thru_core, so that the linker takes none of the system's files from there.
if("engine" IN_LIST THRU_LAYERS)
  file(GLOB crash_sources CONFIGURE_DEPENDS tests/crash/*.cc)
  thru_leave_threads(crash_sources)
  thru_test_program(thru_crash_tests ${crash_sources}
    tests/engine/folder_end.cc tests/engine/held_disk.cc tests/sim/transfer_ends.cc tests/sim/virtual_link.cc)
endif()

# Without the pinned certificates, to see that the second lock holds alone: its own pin_peer stands before thru_core.
if("engine" IN_LIST THRU_LAYERS)
  file(GLOB unpinned_sources CONFIGURE_DEPENDS tests/unpinned/*.cc)
  thru_test_program(thru_unpinned_tests ${unpinned_sources} tests/sim/virtual_link.cc)
endif()
