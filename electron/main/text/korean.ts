import type { Translation } from '#shared/text/catalogue'
import type { MainText } from '.'

/** The main process in Korean. */
export const korean: Translation<MainText> = {}
