/** Passwords in settings: removed before settings are shown, and restored when these are saved again. */
import {
  parseProxySetting,
  type ProxyAddress,
  proxyName,
  proxyUrl,
  withoutProxyPassword,
} from '#shared/settings/proxy-url'
import type { ServerProfile, Settings, SettingsPatch } from '#shared/settings/settings'

/** Replaces a password wherever settings are shown. */
export const setPassword = '…'

const withoutTurnPassword = (text: string): string =>
  text.replace(/^(\s*turns?:[^:]*:).*@/is, `$1${setPassword}@`)

/** For `JSON.stringify`: leaves out the passwords of signaling servers, TURN servers and proxies. */
export const withoutPassword = (key: string, value: unknown): unknown =>
  key === 'password' && value !== undefined
    ? setPassword
    : typeof value === 'string'
      ? withoutProxyPassword(withoutTurnPassword(value))
      : value

/** A copy of settings or servers without passwords, for the state and the window. */
export const withoutPasswords = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, withoutPassword)) as T

/**
 * Restores the passwords of `own` and of the built-in servers in a patch to settings that were shown. A password goes
 * only to the address that it was set for.
 */
export function withOwnPasswords(
  patch: SettingsPatch,
  own: Settings['network'],
  builtIn: readonly ServerProfile[],
): SettingsPatch {
  const { servers, proxy } = patch.network ?? {}
  const known = [...own.servers, ...builtIn]
  return {
    ...patch,
    ...(patch.network && {
      network: {
        ...patch.network,
        ...(servers && { servers: servers.map((server) => withOwn(server, known)) }),
        ...(typeof proxy === 'string' && { proxy: withOwnUser(proxy, own.proxy) }),
      },
    }),
  }
}

function withOwn(
  { password, ...server }: ServerProfile,
  known: readonly ServerProfile[],
): ServerProfile {
  const same = known.filter(({ url }) => url === server.url)
  const own = same.find(({ name }) => name === server.name) ?? same[0]
  const secret = password === setPassword ? own?.password : password
  const lines = same.flatMap(({ turn }) => turn)
  const turn = server.turn.flatMap((line) =>
    line.includes(`:${setPassword}@`)
      ? lines.filter((full) => withoutTurnPassword(full) === line).slice(0, 1)
      : [line],
  )
  return { ...server, turn, ...(secret !== undefined && { password: secret }) }
}

function withOwnUser(text: string, own: string): string {
  const proxy = addressOf(text)
  if (proxy?.password !== setPassword) return text
  const known = addressOf(own)
  const isSame = known?.user === proxy.user && proxyName(known) === proxyName(proxy)
  return isSame ? own : proxyUrl({ ...proxy, password: '' })
}

const addressOf = (setting: string): ProxyAddress | null => {
  const parsed = parseProxySetting(setting)
  return typeof parsed === 'string' ? null : parsed
}
