// Separate mount, network and process namespaces for a benchmark. The kernel removes all of it, even after a crash.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { Failure } from '../../scripts/lib/failure.mjs'

const folderVariable = 'THRU_BENCH_FOLDER'
const tools = ['unshare', 'ip', 'mount', 'mkfs.ext4', 'tar']

/** Returns true inside the world. Outside, it reruns the command in a world and resolves with false. */
async function enterWorld(afterwards) {
  if (process.env[folderVariable]) return true
  demandWorld()
  const folder = mkdtempSync(join(tmpdir(), 'thru-bench-'))
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child']
  const world = spawn('unshare', [...namespaces, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [folderVariable]: folder },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => world.kill('SIGKILL')) // Everything inside ends with it.
  }
  const code = await new Promise((resolve) => world.on('close', resolve))
  await afterwards(folder)
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 1
  return false
}

/**
 * Runs `work` in a world and ends all processes there. `afterwards` receives the world's folder, even after a failure.
 */
export async function inWorld(work, { afterwards = () => {} } = {}) {
  if (!(await enterWorld(afterwards))) return
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
    process.exitCode = 1
  }
  process.exit()
}

/** Fails with an explanation if this computer can't create a world. */
export function demandWorld() {
  if (process.platform !== 'linux') throw new Failure('The benchmarks need Linux.')
  if (process.getuid() !== 0)
    throw new Failure('The benchmarks create networks and disks. Run them as root.')
  const folders = (process.env.PATH ?? '').split(':')
  const missing = tools.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool))))
  if (missing.length > 0) throw new Failure(`The benchmarks need ${missing.join(', ')}.`)
}

/** The folder of the mounts. */
export const folder = process.env[folderVariable] ?? ''

const ip = (...commands) =>
  execFileSync('ip', ['-batch', '-'], { input: `${commands.join('\n')}\n` })

/** Command prefix that runs a program at a receiver's home. */
export const atHome = (number) => ['ip', 'netns', 'exec', `r${number}`]

/** The local address of the link to a receiver; the sender and the server use it. */
export const addressFor = (number) => `10.77.${number}.1`

/** Hides the system's names of network namespaces from this world. */
export function ownNamespaces() {
  mkdirSync('/run/netns', { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns'])
}

/** Links this place to the homes of `count` receivers, each with a veth pair. */
export async function linkHomes(count) {
  ownNamespaces()
  ip('link set lo up')
  // ICE skips interfaces with names like those of virtual machines, so these are called e0, e1, ...
  for (let number = 0; number < count; number += 1) {
    ip(
      `netns add r${number}`,
      `link add e${number} type veth peer name e0 netns r${number}`,
      `address add ${addressFor(number)}/24 dev e${number}`,
      `link set e${number} up`,
    )
    execFileSync('ip', ['-n', `r${number}`, '-batch', '-'], {
      input: `link set lo up\naddress add 10.77.${number}.2/24 dev e0\nlink set e0 up\n`,
    })
  }
  const isUp = () =>
    execFileSync('ip', ['-brief', 'link'], { encoding: 'utf8' }).match(/^e\d+@\S+\s+UP/gm)?.length
  while (isUp() !== count) await after(20)
  // Waits for duplicate address detection, so that no program sees tentative addresses.
  const places = [[], ...Array.from({ length: count }, (_, number) => ['-n', `r${number}`])]
  const isTentative = (place) =>
    execFileSync('ip', [...place, '-6', 'address', 'show', 'tentative']).length > 0
  while (places.some(isTentative)) await after(20)
  await after(2500)
}

/** Sets the link's largest packet, in bytes. */
export function setMtu(number, bytes) {
  ip(`link set e${number} mtu ${bytes}`)
  execFileSync('ip', ['-n', `r${number}`, 'link', 'set', 'e0', 'mtu', String(bytes)])
}

/** A folder in memory. */
export class MemoryDisk {
  constructor(name) {
    this.path = join(folder, name)
    mkdirSync(this.path)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=90%,nr_inodes=0', 'tmpfs', this.path])
  }

  remove() {
    execFileSync('umount', [this.path])
    rmSync(this.path, { recursive: true })
  }
}

const usualFiles = ['-i', '8192', '-E', 'lazy_itable_init=0,lazy_journal_init=0']

/**
 * A folder on ext4 in a file of the system's temporary folder, with an empty cache. `isDirect` bypasses the cache of
 * the system's own disk and allocates the whole file first, so that writes run at that disk's speed.
 */
export class FileDisk {
  #image
  #isDirect

  constructor(name, gibibytes, { isDirect = false } = {}) {
    this.#image = join(folder, `${name}.img`)
    this.#isDirect = isDirect
    this.path = join(folder, name)
    mkdirSync(this.path)
    if (isDirect) {
      const zeros = ['if=/dev/zero', 'bs=4M', `count=${gibibytes * 256}`, 'oflag=direct']
      execFileSync('dd', [...zeros, `of=${this.#image}`, 'status=none'])
    } else {
      execFileSync('truncate', ['-s', `${gibibytes}G`, this.#image])
    }
    // Discarding would release the file's space.
    execFileSync('mkfs.ext4', ['-q', ...(isDirect ? ['-E', 'nodiscard'] : usualFiles), this.#image])
    this.#mount()
  }

  /** Empties the file system's cache. */
  remount() {
    execFileSync('umount', [this.path])
    this.#mount()
  }

  remove() {
    execFileSync('umount', [this.path])
    rmSync(this.#image)
    rmSync(this.path, { recursive: true })
  }

  #mount() {
    const how = ['--find', '--show', `--direct-io=${this.#isDirect ? 'on' : 'off'}`]
    const device = execFileSync('losetup', [...how, this.#image], { encoding: 'utf8' }).trim()
    execFileSync('mount', [device, this.path])
    // Takes effect once it is unmounted.
    execFileSync('losetup', ['--detach', device])
  }
}
