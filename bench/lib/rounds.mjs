// Alternating runs and their statistics: on a noisy shared machine, only alternating measurements are comparable.

export const best = (values) => Math.min(...values)
export const worst = (values) => Math.max(...values)
export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Runs `ways` A, B, A, B, ... and returns each one's results in order. The first round only warms caches. */
export async function inTurn(rounds, ways) {
  const results = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(ways)) {
      const result = await run()
      if (round > 0) results[name].push(result)
    }
  }
  return results
}

/** Ratios of the bests, of the medians, and of the worst pair. */
export const ratio = (over, under) => ({
  best: best(over) / best(under),
  median: median(over) / median(under),
  worst: worst(over.map((value, round) => value / under[round])),
})

/** Statistics of values where smaller is better. */
export const spread = (values) => ({
  best: best(values),
  median: median(values),
  worst: worst(values),
})

/** Statistics of values where larger is better. */
export const spreadDown = (values) => ({
  best: worst(values),
  median: median(values),
  worst: best(values),
})
