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
  /** A separate folder, deleted by `close`. */
  readonly directory: string
  readonly profile: string
  readonly close: () => Promise<void>
}

// Chromium's sandbox refuses to start for root, as which containers and test machines run.
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

const executable = async (): Promise<string> =>
  ((await electronRuntime()) as { readonly executable: string }).executable

/** The program that Playwright starts. */
async function programFor(within?: readonly string[]) {
  const program = await executable()
  if (within === undefined) return { executablePath: program }
  const env = { ...process.env, THRU_WITHIN: JSON.stringify([within, program]) }
  return { executablePath: join(repository, 'e2e/real/launch-within.cjs'), env }
}

/** Starts `entry` (the repository itself or a bundle) with its own profile. */
export async function launch(
  options: {
    readonly entry?: string
    /** Another app's profile instead of a new one. */
    readonly profile?: string
    readonly args?: readonly string[]
    /** Uses the local network; only for tests in a separate network. */
    readonly usesNetwork?: boolean
    /** May use public meeting points; only for tests in a separate network. */
    readonly meets?: boolean
    /** A command that runs the app in another environment. */
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
      ...(options.meets === true ? [] : ['--no-meeting']),
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

/** Starts the app, or `entry`, as people do, without Playwright. */
export async function launchUnwatched(
  profile: string,
  args: readonly string[] = [],
  entry = repository,
): Promise<ChildProcess> {
  const all = [...asRoot, entry, ...args, `--user-data-dir=${profile}`, '--no-lan', '--no-meeting']
  return spawn(await executable(), all, { cwd: repository, stdio: 'ignore' })
}

/** Starts `entry` while another instance with its profile runs, and resolves when the new one has ended. */
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
