/** `thru config server` lists, adds and removes the signaling servers in the settings. */
import type { SettingsFile } from '#client/settings/settings-file'
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import { defaultProfile } from '#shared/settings/server-choice'
import { noDraft, profileFrom } from '#shared/settings/server-draft'
import type { Settings, SettingsPatch } from '#shared/settings/settings'
import { passwordIn } from '../options/server-password'
import { readOrWarn } from '../options/stored-settings'
import { jsonText } from '../report/json-reporter'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

type AddServer = {
  readonly kind: 'add-server'
  readonly url: string
  readonly passwordFile?: string
}
type RemoveServer = { readonly kind: 'remove-server'; readonly name: string }

export type ServerCall = { readonly kind: 'list-servers' } | AddServer | RemoveServer

type NetworkPatch = Result<NonNullable<SettingsPatch['network']>, AppError>

const words = text.config

/** Lists the servers on standard output; a change prints only advice, on standard error. */
export async function configServer(
  call: ServerCall,
  file: SettingsFile,
  terminal: Terminal,
  isJson: boolean,
): Promise<Result<null, AppError>> {
  const { network } = readOrWarn(file, terminal).settings
  if (call.kind === 'list-servers') {
    const used = defaultProfile(network)
    for (const server of network.servers) {
      const { name, url, password } = server
      const entry = { name, url, isUsed: server === used, hasPassword: password !== undefined }
      terminal.out(isJson ? jsonText({ type: 'server-setting', ...entry }) : words.server(entry))
    }
    if (network.servers.length === 0 && !isJson) terminal.note(words.addServer)
    return ok(null)
  }
  const patch = call.kind === 'add-server' ? added(call, network, terminal) : removed(call, network)
  if (!patch.ok) return patch
  const changed = await file.change({ network: patch.value })
  return changed.ok ? ok(null) : changed
}

/** The first server is used from then on. */
function added(
  { url, passwordFile }: AddServer,
  network: Settings['network'],
  terminal: Terminal,
): NetworkPatch {
  const { servers } = network
  const password = passwordFile === undefined ? ok('') : passwordIn(passwordFile, '--password-file')
  if (!password.ok) return password
  const taken = servers.map(({ name }) => name)
  const profile = profileFrom({ ...noDraft, url, password: password.value }, taken)
  if (!profile.ok) return bad(words.refused(profile.error), url)
  const used = defaultProfile(network)
  const { name } = profile.value
  if (used !== null) terminal.note(words.notUsedYet(name, used.name))
  const first = used === null ? { defaultServer: name } : {}
  return ok({ servers: [...servers, profile.value], ...first })
}

function removed({ name: given }: RemoveServer, network: Settings['network']): NetworkPatch {
  const server = network.servers.find(({ name, url }) => name === given || url === given)
  if (server === undefined) return bad(words.noServer(visibleText(given.slice(0, 200))), given)
  const reset = server.name === network.defaultServer ? { defaultServer: null } : {}
  return ok({ servers: network.servers.filter((one) => one !== server), ...reset })
}

const bad = (detail: string, subject: string) =>
  err(appError('E_BAD_ARGUMENT', detail, subject.slice(0, 200)))
