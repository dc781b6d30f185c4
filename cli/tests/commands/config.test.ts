import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { configPath } from '#client/settings/config-path'
import { SettingsFile } from '#client/settings/settings-file'
import { folderOfTest } from '#client/testing/temporary-folder'
import { settingsEntries } from '#shared/settings/settings'
import { config, type ConfigCall } from '../../commands/config'
import { exitCodes } from '../../exit-codes'
import { JsonReporter } from '../../report/json-reporter'
import { PlainReporter } from '../../report/plain-reporter'
import { text } from '../../text'
import { Paper } from '../paper'

let home = ''
beforeEach(() => void (home = folderOfTest()))

const pathHere = () => configPath('linux', { XDG_CONFIG_HOME: home }, '/nowhere')

async function run(call: ConfigCall, json = false) {
  const paper = new Paper()
  const reporter = json ? new JsonReporter(paper) : new PlainReporter(paper)
  const exitCode = await config(call, { json }, reporter, paper, new SettingsFile(pathHere()))
  return { exitCode, printed: paper.printed, notes: paper.notes }
}

const set = (key: string, value: string) => run({ kind: 'set', key, value })
const get = async (key: string) => (await run({ kind: 'get', key })).printed

describe('thru config', () => {
  it('lists the file and every setting, and which ones are set', async () => {
    await set('general.name', 'desk')
    const { exitCode, printed } = await run({ kind: 'list' })
    expect(exitCode).toBe(exitCodes.complete)
    expect(printed).toHaveLength(settingsEntries.length + 1)
    expect(printed[0]).toBe(`# ${pathHere()}`)
    expect(printed).toContain('general.name = "desk"')
    expect(printed).toContain('sharing.maxReceivers = 10  # default')
    expect((await run({ kind: 'path' })).printed).toEqual([pathHere()])
  })

  it.each([
    ['network.uploadLimit', '20MB/s', '20000000'],
    ['sharing.maxReceivers', '5', '5'],
    ['sharing.exclude', 'node_modules, *.tmp', '["node_modules","*.tmp"]'],
    ['general.keepAwake', 'no', 'false'],
    ['general.name', '[desk]', '[desk]'],
    ['network.relay', 'never', 'never'],
    [
      'network.servers',
      '[{"name":"home","url":"wss://home.example.org"}]',
      '[{"name":"home","url":"wss://home.example.org","fallbacks":[],"stun":[],"turn":[]}]',
    ],
  ])('sets %s to %s as its kind is written, and back to the default', async (key, typed, value) => {
    const before = await get(key)
    expect(await set(key, typed)).toMatchObject({ exitCode: exitCodes.complete, notes: [] })
    expect(await get(key)).toEqual([value])
    await run({ kind: 'unset', key })
    expect(await get(key)).toEqual(before)
  })

  it.each([
    ['sharing.maxReceivers', '0', 'from 1 to'],
    ['sharing.maxReceivers', 'many', 'from 1 to'],
    ['network.relay', 'often', '`automatic`'],
    ['network.uploadLimit', '5', 'a unit, such as `20MB/s`'],
    ['network.servers', '[', 'tables'],
    ['no.such', '1', 'no setting'],
    ['__proto__.x', '1', 'no setting'],
  ])('refuses %s = %s with the reason, and writes nothing', async (key, value, reason) => {
    const { exitCode, notes } = await set(key, value)
    expect(exitCode).toBe(exitCodes.usage)
    expect(notes.join('\n')).toContain(reason)
    expect(() => readFileSync(pathHere())).toThrow('ENOENT')
  })

  it('adds servers, uses the first one, and removes them', async () => {
    const passwordFile = join(home, 'password')
    writeFileSync(passwordFile, 's3cret\nmore\n')
    expect(await run({ kind: 'add-server', url: 'wss://a.example', passwordFile })).toMatchObject({
      exitCode: exitCodes.complete,
      notes: [],
    })
    const second = await run({ kind: 'add-server', url: 'ws://b.example:81' })
    expect(second.notes).toEqual([text.config.notUsedYet('b.example:81', 'a.example')])
    const list = async (json = false) => (await run({ kind: 'list-servers' }, json)).printed
    expect(await list()).toEqual([
      'a.example · wss://a.example · in use · with a password',
      'b.example:81 · ws://b.example:81',
    ])
    expect(JSON.parse((await list(true))[1] ?? '')).toEqual({
      type: 'server-setting',
      ...{ name: 'b.example:81', url: 'ws://b.example:81', isUsed: false, hasPassword: false },
    })
    expect((await get('network.servers'))[0]).toContain('"password":"s3cret"')
    await run({ kind: 'remove-server', name: 'wss://a.example' })
    expect(await get('network.defaultServer')).toEqual([''])
    await run({ kind: 'remove-server', name: 'b.example:81' })
    expect(await get('network.servers')).toEqual(['[]'])
    expect((await run({ kind: 'list-servers' })).notes).toEqual([text.config.addServer])
  })

  it.each([
    [{ kind: 'add-server', url: 'thru.example' }, "isn't a server address"],
    [{ kind: 'add-server', url: 'ws://a', passwordFile: '/no/such' }, '/no/such has no password'],
    [{ kind: 'remove-server', name: 'a' }, 'no server "a"'],
    [{ kind: 'set', key: 'network.servers', value: 'ws://a' }, 'thru config server add'],
    [{ kind: 'set', key: 'network.server', value: 'ws://a' }, 'thru config server add'],
    [{ kind: 'set', key: 'network.defaultServer', value: 'ws://a' }, 'thru config server add'],
  ] as const)('explains %j', async (call, reason) => {
    const { exitCode, notes } = await run(call)
    expect(exitCode).toBe(exitCodes.usage)
    expect(notes.join('\n')).toContain(reason)
    expect(() => readFileSync(pathHere())).toThrow('ENOENT')
  })

  it('hides the password of a TURN server in the list, and prints it with get', async () => {
    const turn = 'turn:me:pass@"word@turn.example.org'
    const servers = [{ name: 'home', url: 'wss://home.example.org', turn: [turn] }]
    await set('network.servers', JSON.stringify(servers))
    const listed = (await run({ kind: 'list' })).printed.join('\n')
    expect(listed).toContain('turn:me:…@turn.example.org')
    expect(listed).not.toContain('word')
    expect((await get('network.servers')).join('')).toContain(JSON.stringify(turn))
  })

  it('hides the password of a signaling server in the list, and prints it with get', async () => {
    const servers = [{ name: 'home', url: 'wss://home.example.org', password: 's3cret' }]
    await set('network.servers', JSON.stringify(servers))
    expect((await run({ kind: 'list' })).printed.join('\n')).not.toContain('s3cret')
    expect((await get('network.servers')).join('')).toContain('s3cret')
  })

  it('hides passwords in JSON, too', async () => {
    const turn = 'turn:me:w0rd@turn.example.org'
    const server = { name: 'home', url: 'wss://home.example.org', turn: [turn], password: 's3cret' }
    await set('network.servers', JSON.stringify([server]))
    await set('network.proxy', 'http://me:pr0xy@proxy.example.org:3128')
    const listed = (await run({ kind: 'list' }, true)).printed.join('\n')
    expect(listed).toContain('turn:me:…@turn.example.org')
    expect(listed).not.toMatch(/s3cret|w0rd|pr0xy/)
    const { printed } = await run({ kind: 'get', key: 'network.servers' }, true)
    expect(printed.join('')).toContain('s3cret')
  })

  it('hides the password of a proxy in the list, and prints it with get', async () => {
    const proxy = 'http://me:w0rd@proxy.example.org:3128'
    await set('network.proxy', proxy)
    const listed = (await run({ kind: 'list' })).printed.join('\n')
    expect(listed).toContain('network.proxy = "http://me:…@proxy.example.org:3128"')
    expect(await get('network.proxy')).toEqual([proxy])
    const refused = await set('network.proxy', 'ftp://me:w0rd@proxy')
    expect(refused.exitCode).toBe(exitCodes.usage)
    expect(refused.notes.join('\n')).not.toContain('w0rd')
  })

  it('prints JSON lines', async () => {
    const { printed } = await run({ kind: 'get', key: 'network.uploadLimit' }, true)
    expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: 'setting', key: 'network.uploadLimit', value: 0, isSet: false, default: 0 },
    ])
    await set('sharing.exclude', '["a\u202eb"]')
    expect((await run({ kind: 'list' }, true)).printed.join('\n')).toContain('["a\\u202eb"]')
  })

  it('reports invalid settings, shows the values in use, and can correct them', async () => {
    await set('sharing.maxReceivers', '5')
    writeFileSync(pathHere(), '[sharing]\nmaxReceivers = "many"\n[network]\nrelay = "onyl"\n')
    const listed = await run({ kind: 'list' })
    expect(listed.exitCode).toBe(exitCodes.complete)
    expect(listed.notes.join('\n')).toContain('sharing.maxReceivers')
    const { inPlace } = text.config
    expect(listed.printed).toContain(inPlace('sharing.maxReceivers = 10'))
    expect(listed.printed).toContain(inPlace('network.relay = "only"'))
    expect(listed.printed).toContain('network.visible = "everyone"  # default')
    writeFileSync(pathHere(), 'general = 5\n')
    expect((await run({ kind: 'list' })).printed).toContain(inPlace('general.keepHistory = false'))
    writeFileSync(pathHere(), '[sharing]\nmaxReceivers = "many"\n')
    await set('sharing.maxReceivers', '7')
    expect(await run({ kind: 'get', key: 'sharing.maxReceivers' })).toMatchObject({
      printed: ['7'],
      notes: [],
    })
  })
})
