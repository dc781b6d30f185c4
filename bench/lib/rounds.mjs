// Runs in turn, and what is made of them. Rates of a shared machine are noise: what was measured in turn can be
// compared.

export const best = (values) => Math.min(...values)
export const worst = (values) => Math.max(...values)
export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Runs `ways` A, B, A, B, ...: for each its results, in order. The first round only fills caches. */
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

/** Best by best, median by median, and the worst pair. */
export const ratio = (over, under) => ({
  best: best(over) / best(under),
  median: median(over) / median(under),
  worst: worst(over.map((value, round) => value / under[round])),
})

/** The same of plain values, of which small ones are good. */
export const spread = (values) => ({
  best: best(values),
  median: median(values),
  worst: worst(values),
})

/** The same of plain values, of which large ones are good. */
export const spreadDown = (values) => ({
  best: worst(values),
  median: median(values),
  worst: best(values),
})
