/** Runs the marked blocks of docs/self-hosting.md in order, in a checkout on a Debian that has only git and Node. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshSystem } from '../../../fresh/system.mjs'
import { root } from '../../../lib/cache.mjs'

/** The shell blocks, by the names of their marks. */
const blocks = Object.fromEntries(
  [
    ...readFileSync(join(root, 'docs/self-hosting.md'), 'utf8').matchAll(
      /^<!-- try: (\w+) -->\n\n```sh\n(.*?)^```$/gms,
    ),
  ].map(([, name = '', text = '']) => [name, text.trim()]),
)

/** Finds a free port, since the fresh system shares this machine's network. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })

const checkout = '/root/project'

describe('the guide to self-hosting', () => {
  let system: Awaited<ReturnType<typeof freshSystem>>
  const inCheckout = (text: string) =>
    `export DEBIAN_FRONTEND=noninteractive; cd ${checkout}; set -e\n${text}`

  /** Runs a block, expects success and returns its output. */
  function type(text: string): string {
    const { status, output } = system.run(inCheckout(text))
    expect([output.split('\n').slice(-20).join('\n'), status]).toEqual([expect.anything(), 0])
    return output
  }

  beforeAll(async () => {
    system = await freshSystem('trixie')
    const project = join(system.folder, checkout)
    mkdirSync(project)
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    for (const file of listed.split('\0').filter(Boolean)) {
      cpSync(join(root, file), join(project, file), { recursive: true })
    }
    const named = 'git -c user.name=test -c user.email=test@example.org'
    type(`git init -q . && git add -A && ${named} commit -qm 'a checkout'`)
  }, 1_200_000)
  afterAll(() => system.remove())

  it('marks each setup that is tested here', () => {
    expect(Object.keys(blocks)).toEqual(['small', 'debian', 'relay'])
  })

  it('small: builds the program, which serves the page', async () => {
    const port = await freePort()
    const text = (blocks['small'] ?? '').replace('--port 8080', `--port ${port}`)
    const server = system.start(inCheckout(text))
    let said = ''
    server.stdout.on('data', (data: Buffer) => (said += data.toString()))
    server.stderr.on('data', (data: Buffer) => (said += data.toString()))
    const listens = expect.poll(() => said, { timeout: 600_000 })
    await listens.toContain('"listening"')
    const page = await fetch(`http://127.0.0.1:${port}/`)
    expect(await page.text()).toContain(`ws://127.0.0.1:${port}`)
    // Only SIGKILL works: the process is PID 1 of the system and ignores other signals. Its child ends with it.
    server.kill('SIGKILL')
  }, 660_000)

  it('Debian: builds and installs the package, and Caddy accepts its configuration', () => {
    const output = type(blocks['debian'] ?? '')
    expect(output).toContain('Valid configuration')
    expect(output).toMatch(/^host = "127\.0\.0\.1" +# THRU_HOST$/m)
  }, 600_000)

  it('relay: only coturn can read its configuration, which holds the generated secret', () => {
    type(blocks['relay'] ?? '')
    const secret = type('cat /etc/thru-relay/turn-secret').trim()
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const configuration = type(
      'setpriv --reuid turnserver --regid turnserver --clear-groups cat /etc/turnserver.conf',
    )
    expect(configuration).toContain(`\nstatic-auth-secret=${secret}\n`)
    expect(configuration).toContain('\nrealm=relay.example.org\n')
    const { status } = system.run('setpriv --reuid nobody --clear-groups cat /etc/turnserver.conf')
    expect(status).not.toBe(0)
  }, 600_000)
})
