/** The only server of a service is killed and keeps its codes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OwnerKey } from '#shared/signaling/owner-proof'
import { ServerProcess } from './server-process.ts'

it('returns every nameplate after a kill, and only to its owner', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'thru-state-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const flags = ['--state-file', join(folder, 'sessions')]
  const limits = { THRU_SESSION_CREATES_BURST: '100' }
  const before = await ServerProcess.start(flags, limits)
  const shares = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const owner = new OwnerKey()
      const client = await before.connect()
      client.hostAs(owner)
      return { owner, nameplate: (await client.next('hosted')).nameplate }
    }),
  )
  await before.kill()
  const after = await ServerProcess.start(flags, limits)
  const thief = await after.connect()
  thief.hostAs(new OwnerKey(), { nameplate: shares[0]?.nameplate ?? '' })
  expect((await thief.next('error')).code).toBe('E_NO_SUCH_CODE')
  for (const { owner, nameplate } of shares) {
    const client = await after.connect()
    client.hostAs(owner)
    expect((await client.next('hosted')).nameplate).toBe(nameplate)
  }
})
