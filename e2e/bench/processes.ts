/** Resources used by a running app, as counted by the Linux kernel. */
import { readdir, readFile } from 'node:fs/promises'

/** The process and all its descendants. */
export async function processTree(root: number): Promise<readonly number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await read(`/proc/${name}/stat`)
    // After the name, which may contain spaces: state, parent.
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const isBelow = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isBelow(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(isBelow)
}

/** Empty if the process has ended meanwhile. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const ticksPerSecond = 100

/** Seconds of CPU that these processes have used. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const used = pids.map(async (pid) => {
    const [, fields = ''] = (await read(`/proc/${pid.toString()}/stat`)).split(') ')
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
    return (user + system) / ticksPerSecond
  })
  return sum(await Promise.all(used))
}

/** Memory in bytes; a page shared by several processes counts once. */
export async function memoryBytes(pids: readonly number[]): Promise<number> {
  const sizes = pids.map(async (pid) => {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(await read(`/proc/${pid.toString()}/smaps_rollup`))?.[1]
    return Number(kilobytes ?? 0) * 1024
  })
  return sum(await Promise.all(sizes))
}

/** The number of times each thread of these processes has gone to sleep, and therefore been woken. */
export async function wakeUps(pids: readonly number[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const pid of pids) {
    const folder = `/proc/${pid.toString()}/task`
    for (const thread of await readdir(folder).catch(() => [])) {
      const status = await read(`${folder}/${thread}/status`)
      const count = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]
      if (count !== undefined) counts.set(thread, Number(count))
    }
  }
  return counts
}

/** Wake-ups between two samples, of the threads in the second. */
export const wokenBetween = (
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): number => sum([...now].map(([thread, count]) => count - (before.get(thread) ?? 0)))
