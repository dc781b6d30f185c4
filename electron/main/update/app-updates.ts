/** The app's updates: who brings them, their state, and their installation. */
import type { Client } from '#client/client'
import type { FeedSource } from '#client/update/feed-source'
import type { Packaging } from '#client/update/packaging'
import { appError } from '#shared/errors'
import type { Handlers, Reply } from '#shared/ipc'
import { err, ok, type Result } from '#shared/result'
import { movesBytes } from '#shared/state/queries'
import { newsOf } from '#shared/update/news'
import type { UpdateError } from '#shared/update/update-error'
import { noUpdates, type UpdateStatus } from '#shared/update/update-status'
import type { Install } from './installer'
import { Updater, type UpdaterOptions } from './updater'

/** Dependencies of `AppUpdates`. */
export type AppUpdatesOptions = Pick<
  UpdaterOptions,
  'app' | 'store' | 'directory' | 'version' | 'clock' | 'random'
> & {
  readonly client: Pick<Client, 'snapshot' | 'subscribe' | 'setUpdateStatus'>
  readonly packaging: Packaging
  /** The source of updates; `null` for a build without one. */
  readonly source: FeedSource | null
  readonly installFor: (updater: Updater) => Install
  readonly executor: () => UpdaterOptions['executor']
  readonly changelog: string
  /** False if the environment forbids automatic checks. */
  readonly mayLook: boolean
  readonly quit: () => void
  /** Makes the window announce, once, that this version is new. */
  readonly tellUpdated: (version: string) => void
}

/** Handlers of the window's commands about updates. */
export type UpdateHandlers = Pick<Handlers, 'checkForUpdate' | 'installUpdate' | 'news'>

/** The app has one. */
export class AppUpdates {
  readonly handlers: UpdateHandlers
  readonly #options: AppUpdatesOptions
  readonly #updater: Updater | null
  readonly #installPackage: Install | null
  #status: UpdateStatus
  #installing: Promise<Result<null, UpdateError>> | null = null
  /** True once the app ends to become another version. */
  #isInstalled = false

  constructor(options: AppUpdatesOptions) {
    this.#options = options
    const { packaging, version, client } = options
    this.#updater = this.#makeUpdater()
    this.#installPackage = this.#updater && options.installFor(this.#updater)
    const by = packaging.by === 'app' && this.#updater === null ? 'nobody' : packaging.by
    const { checkedMs } = options.store.read()
    this.#status = { ...noUpdates, version, by, checkedMs }
    client.setUpdateStatus(this.#status)
    client.subscribe(() => {
      this.#updater?.setBusy(movesBytes(client.snapshot().state))
      this.#updater?.follow()
    })
    this.handlers = {
      checkForUpdate: () => {
        this.#updater?.check()
        return ok(null)
      },
      installUpdate: () => this.#installNow(),
      news: () => ok(newsOf(options.changelog, version)),
    }
  }

  /** Call it when the window is there: this version works, and checks may begin. */
  async start(): Promise<void> {
    const { store, version, tellUpdated } = this.#options
    this.#updater?.start()
    const { newsOf: shown } = store.read()
    if (shown !== null && shown !== version) tellUpdated(version)
    if (shown !== version) await store.change({ newsOf: version })
  }

  /** Installs a ready update as the app's last action. */
  async installOnQuit(): Promise<void> {
    this.#updater?.close()
    await this.#installing
    const isWanted = this.#updater?.ready?.isAsked === true || this.#isAutomatic
    if (!isWanted || this.#isInstalled) return
    const done = await this.#install(false, () => true)
    if (done?.ok === false) console.error('the update was not installed:', done.error)
  }

  /** Installs a ready update if it is still valid; `null` if there is none. */
  async #install(
    restarts: boolean,
    mayEnd: () => boolean,
  ): Promise<Result<null, UpdateError> | null> {
    const evaluated = this.#updater?.evaluateReady() ?? null
    if (evaluated === null || this.#installPackage === null) return null
    if (!evaluated.ok) return evaluated
    this.#installing = this.#installPackage(evaluated.value, restarts, mayEnd)
    const done = await this.#installing
    this.#installing = null
    return done
  }

  get #isAutomatic(): boolean {
    const { client, mayLook } = this.#options
    return mayLook && client.snapshot().state.settings.updates.automatic
  }

  #makeUpdater(): Updater | null {
    const { packaging, source, client, executor } = this.#options
    if (packaging.kind === null || source === null) return null
    return new Updater({
      ...this.#options,
      source,
      kind: packaging.kind,
      executor: executor(),
      choice: () => ({
        automatic: this.#isAutomatic,
        channel: client.snapshot().state.settings.updates.channel,
      }),
      changed: (change) => {
        this.#status = { ...this.#status, ...change }
        client.setUpdateStatus(this.#status)
      },
    })
  }

  #fail(error: UpdateError): void {
    this.#updater?.giveUp()
    this.#status = { ...this.#status, phase: { kind: 'failed', error } }
    this.#options.client.setUpdateStatus(this.#status)
  }

  async #installNow(): Promise<Reply<'installUpdate'>> {
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
    // Installing takes a while, and a transfer that began meanwhile must not be interrupted.
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
