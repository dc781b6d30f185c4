# Native libraries by pkg-config: THRU_DEPS_PREFIX first, then the system (or vcpkg). The minimums are from deps.json.
find_package(PkgConfig REQUIRED)
if(THRU_DEPS_PREFIX)
  set(ENV{PKG_CONFIG_PATH} "${THRU_DEPS_PREFIX}/lib/pkgconfig:$ENV{PKG_CONFIG_PATH}")
endif()
# Without the patches, the tests of their changes would be skipped, as with a system's ngtcp2.
foreach(prefix "${THRU_DEPS_PREFIX}" "${VCPKG_INSTALLED_DIR}/${VCPKG_TARGET_TRIPLET}")
  if(EXISTS "${prefix}/include/ngtcp2/ngtcp2.h")
    file(STRINGS "${prefix}/include/ngtcp2/ngtcp2.h" thru_patched REGEX "NGTCP2_PATCHED_BY_THRUFLUX")
    if(NOT thru_patched)
      message(FATAL_ERROR "The ngtcp2 in ${prefix} has none of native/patches/ngtcp2: remove that folder and build again.")
    endif()
  endif()
endforeach()
file(READ "${CMAKE_CURRENT_SOURCE_DIR}/deps.json" THRU_DEPS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/deps.json")
add_library(thru_dependencies INTERFACE)

# thru_dependency(<name in deps.json> [static libraries in link order...]): links static libraries by their archives,
# with their dependencies, and the rest as pkg-config says.
function(thru_dependency name)
  string(JSON minimum GET "${THRU_DEPS}" dependencies ${name} minimum)
  string(JSON count LENGTH "${THRU_DEPS}" dependencies ${name} pkgConfig)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON module GET "${THRU_DEPS}" dependencies ${name} pkgConfig ${i})
    list(APPEND modules "${module}>=${minimum}")
  endforeach()
  # The prefix changes with deps.json; cached results would keep pointing to the old one.
  foreach(variable PC_${name} ${ARGN})
    unset(__pkg_config_checked_PC_${name} CACHE)
    unset(THRU_LIB_${variable} CACHE)
  endforeach()
  if(NOT ARGN)
    pkg_check_modules(PC_${name} REQUIRED IMPORTED_TARGET ${modules})
    target_link_libraries(thru_dependencies INTERFACE PkgConfig::PC_${name})
    return()
  endif()
  pkg_check_modules(PC_${name} REQUIRED ${modules})
  target_include_directories(thru_dependencies SYSTEM INTERFACE ${PC_${name}_INCLUDE_DIRS})
  list(GET modules 0 first)
  string(REGEX REPLACE ">=.*" "" first "${first}")
  pkg_get_variable(libdir ${first} libdir)
  foreach(library IN LISTS ARGN)
    find_library(THRU_LIB_${library}
      # OpenSSL, libsodium and utf8proc name their archives differently if there is no prefix.
      NAMES ${CMAKE_STATIC_LIBRARY_PREFIX}${library}${CMAKE_STATIC_LIBRARY_SUFFIX}
            lib${library}${CMAKE_STATIC_LIBRARY_SUFFIX} ${library}_static${CMAKE_STATIC_LIBRARY_SUFFIX} ${library}
      HINTS ${libdir} ${PC_${name}_LIBRARY_DIRS} REQUIRED)
    target_link_libraries(thru_dependencies INTERFACE ${THRU_LIB_${library}})
  endforeach()
  # An archive doesn't include its dependencies: a distribution's libcrypto.a, for example, calls zlib and zstd.
  set(others ${PC_${name}_STATIC_LIBRARIES})
  list(REMOVE_ITEM others ${THRU_STATIC_LIBRARIES})
  target_link_directories(thru_dependencies INTERFACE ${PC_${name}_STATIC_LIBRARY_DIRS})
  target_link_libraries(thru_dependencies INTERFACE ${others})
endfunction()

# All libraries linked by their archives, even as dependencies of others.
set(THRU_STATIC_LIBRARIES ngtcp2_crypto_ossl ngtcp2 ssl crypto blake3 sodium utf8proc)
thru_dependency(ngtcp2 ngtcp2_crypto_ossl ngtcp2)
thru_dependency(openssl ssl crypto)
thru_dependency(blake3 blake3)
thru_dependency(libsodium sodium)
thru_dependency(utf8proc utf8proc)
thru_dependency(libnice)
thru_dependency(glib)
# Otherwise their headers expect DLLs on Windows.
target_compile_definitions(thru_dependencies INTERFACE UTF8PROC_STATIC NGTCP2_STATICLIB)
target_link_libraries(thru_dependencies INTERFACE ${CMAKE_DL_LIBS})
if(WIN32)
  target_link_libraries(thru_dependencies INTERFACE ws2_32 iphlpapi bcrypt crypt32 ntdll)
endif()
