/** Imported first: zod decides when a schema is made, and the page's content policy forbids generated code. */
import * as z from 'zod'

z.config({ jitless: true })
