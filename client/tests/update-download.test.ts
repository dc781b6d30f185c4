import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#client/clock'
import { ManualClock } from '#client/testing/manual-clock'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { manifestOf, TestFeed } from '#client/testing/update-feed'
import { type Download, download } from '#client/update/download'
import { mayFetch } from '#client/update/feed'
import { fetchDocument } from '#client/update/fetch'

const content = randomBytes(600_000)
const manifest = manifestOf(content, Date.now())
let feed: TestFeed
let address: URL
const at = temporaryFolder()

beforeEach(async () => {
  feed = new TestFeed()
  address = new URL('package', await feed.listen())
})
afterEach(async () => {
  await feed.close()
})

const bring = (more: Partial<Download> = {}) =>
  download({
    ...{ address, manifest, directory: at('packages'), clock: systemClock },
    ...{ signal: new AbortController().signal, progress: () => undefined },
    ...more,
  })
const packages = (): readonly string[] => readdirSync(at('packages'))
const partName = `package-${manifest.sha512.slice(0, 16)}.part`
const leavePart = (bytes: Uint8Array): void => {
  mkdirSync(at('packages'), { mode: 0o700 })
  writeFileSync(at('packages', partName), bytes)
}

describe('a package', () => {
  it('comes under a name of this computer, readable by this account alone', async () => {
    feed.bytes('/package', content)
    const shown: number[] = []
    const done = await bring({ progress: (bytes) => shown.push(bytes) })
    if (!done.ok) throw new Error(done.error.detail)
    expect(readFileSync(done.value).equals(content)).toBe(true)
    expect(packages()).toEqual([`package-${manifest.sha512.slice(0, 16)}`])
    expect(statSync(done.value).mode & 0o777).toBe(0o600)
    expect(shown.at(-1)).toBe(content.length)
  })

  it('that is there already is not fetched again', async () => {
    feed.bytes('/package', content)
    await bring()
    expect((await bring()).ok).toBe(true)
    expect(feed.asked).toEqual(['/package'])
  })

  it('that was changed since then is fetched again', async () => {
    feed.bytes('/package', content)
    const done = await bring()
    if (!done.ok) throw new Error(done.error.detail)
    writeFileSync(done.value, Buffer.alloc(content.length))
    expect((await bring()).ok).toBe(true)
    expect(readFileSync(done.value).equals(content)).toBe(true)
  })

  it('whose download broke off is resumed where it stopped', async () => {
    feed.on('/package', (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 250_000), () => response.destroy())
    })
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_INTERRUPTED' } })
    const { size } = statSync(at('packages', partName))
    expect(size).toBeGreaterThan(0)
    feed.bytes('/package', content)
    const done = await bring()
    if (!done.ok) throw new Error(done.error.detail)
    expect(feed.asked.at(-1)).toBe(`/package bytes=${size}-`)
    expect(readFileSync(done.value).equals(content)).toBe(true)
  })

  it('starts again at a server that sends all of it once more', async () => {
    leavePart(randomBytes(1000))
    feed.on('/package', (_, response) => response.end(content))
    expect((await bring()).ok).toBe(true)
  })

  it('is not resumed with a range that nobody asked for', async () => {
    leavePart(content.subarray(0, 1000))
    feed.on('/package', (_, response) => {
      response.writeHead(206, { 'content-range': `bytes 0-9/${content.length}` })
      response.end(content.subarray(0, 10))
    })
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
    feed.bytes('/package', content)
    expect((await bring()).ok).toBe(true)
  })

  it('is resumed after an answer that was only an excuse', async () => {
    leavePart(content.subarray(0, 1000))
    feed.on('/package', (_, response) => response.writeHead(503).end())
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
    feed.bytes('/package', content)
    expect((await bring()).ok).toBe(true)
    expect(feed.asked.at(-1)).toBe('/package bytes=1000-')
  })

  it('what is left of another one goes', async () => {
    leavePart(Buffer.alloc(0))
    for (const name of ['package-0', 'package-0.part', 'evil.exe']) {
      writeFileSync(at('packages', name), 'old')
    }
    feed.bytes('/package', content)
    await bring()
    expect(packages()).toHaveLength(1)
  })

  it('what a person has elsewhere stays, where the folder is a link to that', async () => {
    mkdirSync(at('elsewhere/photos'), { recursive: true })
    for (const name of ['package-0', 'letter']) writeFileSync(at('elsewhere', name), 'old')
    symlinkSync(at('elsewhere'), at('packages'))
    feed.bytes('/package', content)
    expect((await bring()).ok).toBe(true)
    expect([...packages()].sort()).toEqual(['letter', partName.replace('.part', ''), 'photos'])
  })

  it('is never written through a link', async () => {
    leavePart(Buffer.alloc(0))
    rmSync(at('packages', partName))
    writeFileSync(at('mine'), 'mine')
    symlinkSync(at('mine'), at('packages', partName))
    feed.bytes('/package', content)
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_NOT_WRITABLE' } })
    expect(readFileSync(at('mine'), 'utf8')).toBe('mine')
  })

  it('stops when it is told to, and what came stays', async () => {
    const stop = new AbortController()
    feed.on('/package', (_, response) => {
      response.write(content.subarray(0, 200_000))
    })
    const done = bring({
      signal: stop.signal,
      progress: () => {
        stop.abort()
      },
    })
    expect(await done).toMatchObject({ error: { code: 'E_UPDATE_INTERRUPTED' } })
    expect(statSync(at('packages', partName)).size).toBeGreaterThan(0)
  })
})

