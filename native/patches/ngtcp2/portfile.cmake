# Makes this folder a vcpkg overlay port: the file of native/deps.json, with all patches.
vcpkg_download_distfile(archive
  URLS "https://github.com/ngtcp2/ngtcp2/releases/download/v${VERSION}/ngtcp2-${VERSION}.tar.xz"
  FILENAME "ngtcp2-${VERSION}.tar.xz"
  SHA512 e8c862c4bef6f1b75eec7808a4c6f5e7aba4d38bf06428fa02878d64685ff234528688639d7dd8907e1efa12da04198dd91d05e17a2925f9a785d04bd469d52f)
file(GLOB patches "${CURRENT_PORT_DIR}/*.patch")
vcpkg_extract_source_archive(source ARCHIVE "${archive}" PATCHES ${patches})

# A clock that steps back must not abort the process (scripts/deps/recipes.mjs).
string(APPEND VCPKG_C_FLAGS " -DNDEBUG")
string(APPEND VCPKG_CXX_FLAGS " -DNDEBUG")
vcpkg_cmake_configure(SOURCE_PATH "${source}"
  OPTIONS -DENABLE_LIB_ONLY=ON -DENABLE_SHARED_LIB=OFF -DENABLE_OPENSSL=ON -DBUILD_TESTING=OFF)
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/cmake" "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${source}/COPYING")
