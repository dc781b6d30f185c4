/** Starts the app as people do, in the Electron runtime of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { electronRuntime } from '../scripts/electron-runtime.mjs'
import { repository } from './build-stage'

export type RunningApp = {
  readonly app: ElectronApplication
  readonly page: Page
  /** A folder of its own, gone after `close`. */
  readonly directory: string
  readonly profile: string
  readonly close: () => Promise<void>
}

// Chromium's sandbox refuses to start for root, which only containers and test machines are.
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

const executable = async (): Promise<string> =>
  ((await electronRuntime()) as { readonly executable: string }).executable

/** What Playwright starts. */
async function programFor(within?: readonly string[]) {
  const program = await executable()
  if (within === undefined) return { executablePath: program }
  const env = { ...process.env, THRU_WITHIN: JSON.stringify([within, program]) }
  return { executablePath: join(repository, 'e2e/real/launch-within.cjs'), env }
}

/** Starts `entry` (the repository itself or a bundle) with a profile of its own. */
export async function launch(
  options: {
    readonly entry?: string
    /** Another app's profile instead of one of its own. */
    readonly profile?: string
    readonly args?: readonly string[]
    /** Found on the local network, and looks there; only for tests in a network of their own. */
    readonly usesNetwork?: boolean
    /** A command that runs the app in other surroundings. */
    readonly within?: readonly string[]
  } = {},
): Promise<RunningApp> {
  const directory = await mkdtemp(join(tmpdir(), 'thruflux-e2e-'))
  const profile = options.profile ?? join(directory, 'profile')
  const app = await _electron.launch({
    ...(await programFor(options.within)),
    cwd: repository,
    args: [
      ...asRoot,
      options.entry ?? repository,
      `--user-data-dir=${profile}`,
      ...(options.usesNetwork === true ? [] : ['--no-lan']),
      ...(options.args ?? []),
    ],
  })
  const page = await app.firstWindow()
  return {
    app,
    page,
    directory,
    profile,
    close: async () => {
      await app.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Starts the app, or `entry`, as people do, with nothing that watches it. */
export async function launchUnwatched(
  profile: string,
  args: readonly string[] = [],
  entry = repository,
): Promise<ChildProcess> {
  const all = [...asRoot, entry, ...args, `--user-data-dir=${profile}`, '--no-lan']
  return spawn(await executable(), all, { cwd: repository, stdio: 'ignore' })
}

/** Starts `entry` beside a running one with its profile, and resolves when that start has ended. */
export async function startAgain(
  { profile }: RunningApp,
  args: readonly string[],
  entry = repository,
): Promise<void> {
  const child = spawn(
    await executable(),
    [...asRoot, entry, `--user-data-dir=${profile}`, ...args],
    {
      cwd: repository,
      stdio: 'ignore',
    },
  )
  await new Promise((resolve) => child.once('close', resolve))
}
