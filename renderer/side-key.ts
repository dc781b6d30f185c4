import type { OtherSide } from '#shared/state/app-state'

/** A key for a side, different from that of every other. */
export const sideKey = (side: OtherSide): string =>
  'receive' in side ? side.receive : `${side.share} ${side.peer}`
