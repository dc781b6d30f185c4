/**
 * A secret of this installation. A value derived from it and from a share's content lets receivers recognize the same
 * sender, and resume without comparing every byte. See docs/protocol.md#origin. Another one authenticates the records
 * of who sent a received file.
 */
import { randomBytes } from 'node:crypto'
import { StateFile, type StateFileOptions, type StateFormat } from '#client/state/state-file'
import { keySchema } from '#shared/code/key-text'

const format: StateFormat<string | null> = {
  name: 'installation.json',
  version: 1,
  maxBytes: 4096,
  empty: null,
  decode: ({ secret }) => {
    const { data } = keySchema.nullable().safeParse(secret)
    return { value: data ?? null, isComplete: data !== undefined }
  },
  encode: (secret) => ({ secret }),
}

/** Each client has one; several programs agree on one secret. */
export class InstallationSecret {
  readonly #file: StateFile<string | null>
  readonly #onFound: (secret: string) => void
  #secret: Promise<string> | null = null

  /**
   * `onFound` is called within the first `get`, and again if another program has meanwhile stored the secret that
   * counts.
   */
  constructor(
    options: Omit<StateFileOptions<string | null>, 'format'>,
    onFound: (secret: string) => void,
  ) {
    this.#file = new StateFile({ ...options, format })
    this.#onFound = onFound
  }

  /** 43 characters of base64url, made at the first call. If it can't be stored, it lasts as long as the program. */
  get(): Promise<string> {
    this.#secret ??= this.#find()
    return this.#secret
  }

  /** Resolves when the secret is stored, or could not be. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }

  async #find(): Promise<string> {
    const stored = this.#file.read()
    const first = stored ?? randomBytes(32).toString('base64url')
    this.#onFound(first)
    if (stored !== null) return stored
    let secret = first
    await this.#file.change((other) => {
      secret = other ?? first
      return secret
    })
    if (secret !== first) this.#onFound(secret)
    return secret
  }
}
