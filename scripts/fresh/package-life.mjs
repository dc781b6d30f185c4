// package-life.mjs FORMAT: the whole life of a package on this computer, which is a fresh Debian: installed, used, upgraded,
// used again, removed. Run by scripts/tests/programs/packages/life.test.ts as root, in a folder with the packages in
// previous/ and current/.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Failure, runMain, step } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

const log = '/root/project/life.log'
const account = 'person'
/** What the person looks with, who can't see root's folder. */
const tools = '/opt/thru-test'
const home = `/home/${account}`

const run = (command, ...args) =>
  runLogged(command, command, args, { log, env: { DEBIAN_FRONTEND: 'noninteractive' } })
const install = (...names) =>
  run('apt-get', '-q', '-y', '--no-install-recommends', 'install', ...names)

/** The package of a format in a folder; one that is missing is a Failure. */
function packageIn(folder, format) {
  const name = readdirSync(folder).find((each) => each.endsWith(`.${format}`))
  if (name === undefined) throw new Failure(`There is no ${format} in ${folder}: nothing is tried.`)
  return resolve(folder, name)
}

/** What the app loads from the system, as the package for Debian says it. */
const libraries = () => {
  const file = packageIn('current', 'deb')
  const field = execFileSync('dpkg-deb', ['-f', file, 'Depends'], { encoding: 'utf8' })
  return field
    .trim()
    .replaceAll(/ \([^)]*\)/g, '')
    .split(', ')
    .map((names) => names.split(' | '))
}

/** The first of several names that this system's lists know. */
const known = (names) =>
  names.find((name) =>
    /Candidate: (?!\(none\))/.test(capture('apt-cache', ['policy', name]) ?? ''),
  ) ?? names[0]

/** Where a person puts an AppImage. */
const image = join(home, 'Applications/Thruflux.AppImage')
/** What the AppImage makes of itself when it is asked to. */
const imageCommand = join(home, '.local/bin/thru')

/**
 * How the person's programs start; without FUSE, which is not in a fresh system. An AppImage unpacks itself to one place
 * then, and would delete that when `thru` has ended, below the app that runs from there.
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

/** How each format comes, goes, and is started. */
const formats = {
  deb: {
    // GTK's packages bring it with systemd, and Debian 13 never removes that by itself.
    prepare: () => install('dbus-user-session'),
    put: (file) => install(file),
    remove: () => run('apt-get', '-q', '-y', 'purge', '--autoremove', 'thruflux'),
    app: '/usr/bin/thruflux',
    command: '/usr/bin/thru',
  },
  rpm: {
    // rpm's own list of what is installed knows nothing of Debian's packages.
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

/** Books, caches and logs of package managers, and what systemd, which GTK's packages bring, leaves when it goes. */
const notListed = [
  /^\/(proc|sys|dev|run|tmp|root)(\/|$)/,
  /^\/var\/(lib\/(apt|dpkg|rpm|systemd|private)|cache|log)(\/|$)/,
  /^\/etc\/(ld\.so\.cache|machine-id|mtab|.*-)$/,
]

/** Every file and folder of the system, but for those. */
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

/** Uses app and command as the person, in a network of its own that reaches nothing. */
function use(format, version) {
  const { app, command } = formats[format]
  const node = `${tools}/node --experimental-websocket --no-warnings`
  const program = `${node} ${tools}/fresh/use-app.mjs ${app} ${command} ${version}`
  const inner = `ip link set lo up && exec ${personally.join(' ')} xvfb-run -a ${program}`
  const { status } = spawnSync('unshare', ['--net', 'sh', '-c', inner], {
    cwd: '/',
    stdio: 'inherit',
  })
  if (status !== 0) throw new Failure('It can not be used: see above.')
}

const versionOf = (file) => /thruflux-(\d[^-]*)-linux/.exec(file)[1]

runMain(async () => {
  const format = process.argv[2]
  const { prepare, put, remove } = formats[format] ?? {}
  if (!put) throw new Failure(`"${format}" is no format: ${Object.keys(formats).join(', ')}.`)
  const older = packageIn('previous', format)
  const newer = packageIn('current', format)
  await step('installing what looks at the app', async () => {
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
    `  ${[...listFiles()].filter((path) => !before.has(path)).length} files and folders came`,
  )
  await step('using it', () => use(format, versionOf(older)))
  await step(`upgrading to ${versionOf(newer)}`, () => put(newer))
  await step('using it again', () => use(format, versionOf(newer)))
  await step('removing it', remove)
  const left = [...listFiles()].filter((path) => !before.has(path))
  const own = left.filter((path) => path.startsWith(`${home}/`))
  console.log(`  what is left is the person's:\n${own.map((path) => `    ${path}`).join('\n')}`)
  const strange = left.filter((path) => !path.startsWith(`${home}/`))
  if (strange.length > 0) throw new Failure(`Left behind:\n${strange.join('\n')}`)
  if (own.some((path) => /\.desktop$|Applications/.test(path)))
    throw new Failure('The person has files of the package.')
})
