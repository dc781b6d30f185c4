# Warnings, sanitizers and the compiler cache.
add_library(thru_flags INTERFACE)

if(MSVC)
  target_compile_options(thru_flags INTERFACE /W4 /utf-8 /permissive- $<$<BOOL:${THRU_WERROR}>:/WX>)
else()
  target_compile_options(thru_flags INTERFACE
    -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor
    # Zero is the right value for a field that a designated initializer omits.
    -Wno-missing-field-initializers
    $<$<BOOL:${THRU_WERROR}>:-Werror>)
endif()

# Newer versions of GCC give false warnings about the standard library after inlining, so these are not errors.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  foreach(warning array-bounds dangling-pointer free-nonheap-object maybe-uninitialized restrict
                  stringop-overflow stringop-overread)
    target_compile_options(thru_flags INTERFACE $<$<BOOL:${THRU_WERROR}>:-Wno-error=${warning}>)
  endforeach()
endif()

if(WIN32)
  # Windows 10 1809 is the declared minimum; anything newer is detected at run time.
  target_compile_definitions(thru_flags INTERFACE
    NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _UNICODE _WIN32_WINNT=0x0A00 NTDDI_VERSION=0x0A000006)
endif()

if(MINGW)
  # Links the compiler's own libraries statically, so none of its DLLs is needed. Import libraries still work.
  target_link_options(thru_flags INTERFACE -static)
endif()

if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
  # Sizes are checked against limits before they become a size_t, which has 32 bits here.
  target_compile_options(thru_flags INTERFACE -Wno-shorten-64-to-32)
else()
  find_package(Threads REQUIRED)
  target_link_libraries(thru_flags INTERFACE Threads::Threads)
endif()

if(THRU_SANITIZE)
  # maybe-uninitialized reports false positives on instrumented code (GCC bug 105562).
  set(sanitize -fsanitize=${THRU_SANITIZE} -fno-omit-frame-pointer)
  target_compile_options(thru_flags INTERFACE
    ${sanitize} -fno-sanitize-recover=all $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(thru_flags INTERFACE ${sanitize})
endif()

# Enables the standard library's checks in builds that don't need speed.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_definitions(thru_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(NOT MSVC)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
endif()

# Link-time optimization of the archives with LTO code (ngtcp2: about 5% CPU) in release builds. All other builds link
# their plain code, and without the plugin the linker saves seconds per link.
add_library(thru_link_optimised INTERFACE)
add_library(thru_link_plain INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_link_options(thru_link_plain INTERFACE -fno-use-linker-plugin)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(thru_link_optimised INTERFACE -flto=auto -O3)
  else()
    target_link_libraries(thru_link_optimised INTERFACE thru_link_plain)
  endif()
elseif(CMAKE_CROSSCOMPILING AND UNIX AND NOT APPLE AND CMAKE_BUILD_TYPE STREQUAL "Release")
  # zig's linker accepts the target's archives, which have only LTO code, either way.
  target_link_options(thru_link_optimised INTERFACE -flto -O3)
endif()

# Paths relative to the checkout let two checkouts share the compiler cache.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  foreach(language C CXX)
    set(CMAKE_${language}_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${THRU_ROOT} CCACHE_NOHASHDIR=1 ${CCACHE})
  endforeach()
endif()

# Compiles several sources as one unit (CMAKE_UNITY_BUILD) when everything is built: half the build time. Equal names
# in their anonymous namespaces must be renamed or shared.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC mistakes an included source for a header.
  target_compile_options(thru_flags INTERFACE $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-subobject-linkage>)
endif()

# thru_units_of_their_own(<sources...>): excludes sources from unity builds.
function(thru_units_of_their_own)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
