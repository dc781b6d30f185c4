/** The files of this account that keep a client's data. */
import type { Clock } from '#client/clock'
import type { EngineLink } from '#client/engine-link'
import { History } from '#client/history/history'
import { ConfirmedServers } from '#client/state/confirmed-servers'
import { InstallationSecret } from '#client/state/installation-secret'
import { ResumableReceiveStore } from '#client/state/resumable-receive-store'
import { SavedPathFile } from '#client/state/saved-path-file'
import { ShareFile } from '#client/state/share-file'
import type { NewEvent } from '#client/state/state-log'
import { withTimeout } from '#client/with-timeout'
import type { TransferId } from '#shared/state/app-state'
import type { StorageError } from '#shared/state/storage-error'

/** Limits the wait: a disk may hang, and another program may hold a file's lock. */
const lastWriteMs = 10_000

/** Dependencies of `ClientFiles`. */
export type ClientFilesOptions = {
  /** An absolute path. */
  readonly directory: string
  readonly clock: Clock
  readonly engine: EngineLink
  readonly record: (event: NewEvent) => void
  /** True while finished transfers go to the history. */
  readonly keepsHistory: () => boolean
  readonly isRunning: (transfer: TransferId) => boolean
}

/** Each client has one. */
export class ClientFiles {
  readonly resumableReceives: ResumableReceiveStore
  readonly shares: ShareFile
  readonly installation: InstallationSecret
  readonly confirmedServers: ConfirmedServers
  readonly history: History
  readonly #paths: SavedPathFile
  readonly #clock: Clock

  constructor(options: ClientFilesOptions) {
    const { directory, clock, record } = options
    const onError = (error: StorageError): void =>
      record({ type: 'storage-failed', storageError: error })
    this.#clock = clock
    this.resumableReceives = new ResumableReceiveStore(options)
    this.shares = new ShareFile({ directory, clock, onError })
    this.confirmedServers = new ConfirmedServers(directory, onError)
    this.#paths = new SavedPathFile(directory, clock, onError)
    this.history = new History({
      ...{ directory, clock, record, isKept: options.keepsHistory },
      onCleared: () => {
        this.#paths.clear()
        options.engine.post({ type: 'set-saved-paths', paths: [] })
      },
    })
    this.#exchangePaths(options)
    this.installation = new InstallationSecret({ directory, onError }, (secret) => {
      options.engine.post({ type: 'set-installation', secret })
    })
  }

  /** Measured paths are stored while the history is kept. */
  #exchangePaths({ engine, keepsHistory }: ClientFilesOptions): void {
    const paths = this.#paths.read()
    if (paths.length > 0) engine.post({ type: 'set-saved-paths', paths })
    engine.watchPaths((path) => {
      if (keepsHistory()) this.#paths.note(path)
    })
  }

  /** Resolves when these files and `others` are up to date, or after `lastWriteMs`. */
  async flushed(...others: readonly Promise<void>[]): Promise<void> {
    const { resumableReceives, shares, history, installation } = this
    const kept = [resumableReceives, shares, history, installation, this.#paths]
    const files = [...kept.map((file) => file.flushed()), ...others]
    await Promise.all(
      files.map((file) => withTimeout(this.#clock, lastWriteMs, file, () => undefined)),
    )
  }
}
