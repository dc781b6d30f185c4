import { expect, it, vi } from 'vitest'
import type { Client } from '#client/client'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import { emptyState } from '#shared/state/app-state'
import type { ContactId, Invitation } from '#shared/state/contacts'
import { answerAll } from '../../commands/listen'
import type { Reporter } from '../../report/reporter'
import type { Terminal } from '../../terminal/terminal'

const invitation: Invitation = {
  ...{ contact: 'c'.repeat(32) as ContactId, nameplate: '4821' },
  ...{ summary: 'photos', arrivedMs: 1 },
}

it('a stop ends the question about an invitation without an answer', async () => {
  const decline = vi.fn()
  const client = {
    contacts: { decline },
    snapshot: () => ({ seq: 0, state: { ...emptyState('/in'), invitations: [invitation] } }),
    subscribe: () => () => undefined,
  } as unknown as Client
  const stop = new AbortController()
  // A person who doesn't answer before the question ends.
  const terminal = {
    ask: (_question: string, signal: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        signal.addEventListener('abort', () => resolve(false))
        stop.abort()
      }),
  } as unknown as Terminal
  await answerAll(
    client,
    { directory: '/in', options: defaultReceiveOptions },
    {} as unknown as Reporter,
    terminal,
    stop.signal,
  )
  expect(decline).not.toHaveBeenCalled()
})
