/** The app's updates: who brings them, what the state says of them, and when they are installed. */
import type { Client } from '#client/client'
import type { Clock } from '#client/clock'
import type { UpdateFeed } from '#client/update/feed'
import type { Packaging } from '#client/update/packaging'
import { endTrial } from '#client/update/trial'
import type { UpdateNotes } from '#client/update/update-note'
import { Updater } from '#client/update/updater'
import { movesBytes } from '#shared/app-state'
import { appError } from '#shared/errors'
import type { Handlers } from '#shared/ipc'
import { err, ok, type Result } from '#shared/result'
import { newsOf } from '#shared/update/news'
import type { UpdateError } from '#shared/update/update-error'
import { noUpdates, type UpdateStatus } from '#shared/update/update-status'
import type { Installer } from './installer'

/** The parts of the app that updates touch. */
export type AppUpdatesOptions = {
  readonly client: Pick<Client, 'snapshot' | 'subscribe' | 'noteUpdate'>
  readonly packaging: Packaging
  /** `null` for a build that has nowhere to look. */
  readonly feed: UpdateFeed | null
  readonly installer: Installer | null
  readonly notes: UpdateNotes
  /** Absolute; where packages and the previous version are. */
  readonly directory: string
  readonly version: string
  readonly changelog: string
  /** False: the environment says that nothing is looked for without being asked. */
  readonly mayLook: boolean
  readonly clock: Clock
  readonly random: () => number
  readonly quit: () => void
  /** The window says once that this version is new. */
  readonly tellUpdated: (version: string) => void
}

/** The commands of the window about updates. */
export type UpdateHandlers = Pick<Handlers, 'checkForUpdate' | 'installUpdate' | 'news'>

/** One for an app. */
export class AppUpdates {
  readonly handlers: UpdateHandlers
  readonly #options: AppUpdatesOptions
  readonly #updater: Updater | null
  #status: UpdateStatus
  /** Installing, while it goes on. */
  #installing: Promise<Result<null, UpdateError>> | null = null
  /** The app ends now, and is another version then. */
  #isInstalled = false

  constructor(options: AppUpdatesOptions) {
    this.#options = options
    const { packaging, version, client } = options
    this.#updater = this.#makeUpdater()
    const by = packaging.by === 'app' && this.#updater === null ? 'nobody' : packaging.by
    const { checkedMs } = options.notes.read()
    this.#status = { ...noUpdates, version, by, checkedMs }
    client.noteUpdate(this.#status)
    client.subscribe(() => {
      this.#updater?.setBusy(movesBytes(client.snapshot().state))
      this.#updater?.follow()
    })
    this.handlers = {
      checkForUpdate: () => {
        this.#updater?.check()
        return Promise.resolve(ok(null))
      },
      installUpdate: () => this.#installNow(),
      news: () => Promise.resolve(ok(newsOf(options.changelog, version))),
    }
  }

  /** The window is there: this version works, and others may be looked for. */
  async start(): Promise<void> {
    const { notes, version, tellUpdated } = this.#options
    this.#updater?.start()
    const { newsOf: shown } = notes.read()
    if (shown !== null && shown !== version) tellUpdated(version)
    if (shown !== version) await notes.change({ newsOf: version })
    await endTrial(notes, version)
  }

  /** The last thing that an app does which is about to end. */
  async installOnQuit(): Promise<void> {
    this.#updater?.close()
    await this.#installing
    const isWanted = this.#updater?.ready?.isAsked === true || this.#isAutomatic
    if (!isWanted || this.#isInstalled) return
    const done = await this.#install(false, () => true)
    if (done?.ok === false) console.error('the update was not installed:', done.error)
  }

  /** Installs what is ready, if that still counts; `null` for nothing. */
  async #install(
    restarts: boolean,
    mayEnd: () => boolean,
  ): Promise<Result<null, UpdateError> | null> {
    const { installer } = this.#options
    const judged = this.#updater?.judgeReady() ?? null
    if (judged === null || installer === null) return null
    if (!judged.ok) return judged
    this.#installing = installer.install(judged.value, restarts, mayEnd)
    const done = await this.#installing
    this.#installing = null
    return done
  }

  get #isAutomatic(): boolean {
    const { client, mayLook } = this.#options
    return mayLook && client.snapshot().state.settings.updates.automatic
  }

  #makeUpdater(): Updater | null {
    const { packaging, feed, installer, client, version } = this.#options
    const { platform, arch } = process
    if (packaging.kind === null || feed === null || installer === null) return null
    if (platform !== 'linux' && platform !== 'win32' && platform !== 'darwin') return null
    if (arch !== 'x64' && arch !== 'arm64') return null
    return new Updater({
      ...this.#options,
      feed,
      installation: { version, platform, arch, kind: packaging.kind },
      choice: () => ({
        automatic: this.#isAutomatic,
        channel: client.snapshot().state.settings.updates.channel,
      }),
      changed: (change) => {
        void this.#show(change)
      },
    })
  }

  async #show(change: Pick<UpdateStatus, 'checkedMs' | 'phase'>): Promise<void> {
    const { client, installer } = this.#options
    this.#status = { ...this.#status, ...change }
    client.noteUpdate(this.#status)
    const ready = this.#updater?.ready ?? null
    if (change.phase.kind !== 'ready' || ready === null) return
    const prepared = await installer?.prepare(ready)
    // Another one may be ready by then.
    const isSame = this.#updater?.ready?.path === ready.path
    if (prepared?.ok === false && isSame) this.#fail(prepared.error)
  }

  #fail(error: UpdateError): void {
    this.#updater?.giveUp()
    this.#status = { ...this.#status, phase: { kind: 'failed', error } }
    this.#options.client.noteUpdate(this.#status)
  }

  async #installNow(): ReturnType<UpdateHandlers['installUpdate']> {
    const { client, quit } = this.#options
    const mayEnd = (): boolean => !movesBytes(client.snapshot().state)
    if (!mayEnd()) return err(isBusy)
    const isGoingOn = this.#isInstalled || this.#installing !== null
    const done = isGoingOn ? null : await this.#install(true, mayEnd)
    if (done === null) return err(appError('E_BAD_ARGUMENT', 'There is no update to install.'))
    if (!done.ok) {
      this.#fail(done.error)
      return ok(null)
    }
    // Installing takes a while, and whoever began a transfer meanwhile was not asked.
    if (!mayEnd()) return err(isBusy)
    this.#isInstalled = true
    quit()
    return ok(null)
  }
}

const isBusy = appError(
  'E_BAD_ARGUMENT',
  'A transfer is running. The update is installed when it is complete and you quit Thruflux.',
)
