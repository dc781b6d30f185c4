import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { nameplateOf } from '#shared/code/join-code'
import { makeJoinLink } from '#shared/code/join-link'
import { bundleProgram } from '../../../../../scripts/lib/bundle.mjs'
import { linesOf, Thru, type ThruOptions } from '../../thru'
import { hashTree, writeTree } from '../../tree'
import { type Addresses, addressOn, type Computer, Lan } from './lan'

const MiB = 1024 * 1024

describe.skipIf(process.platform !== 'linux')(
  'two computers of one network without a server',
  () => {
    let lan: Lan
    let folder: string
    let running: Thru[] = []

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), `thru-net-${process.pid}-`))
      writeTree(join(folder, 'src'), { 'large.bin': randomBytes(4 * MiB), 'a/ノート.md': '# 夏' })
      return () => rmSync(folder, { recursive: true, force: true })
    })
    beforeEach(() => void (running = []))
    afterEach(async () => {
      await Promise.all(running.map((program) => program.stop('SIGKILL')))
      await lan.remove()
    })

    const open = async (addresses: Addresses = 'both') => void (lan = await Lan.make(addresses))

    /** Runs `thru` on a computer with its own state. */
    function thru(
      computer: Computer,
      first: string | Pick<ThruOptions, 'isOnTerminal'>,
      ...rest: readonly string[]
    ): Thru {
      const [how, args] = typeof first === 'string' ? [{}, [first, ...rest]] : [first, rest]
      const env = { XDG_STATE_HOME: join(folder, `${computer}-state`), XDG_CONFIG_HOME: folder }
      const place = { within: lan.within(computer), usesNetwork: true, env }
      const program = new Thru(args, { ...place, ...how })
      running.push(program)
      return program
    }

    const host = (...options: readonly string[]) =>
      thru('host', 'host', join(folder, 'src'), '--json', ...options)

    const codeOf = async (sender: Thru) => String((await sender.line('code'))['code'])

    async function receive(code: string, ...options: readonly string[]) {
      const out = mkdtempSync(join(folder, 'dst-'))
      const how = ['--out', out, '--yes', '--json', ...options]
      const ending = await thru('join', 'join', code, ...how).ended
      return { ...ending, out }
    }

    function expectArrival(received: Awaited<ReturnType<typeof receive>>) {
      expect(received.stdout + received.stderr).toContain('"done"')
      expect(received.exitCode).toBe(0)
      expect(hashTree(join(received.out, 'src'))).toEqual(hashTree(join(folder, 'src')))
    }

    it('find each other by the code alone', async () => {
      await open()
      const sender = host()
      expectArrival(await receive(await codeOf(sender)))
      expect(await sender.line('local-network')).toMatchObject({
        phase: 'visible',
        urls: [`ws://${addressOn('host')}:41480`],
      })
      const { stdout } = await sender.stop()
      expect(linesOf(stdout).filter(({ type }) => type === 'error')).toEqual([])
    })

    it('send to each other by name, after both people compared a number', async () => {
      await open()
      const terminal = (computer: Computer, name: string, ...args: readonly string[]) =>
        thru(computer, { isOnTerminal: true }, ...args, '--name', name)
      const out = mkdtempSync(join(folder, 'dst-'))
      const receiver = terminal('join', 'Bea', 'listen', '--out', out)
      await expect.poll(async () => (await thru('third', 'nearby').ended).stdout).toBe('Bea\n')
      const to = ['--to', 'bea']
      const sender = terminal('host', 'Mina', 'host', join(folder, 'src'), ...to)
      const [, asked = ''] = await receiver.match(
        /offer from Mina, if it shows the number (\d+ \d+)\?/,
      )
      const [, shown = ''] = await sender.match(/show the number (\d+ \d+)\?/)
      expect(shown).toBe(asked)
      receiver.type('y\n')
      sender.type('y\n')
      await receiver.match(/Receive into/)
      receiver.type('y\n')
      const { exitCode, stdout } = await sender.ended
      expect(exitCode).toBe(0)
      expect(stdout).not.toMatch(/Code:/)
      expect(hashTree(join(out, 'src'))).toEqual(hashTree(join(folder, 'src')))
    })

    it('find each other with only IPv6', { tags: ['full'] }, async () => {
      await open('ipv6')
      expectArrival(await receive(await codeOf(host())))
    })

    it(
      'find each other when another network, such as a VPN, comes first',
      { tags: ['full'] },
      async () => {
        await open()
        lan.addOtherNetwork('host')
        lan.addOtherNetwork('join')
        expectArrival(await receive(await codeOf(host())))
      },
    )

    it('find each other while their common server is down', { tags: ['full'] }, async () => {
      await open()
      const server = ['--server-url', `ws://${addressOn('third')}:8080`]
      expectArrival(await receive(await codeOf(host(...server)), ...server))
    })

    it(
      'learn why the server fails, and the reach of the code before and after',
      { tags: ['full'] },
      async () => {
        await open()
        const server = `${addressOn('third')}:8080`
        const over = ['--server-url', `ws://${server}`]
        const sender = host(...over)
        expect(
          await sender.lineWhere('server', ({ phase }) => phase === 'unreachable'),
        ).toMatchObject({
          error: { code: 'E_SERVER_UNREACHABLE', subject: server },
        })
        expect(await sender.line('code')).toMatchObject({ reach: 'network' })
        thru('third', 'serve', '--port', '8080', '--host', addressOn('third'))
        const { code } = await sender.lineWhere('code', ({ reach }) => reach === 'anywhere')
        expectArrival(await receive(String(code), ...over, '--no-lan'))
      },
    )

    it(
      'use a typed address if announcements are blocked, which the sender reports',
      { tags: ['full'] },
      async () => {
        await open()
        lan.blockMulticast('host')
        const sender = host()
        const code = await codeOf(sender)
        const blocked = await sender.line('local-network')
        const url = `ws://${addressOn('host')}:41480`
        expect(blocked).toMatchObject({ phase: 'blocked', reason: 'multicast', urls: [url] })
        expect((await receive(code)).stdout).toContain('E_NO_SUCH_CODE')
        expectArrival(await receive(code, '--server-url', url))
        expectArrival(await receive(makeJoinLink({ code, server: url })))
      },
    )

    it('count a wrong code once, even if it is tried at both servers of the share', async () => {
      await open()
      const over = ['--server-url', `ws://${addressOn('third')}:8080`]
      const server = thru('third', 'serve', '--port', '8080', '--host', addressOn('third'))
      await server.match(/ws:/)
      const sender = host(...over)
      const code = await codeOf(sender)
      await sender.lineWhere('local-network', ({ phase }) => phase === 'visible')
      const wrong = `${nameplateOf(code)}-apple-kayak-onion`
      for (const count of [1, 2]) {
        expect(await receive(wrong, ...over)).toMatchObject({ exitCode: 3 })
        await sender.lineWhere('guesses', (line) => line['wrong'] === count)
      }
      expectArrival(await receive(code, ...over))
      const { stdout } = await sender.stop()
      const counted = linesOf(stdout).filter(({ type }) => type === 'guesses')
      expect(counted.map((line) => line['wrong'])).toEqual([1, 2])
    })

    it('find no hidden share', async () => {
      await open()
      const code = await codeOf(host('--no-lan'))
      const { stdout } = await receive(code)
      expect(stdout).toContain('E_NO_SUCH_CODE')
      expect(stdout).toContain('this computer has no way to look elsewhere')
    })

    it(
      'find each other again through another program when the one with the server ends',
      { tags: ['full'] },
      async () => {
        await open()
        const first = host()
        await codeOf(first)
        const second = host()
        const code = await codeOf(second)
        await first.stop('SIGKILL')
        await second.lines('server', 2)
        expectArrival(await receive(code))
      },
    )

    it(
      'find each other while a computer floods the network with announcements',
      { tags: ['full'] },
      async () => {
        await open()
        await runOn(lan, 'third', [flood, addressOn('third')], 'flooding')
        expectArrival(await receive(await codeOf(host())))
      },
    )

    it(
      'connect despite a computer that announces the same number',
      { tags: ['full'] },
      async () => {
        await open()
        const sender = host()
        const code = await codeOf(sender)
        const impostor = await bundled('impostor', folder)
        const { heard } = await runOn(lan, 'third', [impostor, nameplateOf(code)], 'announced')
        expectArrival(await receive(code))
        expect(heard().split('asked').length - 1).toBeLessThanOrEqual(2)
      },
    )

    it(
      'resolve an mDNS name that the other side sends instead of an address',
      { tags: ['full'] },
      async () => {
        await open()
        const code = await codeOf(host())
        const receiver = await bundled('hidden-receiver', folder)
        const server = `ws://${addressOn('host')}:41480/v1`
        const args = [receiver, server, code, addressOn('join')]
        const { heard } = await runOn(lan, 'join', args, 'checked')
        expect(heard().indexOf('asked')).toBeLessThan(heard().indexOf('checked'))
      },
    )
  },
)

/** Bundles a program of this folder into one file. */
async function bundled(name: string, folder: string): Promise<string> {
  const program = join(folder, `${name}.cjs`)
  await bundleProgram(fileURLToPath(new URL(`${name}.ts`, import.meta.url)), program)
  return program
}

const flood = fileURLToPath(new URL('mdns-flood.cjs', import.meta.url))

/** Runs a Node script on a computer until the test ends; resolves once it prints `sign`. */
async function runOn(lan: Lan, computer: Computer, script: readonly string[], sign: string) {
  const [command = '', ...within] = lan.within(computer)
  const args = [...within, process.execPath, ...script]
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let heard = ''
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (data: Buffer) => {
      heard += data.toString()
      if (heard.includes(sign)) resolve()
    })
  })
  return { heard: () => heard }
}
