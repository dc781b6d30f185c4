import { later } from '../../components/later'

/** The list of a transfer's files, which a card shows only when it is open. */
export const FileList = later(async () => (await import('./file-list')).FileList)
