/** Times as people write them: `90s`, `15m` or `15min`, `24h`, `1h30m`, `7d`. */

const grammar =
  /^(?:(\d{1,6}) ?d)? ?(?:(\d{1,6}) ?h)? ?(?:(\d{1,6}) ?m(?:in)?)? ?(?:(\d{1,9}) ?s)?$/i

/** Whole seconds; `null` for anything else, and for a number without a unit. */
export function parseDuration(text: string): number | null {
  const match = grammar.exec(text.trim())
  if (match === null || match[0] === '') return null
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
}
