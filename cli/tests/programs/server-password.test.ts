import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { hashTree, writeTree } from './tree'

const { at, start } = programRig('server-password')

const password = 'only-for-the-team'

/** Starts `thru serve` with a password; returns its address. */
async function privateServer(): Promise<string> {
  writeFileSync(at('passwords'), `the-password-of-before\n${password}\n`)
  const server = start([
    ...['serve', '--host', '127.0.0.1', '--port', '0'],
    ...['--server-password-file', at('passwords')],
  ])
  return (await server.match(/ws:\S+/))[0]
}

describe('thru with a server that requires a password', () => {
  it('shares with a password from a file, receives with one from a variable, and leaks neither', async () => {
    const url = await privateServer()
    writeFileSync(at('password'), `${password}\n`)
    writeTree(at('src'), { 'notes.txt': 'remember' })
    const over = ['--server-url', url, '--json', '--no-lan']
    const sender = start([
      ...['host', at('src', 'notes.txt'), ...over],
      ...['--server-password-file', at('password')],
    ])
    const code = await codeOf(sender)
    const joined = ['join', code, '--out', at('dst'), '--yes', ...over]
    const without = await start(joined).ended
    expect(without.exitCode).toBe(4)
    expect(without.stdout).toContain('E_SERVER_PASSWORD')
    const wrong = await start(joined, { env: { THRU_SERVER_PASSWORD: 'a-guess-of-mine' } }).ended
    expect(wrong.exitCode).toBe(4)
    expect(wrong.stdout).toContain('the password is wrong')
    expect(wrong.stdout + wrong.stderr).not.toContain('guess')
    const right = await start(joined, { env: { THRU_SERVER_PASSWORD: password } }).ended
    expect(right).toMatchObject({ exitCode: 0 })
    expect(hashTree(at('dst'))).toEqual(hashTree(at('src')))
    const { stdout, stderr } = await sender.stop()
    for (const said of [stdout, stderr, right.stdout, right.stderr]) {
      expect(said).not.toContain(password)
    }
  })

  it('is refused immediately with a file without a password', async () => {
    writeFileSync(at('empty'), '\n')
    for (const file of [at('empty'), at('none')]) {
      const args = ['--server-url', 'ws://127.0.0.1:1', '--server-password-file', file]
      const run = await start(['join', '4821-apple-kayak-onion', '--yes', ...args]).ended
      expect(run.exitCode).toBe(2)
      expect(run.stderr).toContain(file)
    }
  })
})
