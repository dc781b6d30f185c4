/** The Korean texts that window and dialogs share. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'

export const korean: Translation<SharedText> = {}
