import type { OtherSide } from '#shared/contacts'

/** A key that tells one side from another. */
export const sideKey = (side: OtherSide): string =>
  'receive' in side ? side.receive : `${side.share} ${side.peer}`
