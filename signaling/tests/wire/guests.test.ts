import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { ClientMessage } from '#shared/signaling/messages'
import type { SignalingServerOptions } from '#signaling/server'
import { maxGuests } from '#signaling/socket/network-entrance'
import { greeted, startTestServer, type TestServer } from './test-server.ts'

/** An address that represents the local network. */
const outside = '127.0.0.2'

const network = { addresses: () => [outside], isNear: () => true }

async function startEmbedded(more: SignalingServerOptions = {}) {
  const server = await startTestServer({ network, ...more })
  const dial = () => new WebSocket(`ws://${outside}:${server.port}/v1`)
  return { ...server, dial, guest: () => greeted(dial()) }
}

/** True if something listens there; listeners open and close in the server's next turn. */
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: outside, port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    onTestFinished(() => void socket.destroy())
  })

async function hostVisibly(server: TestServer, nameplate?: string) {
  const client = await server.connect()
  client.send({
    ...{ t: 'host', v: 1, key: client.key, visible: true },
    ...(nameplate !== undefined && { nameplate }),
  })
  const hosted = await client.next('hosted')
  while (!(await isOpen(server.port)));
  return { client, nameplate: hosted.nameplate }
}

describe.skipIf(process.platform === 'darwin')('guests from the local network', () => {
  it('find no server while no visible share is hosted', async () => {
    const server = await startEmbedded()
    expect(await isOpen(server.port)).toBe(false)
    await server.host()
    expect(await isOpen(server.port)).toBe(false)
  })

  it('join visible shares', async () => {
    const server = await startEmbedded()
    const { client, nameplate } = await hostVisibly(server)
    const guest = await server.guest()
    guest.send({ t: 'join', v: 1, nameplate, body: 'AAAA' })
    await guest.next('joined')
    expect(await client.next('peer')).toMatchObject({ body: 'AAAA' })
  })

  it('stay when the last visible share ends, but no more are admitted', async () => {
    const server = await startEmbedded()
    const { client } = await hostVisibly(server)
    const guest = await server.guest()
    client.send({ t: 'leave' })
    await client.closed
    while (await isOpen(server.port));
    await guest.processed()
  })

  it("learn nothing about this computer's own shares", async () => {
    const server = await startEmbedded()
    await hostVisibly(server)
    const { nameplate } = await server.host()
    const guest = await server.guest()
    guest.send({ t: 'join', v: 1, nameplate })
    await guest.processed()
    server.clock.advance(1000)
    expect(await guest.next('error')).toMatchObject({ code: 'E_NO_SUCH_CODE' })
  })

  it('can neither host nor listen', async () => {
    const server = await startEmbedded()
    await hostVisibly(server)
    const attempts: readonly ClientMessage[] = [
      { t: 'host', v: 1, visible: true },
      { t: 'listen', v: 1, mailboxes: ['A'.repeat(43)] },
    ]
    for (const message of attempts) {
      const guest = await server.guest()
      guest.send(message)
      expect(await guest.next('error')).toEqual({ t: 'error', code: 'E_SERVER_BUSY' })
      await guest.closed
    }
  })

  it('are limited in number', async () => {
    const server = await startEmbedded({ trustLoopback: true })
    await hostVisibly(server)
    const guests = await Promise.all(Array.from({ length: maxGuests - 2 }, server.guest))
    const late = Array.from({ length: 4 }, () => {
      const socket = server.dial()
      return new Promise<boolean>((resolve) => {
        socket.once('open', () => resolve(true)).once('error', () => resolve(false))
      })
    })
    expect(await Promise.all(late)).toContain(false)
    await Promise.all(guests.map((guest) => guest.processed()))
    await server.connect()
  })

  it('get no answer from outside the network', async () => {
    const server = await startEmbedded({ network: { ...network, isNear: () => false } })
    await hostVisibly(server)
    const socket = server.dial()
    await new Promise((resolve) => socket.once('error', resolve))
  })

  it('connect to addresses that change', async () => {
    let addresses: readonly string[] = []
    const server = await startEmbedded({ network: { ...network, addresses: () => addresses } })
    const client = await server.connect()
    client.send({ t: 'host', v: 1, visible: true })
    await client.next('hosted')
    expect(await isOpen(server.port)).toBe(false)
    addresses = [outside]
    server.clock.advance(6000)
    while (!(await isOpen(server.port)));
    addresses = []
    server.clock.advance(6000)
    while (await isOpen(server.port));
  })
})
