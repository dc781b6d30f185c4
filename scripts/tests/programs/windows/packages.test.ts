import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOfFile } from '#client/testing/temporary-folder'
import { root } from '../../../lib/cache.mjs'
import { product } from '../../../package/product.mjs'
import { compileProgram } from '../../../package/windows/programs.mjs'
import { signingOf, signProgram } from '../../../package/windows/sign.mjs'
import { WindowsMachine } from './wine-run'

const folder = folderOfFile()
const packages = join(folder, 'packages')
const minutes = 60_000

const packageOf = (ending: string): string => {
  const name = readdirSync(packages).find((each) => each.endsWith(ending))
  if (name === undefined) throw new Error(`there is no package *${ending}`)
  return join(packages, name)
}

const inArchive = (file: string): readonly string[] =>
  [
    ...execFileSync('7z', ['l', '-slt', file], { encoding: 'utf8' }).matchAll(/^Path = (.*)$/gm),
  ].map(([, path = '']) => path.replaceAll('\\', '/'))

/** Files that every package has in addition to Electron's. */
const contents = [
  'Thruflux.exe',
  'thru-node.exe',
  'bin/thru.exe',
  'completions/thru.ps1',
  'resources/app.asar',
  'resources/app.asar.unpacked/out/native/thruflux.node',
  'LICENSE.txt',
  'LICENSES.chromium.html',
  'THIRD-PARTY-NOTICES.txt',
]

beforeAll(() => {
  const asked = ['--win', 'nsis', 'zip', '--substitute-runtime', '--no-build', '--quick']
  const script = join(root, 'scripts/package/package.mjs')
  execFileSync(process.execPath, [script, ...asked, '--output', packages], { stdio: 'ignore' })
}, 20 * minutes)

it('the installer and the archive have the app, the command, completion and licenses', () => {
  const installer = inArchive(packageOf('-setup.exe'))
  // The installer creates this file when it runs.
  const carried = contents.filter((path) => path !== 'thru-node.exe')
  expect(installer).toEqual(expect.arrayContaining([...carried, '$PLUGINSDIR/twin.exe']))
  expect(installer).not.toContain('thru-node.exe')
  const archive = inArchive(packageOf('.zip'))
  expect(archive).toEqual(expect.arrayContaining(contents.map((path) => `Thruflux/${path}`)))
  for (const path of [...installer, ...archive]) expect(path).not.toMatch(/\.(map|ts|pdb)$/)
})

describe('an installation for one account', () => {
  let windows: WindowsMachine
  let before: readonly string[]
  const app = (...parts: readonly string[]): string => windows.local('Programs/Thruflux', ...parts)
  const atLogin = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion'
  const uninstallKey = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Thruflux'

  beforeAll(async () => {
    windows = await WindowsMachine.make(join(folder, 'prefix'))
    before = windows.files()
    await windows.run('reg', 'add', 'HKCU\\Environment', '/v', 'Path', '/d', 'C:\\tools;', '/f')
    const { exitCode } = await windows.run(packageOf('-setup.exe'), '/S')
    expect(exitCode).toBe(0)
  }, 5 * minutes)
  afterAll(() => windows.remove())

  it('adds the command to the end of the PATH', async () => {
    const path = await windows.value('HKCU\\Environment', 'Path')
    expect(path).toMatch(/^C:\\tools;C:\\users\\[^;]*\\Programs\\Thruflux\\bin$/)
    const { exitCode, output } = await windows.run('cmd', '/c', 'thru --version')
    expect(exitCode).toBe(0)
    expect(output).toMatch(/^\d+\.\d/)
  })

  it('has a command that finds its engine and passes on its arguments', async () => {
    expect((await windows.run('cmd', '/c', 'thru doctor')).output).toMatch(/^ok {3}The engine/)
    const { exitCode, output } = await windows.run(app('bin/thru.exe'), 'config', 'get', 'a "b c\\')
    expect(exitCode).toBe(2)
    expect(output).toContain('a "b c')
  })

  it('opens join links, and offers to share in Explorer and in "Send to"', async () => {
    const classes = 'HKCU\\Software\\Classes'
    const program = '"C:\\users\\root\\AppData\\Local\\Programs\\Thruflux\\Thruflux.exe"'
    expect(await windows.value(`${classes}\\thruflux\\shell\\open\\command`)).toBe(
      `${program} "--" "%1"`,
    )
    for (const key of ['*\\shell\\Thruflux', 'Directory\\shell\\Thruflux'])
      expect(await windows.value(`${classes}\\${key}\\command`)).toBe(`${program} "%1"`)
    expect(existsSync(windows.roaming('Microsoft/Windows/SendTo/Thruflux.lnk'))).toBe(true)
    const menu = windows.roaming('Microsoft/Windows/Start Menu/Programs/Thruflux.lnk')
    expect(existsSync(menu)).toBe(true)
  })

  it(
    "is replaced by an update, which keeps the user's files",
    async () => {
      writeFileSync(app('notes of a person.txt'), 'mine')
      // Not the inode number, which Linux may reuse.
      const first = statSync(app('Thruflux.exe')).birthtimeMs
      const { exitCode } = await windows.run(packageOf('-setup.exe'), '--updated', '/S')
      await windows.settle()
      expect(exitCode).toBe(0)
      expect(statSync(app('Thruflux.exe')).birthtimeMs).not.toBe(first)
      expect(existsSync(app('notes of a person.txt'))).toBe(true)
      rmSync(app('notes of a person.txt'))
      const path = await windows.value('HKCU\\Environment', 'Path')
      expect(path?.match(/Thruflux/g)).toHaveLength(1)
    },
    5 * 60_000,
  )

  it('is removed completely, except for the settings', async () => {
    mkdirSync(windows.roaming('Thruflux'), { recursive: true })
    writeFileSync(windows.roaming('Thruflux/config.toml'), 'mine')
    // The app writes these entries to handle join links and to start at login.
    const links = 'HKCU\\Software\\Classes\\thruflux\\shell\\open\\command'
    const program = `"${(await windows.value(links))?.split('"')[1] ?? ''}"`
    await windows.run('reg', 'add', links, '/ve', '/d', `${program} "%1"`, '/f')
    for (const key of ['Run', 'Explorer\\StartupApproved\\Run'])
      await windows.run('reg', 'add', `${atLogin}\\${key}`, '/v', product.id, '/d', program, '/f')
    expect((await windows.run(app('Uninstall.exe'), '/S')).exitCode).toBe(0)
    await windows.settle()
    const left = windows.files().filter((path) => !before.includes(path))
    expect(left.filter((path) => /thruflux/i.test(path))).toEqual([
      expect.stringMatching(/Roaming\/Thruflux$/),
      expect.stringMatching(/Roaming\/Thruflux\/config\.toml$/),
    ])
    expect(await windows.value('HKCU\\Environment', 'Path')).toBe('C:\\tools')
    for (const key of [uninstallKey, 'HKCU\\Software\\Classes\\thruflux'])
      expect((await windows.run('reg', 'query', key)).exitCode).not.toBe(0)
    for (const key of ['Run', 'Explorer\\StartupApproved\\Run'])
      expect(await windows.value(`${atLogin}\\${key}`, product.id)).toBeNull()
  })
})

