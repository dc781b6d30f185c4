/** A strict parser of the exposition format 0.0.4, after Prometheus' specification. */

/** Values by series, as `name{label="value"}`, and the type of each metric. */
export type Exposed = {
  readonly types: ReadonlyMap<string, string>
  readonly values: ReadonlyMap<string, number>
}

const helpLine = /^# HELP ([a-z_][a-z0-9_]*) (\S.*)$/
const typeLine = /^# TYPE ([a-z_][a-z0-9_]*) (counter|gauge|histogram)$/
const sampleLine =
  /^([a-z_][a-z0-9_]*)(\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? (-?[0-9.]+(?:e[+-][0-9]+)?)$/

/** Throws with the line that violates a rule. */
export function parseExposition(text: string): Exposed {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const types = new Map<string, string>()
  const values = new Map<string, number>()
  let described = ''
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`)
    }
    const help = helpLine.exec(line)?.[1]
    const type = typeLine.exec(line)
    const sample = sampleLine.exec(line)
    if (help !== undefined) {
      if (types.has(help)) fail('described twice')
      described = help
    } else if (type !== null) {
      if (type[1] !== described) fail('no help just before')
      current = described
      types.set(current, type[2] ?? '')
      if ((type[2] === 'counter') !== current.endsWith('_total')) fail('a name of another type')
    } else if (sample !== null) {
      const [, name = '', labels = '', value] = sample
      const base =
        types.get(current) === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name
      if (base !== current) fail('outside of its metric')
      if (values.has(name + labels)) fail('said twice')
      values.set(name + labels, Number(value))
    } else {
      fail('no line of the format')
    }
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, values)
  return { types, values }
}

function checkHistogram(name: string, values: ReadonlyMap<string, number>): void {
  const buckets = [...values].filter(([series]) => series.startsWith(`${name}_bucket{le=`))
  const bounds = buckets.map(([series]) =>
    Number(/"(.*)"/.exec(series)?.[1]?.replace('+Inf', 'Infinity')),
  )
  const rises = (numbers: readonly number[], isStrict: boolean) =>
    numbers.every((number, at) => {
      const before = numbers[at - 1] ?? -Infinity
      return isStrict ? number > before : number >= before
    })
  if (!rises(bounds, true) || bounds.at(-1) !== Infinity) throw new Error(`${name}: bounds`)
  const counts = buckets.map(([, count]) => count)
  if (!rises(counts, false)) throw new Error(`${name}: counts that fall`)
  if (counts.at(-1) !== values.get(`${name}_count`)) throw new Error(`${name}: another count`)
  if (!values.has(`${name}_sum`)) throw new Error(`${name}: no sum`)
}
