import type { RateSample } from '#shared/state/app-state'

const box = { width: 56, height: 24 }

/** Fewer samples make no useful line. */
const fewest = 4

/** Speed over the last seconds as a small line; the figure next to it says the same in words. */
export function Sparkline({ samples, isRelay }: Props) {
  if (samples.length < fewest) return <span />
  const points = sparklinePoints(samples).join(' ')
  return (
    <svg className={isRelay ? 'sparkline relay' : 'sparkline'} viewBox="0 0 56 24" aria-hidden>
      <polygon points={`0,24 ${points} 56,24`} />
      <polyline points={points} />
    </svg>
  )
}

type Props = { readonly samples: readonly RateSample[]; readonly isRelay: boolean }

/** One point per gap between samples, its height relative to the fastest. */
export function sparklinePoints(samples: readonly RateSample[]): readonly string[] {
  const rates = samples.flatMap((sample, index) => {
    const before = samples[index - 1]
    if (before === undefined || sample.atMs <= before.atMs) return []
    return [(sample.bytes - before.bytes) / (sample.atMs - before.atMs)]
  })
  const fastest = Math.max(...rates, Number.MIN_VALUE)
  const step = box.width / Math.max(1, rates.length - 1)
  return rates.map((rate, index) => {
    const y = box.height - 1 - (rate / fastest) * (box.height - 3)
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`
  })
}
