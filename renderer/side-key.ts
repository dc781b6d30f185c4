import type { OtherSide } from '#shared/state/app-state'

/** A unique key for a side. */
export const sideKey = (side: OtherSide): string =>
  'receive' in side ? side.receive : `${side.share} ${side.peer}`
