/**
 * A bundle without other characters than ASCII, as a reader of single bytes needs it. The bundler escapes texts, but
 * neither patterns nor comments, in which the same escapes mean the same.
 */
export const asciiOnly = (/** @type {string} */ program) =>
  program.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
