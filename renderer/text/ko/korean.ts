/** The window's Korean texts. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '..'

export const korean: Translation<Catalogue> = {}
