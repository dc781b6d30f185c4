/** The type of the window's texts in every language. */
import type { CatalogueOf } from '#shared/text/catalogue'
import type { english } from './en/english'

export type Catalogue = CatalogueOf<typeof english>
