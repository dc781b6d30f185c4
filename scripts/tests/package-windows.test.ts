import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aptPackages } from '../deps/apt.mjs'
import { missedLimit } from '../deps/version.mjs'
import { root } from '../lib/cache.mjs'
import { readArguments } from '../package/package.mjs'
import { fourNumbers, removalsOf } from '../package/windows/installer.mjs'
import { differencesOf, forTerminals } from '../package/windows/programs.mjs'
import { signCommand, signingOf } from '../package/windows/sign.mjs'

it('makes all formats for Windows on any system', () => {
  const { platform, formats } = readArguments(['--win', '--no-build'])
  expect({ platform, formats }).toEqual({
    platform: 'win32',
    formats: ['nsis', 'portable', 'zip'],
  })
})

it.each([
  ['1.2.3', '1.2.3.0'],
  ['1.2.3-beta.4', '1.2.3.4'],
  ['1.2.3-rc', '1.2.3.0'],
])('gives Windows four numbers for version %s', (version, numbers) => {
  expect(fourNumbers(version)).toBe(numbers)
})

it('makes installers with an NSIS that has the fixes of 3.12', () => {
  const { toolSources } = JSON.parse(readFileSync(join(root, 'native/deps.json'), 'utf8')) as {
    readonly toolSources: { readonly nsis: { readonly sha256: Readonly<Record<string, string>> } }
  }
  const versions = Object.keys(toolSources.nsis.sha256).map(
    (file) => /_([\d.]+)\.orig/.exec(file)?.[1] ?? '',
  )
  expect(versions).not.toEqual([])
  for (const version of versions)
    expect(missedLimit(version, { minimum: '3.12', below: '4' })).toBeUndefined()
  // The distribution's NSIS is older and would be found first.
  expect(aptPackages['package-windows']).not.toContain('nsis')
})

it('removes only installed files, before their folders', () => {
  const lines = removalsOf({ files: ['a.exe', 'bin/$x.exe'], folders: ['bin'] })
  expect(lines).toBe(
    'Delete "$INSTDIR\\a.exe"\nDelete "$INSTDIR\\bin\\$$x.exe"\nRMDir "$INSTDIR\\bin"\n',
  )
})

describe('the program for terminals', () => {
  const program = (subsystem: number): Buffer => {
    const bytes = Buffer.alloc(512)
    bytes.writeUInt32LE(128, 0x3c)
    bytes.write('PE\0\0', 128, 'latin1')
    bytes.writeUInt16LE(subsystem, 128 + 0x5c)
    return bytes
  }

  it('differs from the windowed program only in its subsystem', () => {
    const app = program(2)
    const twin = forTerminals(app) as Buffer
    const differing = [...twin.keys()].filter((at) => twin[at] !== app[at])
    expect(differing.map((at) => [at, twin[at]])).toEqual([[128 + 0x5c, 3]])
  })

  it('is restored from its differences, even when it is longer', () => {
    const app = Buffer.alloc(1000)
    const twin = Buffer.concat([app, Buffer.from('signature')])
    twin.write('ab', 5)
    for (const distance of [20, 63, 64, 65, 66]) twin.write('c', 100 + 2 * distance)
    for (const at of [6 + 64, 6 + 64 + 65]) twin.write('e', at)
    twin.write('d', 500)
    expect(applied(differencesOf(app, twin) as Buffer, app)).toEqual(twin)
    expect(applied(differencesOf(app, app) as Buffer, app)).toEqual(app)
  })

  it.each([
    ['a file that is not a program', Buffer.alloc(512), 'not a Windows program'],
    ['a console program', program(3), 'not a windowed program'],
  ])('is not made of %s', (_, bytes, why) => {
    expect(() => forTerminals(bytes) as Buffer).toThrow(why)
  })
})

/** Applies differences like build/windows/twin.c. */
function applied(differences: Buffer, source: Buffer): Buffer {
  const number = (at: number): number => Number(differences.readBigUInt64LE(at))
  const target = Buffer.alloc(number(0))
  source.copy(target)
  for (let at = 8; at < differences.length; at += 16 + number(at + 8))
    differences.copy(target, number(at), at + 16, at + 16 + number(at + 8))
  return target
}

describe('signing', () => {
  const env = {
    THRU_WINDOWS_CERTIFICATE: '/secrets/code.p12',
    THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE: '/secrets/code.txt',
  }

  it("needs a certificate, and passes the password's file, not the password", () => {
    expect(signingOf({})).toBeUndefined()
    expect(() => signingOf({ THRU_WINDOWS_CERTIFICATE: 'a.p12' })).toThrow('PASSWORD_FILE')
    const signing = signingOf(env)
    if (signing === undefined) throw new Error('a certificate was named')
    const command = signCommand(signing, 'in.exe', 'out.exe')
    expect(command).toContain('/secrets/code.txt')
    expect(command).not.toContain('-ts')
    expect(command.slice(-4)).toEqual(['-in', 'in.exe', '-out', 'out.exe'])
  })

  it('requests a time stamp when a service is set', () => {
    const signing = signingOf({ ...env, THRU_TIMESTAMP_URL: 'http://time.example' })
    if (signing === undefined) throw new Error('a certificate was named')
    expect(signCommand(signing, 'a', 'b').join(' ')).toContain('-ts http://time.example')
  })
})
