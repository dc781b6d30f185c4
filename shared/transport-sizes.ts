/** Memory that connections may use for speed, in bytes: the range of each setting, and the default. */

/** The bounds of a size; the engine uses `automatic` if none is set. */
export type SizeBounds = {
  readonly from: number
  readonly to: number
  readonly automatic: number
}

/** The same as in native/src/link/transport.h. */
export const transportSizes = {
  connectionWindow: { from: 2 ** 24, to: 2 ** 30, automatic: 2 ** 26 },
  socketBuffers: { from: 2 ** 18, to: 2 ** 28, automatic: 2 ** 23 },
} as const satisfies Readonly<Record<string, SizeBounds>>

/** 0 lets the engine choose. */
export type TransportSizes = { readonly [K in keyof typeof transportSizes]: number }
