/** Time limits and speeds of network tests. */

/** True to run every case and check the promised figures; otherwise only the most telling cases. */
export const isLong = process.env['THRU_LONG_TESTS'] === '1'

/** Maximum time from the end of a fault to new data, ms, on an otherwise idle computer, as in `npm run test:long`. */
export const gapLimitMs = 3000

/** Limit for a whole test, ms: alongside compilers, each step takes ten times as long. */
export const networkTestMs = 300_000

/** The rate before a fault: slow enough that the transfer hasn't ended by then. */
export const slowMbit = 16

/** The rate while a route is searched for: 8 MiB last for half a minute. */
export const searchMbit = 2

/** The rate after a fault. */
export const usualMbit = 200
