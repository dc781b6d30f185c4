import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LinkServers } from '#client/signaling/link-servers'
import { fixedServer } from '#client/signaling/server-locator'
import { ConfirmedServers } from '#client/state/confirmed-servers'
import { folderOfFile } from '#client/testing/temporary-folder'
import { makeJoinLink } from '#shared/code/join-link'
import { limits } from '#shared/limits'
import type { StorageError } from '#shared/state/storage-error'
import { rigWithServer } from '../rig'

const folder = folderOfFile()

const own = 'wss://own.example.org/v1'
const embedded = 'ws://127.0.0.1:41480/v1'
const other = 'wss://meet.example.org/v1'

let count = 0
function serversIn(name = `${(count += 1)}`) {
  const errors: StorageError[] = []
  const directory = join(folder, name)
  const confirmed = new ConfirmedServers(directory, (error) => errors.push(error))
  const servers = new LinkServers(
    { server: fixedServer(own), embedded: fixedServer(embedded) },
    () => ['https://set.example.org/'],
    confirmed,
  )
  return { servers, confirmed, directory, errors }
}

const urlOf = (located: ReturnType<LinkServers['locate']>): string =>
  located.ok ? located.value.url : located.error.code

describe('a link', () => {
  it('leads to the configured server without a question', () => {
    expect(urlOf(serversIn().servers.locate(own, false))).toBe(own)
  })

  it('leads to a server of the settings without a question', () => {
    const set = 'wss://set.example.org/v1'
    expect(urlOf(serversIn().servers.locate(set, false))).toBe(set)
  })

  it('leads to no other server before a person has confirmed it', () => {
    const { servers } = serversIn()
    expect(servers.locate(other, false)).toMatchObject({
      error: { code: 'E_SERVER_UNCONFIRMED', subject: 'meet.example.org', detail: 'public' },
    })
    expect(urlOf(servers.locate(other, true))).toBe(other)
  })

  it('to a public server without TLS is confirmed with its scheme', () => {
    const { servers } = serversIn()
    servers.locate(other, true)
    expect(servers.locate('ws://meet.example.org/v1', false)).toMatchObject({
      error: { code: 'E_SERVER_UNCONFIRMED', subject: 'ws://meet.example.org' },
    })
    expect(servers.locate('ws://192.168.1.4:8080/v1', false)).toMatchObject({
      error: { subject: '192.168.1.4:8080' },
    })
  })

  it('leads to a confirmed server, also after a restart', async () => {
    const { servers } = serversIn('restart')
    servers.locate(other, true)
    await servers.flushed()
    expect(urlOf(serversIn('restart').servers.locate(other, false))).toBe(other)
    expect(urlOf(serversIn('restart').servers.locate(`${other}x`, false))).toBe(
      'E_SERVER_UNCONFIRMED',
    )
  })

  it.each([
    ['ws://192.168.1.4:8080/v1', 'private'],
    ['ws://router.local/v1', 'private'],
    ['ws://127.0.0.1:6379/v1', 'loopback'],
    ['ws://[::1]:8080/v1', 'loopback'],
    ['ws://[::ffff:7f00:1]/v1', 'loopback'],
    ['ws://0.0.0.0/v1', 'private'],
  ])('to %s reports its scope', (url, scope) => {
    expect(serversIn().servers.locate(url, false)).toMatchObject({ error: { detail: scope } })
  })
})

it('an unfinished receive leads back to its own server, and to no other without a question', () => {
  const { servers } = serversIn()
  expect(servers.locateAgain(own)?.url).toBe(own)
  expect(servers.locateAgain('wss://set.example.org/v1')?.url).toBe('wss://set.example.org/v1')
  expect(servers.locateAgain(null)?.url).toBe(embedded)
  expect(servers.locateAgain(other)).toBeNull()
})

it('the list of confirmed servers keeps the newest', async () => {
  const { confirmed, directory } = serversIn()
  for (let index = 0; index <= limits.serversConfirmed; index += 1) {
    confirmed.add(`wss://s${index}.example.org/v1`)
  }
  await confirmed.flushed()
  const content = JSON.parse(readFileSync(join(directory, 'servers.json'), 'utf8')) as {
    readonly confirmed: readonly string[]
  }
  expect(content.confirmed).toHaveLength(limits.serversConfirmed)
  expect(content.confirmed[0]).toBe(`wss://s${limits.serversConfirmed}.example.org/v1`)
})

it('invalid content of the file confirms nothing', async () => {
  const { confirmed, directory, errors } = serversIn()
  confirmed.add(other)
  await confirmed.flushed()
  const bad = ['file:///etc/passwd', 'wss://user@x/v1', 7, 'wss://meet.example.org']
  writeFileSync(join(directory, 'servers.json'), JSON.stringify({ version: 1, confirmed: bad }))
  const later = new ConfirmedServers(directory, (error) => errors.push(error))
  expect(later.has(other)).toBe(false)
  expect(later.has('file:///etc/passwd')).toBe(false)
  expect(errors).toMatchObject([{ kind: 'damaged' }])
})

describe('a client', () => {
  const rig = rigWithServer()
  const code = '4821-apple-river-stone'

  it('connects to the server of a link only after a person has confirmed it', async () => {
    const { client, stateDir } = rig.station({ serverUrl: 'ws://127.0.0.1:9' })
    const link = makeJoinLink({ code, server: `${rig.url}/v1` })
    expect(client.join(link)).toMatchObject({ error: { code: 'E_SERVER_UNCONFIRMED' } })
    expect(client.snapshot().state.receives).toEqual([])
    expect(client.join(link, undefined, true)).toMatchObject({ ok: true })
    expect(client.snapshot().state.receives).toMatchObject([{ code, server: `${rig.url}/v1` }])
    await client.close()
    const later = rig.station({ serverUrl: 'ws://127.0.0.1:9', stateDir })
    expect(later.client.join(link)).toMatchObject({ ok: true })
  })

  it('treats a link with its own server like a code', () => {
    const { client } = rig.station()
    expect(client.join(makeJoinLink({ code, server: `${rig.url}/v1` }))).toMatchObject({ ok: true })
  })
})