describe('UPD-03: under a right manifest', () => {
  it('another file is refused and removed', async () => {
    feed.bytes('/package', randomBytes(content.length))
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(packages()).toEqual([])
  })

  it('a file that was resumed upon another beginning is refused and removed', async () => {
    leavePart(randomBytes(1000))
    feed.bytes('/package', content)
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(packages()).toEqual([])
  })

  it('a shorter file is refused', async () => {
    feed.bytes('/package', content.subarray(0, 1000))
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_INTERRUPTED' } })
  })
})

describe('UPD-07: a server', () => {
  it('that sends more than the manifest says is cut off there', async () => {
    let sent = 0
    feed.on('/package', (_, response) => {
      const more = (): void => {
        sent += content.length
        if (!response.destroyed && sent < 1e10) response.write(content, more)
      }
      more()
    })
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    expect(sent).toBeLessThan(100_000_000)
    expect(statSync(at('packages', partName)).size).toBe(0)
  })

  it('that sends a byte now and then is given up after a minute', async () => {
    const clock = new ManualClock()
    let send: (() => void) | undefined
    feed.on('/package', (_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      send = () => response.write('x')
      send()
    })
    let arrived: () => void = () => undefined
    const done = bring({
      clock,
      progress: () => {
        arrived()
      },
    })
    for (let seconds = 0; seconds < 60; seconds += 20) {
      await new Promise<void>((resolve) => {
        arrived = resolve
        send?.()
      })
      clock.advance(20_000)
    }
    expect(await done).toMatchObject({
      error: { code: 'E_UPDATE_INTERRUPTED', detail: 'it came too slowly' },
    })
  })

  it('that wants to speak another protocol is given up at once', async () => {
    feed.on('/package', ({ socket }) => {
      socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    })
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
  })

  it('that says nothing is given up after half a minute', async () => {
    const clock = new ManualClock()
    feed.on('/package', () => undefined)
    const done = bring({ clock })
    await feed.wasAsked('/package')
    clock.advance(30_000)
    expect(await done).toMatchObject({
      error: { code: 'E_UPDATE_UNREACHABLE', detail: 'no answer' },
    })
  })

  it('may redirect five times, and no more', async () => {
    const redirect = (from: string, to: string): void => {
      feed.on(from, (_, response) => response.writeHead(302, { location: to }).end())
    }
    for (let index = 1; index <= 5; index += 1) redirect(`/${index}`, `/${index + 1}`)
    feed.bytes('/6', content)
    expect((await bring({ address: new URL('/1', address) })).ok).toBe(true)
    redirect('/0', '/1')
    rmSync(at('packages'), { recursive: true })
    expect(await bring({ address: new URL('/0', address) })).toMatchObject({
      error: { code: 'E_UPDATE_UNREACHABLE', detail: 'too many redirects' },
    })
    redirect('/loop', '/loop')
    expect((await bring({ address: new URL('/loop', address) })).ok).toBe(false)
  })

  it.each(['http://example.com/', 'file:///etc/passwd', 'http://', 'ftp://127.0.0.1/', 'data:,x'])(
    'may not redirect to %s',
    async (to) => {
      feed.on('/package', (_, response) => response.writeHead(302, { location: to }).end())
      expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
    },
  )

  it('of the network may not redirect to one of this computer', () => {
    const outside = new URL('https://updates.example.org/')
    expect(mayFetch(new URL('http://127.0.0.1:80/'), outside)).toBe(false)
    expect(mayFetch(new URL('https://other.example.org/'), outside)).toBe(true)
    expect(mayFetch(new URL('http://updates.example.org/'))).toBe(false)
    expect(mayFetch(new URL('https://me:secret@updates.example.org/'))).toBe(false)
  })

  it('whose certificate nobody vouches for is not asked', async () => {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => at(name))
    if (key === undefined || cert === undefined) throw new Error('no names')
    const about = ['-subj', '/CN=localhost', '-days', '1', '-nodes', '-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ed25519', ...about], { stdio: 'ignore' })
    let asked = 0
    const secure = createServer(
      { key: readFileSync(key), cert: readFileSync(cert) },
      (_, response) => {
        asked += 1
        response.end(content)
      },
    )
    await new Promise<void>((resolve) => {
      secure.listen(0, '127.0.0.1', resolve)
    })
    const { port } = secure.address() as AddressInfo
    const done = await bring({ address: new URL(`https://127.0.0.1:${port}/package`) })
    secure.close()
    expect(done).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
    expect(asked).toBe(0)
  })

  it('has 64 KiB and half a minute for a manifest', async () => {
    const clock = new ManualClock()
    const fetch = () => fetchDocument(address, { clock, signal: new AbortController().signal })
    feed.on('/package', (_, response) => response.end(' '.repeat(70_000)))
    expect(await fetch()).toMatchObject({ error: { code: 'E_UPDATE_DAMAGED' } })
    let isWritten: () => void = () => undefined
    const written = new Promise<void>((resolve) => {
      isWritten = resolve
    })
    feed.on('/package', (_, response) => response.write('{', isWritten))
    const slow = fetch()
    await written
    clock.advance(30_000)
    expect(await slow).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
  })

  it.each(['', '{', '"x'])('whose manifest is no JSON is refused: %j', async (text) => {
    feed.on('/package', (_, response) => response.end(text))
    const options = { clock: systemClock, signal: new AbortController().signal }
    expect(await fetchDocument(address, options)).toMatchObject({
      error: { code: 'E_UPDATE_UNTRUSTED' },
    })
  })

  it('that is not there is no answer', async () => {
    await feed.close()
    expect(await bring()).toMatchObject({ error: { code: 'E_UPDATE_UNREACHABLE' } })
    feed = new TestFeed()
    await feed.listen()
  })
})
