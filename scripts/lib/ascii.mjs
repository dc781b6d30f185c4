/**
 * Returns a bundle in pure ASCII, for a reader of single bytes. The bundler escapes strings, but not regular
 * expressions and comments, where the same escapes have the same meaning.
 */
export const asciiOnly = (/** @type {string} */ program) =>
  program.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
