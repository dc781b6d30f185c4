# Builds libFuzzer programs thru_fuzz_<decoder>, one per function in fuzz/targets.h. Seeds are made from the vectors:
#   node native/fuzz/make-corpus.mjs out/corpus && native/build/fuzz/thru_fuzz_control out/corpus/control
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "THRU_FUZZ needs clang 19 or newer: configure with -DCMAKE_CXX_COMPILER=clang++-19.")
endif()

set(fuzz_entry [[
#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    thru::fuzz::fuzz_@decoder@({data, size});
    return 0;
}
]])

foreach(decoder control manifest segment pairing_payload pairing_run pairing_message cpace_share invitation candidate text
                web_socket relay_frames stun proxy_answer)
  file(CONFIGURE OUTPUT generated/fuzz/${decoder}.cc CONTENT "${fuzz_entry}" @ONLY)
  add_executable(thru_fuzz_${decoder} "${CMAKE_CURRENT_BINARY_DIR}/generated/fuzz/${decoder}.cc")
  target_link_libraries(thru_fuzz_${decoder} PRIVATE thru_fuzz_targets)
  target_link_options(thru_fuzz_${decoder} PRIVATE -fsanitize=fuzzer)
endforeach()
