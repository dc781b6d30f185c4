/** Steps of transfers that many tests take. */
import { fileURLToPath } from 'node:url'
import type { NewShare } from '#client/session/requests'
import { waitForState } from '#client/wait-for-state'
import type { ReceivePhase, Share, TransferId } from '#shared/state/app-state'
import type { Station } from './rig'

export const pathItem = (path: string) => ({ kind: 'path', path }) as const

/** A file that exists, to share. */
export const items = [pathItem(fileURLToPath(import.meta.url))]

export const shareOf = ({ client }: Station) => client.snapshot().state.shares[0]

export const receiveOf = ({ client }: Station) => client.snapshot().state.receives[0]

export const shareIn = ({ client }: Station, phase: Share['phase']): Promise<Share> =>
  waitForState(client, ({ shares }) => (shares[0]?.phase === phase ? shares[0] : null))

export const receiveIn = ({ client }: Station, phase: ReceivePhase) =>
  waitForState(client, ({ receives }) => (receives[0]?.phase === phase ? receives[0] : null))

/** The code of the open share, once there is one other than `not`. */
export const codeOf = ({ client }: Station, not = ''): Promise<string> =>
  waitForState(client, ({ shares: [share] }) =>
    share?.phase === 'open' && share.code !== not ? share.code : null,
  )

/** Opens a share; resolves once it has a code. */
export async function openShare(sender: Station, options: Partial<NewShare> = {}) {
  const opened = sender.client.openShare({ items, ...options })
  if (!opened.ok) throw new Error(opened.error.detail)
  const { session } = await sender.engine.nth('open-share')
  return { sender, share: opened.value, session, code: await codeOf(sender) }
}

/** Joins with a code; resolves once the engine has a session for it. */
export async function joinShare(receiver: Station, code: string, transfer?: TransferId) {
  const joined = receiver.client.join(code, transfer)
  if (!joined.ok) throw new Error(joined.error.detail)
  const { session, peer, receiveId } = await receiver.engine.nth('open-receive')
  return { receiver, receive: joined.value, line: { session, peer }, receiveId }
}
