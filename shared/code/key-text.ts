/** Keys and secrets as text, in files and towards the engine. */
import * as z from 'zod'

/**
 * 256 bits in base64url, in the one form that the engine takes: what the last character has beyond them
 * is zero.
 */
export const keySchema = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/)
