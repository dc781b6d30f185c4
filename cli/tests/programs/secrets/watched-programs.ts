/** Programs with their output and the system's information about them while they run. */
import { readFileSync } from 'node:fs'
import { Thru, type ThruOptions } from '../thru'
import type { Place, Trace } from './evidence'

const everyMs = 20

/** The title of a program that has hidden its arguments. */
const hidden = /^thru\0*$/

/** Programs under observation, which starts with the object. */
export class WatchedPrograms {
  readonly #running = new Set<Thru>()
  readonly #printed: Trace[] = []
  /** Keyed by content, because most observations repeat the previous one. */
  readonly #shown = new Map<string, Trace>()
  readonly #timer = setInterval(() => this.#look(), everyMs)
  #looks = 0

  /** `conceal` removes the parts of the output that are meant for its user. */
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

  /** The output of ended programs, and the observations of all programs. */
  get traces(): readonly Trace[] {
    return [...this.#printed, ...this.#shown.values()]
  }

  /** The number of observations of programs that had hidden their arguments. */
  get looks(): number {
    return this.#looks
  }

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

/** Returns undefined for a process that has just ended. */
function shown(pid: number | undefined, name: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined
  }
}
