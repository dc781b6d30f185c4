// Parses the command line of a scenario.
import { parseArgs } from 'node:util'
import { Failure } from '../../scripts/lib/failure.mjs'
import { GiB, KiB, MiB } from '../lib/trees.mjs'
import { natKinds } from './nat.mjs'
import { pathOptions } from './path.mjs'
import { scenarios, usualSeconds } from './scenarios.mjs'

/** Largest accepted numbers; anything above is a typing error. */
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
const units = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB, MiB, GiB }

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

/** Returns the kinds of NAT by side, without sides that have none. */
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

/** The form of the kernel's names. */
function parseTcp(text) {
  if (!/^[a-z][a-z0-9_]{0,15}$/.test(text))
    throw new Failure(`--tcp takes a congestion control such as cubic or bbr, not "${text}".`)
  return text
}

/** Parses a size such as "256MiB" into bytes. */
export function parseSize(text) {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(text) ?? []
  const bytes = Math.round(Number(digits) * units[unit])
  if (!(bytes >= 1 && bytes <= 2 ** 40))
    throw new Failure(`--size takes bytes such as 6000, 60MB or 1GiB, not "${text}".`)
  return bytes
}

function lateBy(text) {
  const [, least, maxMs] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (!(Number(least) <= Number(maxMs)))
    throw new Failure(`--late-by takes milliseconds such as 5-30, not "${text}".`)
  return [number('jitter', least), number('jitter', maxMs)]
}

/** Options of every measurement over the laboratory's network. */
const common = [
  ...[...pathOptions.map(dashed), 'late-by', 'size', 'files', 'runs', 'seconds', 'seed'],
  ...['tools', 'tcp'],
]

function parsed(argv, names) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  try {
    return parseArgs({ args: argv, options, allowPositionals: true })
  } catch (error) {
    throw new Failure(`${error.message.split('. ')[0]}.`)
  }
}

/** Returns the scenario, the only positional argument. */
function chosenName(positionals) {
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0 || !Object.hasOwn(scenarios, name))
    throw new Failure(`Name one scenario: ${Object.keys(scenarios).join(', ')}.`)
  return name
}

/** Returns the path options on the command line. */
function givenPath(values) {
  const given = Object.fromEntries(
    pathOptions
      .filter((option) => values[dashed(option)] !== undefined)
      .map((option) => [option, number(option, values[dashed(option)])]),
  )
  if (values['late-by'] !== undefined) given.lateBy = lateBy(values['late-by'])
  return given
}

/** Returns the usual path with the given options, or undefined if there are neither. */
function pathOf(usual, ownPath) {
  if (!usual && Object.keys(ownPath).length === 0) return undefined
  const path = { rtt: 0, ...usual, ...ownPath }
  if (path.late && !path.lateBy) throw new Failure('--late needs --late-by, such as 5-30.')
  return path
}

function chosenTools(text, names, usual) {
  const chosen = text?.split(',') ?? usual
  const unknown = chosen.find((tool) => !names.includes(tool))
  if (unknown !== undefined) throw new Failure(`"${unknown}" is not a tool: ${names.join(', ')}.`)
  return chosen
}

/** Returns the options of the measurement; a tool may take `seconds` unless `--seconds` differs. */
const manner = (values, seconds = usualSeconds) => ({
  seconds: values.seconds === undefined ? seconds : wholeNumber('seconds', values.seconds),
  runs: values.runs === undefined ? 3 : wholeNumber('runs', values.runs),
  seed: values.seed === undefined ? 1 : wholeNumber('seed', values.seed),
  tcp: parseTcp(values.tcp ?? 'cubic'),
})

/** Returns the number and size of the files; options override those of `entry`. */
const sentFiles = (values, entry) => ({
  files: values.files === undefined ? entry.files : wholeNumber('files', values.files),
  bytes: values.size === undefined ? entry.bytes : parseSize(values.size),
})

/**
 * Returns a scenario's values with the command line's overrides, which alone define a path if the scenario has none.
 */
export function readOptions(argv, tools) {
  const { values, positionals } = parsed(argv, [...common, 'nat-sender', 'nat-receiver'])
  const name = chosenName(positionals)
  const scenario = scenarios[name]
  const path = pathOf(scenario.path, givenPath(values))
  const names = tools.map((tool) => tool.name)
  const usual =
    scenario.tools ?? tools.filter(({ isOptional }) => !isOptional).map((tool) => tool.name)
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
    ...sentFiles(values, scenario),
    ...manner(values, scenario.seconds),
    isOnDisk: scenario.isOnDisk ?? false,
    path,
    nat,
    tools: chosenTools(values.tools, names, usual),
  }
}
