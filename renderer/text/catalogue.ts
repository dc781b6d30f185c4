/** The window's texts, which every language has. */
import type { CatalogueOf } from '#shared/text/catalogue'
import type { english } from './en/english'

export type Catalogue = CatalogueOf<typeof english>
