/** The type of the page's texts in every language. */
import type { CatalogueOf } from '#shared/text/catalogue'
import type { english } from './en'

export type WebText = CatalogueOf<typeof english>
