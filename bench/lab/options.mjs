// The command line of a scenario.
import { parseArgs } from 'node:util'
import { Failure } from '../../scripts/lib/failure.mjs'
import { natKinds } from './nat.mjs'
import { pathOptions } from './path.mjs'
import { scenarios, usualSeconds } from './scenarios.mjs'

/** Largest value of each number; what is above is a slip of the keyboard. */
const most = {
  runs: 1000,
  files: 10_000_000,
  seconds: 86_400,
  seed: 2 ** 32,
  rtt: 60_000,
  rate: 1_000_000,
  loss: 100,
  burst: 100_000,
  jitter: 60_000,
  queue: 2 ** 40,
  late: 100,
  serverRtt: 60_000,
}
const units = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

const dashed = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function number(name, text) {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= most[name]))
    throw new Failure(`--${dashed(name)} takes a number from 0 to ${most[name]}, not "${text}".`)
  return value
}

function wholeNumber(name, text) {
  const value = number(name, text)
  if (!Number.isInteger(value) || value < 1)
    throw new Failure(`--${name} takes a whole number from 1, not "${text}".`)
  return value
}

/** The kinds of NAT in front of the sides that have one. */
function natOf(values, path, usual) {
  const given = ['sender', 'receiver'].flatMap((side) => {
    const kind = values[`nat-${side}`] ?? usual?.[side] ?? 'none'
    if (kind !== 'none' && !natKinds.includes(kind))
      throw new Failure(`--nat-${side} takes none, ${natKinds.join(', ')}, not "${kind}".`)
    return kind === 'none' ? [] : [[side, kind]]
  })
  if (given.length > 0 && !path) throw new Failure('A NAT needs a path, such as --rtt 40.')
  return Object.fromEntries(given)
}

/** The kernel's names are such. */
function parseTcp(text) {
  if (!/^[a-z][a-z0-9_]{0,15}$/.test(text))
    throw new Failure(`--tcp takes a congestion control such as cubic or bbr, not "${text}".`)
  return text
}

/** "256MiB" to bytes. */
export function parseSize(text) {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(text) ?? []
  const bytes = Math.round(Number(digits) * units[unit])
  if (!(bytes >= 1 && bytes <= 2 ** 40))
    throw new Failure(`--size takes bytes such as 6000, 60MB or 1GiB, not "${text}".`)
  return bytes
}

function lateBy(text) {
  const [, least, mostMs] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (!(Number(least) <= Number(mostMs)))
    throw new Failure(`--late-by takes milliseconds such as 5-30, not "${text}".`)
  return [number('jitter', least), number('jitter', mostMs)]
}

function parsed(argv) {
  const text = [...pathOptions.map(dashed), 'late-by', 'size', 'files', 'runs', 'seconds', 'seed']
  const options = Object.fromEntries(
    [...text, 'tools', 'tcp', 'nat-sender', 'nat-receiver'].map((name) => [
      name,
      { type: 'string' },
    ]),
  )
  try {
    return parseArgs({ args: argv, options, allowPositionals: true })
  } catch (error) {
    throw new Failure(`${error.message.split('. ')[0]}.`)
  }
}

/**
 * What the command line asks for: a scenario's own values, and in their place those that were given. `tools` are those
 * that can be chosen; a path is made of the options alone where the scenario has none.
 */
export function readOptions(argv, tools) {
  const { values, positionals } = parsed(argv)
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0 || !Object.hasOwn(scenarios, name))
    throw new Failure(`Name one scenario: ${Object.keys(scenarios).join(', ')}.`)
  const scenario = scenarios[name]
  const given = Object.fromEntries(
    pathOptions
      .filter((option) => values[dashed(option)] !== undefined)
      .map((option) => [option, number(option, values[dashed(option)])]),
  )
  if (values['late-by'] !== undefined) given.lateBy = lateBy(values['late-by'])
  const isPath = scenario.path !== undefined || Object.keys(given).length > 0
  const path = isPath ? { rtt: 0, ...scenario.path, ...given } : undefined
  if (path?.late && !path.lateBy) throw new Failure('--late needs --late-by, such as 5-30.')
  const names = tools.map((tool) => tool.name)
  const usual = tools.filter(({ isOptional }) => !isOptional).map((tool) => tool.name)
  const chosen = values.tools?.split(',') ?? usual
  const unknown = chosen.find((tool) => !names.includes(tool))
  if (unknown !== undefined) throw new Failure(`"${unknown}" is not a tool: ${names.join(', ')}.`)
  const nat = natOf(values, path, scenario.nat)
  const changed = path && JSON.stringify(path) !== JSON.stringify(scenario.path)
  return {
    name,
    isChanged:
      Boolean(changed) ||
      JSON.stringify(nat) !== JSON.stringify(scenario.nat ?? {}) ||
      values.size !== undefined ||
      values.files !== undefined,
    what: scenario.what,
    files: values.files === undefined ? scenario.files : wholeNumber('files', values.files),
    bytes: values.size === undefined ? scenario.bytes : parseSize(values.size),
    seconds:
      values.seconds === undefined
        ? (scenario.seconds ?? usualSeconds)
        : wholeNumber('seconds', values.seconds),
    runs: values.runs === undefined ? 3 : wholeNumber('runs', values.runs),
    seed: values.seed === undefined ? 1 : wholeNumber('seed', values.seed),
    tcp: parseTcp(values.tcp ?? 'cubic'),
    path,
    nat,
    tools: chosen,
  }
}
