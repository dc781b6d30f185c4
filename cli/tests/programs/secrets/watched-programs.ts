/** Programs with all that they print and all that the system shows of them while they run. */
import { readFileSync } from 'node:fs'
import { Thru, type ThruOptions } from '../thru'
import type { Place, Trace } from './evidence'

const everyMs = 20

/** The title that a program takes once it has hidden what it was started with. */
const hidden = /^thru\0*$/

/** See above; begins to look when it is made. */
export class WatchedPrograms {
  readonly #running = new Set<Thru>()
  readonly #printed: Trace[] = []
  /** By what they are, for most looks show what the one before has shown. */
  readonly #shown = new Map<string, Trace>()
  readonly #timer = setInterval(() => this.#look(), everyMs)
  #looks = 0

  /** `conceal` takes out of what it prints what is meant for its person. */
  start(
    args: readonly string[],
    options: ThruOptions = {},
    place: Place = 'output',
    conceal: (printed: string) => string = (printed) => printed,
  ): Thru {
    const program = new Thru(args, options)
    this.#running.add(program)
    void program.ended.then(({ stdout, stderr }) => {
      this.#running.delete(program)
      const content = Buffer.from(conceal(stdout) + conceal(stderr))
      this.#printed.push({ place, name: `of thru ${args[0]}`, content })
    })
    return program
  }

  /** What ended programs printed, and what was seen of all of them. */
  get traces(): readonly Trace[] {
    return [...this.#printed, ...this.#shown.values()]
  }

  /** How often a program was looked at that had hidden what it was started with. */
  get looks(): number {
    return this.#looks
  }

  /** Ends all that still runs. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#running].map((program) => program.stop('SIGKILL')))
  }

  #look(): void {
    for (const { pid } of this.#running) {
      const line = shown(pid, 'cmdline')
      if (line === undefined || !hidden.test(line.toString())) continue
      this.#looks += 1
      this.#keep('cmdline', line)
      this.#keep('environ', shown(pid, 'environ'))
    }
  }

  #keep(name: string, content: Buffer | undefined): void {
    if (content === undefined) return
    this.#shown.set(name + content.toString('latin1'), { place: 'process', name, content })
  }
}

/** Undefined for a process that has just ended. */
function shown(pid: number | undefined, name: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined
  }
}
