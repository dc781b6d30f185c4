/** Combines the settings of all sources for a server started as a program. */
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { type Configuration, mergeConfig, readFlags, readVariables } from '#signaling/config/config'
import { readConfigFile } from '#signaling/config/config-file'
import type { ServerConfig } from '#signaling/config/server-config'
import { type Setting, settings, type Value } from '#signaling/config/settings'
import { serverText } from '#signaling/config/text'

/** The settings from the command line, the environment and a file. */
export type Invocation = Configuration & {
  /** The settings file; `null` without one. */
  readonly file: string | null
  /** True to print the settings only. */
  readonly isCheck: boolean
  /** True if a file supplies settings, so they can be reloaded while the server runs. */
  readonly hasFiles: boolean
}

const fileSetting: Setting = {
  flag: '--config',
  env: 'THRU_CONFIG',
  help: serverText.configFile,
  initial: '',
}
const checkSetting: Setting = {
  flag: '--check-config',
  env: '',
  help: serverText.checkConfig,
  initial: false,
}

/**
 * Reads the settings: flags override variables, variables the file, and the file the defaults. Errors:
 * `E_BAD_ARGUMENT` with the place of the mistake as subject.
 */
export function readInvocation(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Result<Invocation, AppError> {
  const isCheck = args.includes(checkSetting.flag)
  const others = args.filter((arg) => arg !== checkSetting.flag)
  const at = others.findIndex((arg) => arg.split('=', 1)[0] === fileSetting.flag)
  const [flag = '', ...taken] =
    at === -1 ? [] : others.splice(at, others[at] === fileSetting.flag ? 2 : 1)
  const given = flag.includes('=') ? flag.slice(flag.indexOf('=') + 1) : taken[0]
  if (at !== -1 && (given === undefined || given === '')) {
    const { flag: subject } = fileSetting
    return err(appError('E_BAD_ARGUMENT', serverText.valueMissing(subject), subject))
  }
  const path = given ?? env[fileSetting.env] ?? ''
  const file = path === '' ? ok(new Map()) : readConfigFile(path)
  if (!file.ok) return file
  const variables = readVariables(env)
  if (!variables.ok) return variables
  const flags = readFlags(others)
  if (!flags.ok) return flags
  const merged = mergeConfig([file.value, variables.value, flags.value])
  if (!merged.ok) return merged
  const hasFiles = path !== '' || [...flags.value.keys()].some((name) => settings[name].isSecret)
  return ok({ ...merged.value, file: path === '' ? null : path, isCheck, hasFiles })
}

/** The settings in the form of the file, each with its origin; secrets are hidden. */
export const describeConfig = ({ config, origins }: Configuration): string =>
  (Object.entries(settings) as [keyof ServerConfig, Setting][])
    .map(([name, { flag, isSecret, shown = (value: Value) => value }]) => {
      const secret = String(config[name]) === '' ? '""' : `"${serverText.hidden}"`
      const value = isSecret === true ? secret : JSON.stringify(shown(config[name]))
      return `${`${flag.slice(2)} = ${value}`.padEnd(48)} # ${origins[name]}`
    })
    .join('\n')

/** All settings, in the order of the documentation. */
export const configSettings = (): readonly Setting[] => [
  fileSetting,
  checkSetting,
  ...Object.values(settings),
]

/** The settings of the command line, in the order of `--help`. */
export const flagSettings = (): readonly Setting[] =>
  configSettings().filter(({ isFlag }) => isFlag !== false)

/** The settings of the command line as lines for `--help`, and how to find the others. */
export const configHelp = (): string =>
  [...flagSettings().map(helpLine), serverText.moreLimits].join('\n')

function helpLine({ flag, env, help, initial }: Setting): string {
  const value = String(initial)
  const variable = env === '' ? '' : ` [${env}]`
  return `  ${flag.padEnd(32)} ${help}${value === '' ? '' : ` (default: ${value})`}${variable}`
}
