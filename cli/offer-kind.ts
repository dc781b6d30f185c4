/** What kind of offer a receive has. */
import type { Receive } from '#shared/app-state'

/** True for a stream, whose size nobody knows before its end. */
export const hasStream = ({ items }: Pick<Receive, 'items'>): boolean =>
  items.some(({ kind }) => kind === 'stream')
