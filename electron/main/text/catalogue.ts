/** The texts of the main process, which every language has. */
import type { CatalogueOf } from '#shared/text/catalogue'
import type { english } from './english'

export type MainText = CatalogueOf<typeof english>
