/** How long tests of the network wait, and how fast it is. */

/** Every case, and the figures that people are promised; else what shows most in little time. */
export const isLong = process.env['THRU_LONG_TESTS'] === '1'

/**
 * From the end of a fault to new data, ms. The figure that people are promised is for computers that do nothing
 * else, as in `npm run test:long`; on any other it is still far below QUIC's idle timeout of 120 s.
 */
export const gapLimitMs = isLong ? 3000 : 30_000

/** For one test in all, ms: where compilers run beside it, each step takes ten times as long. */
export const networkTestMs = 300_000

/** Until a fault: no test is so late that its transfer has ended by then. */
export const slowMbit = 16

/** The rate while a route is searched for: 8 MiB last for half a minute. */
export const searchMbit = 2

/** From the fault on. */
export const usualMbit = 200
