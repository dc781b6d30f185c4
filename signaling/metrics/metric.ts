/**
 * Numbers for a monitoring system. A metric lists all values of its label when it is made, so no
 * client can add a series.
 */

/** One number of a metric; `suffix` distinguishes the numbers of a distribution. */
export type Sample = {
  readonly suffix?: '_bucket' | '_sum' | '_count'
  readonly labels?: Readonly<Record<string, string | number>>
  readonly value: number
}

/** A metric at one moment, for `exposition`. */
export type Family = {
  /** Lower-case words with underscores; the unit last, then `total` for counters. */
  readonly name: string
  /** A one-line description. */
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** A current value that can rise and fall. */
export const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})

/** One gauge for each value of a label. */
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

/** Counts events. */
export class Count {
  readonly #name: string
  readonly #help: string
  #value = 0

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  /** Adds `count`. */
  add(count = 1): void {
    this.#value += count
  }

  /** The current value as a metric. */
  get family(): Family {
    const samples = [{ value: this.#value }]
    return { name: this.#name, help: this.#help, type: 'counter', samples }
  }
}

/** Counts events by kind; unknown kinds count as `other`. */
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

  /** Adds one of this kind. */
  add(kind: Kind): void {
    const known = this.#counts.has(kind) ? kind : 'other'
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1)
  }

  /** The current values as a metric. */
  get family(): Family {
    const samples = [...this.#counts].map(([kind, value]) => ({
      labels: { [this.#label]: kind },
      value,
    }))
    return { name: this.#name, help: this.#help, type: 'counter', samples }
  }
}

/** A histogram of durations: the number within each bound, and their sum. */
export class Distribution {
  readonly #name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  /** One count per bound, and one for longer durations. */
  readonly #counts: number[]
  #sum = 0

  /** `bounds` are seconds, in ascending order. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#bounds = bounds
    this.#counts = [...bounds.map(() => 0), 0]
  }

  /** Adds one duration. */
  observe(seconds: number): void {
    const at = this.#bounds.findIndex((bound) => seconds <= bound)
    const bucket = at === -1 ? this.#bounds.length : at
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += seconds
  }

  /** The current values as a metric. */
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
