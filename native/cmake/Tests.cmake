# Test programs, run in shards by scripts/test.mjs: thru_tests for the whole engine, thru_crash_tests with a disk in
# memory that loses power, thru_unpinned_tests without pinned certificates.
if(CMAKE_CROSSCOMPILING)
  # Uses a distribution's portable sources. JSON is a header; nothing else in its folder may be visible.
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

# The shared vectors are read from docs/vectors in the checkout. Only one file knows that path, so the compiler cache
# can serve all others to any checkout.
set_source_files_properties(tests/support/vectors.cc PROPERTIES
  COMPILE_DEFINITIONS THRU_ROOT="${THRU_ROOT}")
# It includes a source of the web module.
thru_units_of_their_own(tests/crypto/chacha20_test_posix.cc)

# thru_leave_threads(<sources>): with ThreadSanitizer, which takes minutes for code without threads, keeps only the
# tests of layers that start threads, and each x_threads_test.cc. `npm run layers` keeps threads out of the rest.
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
  # Optimizing the tests doubles their compile time and gains nothing. Sanitizers are an exception: there the engine
  # would run the tests' slow copies of inline functions.
  if(NOT MSVC AND NOT THRU_SANITIZE)
    target_compile_options(${name} PRIVATE -O1)
    # Larger units than usual; with a sanitizer, such a unit would need several gigabytes to compile.
    set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  endif()
  if(THRU_SANITIZE)
    target_compile_definitions(${name} PRIVATE THRU_SANITIZED)
    # UBSan is meant for the engine; in the tests it takes a third of their compile time.
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

# One side of CPace, for a test in TypeScript.
if("crypto" IN_LIST THRU_LAYERS)
  add_executable(thru_cpace_peer tests/programs/cpace_peer.cc tests/support/vectors.cc)
  target_include_directories(thru_cpace_peer PRIVATE tests)
  target_link_libraries(thru_cpace_peer PRIVATE
    thru_core thru_link_plain GTest::gtest nlohmann_json::nlohmann_json)
endif()

# Its own fs:: is linked before thru_core, which replaces the system's files.
if("engine" IN_LIST THRU_LAYERS)
  file(GLOB crash_sources CONFIGURE_DEPENDS tests/crash/*.cc)
  thru_leave_threads(crash_sources)
  thru_test_program(thru_crash_tests ${crash_sources}
    tests/engine/folder_end.cc tests/engine/held_disk.cc tests/sim/transfer_ends.cc tests/sim/virtual_link.cc)
endif()

# Checks that the second lock holds without pinned certificates: its own pin_peer is linked before thru_core.
if("engine" IN_LIST THRU_LAYERS)
  file(GLOB unpinned_sources CONFIGURE_DEPENDS tests/unpinned/*.cc)
  thru_test_program(thru_unpinned_tests ${unpinned_sources} tests/sim/virtual_link.cc)
endif()
