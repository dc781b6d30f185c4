/** The received files that a click may open. */

/**
 * Files that programs only show or play: pictures, videos, sound, plain documents. Programs, scripts, archives and
 * documents with macros must be opened deliberately from their folder.
 */
const shown =
  /\.(mov|mp4|mkv|avi|webm|mxf|m4v|jpe?g|png|gif|webp|heic|tiff?|dng|cr[23]|nef|arw|wav|mp3|flac|aiff?|ogg|m4a|aac|txt|md|csv|pdf)$/i

/** Checks the extension, by which the system chooses a program. */
export const isSafeToOpen = (name: string): boolean => shown.test(name)
