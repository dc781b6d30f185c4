import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { InstallationSecret } from '#client/state/installation-secret'
import { folderOfTest } from '#client/testing/temporary-folder'

/** The secret in a program without an engine. */
const program = (directory: string) => new InstallationSecret({ directory }, () => undefined)

describe('the secret of an installation', () => {
  let directory: string

  beforeEach(() => {
    directory = folderOfTest()
  })

  it('is the same after a restart', async () => {
    const first = await program(directory).get()
    expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await program(directory).get()).toBe(first)
  })

  it('is told once', async () => {
    const found = vi.fn<(secret: string) => void>()
    const secret = new InstallationSecret({ directory }, found)
    expect(found).not.toHaveBeenCalled()
    const [first] = await Promise.all([secret.get(), secret.get()])
    expect(found.mock.calls).toEqual([[first]])
  })

  it('is shared by programs that make it at the same time', async () => {
    const programs = Array.from({ length: 5 }, () => program(directory))
    const secrets = await Promise.all(programs.map((each) => each.get()))
    expect(new Set(secrets).size).toBe(1)
  })

  it('lasts as long as the program if it cannot be stored', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    const secret = program(file)
    const first = await secret.get()
    expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await secret.get()).toBe(first)
  })

  it.each(['short', `${'A'.repeat(42)}B`])(
    'is replaced if the file is invalid: %s',
    async (secret) => {
      writeFileSync(join(directory, 'installation.json'), JSON.stringify({ version: 1, secret }))
      const made = await program(directory).get()
      expect(made).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(made).not.toBe(secret)
    },
  )
})
