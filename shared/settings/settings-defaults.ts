/** The initial options of new shares and receives, from the settings. */
import type { ReceiveOptions } from '#shared/settings/receive-options'
import type { Settings } from '#shared/settings/settings'
import { codeLives, type ShareOptions } from '#shared/settings/share-options'

/** The options of a new share, unless something else is chosen for it. */
export const shareOptionsOf = ({ codeLife, ...sharing }: Settings['sharing']): ShareOptions => ({
  ...sharing,
  codeLifeMs: codeLives[codeLife],
  invitedOnly: false,
})

/** The options of a new request: those settings of shares that are about codes and not about files. */
export function requestOptionsOf(
  sharing: Settings['sharing'],
): Pick<ShareOptions, 'browsers' | 'codeLifeMs'> {
  const { browsers, codeLifeMs } = shareOptionsOf(sharing)
  return { browsers, codeLifeMs }
}

/** The options of a new receive, unless something else is chosen for it. */
export const receiveOptionsOf = ({
  conflicts,
  folder: _folder,
  rememberLast: _rememberLast,
  prefetch: _prefetch,
  ...options
}: Settings['receiving']): ReceiveOptions => ({ ...options, conflict: conflicts, choices: [] })
