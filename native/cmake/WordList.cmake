# Compiles resources/wordlist.txt into the engine: one quoted word and a comma per line of word_list.inc.
set(word_list_file "${THRU_ROOT}/resources/wordlist.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${word_list_file}")
file(STRINGS "${word_list_file}" words)
list(TRANSFORM words REPLACE "(.+)" "\"\\1\",\n")
list(JOIN words "" word_list)
file(CONFIGURE OUTPUT generated/word_list.inc CONTENT "${word_list}" @ONLY)
target_include_directories(thru_core PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/generated")
