/** Calls of nearby computers as lines of the terminal. */
import { formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { NearbyCall, NearbyQuestion } from '#shared/state/nearby'
import { text } from '../text'

/** Remembers the phases that it has reported. */
export class CallLines {
  readonly #told = new Map<string, NearbyCall['phase']>()

  /** A line for each call with news. */
  of(calls: readonly NearbyCall[]): readonly string[] {
    return calls.flatMap(({ computer, name, phase }) => {
      if (this.#told.get(computer) === phase) return []
      this.#told.set(computer, phase)
      const shown = visibleText(name)
      switch (phase) {
        case 'asked':
          return [text.nearby.asked(shown)]
        case 'declined':
        case 'busy':
        case 'refused':
        case 'gone':
        case 'differs':
          return [text.nearby[phase](shown)]
        default:
          return []
      }
    })
  }
}

/** `Mina wants to send photos · 3 files · 1.2 GB. Number: 123 456`. */
export const questionLine = ({ name, summary, safety }: NearbyQuestion): string =>
  text.nearby.asks(visibleText(name), visibleText(summary), formatSafety(safety))
