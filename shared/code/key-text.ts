/** Keys and secrets as text, in files and for the engine. */
import * as z from 'zod'

/** 256 bits in base64url, in the only form that the engine accepts: the unused bits of the last character are zero. */
export const keySchema = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/)
