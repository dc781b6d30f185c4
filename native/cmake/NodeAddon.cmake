# thruflux.node: one binary for Node and every Electron (Node-API 8).
thru_sources(addon_sources src/napi)
set(system_sources ${addon_sources})
list(FILTER system_sources INCLUDE REGEX "_(posix|win)\\.cc$")
thru_units_of_their_own(${system_sources})

set(node_modules "${THRU_ROOT}/node_modules")
if(NOT EXISTS "${node_modules}/node-addon-api/napi.h")
  message(FATAL_ERROR "node-addon-api is not installed: run `npm ci`, or configure with -DTHRU_ADDON=OFF.")
endif()

set(addon_kind MODULE)
if(APPLE)
  # Programs that load it see no difference, and zig can't link bundles.
  set(addon_kind SHARED)
endif()
add_library(thru_addon ${addon_kind} ${addon_sources})
# The library folder of the build machine must not be searched on other machines.
set_target_properties(thru_addon PROPERTIES PREFIX "" SUFFIX ".node" OUTPUT_NAME thruflux SKIP_BUILD_RPATH ON)
target_include_directories(thru_addon SYSTEM PRIVATE
  "${node_modules}/node-api-headers/include" "${node_modules}/node-addon-api")
file(READ "${THRU_ROOT}/package.json" package)
string(JSON version GET "${package}" version)
target_compile_definitions(thru_addon PRIVATE
  THRU_VERSION="${version}" NAPI_VERSION=8 NODE_ADDON_API_DISABLE_CPP_EXCEPTIONS NODE_ADDON_API_DISABLE_DEPRECATED
  # A worker being terminated can't take an exception; that must not end the process.
  NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS)
target_link_libraries(thru_addon PRIVATE thru_core thru_link_optimised)

if(APPLE)
  # The program that loads the addon provides Node's functions; GLib and libnice are in the addon's folder.
  target_link_options(thru_addon PRIVATE -undefined dynamic_lookup)
  set_target_properties(thru_addon PROPERTIES INSTALL_NAME_DIR "@rpath" BUILD_WITH_INSTALL_NAME_DIR ON)
  set(shown "${CMAKE_CURRENT_SOURCE_DIR}/cmake/addon_macos.txt")
  set_target_properties(thru_addon PROPERTIES LINK_DEPENDS "${shown}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "AppleClang")
    target_link_options(thru_addon PRIVATE
      "-Wl,-rpath,@loader_path" "-Wl,-exported_symbols_list,${shown}" "-Wl,-dead_strip")
  else()
    # zig's linker supports no such list, and can't optimize with late look-ups: macos-link.mjs calls another one.
    target_link_options(thru_addon PRIVATE -O0)
    find_program(NODE node REQUIRED CMAKE_FIND_ROOT_PATH_BOTH)
    set_target_properties(thru_addon PROPERTIES
      RULE_LAUNCH_LINK "${NODE} ${THRU_ROOT}/scripts/deps/macos-link.mjs ${shown}")
  endif()
elseif(WIN32)
  # The program that loads the addon may have any name (electron.exe, thru.exe), so its symbols are bound late.
  set(definition "${node_modules}/node-api-headers/def/node_api.def")
  if(MSVC)
    set(import_library "${CMAKE_CURRENT_BINARY_DIR}/node_api.lib")
    set(make_import_library ${CMAKE_AR} "/def:${definition}" "/out:${import_library}"
        $<IF:$<EQUAL:${CMAKE_SIZEOF_VOID_P},8>,/machine:x64,/machine:x86>)
    target_link_options(thru_addon PRIVATE /DELAYLOAD:NODE.EXE)
  else()
    # dlltool's import libraries are always delay-loaded.
    set(import_library "${CMAKE_CURRENT_BINARY_DIR}/libnode_api.a")
    set(make_import_library ${CMAKE_DLLTOOL} -d "${definition}" -y "${import_library}")
    target_link_options(thru_addon PRIVATE -Wl,--exclude-all-symbols -Wl,--gc-sections)
  endif()
  add_custom_command(OUTPUT "${import_library}" COMMAND ${make_import_library} DEPENDS "${definition}" VERBATIM)
  target_sources(thru_addon PRIVATE "${import_library}" cmake/win_delay_load.cc)
  thru_units_of_their_own(cmake/win_delay_load.cc)
  target_link_libraries(thru_addon PRIVATE "${import_library}" delayimp)
else()
  # Node and Electron export their own TLS symbols: ours stay hidden, and are resolved within the addon.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # zig links its C++ library statically anyway, and doesn't know the last option: the script is enough.
    target_link_options(thru_addon PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL)
  endif()
  target_link_options(thru_addon PRIVATE -Wl,-Bsymbolic -Wl,--gc-sections
    "-Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/addon.map")
  set_target_properties(thru_addon PROPERTIES LINK_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/cmake/addon.map")
endif()
