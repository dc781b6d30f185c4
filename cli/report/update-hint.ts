/** Tells a person on a terminal about a newer version, after all other output and at most once a day. */
import { CancellationToken } from 'builder-util-runtime'
import { type Clock, systemClock } from '#client/clock'
import { stateDirectory } from '#client/state/state-directory'
import { checkForUpdate } from '#client/update/check-for-update'
import { readFeedSource } from '#client/update/feed-source'
import { packageTypeIn, packagingOf } from '#client/update/packaging'
import { boundRequests, NodeExecutor } from '#client/update/requests'
import { UpdateStore } from '#client/update/update-store'
import type { Settings } from '#shared/settings/settings'
import { updateLimits } from '#shared/update/feed'
import type { UpdatedBy } from '#shared/update/update-status'
import { compareVersions } from '#shared/update/version'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

const dayMs = 24 * 60 * 60 * 1000
/** Most commands have ended by then, so they send no request. */
const lookAfterMs = 5000

/** Input for the decision to show the hint. */
export type HintOptions = {
  readonly terminal: Pick<Terminal, 'note'>
  readonly store: UpdateStore
  /** The updater of the package; there is no hint if the system installs updates. */
  readonly by: UpdatedBy
  readonly version: string
  /** The update settings; the environment can turn off `automatic`. */
  readonly updates: Settings['updates']
  /** The folder of the files that name the feed. */
  readonly resources: string
  readonly clock: Clock
}

const isOver = (sinceMs: number | null, clock: Clock): boolean =>
  sinceMs === null || Math.abs(clock.now() - sinceMs) >= dayMs

/** The updater of this command's package; `resources` is the folder of its resources. */
const updatedBy = (resources: string): UpdatedBy =>
  packagingOf({
    platform: process.platform,
    env: process.env,
    isPackaged: true,
    program: process.execPath,
    packageType: packageTypeIn(resources),
    // Only the app knows this, and only the package type decides about updates by the system.
    hasUninstaller: false,
  }).by

/** `beginHint` for this program; `own` finds the files of its package. */
export const beginOwnHint = (
  terminal: HintOptions['terminal'],
  {
    own,
    ...known
  }: Pick<HintOptions, 'version' | 'updates'> & { readonly own: (name: string) => string },
): (() => Promise<void>) =>
  beginHint({
    ...known,
    terminal,
    clock: systemClock,
    store: new UpdateStore({ directory: stateDirectory() }),
    by: updatedBy(own('..')),
    resources: own('resources'),
  })

/**
 * Checks for a version while the command works, unless that was done within a day. The result stops
 * the check and prints the hint if there is one; it never waits for an answer.
 */
export function beginHint(options: HintOptions): () => Promise<void> {
  const { terminal, store, by, version, updates, clock } = options
  if (!updates.automatic || by === 'system') return () => Promise.resolve()
  const stop = new CancellationToken()
  const cancel = clock.after(lookAfterMs, () => {
    void look(options, stop)
  })
  return async () => {
    cancel()
    stop.cancel()
    const { found, hintedMs } = store.read()
    if (found === null || compareVersions(found, version) <= 0 || !isOver(hintedMs, clock)) return
    terminal.note(text.updates.available(found, version))
    await store.change({ hintedMs: clock.now() })
  }
}

async function look(options: HintOptions, stop: CancellationToken): Promise<void> {
  const { store, updates, resources, clock } = options
  const source = readFeedSource(resources)
  if (source === null || !isOver(store.read().checkedMs, clock)) return
  const executor = new NodeExecutor()
  boundRequests(executor, clock, () => updateLimits.feedBytes)
  // A failure doesn't concern the command.
  const asked = checkForUpdate({ source, channel: updates.channel, store, clock, executor, stop })
  await asked.catch(() => undefined)
}
