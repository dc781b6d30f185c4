# thruflux.wasm: the transfers of a web page, from the layers that need no system. Built by scripts/target-build.mjs web.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
thru_sources(core_sources src/base src/wire src/transfer src/crypto src/pairing src/quic src/web)
# The first two read the certificates of a system and connect to relays; the third is for threads.
list(FILTER core_sources EXCLUDE REGEX "/crypto/tls_(authorities|client)\\.cc$|/base/buffer_pool\\.cc$|_wasm\\.cc$")
list(APPEND core_sources src/link/link_binding.cc src/link/origin_proof.cc src/net/address_wasm.cc src/net/length_frames.cc)
add_library(thru_core STATIC ${core_sources})
thru_units_of_their_own(src/crypto/random_posix.cc)
target_include_directories(thru_core PUBLIC src)
target_link_libraries(thru_core PUBLIC thru_flags thru_dependencies)
# The libraries below use the processor. A person waits for the module to arrive.
target_compile_options(thru_core PRIVATE -Os -mbulk-memory)
include(WordList)

thru_sources(module_sources src/web)
list(FILTER module_sources INCLUDE REGEX "_wasm\\.cc$")
# Defined here, it replaces OpenSSL's function.
add_executable(thru_web ${module_sources} src/crypto/chacha20_wasm.cc)
set_target_properties(thru_web PROPERTIES OUTPUT_NAME thruflux SUFFIX ".wasm")
target_link_libraries(thru_web PRIVATE thru_core)
# A page calls functions instead of a program's start. The limit of memory stops a page before the browser does.
target_link_options(thru_web PRIVATE -mexec-model=reactor -mbulk-memory -Wl,--strip-all -Wl,-z,stack-size=1048576
  -Wl,--max-memory=536870912)
