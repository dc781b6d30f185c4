# Sources of layers, without the files of other platforms: x_linux.cc, x_posix.cc, x_macos.cc, x_win.cc.
if(WIN32)
  set(THRU_OTHER_PLATFORMS "_(linux|posix|macos)\\.cc$")
elseif(APPLE)
  set(THRU_OTHER_PLATFORMS "_(linux|win)\\.cc$")
else()
  set(THRU_OTHER_PLATFORMS "_(macos|win)\\.cc$")
endif()

# Sets `out` to the .cc files of the given folders that belong to this platform.
function(thru_sources out)
  set(all "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cc")
    list(APPEND all ${sources})
  endforeach()
  list(FILTER all EXCLUDE REGEX "${THRU_OTHER_PLATFORMS}")
  set(${out} ${all} PARENT_SCOPE)
endfunction()