describe('an installation for all accounts, in a chosen folder', () => {
  let windows: WindowsMachine
  let paths: string
  const key = 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Thruflux'
  const environment = 'HKLM\\System\\CurrentControlSet\\Control\\Session Manager\\Environment'
  const readPaths = async (): Promise<string> =>
    (await windows.run('reg', 'query', environment, '/v', 'PATH')).output.trim()

  beforeAll(async () => {
    windows = await WindowsMachine.make(join(folder, 'prefix-of-all'))
    paths = await readPaths()
    // Another program's uninstaller, which creates C:\ran if it runs.
    mkdirSync(windows.at('tools'))
    const source = '#include <stdio.h>\nint main(void) { return fopen("C:\\\\ran", "w") == 0; }\n'
    const uninstaller = windows.at('tools/Uninstall.exe')
    execFileSync('x86_64-w64-mingw32-gcc', ['-xc', '-', '-o', uninstaller], { input: source })
    const { exitCode } = await windows.run(
      packageOf('-setup.exe'),
      '/S',
      '/allusers',
      '/D=C:\\tools',
    )
    expect(exitCode).toBe(0)
  }, 5 * minutes)
  afterAll(() => windows.remove())

  it('is in the chosen folder, and runs no uninstaller of another program there', async () => {
    expect(existsSync(windows.at('tools/Thruflux.exe'))).toBe(true)
    expect(existsSync(windows.at('ran'))).toBe(false)
    expect(await windows.value(key, 'InstallLocation')).toBe('C:\\tools')
  })

  it('adds the command to the end of the PATH of all accounts', async () => {
    expect(paths).toContain('REG_EXPAND_SZ')
    expect(await readPaths()).toBe(`${paths};C:\\tools\\bin`)
  })

  it('is removed for all accounts', async () => {
    expect((await windows.run(windows.at('tools/Uninstall.exe'), '/S')).exitCode).toBe(0)
    await windows.settle()
    expect(existsSync(windows.at('tools'))).toBe(false)
    expect(await readPaths()).toBe(paths)
    for (const gone of [key, 'HKLM\\Software\\Classes\\thruflux'])
      expect((await windows.run('reg', 'query', gone)).exitCode).not.toBe(0)
  })
})

it("programs are signed with the publisher's certificate", async () => {
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: readonly string[]): Buffer => execFileSync('openssl', args)
  const subject = ['-subj', '/CN=Test', '-addext', 'extendedKeyUsage=codeSigning']
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject].concat([
      ...['-keyout', at('key.pem'), '-out', at('certificate.pem')],
    ]),
  )
  writeFileSync(at('password'), 'of a test')
  openssl(
    ...['pkcs12', '-export', '-inkey', at('key.pem'), '-in', at('certificate.pem')].concat([
      ...['-out', at('test.p12'), '-passout', `file:${at('password')}`],
    ]),
  )
  const program = await compileProgram('thru', folder, at('log'))
  const verify = (): string => {
    const args = ['verify', '-in', program, '-CAfile', at('certificate.pem')]
    try {
      return execFileSync('osslsigncode', args, { encoding: 'utf8' })
    } catch (error) {
      return (error as { readonly stdout: string }).stdout
    }
  }
  expect(verify()).not.toMatch(/verification: ok/)
  const signing = signingOf({
    THRU_WINDOWS_CERTIFICATE: at('test.p12'),
    THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE: at('password'),
  })
  await signProgram(program, signing, at('log'))
  expect(verify()).toMatch(/Signature verification: ok/)
})
