/** Finds secrets in a server's messages, in any encoding. */

/** Shorter texts occur in ciphertext by chance. */
const shortest = 5

/** The secrets that occur in the frames. */
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

/** The decoded runs of base64 in a frame, one character per byte. */
const decodedOf = (frame: string): readonly string[] =>
  (frame.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).map((text) =>
    Buffer.from(text, 'base64').toString('latin1'),
  )

/** Forms of a secret: plain, as Latin-1 bytes, and in base64 at each offset in a group of three bytes. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // The characters at both ends depend on the neighboring bytes.
    const core = text.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6))
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [secret, bytes.toString('latin1'), ...inBase64]
}
