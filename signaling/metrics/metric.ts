/**
 * Numbers for a monitoring system. Every value that a label can have is listed when the metric is made,
 * so that nobody outside makes the process remember, or the reader store, one series more.
 */

/** One number of a metric; `suffix` tells apart the numbers of a distribution. */
export type Sample = {
  readonly suffix?: '_bucket' | '_sum' | '_count'
  readonly labels?: Readonly<Record<string, string | number>>
  readonly value: number
}

/** A metric at one moment, as `exposition` writes it. */
export type Family = {
  /** Lower-case words with underscores; the unit last, then `total` for what only grows. */
  readonly name: string
  /** What it counts, in one line. */
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** A number that goes up and down, as it is now. */
export const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})

/** One such number for each value of a label. */
export const gaugeBy = (
  name: string,
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): Family => ({
  name,
  help,
  type: 'gauge',
  samples: Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value })),
})

/** Counts what happens. */
export class Count {
  readonly #name: string
  readonly #help: string
  #value = 0

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  /** `count` more. */
  add(count = 1): void {
    this.#value += count
  }

  /** As it is now. */
  get family(): Family {
    const samples = [{ value: this.#value }]
    return { name: this.#name, help: this.#help, type: 'counter', samples }
  }
}

/** Counts what happens by one of a few kinds; what has none of them counts as `other`. */
export class CountBy<Kind extends string | number> {
  readonly #name: string
  readonly #help: string
  readonly #label: string
  readonly #counts: Map<string | number, number>

  constructor(name: string, help: string, label: string, kinds: readonly Kind[]) {
    this.#name = name
    this.#help = help
    this.#label = label
    this.#counts = new Map([...kinds, 'other'].map((kind) => [kind, 0]))
  }

  /** One more of this kind. */
  add(kind: Kind): void {
    const known = this.#counts.has(kind) ? kind : 'other'
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1)
  }

  /** As it is now. */
  get family(): Family {
    const samples = [...this.#counts].map(([kind, value]) => ({
      labels: { [this.#label]: kind },
      value,
    }))
    return { name: this.#name, help: this.#help, type: 'counter', samples }
  }
}

/** How long something takes: how often it took no more than each of the bounds, and how long in all. */
export class Distribution {
  readonly #name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  /** One for each bound, and one for what is beyond all of them. */
  readonly #counts: number[]
  #sum = 0

  /** `bounds` are seconds, in rising order. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#bounds = bounds
    this.#counts = [...bounds.map(() => 0), 0]
  }

  /** One that took so many seconds. */
  observe(seconds: number): void {
    const at = this.#bounds.findIndex((bound) => seconds <= bound)
    const bucket = at === -1 ? this.#bounds.length : at
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += seconds
  }

  /** As it is now. */
  get family(): Family {
    let total = 0
    const samples: Sample[] = this.#counts.map((count, at) => {
      total += count
      return { suffix: '_bucket', labels: { le: this.#bounds[at] ?? '+Inf' }, value: total }
    })
    samples.push({ suffix: '_sum', value: this.#sum }, { suffix: '_count', value: total })
    return { name: this.#name, help: this.#help, type: 'histogram', samples }
  }
}
