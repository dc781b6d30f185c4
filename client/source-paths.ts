/** What a person asked to share, checked before the engine scans it. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Clock, systemClock } from '#client/clock'
import { within } from '#client/within'
import { type AppError, appError } from '#shared/errors'
import { formatCounted } from '#shared/format'
import type { SourceItem } from '#shared/share-options'
import { visibleText } from '#shared/visible-text'

/** Paths that can be offered, and those that can't with the reason. */
export type CheckedSources = {
  readonly usable: readonly string[]
  readonly problems: readonly { readonly path: string; readonly error: AppError }[]
}

/** File system calls in flight: enough to hide a slow drive's latency, not to crowd out others. */
const concurrency = 32

/** Absolute paths, each once: the same folder twice would meet itself at the receiver. */
export function absoluteItems(items: readonly SourceItem[]): readonly SourceItem[] {
  const seen = new Set<string>()
  return items.flatMap((item): readonly SourceItem[] => {
    if (item.kind === 'text') return [item]
    const path = resolve(item.path)
    if (seen.has(path)) return []
    seen.add(path)
    return [{ kind: 'path', path }]
  })
}

/** An item's path or name. */
export const nameOf = (item: SourceItem): string => (item.kind === 'path' ? item.path : item.name)

/** What people call these names or paths: the name of the only one, or "3 items". */
export function titleOf(paths: readonly string[]): string {
  const [only] = paths
  if (only === undefined || paths.length > 1) return formatCounted(paths.length, 'item')
  const name = basename(only)
  return visibleText(name === '' ? only : name)
}

/** A disk that slept is awake by then; one that is gone, or a server that serves it, may never answer. */
const lookTimeoutMs = 20_000

/** Looks at each path; the order stays. */
export async function checkSources(
  paths: readonly string[],
  clock: Clock = systemClock,
): Promise<CheckedSources> {
  const faults = new Array<AppError | null>(paths.length).fill(null)
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < paths.length; index = next++) {
      const path = paths[index] ?? ''
      faults[index] = await within(clock, lookTimeoutMs, faultOf(path), () =>
        appError('E_DISK_IO', 'no answer in time', path),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, paths.length) }, work))
  return {
    usable: paths.filter((_, index) => faults[index] === null),
    problems: paths.flatMap((path, index) => {
      const error = faults[index] ?? null
      return error === null ? [] : [{ path, error }]
    }),
  }
}

async function faultOf(path: string): Promise<AppError | null> {
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) return appError('E_PATH_UNSUPPORTED', '', path)
    const needed = found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK
    await access(path, needed)
    return null
  } catch (reason) {
    const code = (reason as NodeJS.ErrnoException).code ?? ''
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    return appError(isMissing ? 'E_PATH_NOT_FOUND' : 'E_PATH_UNREADABLE', code, path)
  }
}
