/** The output of a program in a test, with functions that wait for more. */

/** The end of a program; an unhandled signal counts as its number plus 128. */
export type Ending = { readonly exitCode: number; readonly stdout: string; readonly stderr: string }

/** A line of `--json`. */
export type Line = { readonly type: string } & Readonly<Record<string, unknown>>

/** The output of one run; its owner adds to it. */
export class ProgramOutput {
  readonly ended: Promise<Ending>
  #stdout = ''
  #stderr = ''
  #wake: (() => void)[] = []
  #hasEnded = false
  #resolveEnded: (ending: Ending) => void = () => undefined

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  /** The first match of `pattern` on standard output. */
  async match(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#stdout)
      if (found !== null) return found
      await this.#more(String(pattern))
    }
  }

  line(type: string): Promise<Line> {
    return this.lineWhere(type, () => true)
  }

  /** The first JSON line of a type for which `fits` is true. */
  async lineWhere(type: string, fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = linesOf(this.#stdout).find((line) => line.type === type && fits(line))
      if (found !== undefined) return found
      await this.#more(type)
    }
  }

  /** All JSON lines of a type, once there are `count` of them. */
  async lines(type: string, count: number): Promise<readonly Line[]> {
    for (;;) {
      const found = linesOf(this.#stdout).filter((line) => line.type === type)
      if (found.length >= count) return found
      await this.#more(`${count} of ${type}`)
    }
  }

  /** Resolves once there are this many further JSON lines, or at the end. */
  async furtherLines(count: number): Promise<void> {
    const wanted = linesOf(this.#stdout).length + count
    while (!this.#hasEnded && linesOf(this.#stdout).length < wanted) await this.#more('lines')
  }

  protected said(text: string): void {
    this.#stdout += text
    this.#notify()
  }

  protected complained(text: string): void {
    this.#stderr += text
  }

  protected end(exitCode: number): void {
    this.#hasEnded = true
    this.#notify()
    this.#resolveEnded({ exitCode, stdout: this.#stdout, stderr: this.#stderr })
  }

  async #more(wanted: string): Promise<void> {
    if (this.#hasEnded) {
      throw new Error(`ended without ${wanted}:\n${this.#stdout}\n${this.#stderr}`)
    }
    await new Promise<void>((resolve) => this.#wake.push(resolve))
  }

  #notify(): void {
    for (const resolve of this.#wake.splice(0)) resolve()
  }
}

/** The complete JSON lines of an output. */
export const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as Line)
