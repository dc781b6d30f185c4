import type { Args } from '#shared/ipc'

/** The other side of a transfer: a receiver of a share, or the sender of a receive. */
export type OtherSide = Args<'keepContact'>['side']

/** A key that tells one side from another. */
export const sideKey = (side: OtherSide): string =>
  'receive' in side ? side.receive : `${side.share} ${side.peer}`
