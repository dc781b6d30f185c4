/** `thru` with two signaling servers, one of which is down. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseJoinLink } from '#shared/code/join-link'
import { programRig } from './program-rig'
import type { Thru } from './thru'

const { at, start, serverUrl } = programRig('fallback')

/** Another server that the test can end, and the options to prefer it to the rig's server. */
async function servers() {
  const first = start(['serve', '--port', '0', '--host', '127.0.0.1', '--trust-loopback'])
  const [url] = await first.match(/ws:\S+/)
  const options = ['--json', '--server-url', url, '--server-url', serverUrl()]
  return { first, options }
}

function serverOf(link: unknown): string | null {
  const parsed = parseJoinLink(String(link))
  return parsed.ok ? parsed.value.server : null
}

function host(options: readonly string[]): Thru {
  writeFileSync(at('notes.txt'), 'remember')
  return start(['host', at('notes.txt'), ...options])
}

async function receives(code: string, options: readonly string[]): Promise<void> {
  const receiver = start(['join', code, '--out', at('dst'), '--yes', ...options])
  expect((await receiver.ended).exitCode).toBe(0)
  expect(readFileSync(at('dst', 'notes.txt'), 'utf8')).toBe('remember')
}

it('a share starts on the second server if the first is down, and a receiver with both finds it', async () => {
  const { first, options } = await servers()
  await first.stop('SIGKILL')
  const sender = host(options)
  const { code, link } = await sender.line('code')
  expect(serverOf(link)).toContain(serverUrl())
  await receives(String(code), options)
  await sender.stop()
})
