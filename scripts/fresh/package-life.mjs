// package-life.mjs FORMAT: installs, uses, upgrades, uses and removes a package on this computer, a fresh Debian.
// scripts/tests/programs/packages/life.test.ts runs it as root, in a folder with packages in previous/ and current/.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Failure, runMain, step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

const log = '/root/project/life.log'
const account = 'person'
/** Test tools for the user account, which can't read root's folder. */
const tools = '/opt/thru-test'
const home = `/home/${account}`

const run = (command, ...args) =>
  runLogged(command, command, args, { log, env: { DEBIAN_FRONTEND: 'noninteractive' } })
const install = (...names) =>
  run('apt-get', '-q', '-y', '--no-install-recommends', 'install', ...names)

/** Returns the path of a format's package in a folder; throws a Failure if it is missing. */
function packageIn(folder, format) {
  const name = readdirSync(folder).find((each) => each.endsWith(`.${format}`))
  if (name === undefined) throw new Failure(`There is no ${format} in ${folder}.`)
  return resolve(folder, name)
}

/** System libraries that the app loads, from the Debian package's dependencies. */
const libraries = () => {
  const file = packageIn('current', 'deb')
  const field = execFileSync('dpkg-deb', ['-f', file, 'Depends'], { encoding: 'utf8' })
  return field
    .trim()
    .replaceAll(/ \([^)]*\)/g, '')
    .split(', ')
    .map((names) => names.split(' | '))
}

/** The first name that this system's package lists contain. */
const known = (names) =>
  names.find((name) =>
    /Candidate: (?!\(none\))/.test(capture('apt-cache', ['policy', name]) ?? ''),
  ) ?? names[0]

/** A typical path of an AppImage. */
const image = join(home, 'Applications/Thruflux.AppImage')
/** The command that the AppImage installs on request. */
const imageCommand = join(home, '.local/bin/thru')

/**
 * Starts programs as the user, without FUSE, which a fresh system lacks. An AppImage then unpacks itself to one shared
 * folder, and would delete it when `thru` ends, even while the app runs from there.
 */
const personally = [
  ...['runuser', '-u', account, '--', 'env', '-i', `HOME=${home}`],
  ...['PATH=/usr/bin:/bin', 'LANG=C.UTF-8', 'APPIMAGE_EXTRACT_AND_RUN=1', 'NO_CLEANUP=1'],
]
const asPerson = (...command) =>
  runLogged(command.join(' '), personally[0], [...personally.slice(1), ...command], {
    log,
    cwd: '/',
  })

/** Commands to install, remove and start each format. */
const formats = {
  deb: {
    // GTK's packages install it with systemd, and Debian 13 never removes it automatically.
    prepare: () => install('dbus-user-session'),
    put: (file) => install(file),
    remove: () => run('apt-get', '-q', '-y', 'purge', '--autoremove', 'thruflux'),
    app: '/usr/bin/thruflux',
    command: '/usr/bin/thru',
  },
  rpm: {
    // rpm's database doesn't know Debian's packages.
    prepare: () => install('rpm', ...libraries().map(known)),
    put: (file) => run('rpm', '-U', '--nodeps', file),
    remove: () => run('rpm', '-e', '--nodeps', 'thruflux'),
    app: '/usr/bin/thruflux',
    command: '/usr/bin/thru',
  },
  AppImage: {
    prepare: () => install(...libraries().map(known)),
    put: (file) => {
      const folder = dirname(image)
      mkdirSync(folder, { recursive: true })
      copyFileSync(file, image)
      chmodSync(image, 0o755)
      execFileSync('chown', ['-R', account, folder])
      if (!existsSync(imageCommand)) return asPerson(image, '--install-thru')
    },
    remove: async () => {
      await asPerson(image, '--remove-thru')
      if (existsSync(imageCommand)) throw new Failure(`${imageCommand} is still there.`)
      rmSync(dirname(image), { recursive: true })
    },
    app: image,
    command: imageCommand,
  },
}

/** Databases, caches and logs of package managers, and leftovers of systemd, which GTK's packages install. */
const notListed = [
  /^\/(proc|sys|dev|run|tmp|root)(\/|$)/,
  /^\/var\/(lib\/(apt|dpkg|rpm|systemd|private)|cache|log)(\/|$)/,
  /^\/etc\/(ld\.so\.cache|machine-id|mtab|.*-)$/,
]

/** Lists all other files and folders of the system. */
function listFiles() {
  const found = execFileSync(
    'find',
    ['/', '-xdev', '-path', '/root/project', '-prune', '-o', '-print'],
    { encoding: 'utf8', maxBuffer: 256 << 20 },
  )
  return new Set(
    found.split('\n').filter((path) => path && !notListed.some((places) => places.test(path))),
  )
}

/** Uses app and command as the user, in an isolated network. */
function use(format, version) {
  const { app, command } = formats[format]
  const node = `${tools}/node --experimental-websocket --no-warnings`
  const program = `${node} ${tools}/fresh/use-app.mjs ${app} ${command} ${version}`
  const inner = `ip link set lo up && exec ${personally.join(' ')} xvfb-run -a ${program}`
  const { status } = spawnSync('unshare', ['--net', 'sh', '-c', inner], {
    cwd: '/',
    stdio: 'inherit',
  })
  if (status !== 0) throw new Failure("The app doesn't work. See the error above.")
}

const versionOf = (file) => /thruflux-(\d[^-]*)-linux/.exec(file)[1]

runMain(async () => {
  const format = process.argv[2]
  const { prepare, put, remove } = formats[format] ?? {}
  if (!put) throw new Failure(`"${format}" is not a format: ${Object.keys(formats).join(', ')}.`)
  const older = packageIn('previous', format)
  const newer = packageIn('current', format)
  await step('installing test tools', async () => {
    await run('apt-get', '-q', 'update')
    await install('xvfb', 'xauth', 'x11-utils', 'iproute2')
    await prepare()
    rmSync(tools, { recursive: true, force: true })
    execFileSync('cp', ['-r', 'scripts', tools])
    copyFileSync('node', `${tools}/node`)
    execFileSync('chmod', ['-R', 'a+rX', tools])
    execFileSync('sh', ['-c', `id ${account} >/dev/null 2>&1 || useradd -m ${account}`])
  })
  rmSync(home, { recursive: true })
  mkdirSync(home)
  execFileSync('chown', [account, home])
  const before = listFiles()
  await step(`installing ${versionOf(older)}`, () => put(older))
  console.log(
    `  ${[...listFiles()].filter((path) => !before.has(path)).length} files and folders added`,
  )
  await step('using it', () => use(format, versionOf(older)))
  await step(`upgrading to ${versionOf(newer)}`, () => put(newer))
  await step('using it again', () => use(format, versionOf(newer)))
  await step('removing it', remove)
  const left = [...listFiles()].filter((path) => !before.has(path))
  const own = left.filter((path) => path.startsWith(`${home}/`))
  console.log(`  the user's files remain:\n${own.map((path) => `    ${path}`).join('\n')}`)
  const strange = left.filter((path) => !path.startsWith(`${home}/`))
  if (strange.length > 0) throw new Failure(`Left behind:\n${strange.join('\n')}`)
  if (own.some((path) => /\.desktop$|Applications/.test(path)))
    throw new Failure("Files of the package remain in the user's home folder.")
})
