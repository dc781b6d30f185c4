/**
 * The one way to write a document that is signed (docs/updates.md): JSON by RFC 8785, of which
 * texts, whole numbers, lists and objects are enough.
 */

/** The canonical text of a value without fractions. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, own]) => `${JSON.stringify(key)}:${canonicalJson(own)}`).join(',')}}`
}
