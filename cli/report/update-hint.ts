/** Says on a terminal, once a day at most and behind everything else, that there is a newer version. */
import { CancellationToken } from 'builder-util-runtime'
import { type Clock, systemClock } from '#client/clock'
import { stateDirectory } from '#client/state/state-directory'
import { readFeedSource } from '#client/update/feed-source'
import { lookForUpdate } from '#client/update/look'
import { packageTypeIn, packagingOf } from '#client/update/packaging'
import { boundRequests, NodeExecutor } from '#client/update/requests'
import { UpdateNotes } from '#client/update/update-note'
import type { Settings } from '#shared/settings/settings'
import { updateLimits } from '#shared/update/feed'
import type { UpdatedBy } from '#shared/update/update-status'
import { compareVersions } from '#shared/update/version'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

const dayMs = 24 * 60 * 60 * 1000
/** Most commands are over by then, and ask nobody. */
const lookAfterMs = 5000

/** What decides whether a person hears of a newer version. */
export type HintOptions = {
  readonly terminal: Pick<Terminal, 'note'>
  readonly notes: UpdateNotes
  /** Where the system brings new versions, nobody has to be told of them. */
  readonly by: UpdatedBy
  /** The one that runs. */
  readonly version: string
  /** What is set; `automatic` as the environment has it. */
  readonly updates: Settings['updates']
  /** Folder of the files that name the feed. */
  readonly resources: string
  readonly clock: Clock
}

const isOver = (sinceMs: number | null, clock: Clock): boolean =>
  sinceMs === null || Math.abs(clock.now() - sinceMs) >= dayMs

/** Who brings the package up to date that this command came in; `resources` is the folder of its resources. */
const updatedBy = (resources: string): UpdatedBy =>
  packagingOf({
    platform: process.platform,
    env: process.env,
    isPackaged: true,
    program: process.execPath,
    packageType: packageTypeIn(resources),
    // Only the app itself knows these, and only the word of a package leads to the system.
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
    notes: new UpdateNotes({ directory: stateDirectory() }),
    by: updatedBy(own('..')),
    resources: own('resources'),
  })

/**
 * Looks while the command works, if nobody has for a day. The result ends that, and says what is known: it
 * never waits for an answer.
 */
export function beginHint(options: HintOptions): () => Promise<void> {
  const { terminal, notes, by, version, updates, clock } = options
  if (!updates.automatic || by === 'system') return () => Promise.resolve()
  const stop = new CancellationToken()
  const cancel = clock.after(lookAfterMs, () => {
    void look(options, stop)
  })
  return async () => {
    cancel()
    stop.cancel()
    const { found, hintedMs } = notes.read()
    if (found === null || compareVersions(found, version) <= 0 || !isOver(hintedMs, clock)) return
    terminal.note(text.updates.available(found, version))
    await notes.change({ hintedMs: clock.now() })
  }
}

async function look(options: HintOptions, stop: CancellationToken): Promise<void> {
  const { notes, updates, resources, clock } = options
  const source = readFeedSource(resources)
  if (source === null || !isOver(notes.read().checkedMs, clock)) return
  const executor = new NodeExecutor()
  boundRequests(executor, clock, () => updateLimits.feedBytes)
  // Whatever it comes to, it is no business of the command.
  const asked = lookForUpdate({ source, channel: updates.channel, notes, clock, executor, stop })
  await asked.catch(() => undefined)
}
