set(VCPKG_TARGET_ARCHITECTURE x64)
set(VCPKG_CRT_LINKAGE dynamic)
set(VCPKG_BUILD_TYPE release)
# Archives become part of the addon; libraries under the LGPL stay files that a user can replace.
set(VCPKG_LIBRARY_LINKAGE static)
if(PORT MATCHES "^(glib|libnice|gettext-libintl|libiconv)$")
  set(VCPKG_LIBRARY_LINKAGE dynamic)
endif()
