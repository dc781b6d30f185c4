/** Which received files a click may open. */

/**
 * Files that programs only show or play: pictures, films, sound, plain documents. A program, a script, a
 * document with macros or an archive is opened by whoever goes to its folder and means it.
 */
const shown =
  /\.(mov|mp4|mkv|avi|webm|mxf|m4v|jpe?g|png|gif|webp|heic|tiff?|dng|cr[23]|nef|arw|wav|mp3|flac|aiff?|ogg|m4a|aac|txt|md|csv|pdf)$/i

/** By the end of its name, which is what the system chooses a program by. */
export const isSafeToOpen = (name: string): boolean => shown.test(name)
