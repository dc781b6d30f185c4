/** Network namespaces of this process, called places; they end with the test. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'

/** The system's folder of named namespaces. */
const namesFolder = '/run/netns'
const namePattern = /^thru-test-(\d+)-/
const tools = ['ip', 'tc', 'nft', 'nsenter', 'turnserver']
const needs =
  'These tests make network namespaces: they need Linux, root, and the programs ip and tc ' +
  '(iproute2), nft (nftables), nsenter (util-linux) and turnserver (coturn)'

/** The namespace of a place. */
const nameOf = (place: string): string => `thru-test-${process.pid}-${place}`

/** Replaces `ip netns exec`, which also creates a mount namespace; that fails if the root isn't a mount, as in a chroot. */
const inside = (place: string): string => `--net=${namesFolder}/${nameOf(place)}`

/** The prefix of a command that runs it in a place. */
export const within = (place: string): readonly string[] => ['nsenter', inside(place)]

/** The output of a program in a place. */
export const run = (place: string, command: readonly string[], input = ''): string =>
  execFileSync('nsenter', [inside(place), ...command], { input, encoding: 'utf8' })

/** Runs commands of `ip` in a place. */
export function ip(place: string, ...commands: readonly string[]): void {
  run(place, ['ip', '-batch', '-'], `${commands.join('\n')}\n`)
}

/** The namespace of another place in `ip` commands. */
export const peer = (place: string): string => `netns ${nameOf(place)}`

/** Sets a value under /proc/sys in a place. */
export function setKernel(place: string, setting: string, value: number | string): void {
  run(place, ['tee', `/proc/sys/${setting}`], String(value))
}

/** Resolves when the output for `e0` of a place matches `pattern`, within four seconds. */
export async function waitForLink(
  place: string,
  pattern: RegExp,
  show: readonly string[],
): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (pattern.test(run(place, ['ip', ...show, 'show', 'dev', 'e0']))) return
    await after(20)
  }
  throw new Error(`the link of ${place} does not come up`)
}

/** A sentence about prerequisites that this computer lacks; `null` if it has all. */
export function whatIsMissing(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return `${needs}; this is not root on Linux.`
  const folders = (process.env['PATH'] ?? '').split(':')
  const missing = tools.filter((tool) => !folders.some((one) => existsSync(`${one}/${tool}`)))
  return missing.length === 0 ? null : `${needs}; missing: ${missing.join(', ')}.`
}

/** Throws that sentence. */
export function demandTools(): void {
  const missing = whatIsMissing()
  if (missing !== null) throw new Error(missing)
}

/** Creates a place. Throws a sentence if this computer doesn't allow it. */
export function addPlace(place: string): void {
  const { status, stderr } = spawnSync('ip', ['netns', 'add', nameOf(place)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${needs}; "ip netns add" says: ${stderr.trim()}.`)
}

/** False also for a zombie. */
export function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Removes the namespaces of killed tests. */
export async function removeAbandoned(): Promise<void> {
  const names = existsSync(namesFolder) ? readdirSync(namesFolder) : []
  await removeNamespaces(
    names.filter((name) => {
      const pid = namePattern.exec(name)?.[1]
      return pid !== undefined && (Number(pid) === process.pid || !isRunning(pid))
    }),
  )
}

/** Ends every program in these places, then the places themselves; ignores missing ones. */
export const removePlaces = (places: readonly string[]): Promise<void> =>
  removeNamespaces(places.map(nameOf))

async function removeNamespaces(names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => existsSync(`${namesFolder}/${each}`))) {
    const programs = (): readonly number[] =>
      execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line !== '')
        .map(Number)
    for (const pid of programs()) kill(pid)
    for (let tries = 0; tries < 200 && programs().length > 0; tries += 1) await after(20)
    execFileSync('ip', ['netns', 'delete', name])
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}
