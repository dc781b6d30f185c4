/** Finds secrets in what passed through a server, in whatever form they may have passed. */

/** Shorter ones come about by chance in ciphertext. */
const shortest = 5

/** The secrets of which the frames have a trace. */
export function tracesOf(secrets: readonly string[], frames: readonly string[]): readonly string[] {
  const texts = frames.flatMap((frame) => [frame, ...decodedOf(frame)])
  const all = texts.join('\n')
  const lower = all.toLowerCase()
  return secrets
    .filter((secret) => secret.length >= shortest)
    .filter(
      (secret) =>
        formsOf(secret).some((form) => all.includes(form)) ||
        lower.includes(Buffer.from(secret).toString('hex')),
    )
}

/** What the runs of base64 in a frame stand for, one character for each byte. */
const decodedOf = (frame: string): readonly string[] =>
  (frame.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).map((text) =>
    Buffer.from(text, 'base64').toString('latin1'),
  )

/** As it is, as bytes in latin1, and in base64 wherever in a group of three bytes it begins. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // Characters at both ends depend on what is beside it.
    const core = text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6))
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [secret, bytes.toString('latin1'), ...inBase64]
}
